// Divides the inspector between the names of its tabs and what a tab shows.
import type { Place } from "../common/place.ts"

/** Rows above what a tab shows. */
const HEAD = 2

export function belowTabs(place: Place): Place {
  return { ...place, rows: Math.max(1, place.rows - HEAD) }
}
