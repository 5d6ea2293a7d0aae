// Reads a line where no adapter's parser does: `[name] …` is the system's, all else the assistant's (decisions.md 8.6).
import type { Entry } from "./entry.ts"

const SYSTEM = /^\[[^\]\s][^\]]*\]/

/** What stands in a line, without a time of its own. */
export function readGeneric(line: string): Entry {
  return SYSTEM.test(line)
    ? { kind: "line", name: "system", text: line, isError: false, ts: null }
    : { kind: "assistant", text: line, delta: false, ts: null }
}
