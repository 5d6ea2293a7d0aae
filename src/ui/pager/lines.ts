import { keyLines } from "../../keys/hints.ts"
import { keymap } from "../../keys/keymap.ts"
import { inertLine } from "../../protocol/inert.ts"
import { indexOfRow } from "../../store/plan-move.ts"
import { missing } from "../../store/read.ts"
import type { State } from "../../store/state.ts"
import { at } from "../../store/vec.ts"
import type { Page } from "../../store/view.ts"
import { rowDetail, wordsOf } from "../../store/words.ts"
import { blank, type Line, line, span } from "../line.ts"
import type { Look } from "../look.ts"
import { reviewLines } from "../rerun/lines.ts"
import { count, duration, offset } from "../text.ts"
import { wrap } from "../wrap.ts"

export interface Pager {
  readonly title: string
  readonly lines: readonly Line[]
}

/** The whole of what an overlay shows, wrapped to the width; the caller draws the part that fits. */
export function pagerOf(state: State, overlay: Page, look: Look, columns: number): Pager {
  switch (overlay.type) {
    case "help":
      return { title: "KEYS", lines: helpLines(columns) }
    case "status":
      return { title: "STATUS", lines: statusLines(state, look, columns) }
    case "review":
      return { title: "RE-RUN  what will change", lines: reviewLines(state, overlay.session, look, columns) }
    case "entry":
      return entryPage(state, overlay.key, columns)
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
    ["session directory", directoryWords(state)],
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
    wrap(value, columns - 18).map((text, i) => line(span((i === 0 ? name : "").padEnd(18), "dim"), span(text))),
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

function directoryWords({ directory }: State): string {
  if (directory === null) return "not known"
  return directory.error === null ? inertLine(directory.path) : `cannot be used: ${directory.error}`
}

function debugWords(state: State): string {
  const { debug } = state.run
  if (debug === null) return "none attached"
  const parts = [debug.paused ? "paused" : "running", debug.mode, `step budget ${debug.stepBudget}`]
  if (debug.breakpointArmed) parts.push("breakpoint armed")
  if (debug.branchError !== null) parts.push(`branch failed: ${debug.branchError}`)
  return parts.join(", ")
}

function entryPage(state: State, key: number, columns: number): Pager {
  const { run } = state
  const row = at(run.log.rows, indexOfRow(run, key))
  if (row === undefined) return { title: "ENTRY", lines: [line(span("This row is gone", "dim"))] }
  const words = wordsOf(run, row)
  const time = row.ts === null || run.firstTs === null ? "" : `${offset(row.ts - run.firstTs)}  `
  const name = row.what.kind === "event" ? row.what.name : row.what.kind
  const where = row.seq === null ? "" : `  seq ${row.seq}`
  const head = [
    line(span(`${time}${words.source}  `, "dim"), span(name, "bright", { bold: true }), span(where, "dim")),
    ...wrap(words.text, columns).map(text => line(span(text, row.level === "error" ? "error" : "normal"))),
    blank,
  ]
  return { title: "ENTRY", lines: [...head, ...wrap(rowDetail(row), columns).map(text => line(span(text)))] }
}
