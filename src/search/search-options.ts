// Defines where to search and what for.
import type { Filter } from "../query/filter/filter.ts"

/** A run on disk. */
export interface RunPlace {
  readonly recording: string
  /** Its session directory; null if it has none. */
  readonly directory: string | null
  /** The log of another agent CLI from which the recording was made; hits name its lines. */
  readonly log?: string
}

export interface SearchOptions {
  readonly text: string
  readonly filter: Filter | null
  /** As in `compile`. */
  readonly zone: number
  /** Called with one line, which may be shown, about each thing that can't be read. */
  readonly warn: (why: string) => void
  /** Aborts the search between two files or two pieces of a file. */
  readonly signal?: AbortSignal
}
