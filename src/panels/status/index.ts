import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { hasTurnGate, isAtTurn, isPaused, isUntold } from "../../run/model/held.ts"
import { missingFrames } from "../../run/select/figures.ts"
import { waitingTurnWords } from "../../ui/debugger-words.ts"
import { blank, type ColorToken, type Line, line, type RenderContext, span, wrap } from "../../ui/line.ts"
import { count, duration } from "../../ui/text-width.ts"
import { toggleOverlay } from "../../view/plan-result.ts"
import { createSlice } from "../../view/slice.ts"
import { isOver, type State } from "../../view/state.ts"
import { pageOverlay } from "../common/pager/page.ts"
import { linesText } from "../common/pager/pager-text.ts"
import type { Panel } from "../common/panel.ts"

/** Counts of spans sent, waiting and dropped, and why the last ones were dropped. */
interface TraceStatus {
  /** May be shown; empty if none are sent. */
  readonly to: string
  readonly sent: number
  readonly waiting: number
  readonly dropped: number
  readonly why: string | null
}

export const traces = createSlice<TraceStatus>("traces", { to: "", sent: 0, waiting: 0, dropped: 0, why: null })

export const statusPanel = {
  overlays: {
    status: pageOverlay((state, _, { render, columns }) => ({
      title: `STATUS  ${state.run.status}`,
      text: linesText(statusLines(state, render, columns)),
    })),
  },
  commands: {
    status: {
      title: "show how the run and the connection stand",
      words: "connection debugger counters warnings",
      run: state => toggleOverlay(state, { type: "status", top: 0 }),
    },
  },
} satisfies Panel

const NAME = 18
const RAW = 4000

/** The lines of the status. */
export function statusLines(state: State, context: RenderContext, columns: number): readonly Line[] {
  const { run } = state
  const { debug } = run
  const pending = debug?.pendingEvents ?? null
  const complaints = run.guest.warnings.flatMap(({ why }) => raw(why, columns, "warn"))
  const counters = Object.entries({ ...run.frames, missing: missingFrames(run) })
  const frames = counters.map(([name, value]) => [spoken(name), count(value)] as const)
  return [
    ...facts(
      [
        ["connection", sanitizeLine(linkWords(state, context))],
        ["session directory", directoryWords(state)],
        ...(traces.of(state.view).to === "" ? [] : [["traces", traceWords(traces.of(state.view))] as const]),
        ["run", run.reason === null ? run.status : `${run.status}: ${run.reason}`],
        ["state", run.chart.config.join(" › ") || "–"],
        ["chart", run.chart.chartId ?? "–"],
        ["restarts", count(Math.max(0, run.epochs.length - 1))],
        ["errors", count(run.log.errors)],
        ["warnings", count(run.log.warnings)],
        ["debugger", debugWords(state)],
        ...(debug?.config == null || debug.config.length === 0
          ? []
          : [["debugger state", debug.config.join(" › ")] as const]),
        ...(run.awaiting === null ? [] : [["waiting for", run.awaiting] as const]),
        ...(pending === null ? [] : [["pending events", count(pending.length)] as const]),
      ],
      columns,
    ),
    ...(pending ?? []).flatMap(one => {
      const where = [one.external ? "external" : "", one.target === null ? "" : `to ${one.target}`, one.data]
      return raw(`${one.name ?? "?"}  ${where.filter(word => word !== "").join("  ")}`, columns)
    }),
    ...section("Frames received", run.frames.lines, facts(frames, columns)),
    ...section("Parser problems", complaints.length, complaints),
    ...section("Lines not understood", run.log.malformed.length, malformedLines(state, columns)),
  ]
}

function facts(all: readonly (readonly [string, string])[], columns: number): readonly Line[] {
  return all.flatMap(([name, value]) =>
    wrap(value, columns - NAME).map((text, i) => line(span((i === 0 ? name : "").padEnd(NAME), "dim"), span(text))),
  )
}

function raw(text: string, columns: number, token: ColorToken = "dim"): readonly Line[] {
  return wrap(text, columns - 2).map(one => line(span(`  ${one}`, token)))
}

function section(title: string, found: number, lines: readonly Line[]): readonly Line[] {
  return found === 0 ? [] : [blank, line(span(title, "bright", { bold: true })), ...lines]
}

function malformedLines({ run }: State, columns: number): readonly Line[] {
  return run.log.malformed.flatMap(one => [
    line(span(`line ${one.line}  `, "dim"), span(sanitizeLine(one.why), "warn")),
    ...raw(sanitizeLine(one.raw.slice(0, RAW)), columns),
  ])
}

function spoken(name: string): string {
  if (name === "malformed") return "not understood"
  return name.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
}

function linkWords(state: State, context: RenderContext): string {
  const { link } = state
  switch (link.state) {
    case "connecting":
      return `connecting to ${link.url}`
    case "open":
      return `connected for ${duration(context.now - link.since)}, ${link.url}`
    case "lost":
      return `${link.url}: ${link.why}${link.api === true ? "; using HTTP" : ""}`
    case "replaying":
    case "ended":
      return `recording ${link.path}${link.incompleteLength > 0 ? `, ${link.incompleteLength} characters of an incomplete last line` : ""}`
    case "running":
      return `${link.command} is running; ${link.talks === true ? "it takes answers and prompts" : "nothing is sent to it"}`
    case "exited":
      return `${link.command} ended with exit code ${link.code}`
    case "closed":
      return "closed"
  }
}

function directoryWords({ directory }: State): string {
  if (directory === null) return "unknown"
  return directory.error === null ? sanitizeLine(directory.path) : `can't be used: ${directory.error}`
}

function traceWords({ to, sent, waiting, dropped, why }: TraceStatus): string {
  const counts = `${count(sent)} spans sent, ${count(waiting)} waiting, ${count(dropped)} dropped`
  return `${to}: ${counts}${why === null ? "" : `; ${why}`}`
}

function debugWords(state: State): string {
  const { run } = state
  const { debug } = run
  if (debug === null) return "none attached"
  if (isOver(run)) return "the run is over"
  // What an armed gate is called does not say that the agent stands there.
  const mode = debug.mode === "running" || (hasTurnGate(run) && !isAtTurn(run)) ? [] : [debug.mode]
  const parts = [isPaused(run) ? "paused" : isUntold(run) ? "attached, paused or not" : "running", ...mode]
  if (debug.stepBudget !== null) parts.push(`steps left ${debug.stepBudget}`)
  if (debug.turnIndex !== null) parts.push(waitingTurnWords(debug))
  if (debug.breakpointArmed) parts.push("will pause before the next turn")
  if (debug.branchError !== null) parts.push(`re-run failed: ${debug.branchError}`)
  return parts.join(", ")
}
