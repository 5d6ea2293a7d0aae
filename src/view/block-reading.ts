// Defines the layout of a transcript for planning, and how it is read: cursor, scroll position, folds.
import { entryIdAt, turnIdOf } from "../run/identity/find-by-id.ts"
import { at, emptyList } from "../run/model/chunked-list.ts"
import type { SessionId } from "../run/model/id.ts"
import type { Session } from "../run/model/session.ts"

/** A row of a block. It stays valid while text grows or folds above it. */
export interface Anchor {
  /** The key of a block, which begins with the id of its entry: stable, and unique among the blocks of a session. */
  readonly block: string
  readonly row: number
}

/** The row of a block that is its heading, of a result that of its call. */
export const HEADING = -1
/** The first line that is known now; the same line when earlier ones come from disk. */
export function startAnchor(session: Session | undefined): Anchor {
  return { block: entryIdAt(session?.entries ?? emptyList, 0), row: 0 }
}

/** The first line of a turn, or of the next one if the turn has no blocks. */
export function turnAnchor(session: Session, turn: number): Anchor {
  return { block: `${TURN}${turnIdOf(session, turn)}`, row: 0 }
}

/** The heading of an entry, of a result that of its call; null if it isn't of the turn, or the turn begins with it. */
function entryAnchor({ entries }: Session, turn: number, index: number): Anchor | null {
  const isWithin = at(entries, index)?.turn === turn && at(entries, index - 1)?.turn === turn
  return isWithin ? { block: entryIdAt(entries, index), row: HEADING } : null
}

/** The id of the turn, if the anchor is the first line of one; else null. */
export function turnOfAnchor({ block }: Anchor): string | null {
  return block.startsWith(TURN) ? block.slice(TURN.length) : null
}

const TURN = "turn "

/** The lines of a session's blocks, counted from 0; folded ones don't count. */
export interface Outline {
  readonly length: number
  readonly rows: number
  readonly top: number
  /** The line of an anchor, or the nearest one if its row or its block is gone. */
  lineOf(anchor: Anchor): number
  /** Null for a line that does not exist. */
  anchorAt(line: number): Anchor | null
  /** The first block of the card that this block folds with. */
  cardOf(block: string): string
  isClosed(card: string): boolean
  /** A search goes on; the hits so far are known. */
  readonly isSearching: boolean
  /** The next or previous match, folded or not; wraps around. Null if there is none, or none so far. */
  hitFrom(query: string, line: number, step: 1 | -1): Anchor | null
  /** The first line of the next or previous turn; null if there is none. */
  turnFrom(line: number, step: 1 | -1): number | null
  /** The first line of the next or previous error; null if there is none. */
  errorFrom(line: number, step: 1 | -1): number | null
  /** The turn of a line; 0 before the first turn. */
  turnAt(line: number): number
}

/** How a session's transcript is read, in its pane and full screen. */
export interface OutlineReading {
  /** Null before any was read. */
  readonly session: SessionId | null
  /** The line under the cursor; null while following the end. */
  readonly at: Anchor | null
  /** The first line shown, as far as the cursor stays visible; null follows the end. */
  readonly first: Anchor | null
  readonly folds: Folds
  readonly find: string | null
}

/** In the order of their key: the calls that went well are folded, all blocks, or none. */
export const FOLDINGS = ["done", "all", "none"] as const

/** Which blocks are folded, but for those that a person opened or closed. */
export interface Folds {
  readonly to: (typeof FOLDINGS)[number]
  readonly opened: readonly string[]
  readonly closed: readonly string[]
}

/** No block is opened or closed by hand. */
export function folding(to: Folds["to"]): Folds {
  return { to, opened: [], closed: [] }
}

const doneFolded = folding("done")

export const unread: OutlineReading = { session: null, at: null, first: null, folds: doneFolded, find: null }

/** How another session is read at first: from its end, folded as this one was. */
export function readingOf({ folds }: OutlineReading, session: SessionId | null): OutlineReading {
  return { ...unread, session, folds: folding(folds.to) }
}

/**
 * A session's transcript as it is folded at first, with the cursor on the first line of a turn; null is its beginning.
 * With the index of an entry it is on that, if the turn has it and began with something else.
 */
export function readingAt(
  { find }: Pick<OutlineReading, "find">,
  session: Session,
  turn: number | null,
  entry: number | null = null,
): OutlineReading {
  const own = turn === null || entry === null ? null : entryAnchor(session, turn, entry)
  const at = own ?? (turn === null ? startAnchor(session) : turnAnchor(session, turn))
  return { session: session.id, at, first: at, folds: doneFolded, find }
}

/** Whether a block is folded, by its card; `isDone` for that of a call that went well. */
export function isFolded({ to, opened, closed }: Folds, card: string, isDone: boolean): boolean {
  if (opened.includes(card) || closed.includes(card)) return closed.includes(card)
  return to === "all" || (to === "done" && isDone)
}

/** Folds or unfolds one card. */
export function foldBlock({ to, opened, closed }: Folds, card: string, isClosed: boolean): Folds {
  const others = (cards: readonly string[]) => cards.filter(one => one !== card)
  return isClosed
    ? { to, opened: others(opened), closed: [...others(closed), card] }
    : { to, opened: [...others(opened), card], closed: others(closed) }
}
