// Says where and what is searched for, and who is told of what cannot be read.
import type { Filter } from "../query/filter/filter.ts"

/** A run as it lies on disk. */
export interface RunPlace {
  readonly recording: string
  /** Its session directory, null where it has none. */
  readonly directory: string | null
  /** The log of another agent CLI that the recording was made of: its lines are named. */
  readonly log?: string
}

export interface SearchOptions {
  readonly text: string
  readonly filter: Filter | null
  /** As in `compile`. */
  readonly zone: number
  /** Told of what cannot be read, in one line that may be shown. */
  readonly warn: (why: string) => void
  /** Ends the search between two files, or two pieces of one. */
  readonly signal?: AbortSignal
}
