// Defines what a filter can ask of a row, a frame, a session or the run.
import type { Run } from "../../run/model/run.ts"
import type { Key, NumberKey, TextKey, Word } from "./filter.ts"

/** What can be asked of a subject. Nothing is computed before it is asked. */
export interface FactTable<Subject> {
  /** False for a key that the subject can't answer, so that the result is undecided. */
  knows(key: Key, subject: Subject): boolean
  /** True if one of the subject's texts under `key` passes. */
  some(run: Run, subject: Subject, key: TextKey, passes: Passes): boolean
  /** Null if the subject has none. `ts` in epoch ms, `rate` in tokens per second. */
  number(run: Run, subject: Subject, key: NumberKey | "ts"): number | null
  is(run: Run, subject: Subject, word: Word): boolean
}

export type Passes = (text: string) => boolean

/** True for a text that is present and passes; an empty one counts as absent. */
export function has(text: string | null | undefined, passes: Passes): boolean {
  return text !== null && text !== undefined && text !== "" && passes(text)
}
