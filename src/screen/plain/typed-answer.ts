// Reads a line typed without a screen: an answer to a question, or a command.
import type { Json } from "../../protocol/json.ts"
import type { Prompt } from "../../run/model/run.ts"
import type { Intent } from "../../view/intent.ts"
import { answerable, type State } from "../../view/state.ts"
import { numberOf, plainStatusLines } from "./run-lines.ts"

export type Meaning = { readonly intent: Intent } | { readonly say: readonly string[] }

const HELP = [
  "Type an answer and press Enter. To answer question 2, start with #2",
  "/cancel [2]  /status  /pause  /step [n]  /continue  /arm  /break  /next  /back  /quit",
]

const OPS: { readonly [command: string]: Intent } = {
  pause: { type: "debugger/send", op: "pause", n: 1 },
  continue: { type: "debugger/send", op: "continue", n: 1 },
  arm: { type: "debugger/send", op: "arm", n: 1 },
  break: { type: "debugger/send", op: "arm-llm-breakpoint", n: 1 },
  next: { type: "debugger/send", op: "turn-next", n: 1 },
  back: { type: "debugger/send", op: "turn-back", n: 1 },
  quit: { type: "program/quit" },
}

/** Never throws; a line that means nothing gets a message. */
export function readTypedAnswer(state: State, line: string): Meaning {
  const command = /^\/([a-z]+)(?:\s+(\d+))?\s*$/.exec(line)
  if (command !== null)
    return readCommand(state, command[1] ?? "", command[2] === undefined ? null : Number(command[2]))
  const addressed = /^#(\d+)(?: (.*))?$/s.exec(line)
  const number = addressed === null ? null : Number(addressed[1])
  const prompt = find(state, number)
  if (prompt === undefined) return { say: [noQuestion(number)] }
  return readAnswer(prompt, addressed === null ? line : (addressed[2] ?? ""))
}

function readCommand(state: State, command: string, number: number | null): Meaning {
  if (command === "status") return { say: plainStatusLines(state) }
  if (command === "step") return { intent: { type: "debugger/send", op: "step", n: number ?? 1 } }
  if (command === "cancel") {
    const prompt = find(state, number)
    if (prompt === undefined) return { say: [noQuestion(number)] }
    return { intent: { type: "prompt/settle", key: prompt.key, answer: { cancelled: true } } }
  }
  const intent = OPS[command]
  return intent === undefined ? { say: HELP } : { intent }
}

function find(state: State, number: number | null): Prompt | undefined {
  const open = answerable(state)
  return number === null ? open[0] : open.find(prompt => numberOf(state.run, prompt) === number)
}

function noQuestion(number: number | null): string {
  return number === null ? "No question is open. /help lists what you can type" : `Question ${number} is not open`
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
