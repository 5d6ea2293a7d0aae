// Finds the turns of a run that used most.
import { type Chunk, listOf } from "../model/chunked-list.ts"
import { derived } from "../model/derived.ts"
import { LEDGER_SORTS, type LedgerSort } from "../model/ledger.ts"
import type { Run } from "../model/run.ts"
import type { Reply, Session, TurnBuffer } from "../model/session.ts"

/** Maximum number of turns found. */
const MOST = 100

/** A turn, from 1, of the session at an index. */
export interface DearTurn {
  readonly session: number
  readonly turn: number
  readonly figure: number
}

const bySession = derived<readonly Omit<DearTurn, "session">[]>()
const mostIn = derived<number>()

/** The turns with the largest figures, which are above 0. Costs the sessions, and of one that changed a 32nd of it. */
export function dearestTurns(run: Run, sort: LedgerSort, sessions: readonly number[]): readonly DearTurn[] {
  const found: DearTurn[] = []
  for (const index of sessions) {
    const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
    if (session === undefined || buffer === undefined) continue
    const own = bySession([session, buffer, sort], () => dearestIn(session, buffer, sort))
    if ((own[0]?.figure ?? 0) > leastOf(found))
      keep(
        found,
        own.map(one => ({ session: index, ...one })),
      )
  }
  return found
}

function dearestIn(
  { replies, turns }: Session,
  buffer: TurnBuffer,
  sort: LedgerSort,
): readonly Omit<DearTurn, "session">[] {
  const figure = LEDGER_SORTS[sort]
  const found: Omit<DearTurn, "session">[] = []
  const add = (items: Chunk<Reply>) =>
    keep(
      found,
      listOf(items).flatMap(({ turn, account }) => (turn === turns ? [] : { turn, figure: figure(account) })),
    )
  // Unpacks those chunks alone in which something is dearer than what was found.
  const chunks = replies.full.map(chunk => ({
    chunk,
    most: mostIn([chunk, sort], () => Math.max(0, ...listOf(chunk).map(({ account }) => figure(account)))),
  }))
  for (const { chunk, most } of chunks.sort((a, b) => b.most - a.most)) {
    if (most <= leastOf(found)) break
    add(chunk)
  }
  add(replies.tail)
  keep(found, [{ turn: turns, figure: figure(buffer.turn.account) }])
  return found
}

/** The least that a turn on the list has used. */
function leastOf(found: readonly { readonly figure: number }[]): number {
  return found.length < MOST ? 0 : (found.at(-1)?.figure ?? 0)
}

function keep<T extends { readonly figure: number }>(found: T[], more: readonly T[]): void {
  found.push(...more.filter(({ figure }) => figure > 0))
  found.sort((a, b) => b.figure - a.figure)
  found.length = Math.min(found.length, MOST)
}
