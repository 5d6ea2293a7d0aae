import { keyLines } from "../../keys/hints.ts"
import { keymap } from "../../keys/keymap.ts"
import { inertLine } from "../../protocol/inert.ts"
import { jsonLines } from "../../store/json-lines.ts"
import { indexOfRow } from "../../store/plan-move.ts"
import { missing } from "../../store/read.ts"
import type { Row, Run } from "../../store/run.ts"
import type { State } from "../../store/state.ts"
import { at } from "../../store/vec.ts"
import type { Page } from "../../store/view.ts"
import { rowData, wordsOf } from "../../store/words.ts"
import { blank, type Line, line, span } from "../line.ts"
import type { Look } from "../look.ts"
import { reviewLines } from "../rerun/lines.ts"
import { count, duration, offset } from "../text.ts"
import { wrap } from "../wrap.ts"
import { jsonText, linesText, type PageText } from "./text.ts"

export interface Pager {
  readonly title: string
  readonly text: PageText
}

/** What an overlay of text shows; the caller draws the part that is seen. */
export function pagerOf(state: State, overlay: Page, look: Look, columns: number): Pager {
  switch (overlay.type) {
    case "help":
      return { title: "KEYS", text: linesText(helpLines(columns)) }
    case "status":
      return { title: "STATUS", text: linesText(statusLines(state, look, columns)) }
    case "review":
      return { title: "RE-RUN  what will change", text: linesText(reviewLines(state, overlay.session, look, columns)) }
    case "entry":
      return entryPage(state, overlay.key)
  }
}

function helpLines(columns: number): readonly Line[] {
  const lines: Line[] = []
  const keyColumns = 14
  let group = ""
  for (const one of keyLines(keymap)) {
    if (one.group !== group)
      lines.push(...(group === "" ? [] : [blank]), line(span(one.group, "bright", { bold: true })))
    group = one.group
    wrap(one.title, columns - keyColumns).forEach((text, i) => {
      lines.push(line(span((i === 0 ? `  ${one.shown}` : "").padEnd(keyColumns), "accent"), span(text)))
    })
  }
  return lines
}

function statusLines(state: State, look: Look, columns: number): readonly Line[] {
  const { run } = state
  const facts: (readonly [string, string])[] = [
    ["line", inertLine(linkWords(state, look))],
    ["run", run.reason === null ? run.status : `${run.status}: ${run.reason}`],
    ["config", run.chart.config.join(" › ")],
    ["chart", run.chart.chartId ?? "–"],
    ["debugger", debugWords(state)],
    ["epochs", count(run.epochs.length)],
    ...Object.entries({ ...run.frames, missing: missing(run) }).map(
      ([name, value]) => [spoken(name), count(value)] as const,
    ),
  ]
  const lines = facts.flatMap(([name, value]) =>
    wrap(value, columns - 16).map((text, i) => line(span((i === 0 ? name : "").padEnd(16), "dim"), span(text))),
  )
  if (run.unread.length === 0) return lines
  lines.push(blank, line(span("Lines that were not understood", "bright", { bold: true })))
  for (const one of run.unread) {
    lines.push(line(span(`line ${one.line}  `, "dim"), span(inertLine(one.why), "warn")))
    for (const text of wrap(inertLine(one.raw.slice(0, 400)), columns - 2)) lines.push(line(span(`  ${text}`, "dim")))
  }
  return lines
}

/** A counter's name as words: modelCatalog is "model catalog". */
function spoken(name: string): string {
  return name.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
}

function linkWords(state: State, look: Look): string {
  const { link } = state
  switch (link.state) {
    case "connecting":
      return `connecting to ${link.url}`
    case "open":
      return `open for ${duration(look.now - link.since)}, ${link.url}`
    case "lost":
      return `${link.url}: ${link.why}`
    case "replaying":
    case "ended":
      return `recording ${link.path}${link.torn > 0 ? `, ${link.torn} characters of a torn last line` : ""}`
    case "closed":
      return "closed"
  }
}

function debugWords(state: State): string {
  const { debug } = state.run
  if (debug === null) return "none attached"
  const parts = [debug.paused ? "paused" : "running", debug.mode, `step budget ${debug.stepBudget}`]
  if (debug.breakpointArmed) parts.push("breakpoint armed")
  if (debug.branchError !== null) parts.push(`branch failed: ${debug.branchError}`)
  return parts.join(", ")
}

/** A row is one value for as long as it is there, and laid out once. */
const entries = new WeakMap<Row["what"], PageText>()

function entryPage(state: State, key: number): Pager {
  const { run } = state
  const row = at(run.log.rows, indexOfRow(run, key))
  if (row === undefined) return { title: "ENTRY", text: linesText([line(span("This row is gone", "dim"))]) }
  const name = row.what.kind === "event" ? row.what.name : row.what.kind
  const known = entries.get(row.what)
  const text = known ?? jsonText(entryHead(run, row, name), jsonLines(rowData(row)))
  entries.set(row.what, text)
  return { title: `ENTRY  ${wordsOf(run, row).source}  ${inertLine(name)}`, text }
}

function entryHead(run: Run, row: Row, name: string): readonly Line[] {
  const words = wordsOf(run, row)
  const time = row.ts === null || run.firstTs === null ? "" : `${offset(row.ts - run.firstTs)}  `
  const epoch = row.epoch > 0 ? `  epoch ${row.epoch + 1}` : ""
  const where = `${row.seq === null ? "" : `  seq ${row.seq}`}${epoch}  frame ${row.frame}`
  // An event that nobody knows has no words but its data, which stand below.
  const plain = row.what.kind === "event" && row.what.body.type === "other"
  const said = words.text === "" || plain ? [] : [line(span(words.text, row.level === "error" ? "error" : "normal"))]
  return [
    line(span(`${time}${words.source}  `, "dim"), span(inertLine(name), "bright", { bold: true }), span(where, "dim")),
    ...said,
    blank,
  ]
}
