// Reads a line typed without a screen: an answer to a question, or an order.
import type { Json } from "../../../packages/wire/src/json.ts"
import type { PromptKey } from "../../run/model/id.ts"
import type { Prompt } from "../../run/model/prompts.ts"
import type { Intent } from "../../view/intent.ts"
import { answerable, type State } from "../../view/state.ts"
import { numberOf, questionLines } from "./question-lines.ts"
import { plainStatusLines } from "./run-lines.ts"

/** The request of a line; `look` has to be found in the run first. */
export type Meaning =
  | { readonly intent: Intent }
  | { readonly say: readonly string[] }
  | { readonly look: "errors" | "last" }

const HELP = [
  "Type an answer and press Enter. To answer question 2, start with #2",
  "/repeat [2] asks again  /default [2] takes the default  /empty [2] answers with nothing  /cancel [2] cancels",
  "/status  /errors lists the last ones  /last repeats the last reply",
  "/pause  /continue  /step [n] runs n events  /arm pauses at the next external event",
  "/break pauses before the next model turn, /next runs it, /back steps back",
  "/interrupt interrupts the agent  /quit ends the run",
]

const ORDERS: { readonly [word: string]: Meaning } = {
  help: { say: HELP },
  pause: { intent: { type: "debugger/send", op: "pause", n: 1 } },
  continue: { intent: { type: "debugger/send", op: "continue", n: 1 } },
  arm: { intent: { type: "debugger/send", op: "arm", n: 1 } },
  break: { intent: { type: "debugger/send", op: "arm-llm-breakpoint", n: 1 } },
  next: { intent: { type: "debugger/send", op: "turn-next", n: 1 } },
  back: { intent: { type: "debugger/send", op: "turn-back", n: 1 } },
  interrupt: { intent: { type: "program/interrupt" } },
  quit: { intent: { type: "program/quit-by-word" } },
  errors: { look: "errors" },
  last: { look: "last" },
}

/** Reads a line begun with the question `front` in front: it answers no other, unless it names it. Never throws. */
export function readTypedLine(state: State, line: string, front: PromptKey | null): Meaning {
  const order = /^\/([a-z]+)(?:\s+(\d+))?\s*$/i.exec(line)
  if (order !== null) {
    return readOrder(state, (order[1] ?? "").toLowerCase(), order[2] === undefined ? null : Number(order[2]), front)
  }
  const addressed = /^#(\d+)(?: (.*))?$/s.exec(line)
  const number = addressed === null ? null : Number(addressed[1])
  const prompt = find(state, number)
  if (prompt === undefined) return { say: [noQuestion(number)] }
  if (number === null && prompt.key !== front) return notFront(state, prompt, "your line")
  return settled(prompt, typedValue(prompt, addressed === null ? line : (addressed[2] ?? "")))
}

function readOrder(state: State, word: string, number: number | null, front: PromptKey | null): Meaning {
  if (word === "status") return { say: plainStatusLines(state) }
  if (word === "step") return { intent: { type: "debugger/send", op: "step", n: number ?? 1 } }
  if (word === "repeat" || word === "cancel" || word === "empty" || word === "default") {
    const prompt = find(state, number)
    if (prompt === undefined) return { say: [noQuestion(number)] }
    if (number === null && prompt.key !== front && word !== "repeat") return notFront(state, prompt, `/${word}`)
    return readQuestionOrder(state, word, prompt)
  }
  if (Object.hasOwn(ORDERS, word)) return ORDERS[word] ?? { say: HELP }
  const prompt = find(state, null)
  const answer = prompt === undefined ? "" : `. To answer with it, type #${numberOf(state.run, prompt)} /${word}`
  return { say: [`/${word} is unknown; /help lists what you can type${answer}`] }
}

function readQuestionOrder(state: State, word: "repeat" | "cancel" | "empty" | "default", prompt: Prompt): Meaning {
  const { type, default: preset } = prompt.frame
  switch (word) {
    case "repeat":
      return { say: questionLines(state, prompt) }
    case "cancel":
      return { intent: { type: "prompt/settle", key: prompt.key, answer: { cancelled: true } } }
    case "empty":
      return type === "text" ? settled(prompt, { value: "" }) : { say: ["Only a question for a text takes /empty"] }
    case "default":
      return preset === undefined ? { say: ["This question has no default"] } : settled(prompt, { value: preset })
  }
}

function find(state: State, number: number | null): Prompt | undefined {
  const open = answerable(state)
  return number === null ? open[0] : open.find(prompt => numberOf(state.run, prompt) === number)
}

function noQuestion(number: number | null): string {
  return number === null ? "No question is open. /help lists what you can type" : `Question ${number} is not open`
}

function notFront({ run }: State, prompt: Prompt, typed: string): Meaning {
  const number = numberOf(run, prompt)
  const how = typed.startsWith("/") ? `${typed} ${number}` : `#${number} and the line`
  return {
    say: [`Not sent: question ${number} came in front while you typed. To settle it with ${typed}, type ${how}`],
  }
}

type Answer = { readonly value: Json } | { readonly say: readonly string[] }

function settled({ key }: Prompt, answer: Answer): Meaning {
  return "say" in answer ? answer : { intent: { type: "prompt/settle", key, answer } }
}

/** An empty line answers nothing: it may be an Enter too many, meant for the question before. */
function typedValue({ frame }: Prompt, text: string): Answer {
  const word = text.trim().toLowerCase()
  switch (frame.type) {
    case "text":
      return word === "" ? { say: ["Type your answer, or /empty to answer with nothing"] } : { value: text }
    case "confirm":
      if (/^(y|yes|true)$/.test(word)) return { value: true }
      return /^(n|no|false)$/.test(word) ? { value: false } : { say: ["Type yes or no"] }
    case "select": {
      const option = frame.options[Number(word) - 1]
      return option === undefined
        ? { say: [`Type a number from 1 to ${frame.options.length}`] }
        : { value: option.value }
    }
    case "multi": {
      const words = word === "none" ? [] : word.split(/[\s,]+/)
      const chosen = words.map(one => frame.options[Number(one) - 1])
      if (word === "" || chosen.includes(undefined)) {
        return { say: [`Type numbers from 1 to ${frame.options.length}, or none`] }
      }
      return { value: frame.options.filter(option => chosen.includes(option)).map(option => option.value) }
    }
  }
}
