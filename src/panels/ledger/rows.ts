// Lists the accounts of a run by one of the ways to ask for them.
import { accountOfTurn } from "../../run/charge.ts"
import { sessionIndex } from "../../run/identity/find-by-id.ts"
import { type Account, noAccount } from "../../run/model/ledger.ts"
import type { Run } from "../../run/model/run.ts"
import { sessionName } from "../../run/select/figures.ts"
import { turnFacts } from "../../run/select/turn-facts.ts"
import { LEDGER_WAYS, type LedgerWay } from "../../view/pane-names.ts"
import type { State } from "../../view/state.ts"

/** One line of the ledger. The name may be shown. */
export interface LedgerRow {
  readonly name: string
  /** What else tells it: the model of a turn, how often a tool failed. */
  readonly aside: string
  readonly account: Account
}

/** The session whose turns are listed: the one under the inspector's cursor, else the latest. */
export function ledgerSession({ run, view }: Pick<State, "run" | "view">): number {
  return sessionIndex(run, view.inspector.row) ?? run.sessions.length - 1
}

/** How many rows there are. */
export function ledgerLength(state: Pick<State, "run" | "view">): number {
  const { run, view } = state
  switch (view.inspector.ledgerBy) {
    case "state":
      return run.ledger.states.size
    case "model":
      return run.ledger.models.size
    case "tool":
      return run.ledger.tools.size
    case "invocation":
      return run.invocations.length
    case "session":
      return run.sessions.length
    case "turn":
      return run.sessions[ledgerSession(state)]?.turns ?? 0
  }
}

/** The rows from `top` on, at most so many. Costs these, and the names of states, models or tools. */
export function ledgerRows(state: Pick<State, "run" | "view">, top: number, rows: number): readonly LedgerRow[] {
  const { run, view } = state
  const { states, models, tools, invocations } = run.ledger
  const indexes = Array.from({ length: Math.max(0, Math.min(rows, ledgerLength(state) - top)) }, (_, i) => top + i)
  const named = (accounts: typeof states, none: string): readonly LedgerRow[] =>
    [...accounts].slice(top, top + rows).map(([name, account]) => ({ name: name || none, aside: "", account }))
  switch (view.inspector.ledgerBy) {
    case "state":
      return named(states, "(no state)")
    case "model":
      return named(models, "(no model)")
    case "tool":
      return named(tools, "(no name)")
    case "invocation":
      return indexes.map(i => {
        return { name: run.invocations[i]?.title ?? "", aside: "", account: invocations[i] ?? noAccount }
      })
    case "session":
      return indexes.map(i => {
        const [session, buffer] = [run.sessions[i], run.turnBuffers[i]]
        return { name: sessionName(run, i) ?? "", aside: buffer?.model ?? "", account: session?.account ?? noAccount }
      })
    case "turn":
      return indexes.map(i => turnRow(run, ledgerSession(state), i + 1))
  }
}

function turnRow(run: Run, index: number, turn: number): LedgerRow {
  const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
  const account = session === undefined || buffer === undefined ? noAccount : accountOfTurn(session, buffer, turn)
  const { model = null, captured = false } = turnFacts(run, index, turn, run.lastTs ?? 0) ?? {}
  return { name: `turn ${turn}`, aside: captured ? "from a capture" : (model ?? ""), account }
}

/** The way that its key goes on to. */
export function nextWay(by: LedgerWay): LedgerWay {
  return LEDGER_WAYS[(LEDGER_WAYS.indexOf(by) + 1) % LEDGER_WAYS.length] ?? by
}
