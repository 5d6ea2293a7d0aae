import { type Chunk, listOf } from "../model/chunked-list.ts"
import { derived } from "../model/derived.ts"
import { LEDGER_SORTS, type LedgerSort } from "../model/ledger.ts"
import type { Run } from "../model/run.ts"
import type { Reply, Session, TurnBuffer } from "../model/session.ts"

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
  const dearest: DearTurn[] = []
  for (const index of sessions) {
    const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
    if (session === undefined || buffer === undefined) continue
    const own = bySession([session, buffer, sort], () => dearestIn(session, buffer, sort))
    if ((own[0]?.figure ?? 0) > leastOf(dearest))
      keep(
        dearest,
        own.map(one => ({ session: index, ...one })),
      )
  }
  return dearest
}

function dearestIn(
  { replies, turns }: Session,
  buffer: TurnBuffer,
  sort: LedgerSort,
): readonly Omit<DearTurn, "session">[] {
  const figure = LEDGER_SORTS[sort]
  const dearest: Omit<DearTurn, "session">[] = []
  const add = (items: Chunk<Reply>) =>
    keep(
      dearest,
      listOf(items).flatMap(({ turn, account }) => (turn === turns ? [] : { turn, figure: figure(account) })),
    )
  // Unpacks only the chunks with a turn that is dearer than those kept so far.
  const chunks = replies.full.map(chunk => ({
    chunk,
    most: mostIn([chunk, sort], () => Math.max(0, ...listOf(chunk).map(({ account }) => figure(account)))),
  }))
  for (const { chunk, most } of chunks.sort((a, b) => b.most - a.most)) {
    if (most <= leastOf(dearest)) break
    add(chunk)
  }
  add(replies.tail)
  keep(dearest, [{ turn: turns, figure: figure(buffer.turn.account) }])
  return dearest
}

/** The least that a turn on the list has used. */
function leastOf(dearest: readonly { readonly figure: number }[]): number {
  return dearest.length < MOST ? 0 : (dearest.at(-1)?.figure ?? 0)
}

function keep<T extends { readonly figure: number }>(dearest: T[], more: readonly T[]): void {
  dearest.push(...more.filter(({ figure }) => figure > 0))
  dearest.sort((a, b) => b.figure - a.figure)
  dearest.length = Math.min(dearest.length, MOST)
}
