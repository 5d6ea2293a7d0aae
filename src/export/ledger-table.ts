// Computes the ledger of a page, a table for each way to ask, and draws it.
import { LEDGER_WAYS, type LedgerWay, noAccount } from "../run/model/ledger.ts"
import type { Run } from "../run/model/run.ts"
import type { MomentPlace } from "../run/select/export-format.ts"
import { sessionName } from "../run/select/figures.ts"
import { type LedgerRow, ledgerLength, ledgerRows, ledgerTotal } from "../run/select/ledger-rows.ts"
import { moneyDecimals } from "../run/select/usage.ts"
import { LEDGER_COLUMNS, type LedgerColumn, ledgerCell, TOOL_COLUMNS } from "../ui/ledger-columns.ts"
import { counted } from "../ui/text-width.ts"
import { escaped } from "./waterfall-figure.ts"

/** The usage of the run, listed by one kind of key. Every field is safe to show. */
export interface LedgerTable {
  readonly title: string
  readonly heads: readonly string[]
  readonly rows: readonly LedgerLine[]
  /** How many rows are left out; null if all are there. */
  readonly left: string | null
}

interface LedgerLine {
  readonly name: string
  /** As many as the heads; empty where there is nothing to say. */
  readonly cells: readonly string[]
  /** It is the turn or session of the moment. */
  readonly isHere: boolean
  /** It is the sum of all rows. */
  readonly isSum: boolean
}

/** The most important first: a narrow page shows these without scrolling. */
const COLUMNS: readonly LedgerColumn[] = [
  ...(["cost", "input", "cached", "output", "reasoning", "requests", "retries", "first"] as const),
  ...(["models", "tools", "people", "written"] as const),
]
/** Rows of a table at most: those nearest to the moment, else the first. */
const ROWS = 20

const OF_A_MOMENT = LEDGER_WAYS.filter(by => by !== "any turn")

/** The tables with rows; turns are of the moment's session. `whole` names the sessions. */
export function ledgerTables(
  run: Run,
  { session, turn }: Pick<MomentPlace, "session" | "turn">,
  clean: (text: string) => string,
  { whole = run, ways = OF_A_MOMENT }: { readonly whole?: Run; readonly ways?: readonly LedgerWay[] } = {},
): readonly LedgerTable[] {
  const of = session ?? -1
  const cursors: { readonly [by in LedgerWay]?: number } = { session: of, turn: (turn ?? 0) - 1 }
  return ways.flatMap(by => {
    const list = { by, session: of, sort: null }
    const length = ledgerLength(run, list)
    const cursor = cursors[by] ?? -1
    const from = Math.max(0, Math.min(cursor - ROWS / 2, length - ROWS))
    const total = ledgerTotal(run, list) ?? noAccount
    const decimals = moneyDecimals(total)
    const columns = (by === "tool" ? TOOL_COLUMNS : COLUMNS).filter(id => ledgerCell(id, total, decimals) !== null)
    const hasModel = by === "session" || by === "turn"
    const lineOf = ({ name, aside, account }: Omit<LedgerRow, "of">, isHere: boolean, isSum: boolean): LedgerLine => {
      const cells = columns.map(id => ledgerCell(id, account, decimals) ?? "")
      return { name: clean(name), cells: hasModel ? [...cells, clean(aside)] : cells, isHere, isSum }
    }
    const all = ledgerRows(run, list, from, ROWS).map((row, i) => {
      const name = by === "session" ? (sessionName(whole, from + i) ?? row.name) : row.name
      return lineOf({ ...row, name }, from + i === cursor, false)
    })
    // One that only has figures without a column here, such as calls, would be empty.
    const rows = all.filter(({ cells }) => cells.some(Boolean))
    if (rows.length === 0 || columns.length === 0) return []
    const name = by === "turn" ? sessionName(whole, of) : null
    return {
      title: clean(`By ${by}${name === null ? "" : ` of ${name}`}`),
      heads: [...columns.map(id => LEDGER_COLUMNS[id].title), ...(hasModel ? ["model"] : [])],
      rows: [...rows, lineOf({ name: by === "turn" ? "session" : "run", aside: "", account: total }, false, true)],
      left: length <= ROWS ? null : `${counted(length - ROWS, `more ${by}`)} left out.`,
    }
  })
}

export const LEDGER_STYLE = `
.ledger { border-collapse: separate; border-spacing: 0 }
.ledger caption { padding: 1rem 0 .25rem; text-align: left; font-weight: 600 }
.ledger :is(th, td) { padding: .15rem 0 .15rem 1rem; white-space: pre; text-align: right }
.ledger th { color: var(--dim); font-weight: 400 }
.ledger :is(th, td):first-child { position: sticky; left: 0; padding-left: 0; background: var(--page); color: inherit; text-align: left }
.ledger .here { outline: none }
.ledger .here td:nth-child(n) { background: var(--box) }
.ledger .sum td { border-top: 1px solid var(--line); font-weight: 600 }
`

/** The tables in HTML. */
export function* ledgerHtml(tables: readonly LedgerTable[], isMoment: boolean): Generator<string> {
  if (tables.length === 0) return
  const until = isMoment ? "Up to the moment. " : ""
  yield `<h2 id="ledger">Ledger</h2>\n<p>${until}Models, tools and people: the time waited for them.</p>\n`
  for (const { title, heads, rows, left } of tables) {
    yield `<div class="wide"><table class="ledger">\n<caption>${escaped(title)}</caption>\n<tr><th></th>`
    yield `${heads.map(head => `<th>${head}</th>`).join("")}</tr>\n`
    yield rows.map(rowOf).join("")
    yield `</table></div>\n${left === null ? "" : `<p>${escaped(left)}</p>\n`}`
  }
}

function rowOf({ name, cells, isHere, isSum }: LedgerLine): string {
  const kind = isHere ? ' class="here"' : isSum ? ' class="sum"' : ""
  return `<tr${kind}><td>${escaped(name)}</td>${cells.map(cell => `<td>${escaped(cell)}</td>`).join("")}</tr>\n`
}
