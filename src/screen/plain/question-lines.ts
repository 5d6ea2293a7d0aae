// Prints questions: how they are asked, refused, answered and closed, each once.
import { stringifySafe } from "../../../packages/wire/src/json.ts"
import type { Prompt } from "../../run/model/prompts.ts"
import { eventTypeOf } from "../../run/model/row.ts"
import type { Row, Run } from "../../run/model/run.ts"
import { answerWords } from "../../run/select/row-words.ts"
import { isLive, type State } from "../../view/state.ts"

/** The number of a question, from 1: its place among all of the run. */
export function numberOf(run: Run, prompt: Prompt): number {
  return run.prompts.findIndex(one => one.key === prompt.key) + 1
}

const HOW = {
  text: "type your answer; end a line with \\ to continue; /empty for none",
  select: "type the number of one option",
  multi: "type the numbers of the options, or none",
  confirm: "type yes or no",
} as const
/** Printed with a secret question: without a screen the terminal shows typed text. */
const SEEN = " (this terminal may show what you type)"

/** A question, its options, and how to answer it. */
export function questionLines({ run, link }: Pick<State, "run" | "link">, prompt: Prompt): readonly string[] {
  const { question, options, type, secret } = prompt.frame
  const number = numberOf(run, prompt)
  const listed = type === "select" || type === "multi" ? options : []
  return [
    `question ${number}, ${prompt.title} asks: ${question.split("\n").join("\n  ")}`,
    ...listed.map((option, index) => `  ${index + 1}. ${option.label}`),
    ...(isLive({ link })
      ? [`answer ${number}: ${HOW[type]}${secret ? SEEN : ""}${presetWords(prompt)}; /cancel ${number} cancels it`]
      : []),
  ]
}

function presetWords({ frame }: Prompt): string {
  if (frame.default === undefined) return ""
  const preset = frame.default
  const words = typeof preset === "boolean" ? (preset ? "yes" : "no") : stringifySafe(preset)
  return `; /default answers ${words}`
}

/** True for a row that repeats the lines of a question. */
export function isToldAsQuestion(before: Run, after: Run, row: Row): boolean {
  const type = eventTypeOf(row)
  if (type !== "human-input/start" && type !== "human-input/answer" && type !== "human-input/cancelled") return false
  const { what } = row
  const isIts = (prompt: Prompt): boolean => what.kind === "event" && prompt.asker === what.invokeid
  const wasTold = (prompt: Prompt): boolean => prompt.state === "open" || (prompt.answer !== null && !prompt.confirmed)
  return before.prompts.some(one => wasTold(one) && isIts(one)) || after.prompts.some(one => wasTold(one) && isIts(one))
}

/** What came of questions since `before`: how they were closed, why answers were refused, and which were asked. */
export function questionNews(before: State, after: State) {
  const { run } = after
  if (before.run.prompts === run.prompts) return { closed: [], refused: [], asked: [] }
  const known = new Map(before.run.prompts.map(prompt => [prompt.key, prompt]))
  const news = run.prompts.map(prompt => ({ prompt, was: known.get(prompt.key) }))
  return {
    closed: news.flatMap(({ prompt, was }) => closedLines(run, prompt, was)),
    refused: news.flatMap(({ prompt, was }) => {
      const errors = prompt.errors === was?.errors ? [] : prompt.errors
      return errors.map(error => `question ${numberOf(run, prompt)} was not answered: ${error}`)
    }),
    asked: news.flatMap(({ prompt, was }) =>
      was === undefined && prompt.state === "open" ? questionLines(after, prompt) : [],
    ),
  }
}

function closedLines(run: Run, prompt: Prompt, was: Prompt | undefined): readonly string[] {
  // Another client was faster than our answer.
  const isOther = was?.state === "answered" && was.answer !== null && prompt.answer === null
  if (prompt.state === "open" || !(was?.state === "open" || isOther)) return []
  const words = prompt.state === "answered" ? answerWords(prompt) : null
  const how = prompt.state === "closed" ? "closed by the agent" : isOther ? "answered elsewhere" : prompt.state
  return [`question ${numberOf(run, prompt)} ${how}${words === null ? "" : `: ${words === "" ? "nothing" : words}`}`]
}
