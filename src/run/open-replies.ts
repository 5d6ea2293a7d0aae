// Reads accounts with the usage of the replies that stream, which are charged only when their next event comes.

import { billOf, closeAccounts } from "./charge.ts"
import { derived } from "./model/derived.ts"
import { type Account, addAmount, type Bill, type Ledger, noAccount, noBill, sumOfAccounts } from "./model/ledger.ts"
import { LedgerBuilder } from "./model/ledger-builder.ts"
import type { Run } from "./model/run.ts"
import type { Invocation, TurnBuffer } from "./model/session.ts"
import { RunBuilder } from "./run-builder.ts"
import { replyOfTurn } from "./turn-replies.ts"

/** The ledger is asked for several times in one frame. */
const openLedger = derived<Ledger>()

/** The ledger with open replies. Costs a look at each session, and a bill for each reply that streams. */
export function ledgerOf(run: Run): Ledger {
  return openLedger([run], () => {
    const ledger = new LedgerBuilder(run.facts.ledger)
    // Most replies in a row have one state and one model, so they are added up first.
    let sum = noBill
    for (const buffer of run.turnBuffers) {
      const next = openBill(run, buffer)
      if (next === null) continue
      const { bill } = buffer.turn
      if (sum === noBill || sum.state !== next.state || sum.model !== next.model) {
        if (sum !== noBill) ledger.addBill(sum, 1)
        sum = { ...next, account: { ...noAccount } }
      }
      addAmount(sum.account, next.account, 1)
      if (bill.state === next.state && bill.model === next.model) addAmount(sum.account, bill.account, -1)
      else if (bill !== noBill) ledger.addBill(bill, -1)
    }
    if (sum !== noBill) ledger.addBill(sum, 1)
    return ledger.done()
  })
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
