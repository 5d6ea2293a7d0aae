// Parses lines without an adapter's parser: `[name] …` is the system, the rest the assistant (docs/decisions.md 8.6).
import { renderedText } from "./strip-escapes.ts"
import type { TranscriptEntry } from "./transcript-entry.ts"

const SYSTEM = /^\[[^\]\s][^\]]*\]/

/** The entry for a line. Escape sequences before the bracket don't hide a name. */
export function readGeneric(line: string): TranscriptEntry {
  const text = renderedText(line).trimEnd()
  return SYSTEM.test(text)
    ? { kind: "line", name: "system", text, isError: false, ts: null }
    : { kind: "assistant", text, delta: false, ts: null }
}
