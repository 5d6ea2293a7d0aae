// Draws the home screen: its header, the list of runs, and the ways to start one.
import type { TextSize } from "../../ui/layout.ts"
import {
  blank,
  clipSpans,
  ends,
  type Line,
  line,
  type RenderContext,
  rowClick,
  type Span,
  span,
  wrapLines,
} from "../../ui/line.ts"
import { hostOf } from "../../ui/link-words.ts"
import { count } from "../../ui/text-width.ts"
import { clamp } from "../../view/cursor-step.ts"
import type { Home } from "../../view/home.ts"
import { dayOf, type HomeItem, type HomeList, homeList, homeRow } from "../../view/select/home-rows.ts"
import type { State } from "../../view/state.ts"
import { dayWords, runColumns, runHeading, runSpans } from "./run-columns.ts"

/** Rows inside the list's box: a heading where there is room, the list, and the ways to start below it. */
export type HomeShape = Readonly<ReturnType<typeof homeShape>>

/** Divides the rows inside a border that has all of the screen. */
export function homeShape({ columns, rows }: TextSize, hasRow: boolean) {
  const all = rows + 2
  const hasPreview = hasRow && rows >= 18 && columns >= 52
  // The height of the box below the list's, for the run under the cursor; 0 where it has no room.
  const preview = hasPreview ? clamp(Math.floor(all * 0.3), 5, 14) : 0
  const box = all - preview
  const hasHeading = box >= 10
  // The row of the ways to start, and a blank one above it where there is room.
  const starts = box >= 20 ? 2 : box >= 10 ? 1 : 0
  const shown = Math.max(1, box - 2 - (hasHeading ? 1 : 0) - starts)
  return { box, preview, hasHeading, starts, shown }
}

/** The name of the program and the directory; at the right what runs, asks, and failed today. */
export function homeHeader(home: Home, state: State, context: RenderContext, columns: number): readonly Span[] {
  const { glyphs, now } = context
  const { running, asking, failedToday } = homeList(home, state.view.home, state.zone, now)
  const stores = home.stores ?? []
  const also = stores.length === 0 ? "" : `   also from ${stores.join(", ")}`
  const left = [span(" opentui-sidecar", "bright", { bold: true }), span(`   ${home.root}${also}`, "dim")]
  const right = [
    ...(running === 0 ? [] : [span(`  ${glyphs.live} ${count(running)} running`, "ok")]),
    ...(asking === 0 ? [] : [span(`  ${glyphs.asks}${count(asking)}`, "warn", { bold: true })]),
    ...(failedToday === 0 ? [] : [span(`  ${glyphs.error}${count(failedToday)} today`, "error")]),
    span(" "),
  ]
  return ends(left, right, columns, glyphs.ellipsis)
}

/** The title of the list: the number of runs, and their filter. */
export function homeTitle({ view, home }: State, list: HomeList | null): string {
  if (list === null || home?.runs === null) return "RUNS"
  const { filter } = view.home
  const found = filter === "" ? [] : [`${count(list.rows.length)} with "${filter}"`]
  return `RUNS  ${[count(list.all), ...found].join(" · ")}`
}

/** The lines inside the list's box. `top` is the first item that is seen. */
export function homeLines(
  home: Home,
  state: State,
  context: RenderContext,
  { columns, rows, shape, top }: { columns: number; rows: number; shape: HomeShape; top: number },
): readonly Line[] {
  const { view, zone } = state
  const list = homeList(home, view.home, zone, context.now)
  const widths = runColumns(columns, list)
  const selected = list.places.get(homeRow(list, view.home)?.key ?? "")?.item
  const headings = list.items.length - list.rows.length
  const isAiry = list.items.length + headings - 1 <= rows
  const drawn = list.items.slice(top, top + rows).flatMap((item, i): readonly Line[] => {
    const here = top + i === selected
    const above = isAiry && i > 0 && item.type !== "row" ? [blank] : []
    const row = item.type === "row" ? list.places.get(item.row.key)?.row : undefined
    const click = row === undefined ? {} : { click: rowClick(row, here) }
    return [...above, { spans: itemSpans(item, widths, state, context, here), selected: here, ...click }]
  })
  const empty = list.rows.length > 0 ? [] : emptyLines(home, list, view.home.filter, columns)
  const body = [...drawn, ...empty].slice(0, rows)
  const fill = Array.from({ length: Math.max(0, rows - body.length) }, () => blank)
  const heading = shape.hasHeading ? [list.all === 0 ? blank : line(span(runHeading(widths), "dim"))] : []
  const starts = shape.starts === 0 || list.all === 0 ? [] : [startLine(home, columns, context)]
  const above = shape.starts > 1 ? [blank] : []
  return [...heading, ...body, ...fill, ...above, ...starts]
}

function itemSpans(
  item: HomeItem,
  columns: ReturnType<typeof runColumns>,
  { zone }: State,
  context: RenderContext,
  here: boolean,
): readonly Span[] {
  switch (item.type) {
    case "running":
      return [span("  Running", "bright")]
    case "asking":
      return [span("  Needs you", "warn")]
    case "day":
      return [span(`  ${dayWords(item.day, dayOf(context.now, zone))}`, "bright")]
    case "row":
      return runSpans(item.row, columns, context, zone, here)
  }
}

/** Says why the list is empty, and without any run how to begin. */
function emptyLines(home: Home, list: HomeList, filter: string, columns: number): readonly Line[] {
  if (home.runs === null) return wrapLines(`  Looking for runs in ${home.root}`, columns, "dim")
  if (list.all > 0) return wrapLines(`  No run has "${filter}". Esc shows all`, columns, "dim")
  const closed = home.closed.flatMap(why => wrapLines(`  ${why}`, columns, "warn"))
  const ways = STARTS.map(({ word, long }) => `    ${word.padEnd(8)}${long}`)
  const sentence = wrapLines(`  No runs in ${home.root} yet. Press : and type`, columns, "bright")
  const agent = line(span(`     ${agentWords(home)}`, "dim"))
  const [first = "claude"] = home.clis
  const found =
    home.clis.length === 0 ? "An agent CLI is watched by" : `Found here: ${home.clis.join(", ")}. Watch one by`
  const run = [`  ${found}`, `    opentui-sidecar run ${first} "why does the test fail?"`]
  const told = (texts: readonly string[]) => texts.flatMap(one => wrapLines(one, columns, "normal"))
  return [...sentence, ...closed, blank, ...told(ways), agent, blank, ...told(run)]
}

const STARTS = [
  { word: "demo", long: "agents at work, a minute" },
  { word: "open", long: "a recording, a directory" },
  { word: "attach", long: "to an agent's URL" },
  { word: "talk", long: "to an agent: go on with a session" },
] as const

function startLine(home: Home, columns: number, { glyphs }: RenderContext): Line {
  const words = STARTS.map(({ word }) => word).join(`, `)
  const spans = [span("  : ", "accent"), span(words, "normal"), span(`   ${agentWords(home)}`, "dim")]
  return { spans: clipSpans(spans, columns, glyphs.ellipsis) }
}

function agentWords({ agent }: Home): string {
  return `${hostOf(agent.url)}: ${agent.refusal ?? (agent.answers ? "an agent answers" : "no agent there yet")}`
}
