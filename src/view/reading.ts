// Defines how a text is read from top to bottom, and how it lies on the screen.

/** How an overlay of text is read. What is absent is as in a text that was just opened. */
export interface PagerReading {
  /** The line that is shown first, counted from 0; what is folded away counts too. */
  readonly top: number
  /** Rows of that line above the first one shown. */
  readonly row?: number
  /** The line under the cursor, in a text that folds. */
  readonly cursor?: number
  readonly folded?: readonly number[] | undefined
  /** What is searched for, and the index of the hit that was gone to last. */
  readonly find?: string | undefined
  readonly hit?: number | undefined
}

/** A text as it lies on the screen, for one reading. An index counts the lines that no fold hides. */
export interface Sheet {
  readonly rows: number
  readonly length: number
  /** Whether any line folds: then there is a cursor. */
  readonly folds: boolean
  rowsAt(index: number): number
  lineAt(index: number): number
  /** Where a line stands; for a hidden one, what it is hidden by. */
  indexOf(line: number): number
  heads(): readonly number[]
  /** The last line of the fold that begins at this line, null where none does. */
  endOf(line: number): number | null
  /** The first line of the innermost fold around this line, null where there is none. */
  headOf(line: number): number | null
  hits(query: string): Hits
  /** The row of a line in which this place of its text stands. */
  rowOf(line: number, at: number): number
}

/** Where a searched text stands, from top to bottom. */
export interface Hits {
  readonly count: number
  line(hit: number): number
  /** Place in the line, in UTF-16 units. */
  at(hit: number): number
  /** The first hit in or behind this line; `count` where there is none. */
  from(line: number): number
}
