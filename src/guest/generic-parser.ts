// Reads a line where no adapter's parser does: `[name] …` is the system's, all else the assistant's (docs/decisions.md 8.6).

import { asShown } from "./strip-escapes.ts"
import type { TranscriptEntry } from "./transcript-entry.ts"

const SYSTEM = /^\[[^\]\s][^\]]*\]/

/** What stands in a line, without a time of its own. Colours do not hide a name. */
export function readGeneric(line: string): TranscriptEntry {
  const text = asShown(line).trimEnd()
  return SYSTEM.test(text)
    ? { kind: "line", name: "system", text, isError: false, ts: null }
    : { kind: "assistant", text, delta: false, ts: null }
}
