// Carries the place at which a session's text is read over to the session as it is told anew: entries came before and
// between those that were there, so that each is found again by what it says.

import { at } from "../../run/model/chunked-list.ts"
import type { Entry, Session } from "../../run/model/session.ts"
import { type Anchor, type BlockReading, START, turnAnchor, turnOfAnchor } from "../block-reading.ts"

/** Entries among which one is looked for before it counts as gone. */
const REACH = 2000

/** Where what is read of a session stands once it is told anew. */
export interface Moved {
  /** `own` is what the key of an entry's first block has behind the index of its entry. */
  readonly reading: (reading: BlockReading, own: "" | ".0.0") => BlockReading
  /** Null where no entry of the turn is found again. */
  readonly turn: (turn: number) => number | null
}

/** Costs the entries of both. */
export function rebaseText(before: Session, after: Session): Moved {
  const places = placesIn(before, after)
  const last = before.entries.length
  // What streams stands behind the last entry.
  const indexOf = (index: number): number | null =>
    index >= last ? after.entries.length + index - last : (places[index] ?? null)
  const turn = (wanted: number): number | null => {
    if (wanted === before.turns) return after.turns
    const index = places.findIndex((found, i) => found !== null && at(before.entries, i)?.turn === wanted)
    return at(after.entries, places[index] ?? -1)?.turn ?? null
  }
  const spot = (one: Anchor, own: string): Anchor => {
    const ofTurn = turnOfAnchor(one)
    if (ofTurn !== null) return turnAnchor(turn(ofTurn) ?? ofTurn)
    const [, index, rest = ""] = KEY.exec(one.block === START.block ? `0${own}` : one.block) ?? []
    if (index === undefined) return one
    const found = indexOf(Number(index))
    if (found !== null) return { block: `${found}${rest}`, row: one.row }
    // In the place of an entry that is gone stands the next one that is not.
    const next = places.find((place, i) => place !== null && i > Number(index)) ?? after.entries.length
    return { block: `${next}${own}`, row: 0 }
  }
  const fold = (key: string): readonly string[] => {
    const [, index, rest = ""] = KEY.exec(key) ?? []
    const found = index === undefined ? null : indexOf(Number(index))
    return found === null ? [] : [`${found}${rest}`]
  }
  return {
    reading: ({ at: cursor, first, folds }, own) => ({
      at: cursor === null ? null : spot(cursor, own),
      first: first === null ? null : spot(first, own),
      folds: { all: folds.all, except: folds.except.flatMap(fold) },
    }),
    turn,
  }
}

/** The key of a block: the index of its entry, and which of the entry's blocks it is. */
const KEY = /^(\d+)(\..*)?$/

/** For each entry of `before` where it stands in `after`, null where it is gone: from the end on, since what is lost is mostly before it. */
function placesIn(before: Session, after: Session): readonly (number | null)[] {
  const places: (number | null)[] = Array.from({ length: before.entries.length }, () => null)
  let end = after.entries.length
  for (let i = before.entries.length - 1; i >= 0; i--) {
    const entry = at(before.entries, i)
    for (let j = end - 1; j >= Math.max(0, end - REACH); j--) {
      const other = at(after.entries, j)
      if (entry === undefined || other === undefined || !isSame(entry, other)) continue
      places[i] = j
      end = j
      break
    }
  }
  return places
}

/** Of a text whose beginning was missed only its end was there. */
function isSame(before: Entry, after: Entry): boolean {
  if (before.type !== after.type || before.name !== after.name) return false
  return after.text.join("").endsWith(before.text.join(""))
}
