// What the program knows of the line, the debugger and itself, and the lines that it did not understand.
import { inertLine } from "../../protocol/inert.ts"
import { missing } from "../../store/read.ts"
import type { State } from "../../store/state.ts"
import { blank, type Line, line, span } from "../line.ts"
import type { Look } from "../look.ts"
import { count, duration } from "../text.ts"
import { wrap } from "../wrap.ts"

/** All of it, wrapped to the width. */
export function statusLines(state: State, look: Look, columns: number): readonly Line[] {
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
  lines.push(...complaintLines(state, columns))
  if (run.unread.length === 0) return lines
  lines.push(blank, line(span("Lines that were not understood", "bright", { bold: true })))
  for (const one of run.unread) {
    lines.push(line(span(`line ${one.line}  `, "dim"), span(inertLine(one.why), "warn")))
    for (const text of wrap(inertLine(one.raw.slice(0, 400)), columns - 2)) lines.push(line(span(`  ${text}`, "dim")))
  }
  return lines
}

/** What the parser of a guest could not do. */
function complaintLines({ run }: State, columns: number): readonly Line[] {
  if (run.complaints.length === 0) return []
  const rows = run.complaints.flatMap(({ why }) => wrap(why, columns - 2).map(text => line(span(`  ${text}`, "warn"))))
  return [blank, line(span("What the parser could not do", "bright", { bold: true })), ...rows]
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
    case "running":
      return `${link.command} runs: what it prints is read, nothing is sent`
    case "exited":
      return `${link.command} has ended with exit code ${link.code}`
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
