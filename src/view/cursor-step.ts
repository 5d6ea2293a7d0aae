// How far a move takes a cursor, and which rows it brings into view.
import type { Move } from "./intent.ts"
import type { ViewContext } from "./plan-result.ts"

/** How far a move goes, in rows. */
export function stepOf(by: Move, from: number, facts: Pick<ViewContext, "page" | "lines">): number {
  switch (by.unit) {
    case "row":
    case "view":
      return by.count
    case "half":
      return by.count * Math.max(1, Math.floor(facts.page / 2))
    case "page":
      return by.count * Math.max(1, facts.page - 1)
    case "to":
      return by.count - from
    case "first":
      return -from
    case "last":
    case "follow":
      return facts.lines
  }
}

/** The nearest value from `low` to `high`. */
export function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value))
}

/** The first row to draw: `top` moved only as far as needed to show the cursor, so that rows stay where they are. */
export function windowTop(top: number, cursor: number, height: number, length: number): number {
  return clamp(clamp(top, cursor - height + 1, cursor), 0, Math.max(0, length - height))
}

/** The part of a list or a text that is seen; a text has no cursor. */
export interface SeenRows {
  readonly top: number
  readonly rows: number
  readonly length: number
  readonly cursor?: number
}
