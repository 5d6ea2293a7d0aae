import type { Move } from "./intent.ts"
import type { ViewContext } from "./view-context.ts"

/** How far a move goes, in rows. */
export function stepOf(by: Move, from: number, facts: Pick<ViewContext, "page" | "lines">): number {
  switch (by.unit) {
    case "row":
      return by.count
    case "half":
      return by.count * Math.max(1, Math.floor(facts.page / 2))
    case "page":
      return by.count * Math.max(1, facts.page - 1)
    case "first":
      return -from
    case "last":
    case "follow":
      return facts.lines
  }
}

export function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value))
}
