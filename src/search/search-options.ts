// Says what is searched for, and who is told of what cannot be read.
import type { Filter } from "../store/filter/filter.ts"

export interface SearchOptions {
  readonly text: string
  readonly filter: Filter | null
  /** As in `compile`. */
  readonly zone: number
  /** Told of what cannot be read, in one line that may be shown. */
  readonly complain: (why: string) => void
  /** Ends the search between two files, or two pieces of one. */
  readonly signal?: AbortSignal
}
