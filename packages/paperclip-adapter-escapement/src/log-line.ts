// Reads the lines that the adapter logs: plain text, because the host's page may show it without a parser.
import type { TranscriptEntry } from "@paperclipai/adapter-utils"
import { parseJson } from "../../wire/src/json.ts"
import { isCount } from "../../wire/src/object-reader.ts"

/** Stands between who speaks and what is said. */
export const MARKS = {
  assistant: "│",
  thinking: "┊",
  user: "»",
  call: "→",
  result: "←",
  system: "·",
  failure: "✗",
  start: "▸",
  end: "■",
  /** The agent's own output, where it looks like a line of ours. */
  own: "⋮",
} as const

/** Who speaks if it is no session of the agent. */
export const RUN = "run"

/** Stands for a line end in texts of one line. */
export const BREAK = " ⏎ "

const LINE = new RegExp(`^(\\S{1,64}) ([${Object.values(MARKS).join("")}])(?: (.*))?$`, "s")
const START = /^model (.+), session (\S*)$/
const CALL = /^(\S+) (.*?)(?: #(\S+))?$/s
const RESULT = /^(\S+?)( failed)?:(?: (.*?))??(?: #(\S+))?$/s
const END = /^(\S+)(?: \((.*?)\))?: (no usage|(?:(?:\d+ (?:in|out|cached)|\$[\d.e+-]+)(?:, )?)+)(?:; (.*))?$/s
const FIGURE = /(?:(\d+) (in|out|cached)|\$([\d.e+-]+))/g

/** The entry that a line was printed from; null if it is not one of ours. Stateless; never throws. */
export function readLogLine(line: string, ts: string): TranscriptEntry | null {
  const [, who = "", mark = "", text = ""] = LINE.exec(line) ?? []
  const named = who === RUN ? withBreaks(text) : `${who}: ${withBreaks(text)}`
  switch (mark) {
    case MARKS.assistant:
      return { kind: "assistant", ts, text: withEnd(text), delta: true }
    case MARKS.thinking:
      return { kind: "thinking", ts, text: withEnd(text), delta: true }
    case MARKS.user:
      return { kind: "user", ts, text: withBreaks(text) }
    case MARKS.system:
      return { kind: "system", ts, text: named }
    case MARKS.failure:
      return { kind: "stderr", ts, text: named }
    case MARKS.call: {
      const [, name, input = "", id = `${who}/${name}`] = CALL.exec(text) ?? []
      if (name === undefined) return null
      return { kind: "tool_call", ts, name, input: parseJson(input) ?? input, toolUseId: id }
    }
    case MARKS.result: {
      const [, tool, failed, content = "", id = `${who}/${tool}`] = RESULT.exec(text) ?? []
      if (tool === undefined) return null
      const isError = failed !== undefined
      return { kind: "tool_result", ts, toolUseId: id, toolName: tool, content: withBreaks(content), isError }
    }
    case MARKS.start: {
      const [, model, sessionId = ""] = START.exec(text) ?? []
      return model === undefined ? null : { kind: "init", ts, model, sessionId }
    }
    case MARKS.end:
      return readEnd(text, ts)
    case MARKS.own:
      return who === RUN ? { kind: "stdout", ts, text } : null
    default:
      return null
  }
}

function readEnd(text: string, ts: string): TranscriptEntry | null {
  const [, subtype, why, figures = "", summary = ""] = END.exec(text) ?? []
  if (subtype === undefined) return null
  const told = new Map(
    [...figures.matchAll(FIGURE)].map(([, count, unit = "$", cost]) => [unit, Number(count ?? cost)]),
  )
  const figure = (unit: string) => [told.get(unit) ?? 0].find(isCount) ?? 0
  return {
    kind: "result",
    ts,
    text: withBreaks(summary),
    subtype,
    inputTokens: figure("in"),
    outputTokens: figure("out"),
    cachedTokens: figure("cached"),
    costUsd: figure("$"),
    isError: why !== undefined,
    errors: why === undefined ? [] : [withBreaks(why)],
  }
}

function withBreaks(text: string): string {
  return text.replace(/ ⏎( |$)/g, "\n")
}

/** A line of a reply with its end, unless it goes on in the next: then its last backslash stands single. */
function withEnd(text: string): string {
  const [slashes = ""] = /\\*$/.exec(text) ?? []
  const kept = text.slice(0, text.length - Math.ceil(slashes.length / 2))
  return slashes.length % 2 === 1 ? kept : `${kept}\n`
}
