// Draws the ledger: a row for each account, with the same columns for all numbers, and the run's own below them.

import { LEDGER_WAYS, type LedgerList, noAccount } from "../../run/model/ledger.ts"
import { guessedReplies } from "../../run/model-facts.ts"
import { sessionName } from "../../run/select/figures.ts"
import { type LedgerRow, ledgerLength, ledgerRows, ledgerTotal, sortOf } from "../../run/select/ledger-rows.ts"
import {
  LEDGER_COLUMN_IDS,
  LEDGER_COLUMNS,
  type LedgerColumn,
  ledgerCell,
  moneyDecimals,
  TOOL_COLUMNS,
} from "../../ui/ledger-columns.ts"
import { blank, clipSpans, type Line, line, type RenderContext, rowClick, type Span, span } from "../../ui/line.ts"
import { clip, clipName, count, pad } from "../../ui/text-width.ts"
import { type SeenRows, seenAround } from "../../view/cursor-step.ts"
import { readSession } from "../../view/select/shown-session.ts"
import type { ForegroundState, State } from "../../view/state.ts"
import { cursors } from "../common/lines-overlay.ts"
import type { Place } from "../common/panel.ts"

/**
 * Where not all columns fit beside a name of `LEAST` columns, the last of these go first. What was written to the cache
 * is told of the account under the cursor alone.
 */
const RANK: readonly LedgerColumn[] = [
  ...(["cost", "input", "output", "cached", "models", "tools", "people", "requests"] as const),
  ...(["first", "retries", "reasoning"] as const),
]
const LEAST = 14
/** The heading, the run's own account and what is said of it. */
const AROUND = 5
/** A smaller place has room for the heading and the sum alone. */
const ROOMY = 9

function around({ rows }: Place): number {
  return rows < ROOMY ? 2 : AROUND
}

/** The rows that are seen. */
export function ledgerSeen(state: State, place: Place): SeenRows {
  const rows = Math.max(1, place.rows - around(place))
  return seenAround(cursors.of(state.view).ledgerRow, rows, listedLength(state), place.top)
}

/** What the title says: by what the accounts are listed, and whose turns they are of. */
export function ledgerTitle(state: State): string {
  const { ledgerBy } = cursors.of(state.view)
  const name = ledgerBy === "turn" ? sessionName(state.run, readSession(state)) : null
  const sort = sortOf(listOf(state))
  const order = sort === null ? "" : ` · most ${LEDGER_COLUMNS[sort].title} first`
  return `by ${ledgerBy}${name === null ? "" : ` of ${name}`}${order}`
}

/** The ways to ask, the heading, the rows that fit, the whole, and the account under the cursor in words. */
export function ledgerLines(state: State, place: Place): readonly Line[] {
  const { render, columns, rows } = place
  const { run, view } = state
  const { ledgerBy, ledgerRow } = cursors.of(view)
  const whole = ledgerTotal(run, listOf(state))
  const decimals = moneyDecimals(whole ?? noAccount)
  // A column in which nothing is known is left out.
  const rank = ledgerBy === "tool" ? TOOL_COLUMNS : RANK
  const known = rank.filter(id => LEDGER_COLUMNS[id].words(whole ?? noAccount) !== null)
  const table = tableFor(known, columns, decimals)
  const seen = ledgerSeen(state, place)
  const all = listedRows(state, seen.top, seen.rows)
  const none = line(span(`   no ${ledgerBy} yet`, "dim"))
  const body = all.map((row, i) => rowLine(row, table, render, seen.top + i === ledgerRow, seen.top + i))
  const foot =
    whole === undefined
      ? []
      : [rowLine({ name: ledgerBy === "turn" ? "session" : "run", aside: "", account: whole, of: null }, table, render)]
  const ways = rows < ROOMY ? [] : [waysLine(ledgerBy)]
  const lines: Line[] = [...ways, headingLine(listOf(state), table), ...(body.length === 0 ? [none] : body), ...foot]
  const under = all[ledgerRow - seen.top]
  if (rows < ROOMY) return lines.slice(0, rows)
  while (lines.length < rows - 1) lines.push(blank)
  return [...lines, { spans: clipSpans(noteSpans(state, under ?? null, table), columns, render.glyphs.ellipsis) }]
}

interface Table {
  readonly name: number
  /** Of every sum of money, so that they stand below each other. */
  readonly decimals: number
  readonly columns: readonly LedgerColumn[]
}

/** The columns that have room beside the name, in the order of `LEDGER_COLUMNS`. */
function tableFor(rank: readonly LedgerColumn[], width: number, decimals: number): Table {
  const fitting = new Set<LedgerColumn>()
  let room = width - LEAST
  for (const id of rank) {
    room -= LEDGER_COLUMNS[id].width
    if (room < 0) break
    fitting.add(id)
  }
  const columns = LEDGER_COLUMN_IDS.filter(id => fitting.has(id))
  return { name: width - columns.reduce((sum, id) => sum + LEDGER_COLUMNS[id].width, 0), columns, decimals }
}

function waysLine(by: string): Line {
  const ways = LEDGER_WAYS.flatMap(way => [
    {
      ...span(way, way === by ? "bright" : "dim", { bold: way === by }),
      click: { type: "ledger/by", by: way } as const,
    },
    span("  "),
  ])
  return line(span("by ", "dim"), ...ways)
}

function headingLine(list: LedgerList, { name, columns }: Table): Line {
  const cells = columns.map(id => ({
    ...span(pad(LEDGER_COLUMNS[id].title, LEDGER_COLUMNS[id].width, "right"), id === sortOf(list) ? "bright" : "dim"),
    click: { type: "ledger/sort", sort: id } as const,
  }))
  return line(span(pad(`   ${list.by}`, name), "dim"), ...cells)
}

function rowLine(
  row: LedgerRow,
  { name, columns, decimals }: Table,
  render: RenderContext,
  here = false,
  index = -1,
): Line {
  const { glyphs } = render
  const isSum = index < 0
  const room = name - 3
  const title = clipName(row.name, room, glyphs.ellipsis)
  const aside = row.aside === "" ? "" : clip(`  ${row.aside}`, Math.max(0, room - title.length), glyphs.ellipsis)
  const cells = columns.map((id): Span => {
    const words = ledgerCell(id, row.account, decimals)
    const token = words === null ? "dim" : id === "cost" ? "bright" : id === "failed" ? "error" : "normal"
    return span(pad(words ?? glyphs.dash, LEDGER_COLUMNS[id].width, "right"), token, { bold: isSum })
  })
  const spans = [
    span(here ? `${glyphs.bar}  ` : "   ", "accent"),
    span(title, isSum || here ? "bright" : "normal", { bold: isSum || here }),
    span(pad(aside, Math.max(0, room - title.length)), "dim"),
    ...cells,
  ]
  return isSum ? { spans } : { spans, selected: here, click: rowClick(index, here) }
}

/** What the columns have no room for; what of the sum is unknown and why; how to name prices. */
function noteSpans({ run }: State, under: LedgerRow | null, { columns }: Table): readonly Span[] {
  const { unpriced } = run.facts.ledger.total
  const guessed = guessedReplies(run)
  const notes = [
    ...(unpriced === 0 ? [] : [unpricedWords(unpriced, run.options.prices.size > 0)]),
    ...(guessed === 0 ? [] : [`guessed: the cached tokens of ${count(guessed)} replies, as if within their input`]),
    ...(under === null ? [] : accountWords(under, columns)),
  ]
  return [span(notes.join("  ·  "), "dim")]
}

function unpricedWords(unpriced: number, isPriced: boolean): string {
  const replies = unpriced === 1 ? "1 reply" : `${count(unpriced)} replies`
  return `No prices for ${replies}${isPriced ? "" : ": start with --prices FILE"}`
}

function accountWords({ name, account }: LedgerRow, told: readonly LedgerColumn[]): readonly string[] {
  const parts = LEDGER_COLUMN_IDS.flatMap(id => {
    const words = told.includes(id) ? null : LEDGER_COLUMNS[id].words(account)
    return words === null ? [] : [`${LEDGER_COLUMNS[id].title} ${words}`]
  })
  return parts.length === 0 ? [] : [`${name}: ${parts.join(", ")}`]
}

type Listed = ForegroundState

/** What is listed. */
export function listOf(state: Listed): LedgerList {
  const { ledgerBy, ledgerSort } = cursors.of(state.view)
  return { by: ledgerBy, session: readSession(state), sort: ledgerSort }
}

/** How many rows there are. */
export function listedLength(state: Listed): number {
  return ledgerLength(state.run, listOf(state))
}

/** The rows from `top` on, at most so many. */
export function listedRows(state: Listed, top: number, rows: number): readonly LedgerRow[] {
  return ledgerRows(state.run, listOf(state), top, rows)
}
