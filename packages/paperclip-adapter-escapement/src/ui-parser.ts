// Parses the lines that the adapter logs into entries of Paperclip's run view. The host loads it as one bundled file.
import type { TranscriptEntry } from "@paperclipai/adapter-utils"
import { readLogLine } from "./log-line.ts"

/** Matches a line that begins with its program's name: `[paperclip] …`, `[escapement] …`. */
const NAMED = /^\[[\w.@/-]{1,64}\](?:\s|$)/

/** Parses one line of the adapter's stdout. Stateless; never throws: a line that is not ours becomes `stdout`. */
export function parseStdoutLine(line: string, ts: string): TranscriptEntry[] {
  const text = line.trim()
  if (text === "") return []
  if (NAMED.test(text)) return [{ kind: "system", ts, text }]
  return [readLogLine(text, ts) ?? { kind: "stdout", ts, text: line }]
}

export { parseStdoutLine as parseEscapementStdoutLine }

/** The contract's parser with a state, which ours doesn't need. */
export function createStdoutParser(): { parseLine: typeof parseStdoutLine; reset: () => void } {
  return { parseLine: parseStdoutLine, reset: () => undefined }
}
