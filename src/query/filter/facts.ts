import type { Run } from "../../run/model/run.ts"
import type { Key, NumberKey, TextKey, Word } from "./filter.ts"

/** What can be asked of a subject: a log row, a session, or the run itself. Nothing is read before it is asked. */
export interface FactTable<Subject> {
  /** False for a key that this subject cannot answer for; what depends on it is then open. */
  knows(key: Key, subject: Subject): boolean
  /** True where one of the texts that the subject has under `key` passes. */
  some(run: Run, subject: Subject, key: TextKey, passes: Passes): boolean
  /** Null where the subject has none. `ts` in epoch ms, `rate` in tokens per second. */
  number(run: Run, subject: Subject, key: NumberKey | "ts"): number | null
  is(run: Run, subject: Subject, word: Word): boolean
}

export type Passes = (text: string) => boolean

/** True for a text that is there and passes; an empty one counts as absent. */
export function has(text: string | null | undefined, passes: Passes): boolean {
  return text !== null && text !== undefined && text !== "" && passes(text)
}
