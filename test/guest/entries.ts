// Provides the entries that a foreign parser makes of a guest's lines, and the run that they fold to.
import { FrameWriter } from "../../src/guest/frame-writer.ts"
import type { GuestOutcome } from "../../src/guest/launch.ts"
import type { TranscriptEntry } from "../../src/guest/transcript-entry.ts"
import type { Run } from "../../src/run/model/run.ts"
import { runFrom } from "./reading.ts"

export const say = (text: string, delta = false): TranscriptEntry => ({ kind: "assistant", text, delta, ts: null })
export const think = (text: string, delta = false): TranscriptEntry => ({ kind: "thinking", text, delta, ts: null })
export const call = (id: string | null, name: string): TranscriptEntry => ({
  ...{ kind: "tool_call", id, name, input: { n: 1 }, ts: null },
})
export const gives = (
  id: string,
  content: string,
  more: { isError?: boolean; delta?: boolean } = {},
): TranscriptEntry => ({
  ...{ kind: "tool_result", id, name: null, content, isError: false, delta: false, ts: null, ...more },
})
export const user = (text: string): TranscriptEntry => ({ kind: "user", text, ts: null })
export const init = (model: string): TranscriptEntry => ({ kind: "init", model, sessionId: "s1", ts: null })
export const note = (name: string, text: string): TranscriptEntry => ({
  kind: "line",
  name,
  text,
  isError: false,
  ts: null,
})
export const outcome = (more: Partial<Extract<TranscriptEntry, { kind: "result" }>>): TranscriptEntry => ({
  ...{ kind: "result", text: "", input: null, output: null, cached: null, costUsd: null, subtype: null },
  ...{ isError: false, errors: [], ts: null, ...more },
})

/** The frames of these entries of a foreign parser, a second apart. */
export function written(entries: readonly TranscriptEntry[], end: GuestOutcome | null = null): readonly string[] {
  const scribe = new FrameWriter("guest")
  const lines = [...scribe.begin(0), ...entries.flatMap((entry, index) => scribe.entry(entry, index * 1000))]
  return [...lines, ...(end === null ? [] : scribe.end(end, entries.length * 1000))]
}

export const folded = (...entries: readonly TranscriptEntry[]): Run =>
  runFrom(written(entries, { code: 0, signal: null }))
