// Reads accounts with the usage of the replies that stream, which are charged only when their next event comes.

import { billOf, closeAccounts } from "./charge.ts"
import { derived } from "./model/derived.ts"
import {
  type Account,
  type Accounts,
  addAmount,
  type Bill,
  isEmptyAccount,
  type Ledger,
  noAccount,
  partsWith,
  sumOfAccounts,
} from "./model/ledger.ts"
import { LedgerBuilder } from "./model/ledger-builder.ts"
import type { Run } from "./model/run.ts"
import type { Invocation, TurnBuffer } from "./model/session.ts"
import { RunBuilder } from "./run-builder.ts"
import { partsOf, replyOfTurn } from "./turn-replies.ts"

/** The ledger is asked for several times in one frame. */
const openLedger = derived<Ledger>()

/** The ledger with open replies. Costs a look at each session that changed since the last call. */
export function ledgerOf(run: Run): Ledger {
  return openLedger([run], () => {
    const ledger = new LedgerBuilder(run.facts.ledger)
    for (const sum of openSums(run)) if (!isEmptyAccount(sum.account)) ledger.addBill(sum, 1)
    return ledger.done()
  })
}

/** The open replies of some sessions, added up for each state and model. */
interface OpenSums {
  readonly chart: Run["chart"]
  readonly buffers: readonly TurnBuffer[]
  readonly sums: Map<string, Bill>
}

/** The latest sum of each run, by its options object, which all moments of a run share. */
const lastSums = new WeakMap<Run["options"], OpenSums>()

function openSums(run: Run): Iterable<Bill> {
  const { options, chart, turnBuffers } = run
  const last = lastSums.get(options)
  const { buffers, sums } = last?.chart === chart ? last : { buffers: [], sums: new Map<string, Bill>() }
  for (let i = 0; i < Math.max(turnBuffers.length, buffers.length); i++) {
    if (turnBuffers[i] === buffers[i]) continue
    addOpen(sums, run, buffers[i], -1)
    addOpen(sums, run, turnBuffers[i], 1)
  }
  lastSums.set(options, { chart, buffers: turnBuffers, sums })
  return sums.values()
}

function addOpen(sums: Map<string, Bill>, run: Run, buffer: TurnBuffer | undefined, times: 1 | -1): void {
  const next = buffer === undefined ? null : openBill(run, buffer)
  if (buffer === undefined || next === null) return
  addBill(sums, next, times)
  addBill(sums, buffer.turn.bill, times === 1 ? -1 : 1)
}

function addBill(sums: Map<string, Bill>, { state, model, account }: Bill, times: 1 | -1): void {
  const key = `${state.length} ${state}${model}`
  const sum = sums.get(key) ?? { state, model, account: { ...noAccount } }
  addAmount(sum.account, account, times)
  sums.set(key, sum)
}

/** The bill of a reply that streams, if it isn't the one that was charged; else null. */
function openBill(run: Run, { turn, tokens, deltas }: TurnBuffer): Bill | null {
  if (turn.captured || tokens === turn.bill.account.output) return null
  return billOf(run, turn, { tokens, deltas })
}

/** An account of the session's current turn, or one that holds it, with its open reply. */
function withOpen(run: Run, buffer: TurnBuffer | undefined, account: Account): Account {
  const next = buffer === undefined ? null : openBill(run, buffer)
  if (buffer === undefined || next === null) return account
  const sum = sumOfAccounts(account, next.account)
  return sumOfAccounts(sum, buffer.turn.bill.account, -1)
}

/** The account of a session. */
export function accountOfSession(run: Run, index: number): Account {
  return withOpen(run, run.turnBuffers[index], run.sessions[index]?.account ?? noAccount)
}

/** The account of a turn, from 1. Costs a search. */
export function accountOfTurn(run: Run, index: number, turn: number): Account {
  const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
  if (session === undefined || buffer === undefined) return noAccount
  if (turn === session.turns) return withOpen(run, buffer, buffer.turn.account)
  return replyOfTurn(session, turn)?.account ?? noAccount
}

/** The account of a turn, from 1, by model. Costs a search. */
export function partsOfTurn(run: Run, index: number, turn: number): Accounts {
  const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
  if (session === undefined || buffer === undefined) return new Map()
  const known = turn === session.turns ? buffer.turn : replyOfTurn(session, turn)
  const parts = known === undefined ? new Map<string, Account>() : partsOf(known)
  const next = turn === session.turns ? openBill(run, buffer) : null
  return next === null ? parts : partsWith(partsWith(parts, next, 1), buffer.turn.bill, -1)
}

/** The account of an invocation: the sum of its sessions. Costs these. */
export function accountOfInvocation(run: Run, { sessions }: Invocation): Account {
  return sessions.reduce((sum, index) => sumOfAccounts(sum, accountOfSession(run, index)), noAccount)
}

/** The run with all accounts closed: usage not reported by now stays unknown. */
export function withClosedAccounts(run: Run): Run {
  const builder = new RunBuilder(run)
  closeAccounts(builder)
  return builder.done()
}
