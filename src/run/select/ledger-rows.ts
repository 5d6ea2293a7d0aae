// Lists the accounts of a run by one of the ways to ask for them, and what each turn used.
import { accountOfInvocation, accountOfTurn } from "../charge.ts"
import { type Account, isEmptyAccount, type LedgerWay, noAccount } from "../model/ledger.ts"
import type { Run } from "../model/run.ts"
import { withOpenReplies } from "../open-replies.ts"
import { sessionName } from "./figures.ts"
import { turnFacts } from "./turn-facts.ts"
import { waterfallTurnOf } from "./waterfall.ts"

/** One line of the ledger. The name may be shown. */
export interface LedgerRow {
  readonly name: string
  /** Shown dim beside the name: the model. */
  readonly aside: string
  readonly account: Account
}

/** How many rows there are. `session` is the index of the one whose turns are listed. */
export function ledgerLength(run: Run, by: LedgerWay, session: number): number {
  switch (by) {
    case "state":
      return run.ledger.states.size
    case "model":
      return run.ledger.models.size
    case "tool":
      return run.ledger.tools.size
    case "invocation":
      return run.invocations.length + nobodys(run).length
    case "session":
      return run.sessions.length + nobodys(run).length
    case "turn":
      return run.sessions[session]?.turns ?? 0
  }
}

/**
 * The rows from `top` on, at most so many, with what open replies used so far. Costs these, the sessions of
 * invocations, the names of others, and once for each run a look at all its sessions.
 */
export function ledgerRows(now: Run, by: LedgerWay, session: number, top: number, rows: number): readonly LedgerRow[] {
  const run = withOpenReplies(now)
  const { states, models, tools } = run.ledger
  const length = Math.max(0, Math.min(rows, ledgerLength(run, by, session) - top))
  const indexes = Array.from({ length }, (_, i) => top + i)
  const named = (accounts: typeof states, none: string): readonly LedgerRow[] =>
    [...accounts].slice(top, top + rows).map(([name, account]) => ({ name: name || none, aside: "", account }))
  switch (by) {
    case "state":
      return named(states, "(no state)")
    case "model":
      return named(models, "(no model)")
    case "tool":
      return named(tools, "(no name)")
    case "invocation":
      return indexes.flatMap(i => {
        const one = run.invocations[i]
        if (one === undefined) return nobodys(run)
        return { name: one.title, aside: "", account: accountOfInvocation(run, one) }
      })
    case "session":
      return indexes.flatMap(i => {
        const [known, buffer] = [run.sessions[i], run.turnBuffers[i]]
        if (known === undefined) return nobodys(run)
        return { name: sessionName(run, i) ?? "", aside: buffer?.model ?? "", account: known.account }
      })
    case "turn":
      return indexes.map(i => turnRow(run, session, i + 1))
  }
}

/** The last row, of what belongs to no session, where there is any: so the rows add up to the run. */
function nobodys({ ledger: { unowned } }: Run): readonly LedgerRow[] {
  return isEmptyAccount(unowned) ? [] : [{ name: "(no session)", aside: "", account: unowned }]
}

/** What the rows add up to: the account of the run, or of the session whose turns they are, if there is one. */
export function ledgerTotal(run: Run, by: LedgerWay, session: number): Account | undefined {
  const { sessions, ledger } = withOpenReplies(run)
  return by === "turn" ? sessions[session]?.account : ledger.total
}

function turnRow(run: Run, index: number, turn: number): LedgerRow {
  const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
  const account = session === undefined || buffer === undefined ? noAccount : accountOfTurn(session, buffer, turn)
  const { model = null, captured = false } = turnFacts(run, index, turn, run.lastTs ?? 0) ?? {}
  return { name: `turn ${turn}`, aside: captured ? "from a capture" : (model ?? ""), account }
}

/** A turn that used something. All texts may be shown. */
export interface SpentTurn {
  readonly session: string
  /** Its number in the session, from 1; 0 for what was told of the run alone. */
  readonly turn: number
  /** Null where nobody told. */
  readonly model: string | null
  /** When it began, epoch ms; null where no event of it had a time. */
  readonly ts: number | null
  readonly account: Account
}

/** The turns of a run that used something, by session, then what belongs to no session. Costs all turns. */
export function* spentTurns(now: Run): Generator<SpentTurn> {
  const run = withOpenReplies(now)
  for (const [index, session] of run.sessions.entries()) {
    const buffer = run.turnBuffers[index]
    if (buffer === undefined) continue
    for (let turn = 1; turn <= session.turns; turn++) {
      const account = accountOfTurn(session, buffer, turn)
      if (isEmptyAccount(account)) continue
      const end = run.lastTs ?? 0
      const { model = null } = turnFacts(run, index, turn, end) ?? {}
      const ts = waterfallTurnOf(run, index, turn, end)?.from ?? null
      yield { session: sessionName(run, index) ?? "", turn, model, ts, account }
    }
  }
  const { unowned } = run.ledger
  if (isEmptyAccount({ ...unowned, humanMs: 0 })) return
  yield { session: "(no session)", turn: 0, model: null, ts: run.lastTs, account: unowned }
}
