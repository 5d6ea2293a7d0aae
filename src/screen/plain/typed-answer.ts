// What a line means that a person typed where there is no screen: an answer to a question, or an order.
import type { Json } from "../../protocol/json.ts"
import type { Prompt } from "../../run/model/run.ts"
import type { Intent } from "../../view/intent.ts"
import { answerable, type State } from "../../view/state.ts"
import { numberOf, plainStatusLines } from "./run-lines.ts"

export type Meaning = { readonly intent: Intent } | { readonly say: readonly string[] }

const HELP = [
  "a line answers the oldest open question; #2 before it answers question 2",
  "/cancel [2]  /status  /pause  /step [n]  /continue  /arm  /break  /next  /back  /quit",
]

const OPS: { readonly [order: string]: Intent } = {
  pause: { type: "debugger/send", op: "pause", n: 1 },
  continue: { type: "debugger/send", op: "continue", n: 1 },
  arm: { type: "debugger/send", op: "arm", n: 1 },
  break: { type: "debugger/send", op: "arm-llm-breakpoint", n: 1 },
  next: { type: "debugger/send", op: "turn-next", n: 1 },
  back: { type: "debugger/send", op: "turn-back", n: 1 },
  quit: { type: "program/quit" },
}

/** Never throws; a line that means nothing is answered in words. */
export function readTypedAnswer(state: State, line: string): Meaning {
  const order = /^\/([a-z]+)(?:\s+(\d+))?\s*$/.exec(line)
  if (order !== null) return readOrder(state, order[1] ?? "", order[2] === undefined ? null : Number(order[2]))
  const addressed = /^#(\d+)(?: (.*))?$/s.exec(line)
  const number = addressed === null ? null : Number(addressed[1])
  const prompt = find(state, number)
  if (prompt === undefined) return { say: [noQuestion(number)] }
  return readAnswer(prompt, addressed === null ? line : (addressed[2] ?? ""))
}

function readOrder(state: State, order: string, number: number | null): Meaning {
  if (order === "status") return { say: plainStatusLines(state) }
  if (order === "step") return { intent: { type: "debugger/send", op: "step", n: number ?? 1 } }
  if (order === "cancel") {
    const prompt = find(state, number)
    if (prompt === undefined) return { say: [noQuestion(number)] }
    return { intent: { type: "prompt/settle", key: prompt.key, answer: { cancelled: true } } }
  }
  const intent = OPS[order]
  return intent === undefined ? { say: HELP } : { intent }
}

function find(state: State, number: number | null): Prompt | undefined {
  const open = answerable(state)
  return number === null ? open[0] : open.find(prompt => numberOf(state.run, prompt) === number)
}

function noQuestion(number: number | null): string {
  return number === null ? "no question is open; /help lists what can be typed" : `question ${number} is not open`
}

function readAnswer(prompt: Prompt, text: string): Meaning {
  const value = typedValue(prompt, text)
  if ("say" in value) return value
  return { intent: { type: "prompt/settle", key: prompt.key, answer: value } }
}

type Answer = { readonly value: Json } | { readonly say: readonly string[] }

function typedValue({ frame }: Prompt, text: string): Answer {
  const word = text.trim().toLowerCase()
  // Enter alone takes the default where there is one, as it does on the screen.
  if (word === "" && frame.default !== undefined) return { value: frame.default }
  switch (frame.type) {
    case "text":
      return { value: text }
    case "confirm":
      if (/^(y|yes|true)$/.test(word)) return { value: true }
      return /^(n|no|false)$/.test(word) ? { value: false } : { say: ["yes or no, please"] }
    case "select": {
      const option = frame.options[Number(word) - 1]
      return option === undefined
        ? { say: [`a number from 1 to ${frame.options.length}, please`] }
        : { value: option.value }
    }
    case "multi": {
      const words = word === "none" ? [] : word.split(/[\s,]+/)
      const chosen = words.map(one => frame.options[Number(one) - 1])
      if (word === "" || chosen.includes(undefined)) {
        return { say: [`numbers from 1 to ${frame.options.length}, or none, please`] }
      }
      return { value: frame.options.filter(option => chosen.includes(option)).map(option => option.value) }
    }
  }
}
