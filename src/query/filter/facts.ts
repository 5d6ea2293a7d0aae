// Defines what a filter can ask of a row, a frame, a session or the run.
import type { Run } from "../../run/model/run.ts"
import type { Key, NumberKey, TextKey, Word } from "./filter.ts"

/** What can be asked of a subject. Nothing is computed before it is asked. */
export interface FactTable<Subject> {
  /** False for a key that the subject can't answer, so that the result is undecided. */
  knows(key: Key, subject: Subject): boolean
  /** The subject's texts under `key`. An empty one counts as absent. */
  texts(run: Run, subject: Subject, key: TextKey): Texts
  /** Null if the subject has none. `ts` in epoch ms, `rate` in tokens per second. */
  number(run: Run, subject: Subject, key: NumberKey | "ts"): number | null
  is(run: Run, subject: Subject, word: Word): boolean
}

export type Texts = Iterable<string | null | undefined>
