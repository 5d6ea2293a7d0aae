// Lists the accounts of a run by one kind of key, and the usage of each turn.
import { type Chunk, listOf } from "../model/chunked-list.ts"
import { derived } from "../model/derived.ts"
import {
  type Account,
  type Accounts,
  isEmptyAccount,
  LEDGER_SORTS,
  type Ledger,
  type LedgerList,
  type LedgerSort,
  noAccount,
} from "../model/ledger.ts"
import type { Run } from "../model/run.ts"
import type { Reply, Session } from "../model/session.ts"
import { accountOfInvocation, accountOfSession, accountOfTurn, ledgerOf, partsOfTurn } from "../open-replies.ts"
import { sessionName } from "./figures.ts"
import { turnFacts } from "./turn-facts.ts"
import { waterfallTurnOf } from "./waterfall.ts"

/** One line of the ledger. The name may be shown. */
export interface LedgerRow {
  readonly name: string
  /** Shown dim beside the name: the model. */
  readonly aside: string
  readonly account: Account
  /** The session that the row is of, and its turn; null where it is of several. */
  readonly of: { readonly session: number; readonly turn: number | null } | null
}

/** How many rows there are. */
export function ledgerLength(run: Run, list: LedgerList): number {
  return sortOf(list) === null ? lengthOf(run, list) : sorted(run, list).length
}

/**
 * At most `rows` rows from `top` on, with the usage of open replies. Costs these, the sessions of
 * invocations, the names of others, and once for each run a look at all its sessions, which a sort compares.
 */
export function ledgerRows(run: Run, list: LedgerList, top: number, rows: number): readonly LedgerRow[] {
  if (sortOf(list) !== null)
    return sorted(run, list)
      .slice(top, top + rows)
      .map(row => row())
  const length = Math.max(0, Math.min(rows, lengthOf(run, list) - top))
  const rowAt = rowsOf(run, list)
  return Array.from({ length }, (_, i) => rowAt(top + i))
}

/** The figure that the rows are sorted by; null for the order in which they came. */
export function sortOf({ by, sort }: LedgerList): LedgerSort | null {
  return by === "any turn" ? (sort ?? "cost") : sort
}

function lengthOf(run: Run, { by, session }: LedgerList): number {
  const { ledger } = run.facts
  const { invocations, sessions } = run
  const nobodys = isEmptyAccount(ledger.unowned) ? 0 : 1
  if (by === "invocation") return invocations.length + nobodys
  if (by === "session" || by === "any turn") return sessions.length + nobodys
  if (by !== "turn") return [...namedIn(ledger, by)].length
  const turns = sessions[session]?.turns
  return turns === 0 && !isEmptyAccount(accountOfSession(run, session)) ? 1 : (turns ?? 0)
}

function namedIn({ states, models, tools }: Ledger, by: "state" | "model" | "tool"): Accounts {
  return by === "state" ? states : by === "model" ? models : tools
}

/** The row at an index, unsorted. The last row has the usage of no session, so that the rows add up to the run. */
function rowsOf(run: Run, { by, session }: LedgerList): (index: number) => LedgerRow {
  const nobodys: LedgerRow = { name: "(no session)", aside: "", account: run.facts.ledger.unowned, of: null }
  switch (by) {
    case "state":
    case "model":
    case "tool": {
      const all = [...namedIn(ledgerOf(run), by)]
      const none = by === "tool" ? "(no name)" : `(no ${by})`
      return index => {
        const [name, account] = all[index] ?? ["", noAccount]
        return { name: name || none, aside: "", account, of: null }
      }
    }
    case "invocation":
      return index => {
        const one = run.invocations[index]
        if (one === undefined) return nobodys
        return { name: one.title, aside: "", account: accountOfInvocation(run, one), of: null }
      }
    case "session":
    case "any turn":
      return index => {
        const [known, buffer] = [run.sessions[index], run.turnBuffers[index]]
        if (known === undefined) return nobodys
        const of = { session: index, turn: null }
        const account = accountOfSession(run, index)
        return { name: sessionName(run, index) ?? "", aside: buffer?.turn.model ?? "", account, of }
      }
    case "turn":
      return index => {
        // What came of a session whose start was missed is of turn 0, until a turn begins.
        const turn = index + Math.min(1, run.sessions[session]?.turns ?? 0)
        return turnRow(run, session, turn, `turn ${turn}`)
      }
  }
}

const inOrder = derived<readonly (() => LedgerRow)[]>()

/** The sorted rows; of turns, those with the most usage. */
function sorted(run: Run, list: LedgerList): readonly (() => LedgerRow)[] {
  const { by, session } = list
  const sort = sortOf(list) ?? "cost"
  return inOrder([run, by, session, sort], () => {
    if (by === "any turn" || by === "turn")
      return dearestTurns(run, sort, by === "turn" ? [session] : [...run.sessions.keys()]).map(one => () => {
        const name = by === "turn" ? "" : `${sessionName(run, one.session) ?? ""} · `
        return turnRow(run, one.session, one.turn, `${name}turn ${one.turn}`)
      })
    const rowAt = rowsOf(run, list)
    const figure = LEDGER_SORTS[sort]
    const accountAt = (index: number) =>
      by === "session" && index < run.sessions.length ? accountOfSession(run, index) : undefined
    return Array.from({ length: lengthOf(run, list) }, (_, index) => {
      return { index, figure: figure(accountAt(index) ?? rowAt(index).account) }
    })
      .sort((a, b) => b.figure - a.figure)
      .map(
        ({ index }) =>
          () =>
            rowAt(index),
      )
  })
}

/** The sum of the rows: the account of the run, or of the session of the turns, if there is one. */
export function ledgerTotal(run: Run, { by, session }: LedgerList): Account | undefined {
  if (by !== "turn") return ledgerOf(run).total
  return run.sessions[session] === undefined ? undefined : accountOfSession(run, session)
}

function turnRow(run: Run, index: number, turn: number, name: string): LedgerRow {
  const account = accountOfTurn(run, index, turn)
  const { model = null, captured = false } = turnFacts(run, index, turn, run.lastTs ?? 0) ?? {}
  return { name, aside: captured ? "from a capture" : (model ?? ""), account, of: { session: index, turn } }
}

/** What a turn used of a model. All texts may be shown. */
export interface SpentTurn {
  readonly session: string
  /** Its number in the session, from 1; 0 for usage of the run alone, or of a session whose start was missed. */
  readonly turn: number
  readonly model: string | null
  /** When it began, epoch ms; null where no event of it had a time. */
  readonly ts: number | null
  readonly account: Account
}

/** The turns of a run with usage, by session and model, then the usage of no session. Costs all turns. */
export function* spentTurns(run: Run): Generator<SpentTurn> {
  for (const [index, session] of run.sessions.entries()) {
    for (let turn = Math.min(1, session.turns); turn <= session.turns; turn++) {
      const ts = waterfallTurnOf(run, index, turn, run.lastTs ?? 0)?.from ?? null
      for (const [model, account] of partsOfTurn(run, index, turn))
        yield { session: sessionName(run, index) ?? "", turn, model: model || null, ts, account }
    }
  }
  const { unowned } = run.facts.ledger
  if (isEmptyAccount({ ...unowned, humanMs: 0 })) return
  yield { session: "(no session)", turn: 0, model: null, ts: run.lastTs, account: unowned }
}

const MOST = 100

/** A turn, from 1, of the session at an index. */
interface DearTurn {
  readonly session: number
  readonly turn: number
  readonly figure: number
}

const bySession = derived<readonly Omit<DearTurn, "session">[]>()
const mostIn = derived<number>()

/** The turns with the largest figures above 0. Costs the sessions, and a 32nd of each session that changed. */
function dearestTurns(run: Run, sort: LedgerSort, sessions: readonly number[]): readonly DearTurn[] {
  const dearest: DearTurn[] = []
  for (const index of sessions) {
    const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
    if (session === undefined || buffer === undefined) continue
    const now = accountOfTurn(run, index, session.turns)
    const own = bySession([session, buffer, sort], () => dearestIn(session, now, sort))
    const turns = own.map(one => ({ session: index, ...one }))
    if ((own[0]?.figure ?? 0) > leastOf(dearest)) keep(dearest, turns)
  }
  return dearest
}

function dearestIn({ replies, turns }: Session, now: Account, sort: LedgerSort): readonly Omit<DearTurn, "session">[] {
  const figure = LEDGER_SORTS[sort]
  const dearest: Omit<DearTurn, "session">[] = []
  const add = (items: Chunk<Reply>): void => {
    const earlier = listOf(items).filter(({ turn }) => turn !== turns)
    keep(
      dearest,
      earlier.map(({ turn, account }) => ({ turn, figure: figure(account) })),
    )
  }
  // Unpacks only chunks with a turn dearer than the turns kept by then.
  const chunks = replies.full.map(chunk => ({
    chunk,
    most: mostIn([chunk, sort], () => Math.max(0, ...listOf(chunk).map(({ account }) => figure(account)))),
  }))
  for (const { chunk, most } of chunks.sort((a, b) => b.most - a.most)) {
    if (most <= leastOf(dearest)) break
    add(chunk)
  }
  add(replies.tail)
  keep(dearest, [{ turn: turns, figure: figure(now) }])
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
