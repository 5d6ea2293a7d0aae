// The ledger: what the run used, cost and waited for, by whatever it is asked for.
import { type LedgerList, noAccount } from "../../run/model/ledger.ts"
import { guessedReplies } from "../../run/model-facts.ts"
import { sessionName } from "../../run/select/figures.ts"
import { type LedgerRow, ledgerLength, ledgerRows, ledgerTotal, sortOf } from "../../run/select/ledger-rows.ts"
import { moneyDecimals } from "../../run/select/usage.ts"
import {
  LEDGER_COLUMN_IDS,
  LEDGER_COLUMNS,
  type LedgerColumn,
  ledgerCell,
  TOOL_COLUMNS,
} from "../../ui/ledger-columns.ts"
import { clipSpans, type Line, line, type Span, span } from "../../ui/line.ts"
import { clipName, count, pad } from "../../ui/text-width.ts"
import { readingAt, readingOf } from "../../view/block-reading.ts"
import { both, change, nothing } from "../../view/plan-result.ts"
import { readSession, targetOf } from "../../view/select/shown-session.ts"
import type { ForegroundState, State } from "../../view/state.ts"
import { OPEN } from "../common/keys.ts"
import { keyedListOverlay, listLines } from "../common/list/list.ts"
import { openTranscript } from "../common/open-entry.ts"
import { BROWSE, type Panel, type Place, type Reading } from "../common/panel.ts"
import { showCost } from "../common/place-title.ts"
import { alter, cursors, toggleView } from "../common/views.ts"

const rowHere = (state: State) => listedRows(state, cursors.of(state.view).ledgerRow, 1)[0]

export const ledgerPanel = {
  keys: { group: "Views", openers: [{ from: BROWSE, keys: [showCost] }] },
  updates: {
    "ledger/toggle": state => toggleView(state, "ledger"),
    "ledger/open": state => {
      const { run, view } = state
      const of = rowHere(state)?.of
      if (of == null) return nothing
      const selected = change({ list: { selected: targetOf(run, of.session), pinned: true } })
      const turns = alter(view, { ledgerBy: "turn", ledgerRow: 0 })
      return both(selected, of.turn === null ? turns : openTranscript(state, of.session, view.reader.text))
    },
  },
  overlays: {
    ledger: keyedListOverlay({
      kind: "view",
      keys: [{ ...OPEN, id: "ledger/open", when: state => rowHere(state)?.of != null }],
      title: ledgerTitle,
      length: listedLength,
      cursorOf: ({ view }) => cursors.of(view).ledgerRow,
      moved: ({ view }, _, ledgerRow) => cursors.put(view, { ledgerRow }),
      heading: ledgerHeading,
      lines: ledgerLines,
      legend: ledgerFoot,
      reads: rowReading,
    }),
  },
} satisfies Panel

/** The session and turn that a row is of. */
function rowReading(state: State, cursor: number): Reading | null {
  const of = listedRows(state, cursor, 1)[0]?.of
  const session = state.run.sessions[of?.session ?? -1]
  if (of == null || session === undefined) return null
  const { text } = state.view.reader
  return { text: of.turn === null ? readingOf(text, session.id) : readingAt(text, session, of.turn) }
}

/**
 * Where not all columns fit beside a name of `LEAST` columns, the last of these go first. What was written to the cache
 * is told of the account under the cursor alone.
 */
const RANK: readonly LedgerColumn[] = [
  ...(["cost", "input", "output", "cached", "models", "tools", "people", "requests"] as const),
  ...(["first", "retries", "reasoning"] as const),
]
const LEAST = 14
/** A smaller place has room for the heading and the sum alone. */
const ROOMY = 9

/** What the title says: by what the accounts are listed, and whose turns they are of. */
function ledgerTitle(state: State): string {
  const { ledgerBy } = cursors.of(state.view)
  const name = ledgerBy === "turn" ? sessionName(state.run, readSession(state)) : null
  const sort = sortOf(listOf(state))
  const order = sort === null ? "" : ` · most ${LEDGER_COLUMNS[sort].title} first`
  return `SESSIONS  by ${ledgerBy}${name === null ? "" : ` of ${name}`}${order}`
}

/** The rows that fit. */
function ledgerLines(state: State, cursor: number, place: Place): readonly Line[] {
  const { top = 0, rows } = place
  const length = listedLength(state)
  if (length === 0) return [line(span(`   no ${missingWords(listOf(state))} yet`, "dim"))]
  const shown = listedRows(state, top, rows)
  const table = tableOf(state, place)
  const all = { length, at: (index: number) => shown[index - top] }
  return listLines(all, cursor, place, (row, here) => rowSpans(row, table, place, here))
}

/** Sorted turns are those that have the figure. */
function missingWords(list: LedgerList): string {
  const sort = sortOf(list)
  return sort === null ? list.by : `turn with a figure for ${LEDGER_COLUMNS[sort].title}`
}

/** The names of the columns, where these are. */
function ledgerHeading(state: State, place: Place): readonly Line[] {
  const { name, columns } = tableOf(state, place)
  const list = listOf(state)
  const cells = columns.map(id =>
    span(pad(LEDGER_COLUMNS[id].title, LEDGER_COLUMNS[id].width, "right"), id === sortOf(list) ? "bright" : "dim"),
  )
  return [line(span(pad(`  ${list.by}`, name), "dim"), ...cells)]
}

/** The whole, and what is said of it and of the account under the cursor. */
function ledgerFoot(state: State, place: Place): readonly Line[] {
  const { by } = listOf(state)
  const account = ledgerTotal(state.run, listOf(state))
  if (account === undefined) return []
  const table = tableOf(state, place)
  const whole = { name: by === "turn" ? "session" : "run", aside: "", account, of: null }
  const sum = line(span("  "), ...rowSpans(whole, table, place, true, true))
  if (place.rows < ROOMY) return [sum]
  const [under] = listedRows(state, cursors.of(state.view).ledgerRow, 1)
  return [
    sum,
    { spans: clipSpans(noteSpans(state, under ?? null, table), place.columns, place.render.glyphs.ellipsis) },
  ]
}

type Table = Readonly<ReturnType<typeof tableOf>>

/** The columns in which something is known and that have room beside the name, in the order of `LEDGER_COLUMNS`. */
function tableOf(state: State, { columns: width }: Place) {
  const whole = ledgerTotal(state.run, listOf(state)) ?? noAccount
  const rank = cursors.of(state.view).ledgerBy === "tool" ? TOOL_COLUMNS : RANK
  const fitting = new Set<LedgerColumn>()
  let room = width - LEAST
  for (const id of rank) {
    if (LEDGER_COLUMNS[id].words(whole) === null) continue
    room -= LEDGER_COLUMNS[id].width
    if (room < 0) break
    fitting.add(id)
  }
  const columns = LEDGER_COLUMN_IDS.filter(id => fitting.has(id))
  const name = width - columns.reduce((sum, id) => sum + LEDGER_COLUMNS[id].width, 0)
  // Every sum of money has these decimals, so that they stand below each other.
  return { name, columns, decimals: moneyDecimals(whole) }
}

function rowSpans(
  row: LedgerRow,
  { name, columns, decimals }: Table,
  { render: { glyphs } }: Place,
  here: boolean,
  isSum = false,
): readonly Span[] {
  const room = name - 2
  const title = clipName(row.name, room, glyphs.ellipsis)
  const aside = row.aside.length + 2 > room - title.length ? "" : `  ${row.aside}`
  const cells = columns.map((id): Span => {
    const words = ledgerCell(id, row.account, decimals)
    const token = words === null ? "dim" : id === "cost" ? "bright" : id === "failed" ? "error" : "normal"
    return span(pad(words ?? glyphs.dash, LEDGER_COLUMNS[id].width, "right"), token, { bold: isSum })
  })
  return [
    span(title, here ? "bright" : "normal", { bold: here }),
    span(pad(aside, Math.max(0, room - title.length)), "dim"),
    ...cells,
  ]
}

/** What the columns have no room for; what of the sum is unknown and why; how to name prices. */
function noteSpans({ run }: State, under: LedgerRow | null, { columns }: Table): readonly Span[] {
  const { unpriced } = run.facts.ledger.total
  const guessed = guessedReplies(run)
  const notes = [
    ...(unpriced === 0 ? [] : [unpricedWords(unpriced, run.options.prices.size > 0)]),
    ...(guessed === 0 ? [] : [`guessed: the cached tokens of ${replies(guessed)}, as if within the input`]),
    ...(under === null ? [] : accountWords(under, columns)),
  ]
  return [span(notes.join("  ·  "), "dim")]
}

const replies = (many: number): string => (many === 1 ? "1 reply" : `${count(many)} replies`)

function unpricedWords(unpriced: number, isPriced: boolean): string {
  return `No prices for ${replies(unpriced)}${isPriced ? "" : ": start with --prices FILE"}`
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
function listOf(state: Listed): LedgerList {
  const { ledgerBy, ledgerSort } = cursors.of(state.view)
  return { by: ledgerBy, session: readSession(state), sort: ledgerSort }
}

/** How many rows there are. */
function listedLength(state: Listed): number {
  return ledgerLength(state.run, listOf(state))
}

/** The rows from `top` on, at most so many. */
function listedRows(state: Listed, top: number, rows: number): readonly LedgerRow[] {
  return ledgerRows(state.run, listOf(state), top, rows)
}
