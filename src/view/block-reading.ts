// How a text of blocks lies on the screen, as far as a decision must know it.

import { entryIdAt, turnIdOf } from "../run/identity/find-by-id.ts"
import { emptyList } from "../run/model/chunked-list.ts"
import type { Session } from "../run/model/session.ts"

/** A row below the beginning of a block: it stays true while text grows or folds above it. */
export interface Anchor {
  /** The key of a block, which begins with the id of its entry: stable, and unique among the blocks of a session. */
  readonly block: string
  readonly row: number
}

/** The first line that is known now: it stays the same line when earlier ones come from disk. */
export function startAnchor(session: Session | undefined): Anchor {
  return { block: entryIdAt(session?.entries ?? emptyList, 0), row: 0 }
}

/** The first line of a turn; of the next one that was told of, where nothing was said in it. */
export function turnAnchor(session: Session, turn: number): Anchor {
  return { block: `${TURN}${turnIdOf(session, turn)}`, row: 0 }
}

/** The id of the turn whose first line a spot is; null for any other spot. */
export function turnOfAnchor({ block }: Anchor): string | null {
  return block.startsWith(TURN) ? block.slice(TURN.length) : null
}

const TURN = "turn "

/** BlockText of lines, some of them folded. Lines are counted from 0. */
export interface BlockText {
  readonly length: number
  /** Lines that fit on the screen. */
  readonly rows: number
  /** The line that is shown first now. */
  readonly top: number
  /** Whether any block folds: then there is a cursor. */
  readonly folds: boolean
  /** The line of a spot, the nearest where its block has fewer rows by now; the last line where it is gone. */
  lineOf(spot: Anchor): number
  /** Null where there is no such line. */
  spotAt(line: number): Anchor | null
  /** The block that folds together with this one, above it; itself where there is none; null for one that does not fold. */
  cardOf(block: string): string | null
}

/** A session's transcript, which has turns and is searched. */
export interface Outline extends BlockText {
  /** The first line of the turn before or behind the one at `line`; null where there is none. */
  turnFrom(line: number, step: 1 | -1): number | null
  /** The first line of the error before or behind the line; null where there is none. */
  errorFrom(line: number, step: 1 | -1): number | null
  /** The next place of a text behind the one at `line`, or before it, folded or not, and around the ends; null where it is nowhere. */
  hitFrom(query: string, line: number, step: 1 | -1): Anchor | null
  /** The turn that a line belongs to; 0 before the first. */
  turnAt(line: number): number
}

/** How blocks are read. */
export interface BlockReading {
  /** The line under the cursor; null where there is none, and where the end is followed. */
  readonly at: Anchor | null
  /** The line that is shown first, as long as the cursor can be seen then; null follows the end. */
  readonly first: Anchor | null
  readonly folds: Folds
}

/** Which blocks are folded: all or none, and those that a person wanted otherwise. */
export interface Folds {
  readonly all: boolean
  readonly except: readonly string[]
}

export const unreadBlocks: BlockReading = { at: null, first: null, folds: { all: false, except: [] } }
const allFolded: BlockReading = { ...unreadBlocks, folds: { all: true, except: [] } }

/** The reading of another text: from its end, all of it folded where all was. */
export function turned({ folds }: BlockReading): BlockReading {
  return folds.all ? allFolded : unreadBlocks
}

export function isFolded(folds: Folds, block: string): boolean {
  return folds.all !== folds.except.includes(block)
}

export function foldBlock(folds: Folds, block: string, to: boolean): Folds {
  if (isFolded(folds, block) === to) return folds
  const { all, except } = folds
  return { all, except: to === all ? except.filter(one => one !== block) : [...except, block] }
}
