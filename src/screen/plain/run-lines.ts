// Prints a run as labelled lines that are never redrawn: for screen readers, pipes, CI and dumb terminals.
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { withRecalledFrame } from "../../run/memory/recalled-frames.ts"
import { isAtTurn, isPaused, isUntold } from "../../run/model/held.ts"
import { frameNumber, type Row, type Run } from "../../run/model/run.ts"
import { turnTextOf } from "../../run/select/figures.ts"
import { newRows } from "../../run/select/new-rows.ts"
import { missingWords } from "../../run/select/passages.ts"
import { rowWords } from "../../run/select/row-words.ts"
import { waitingTurnWords } from "../../ui/debugger-words.ts"
import { counted } from "../../ui/text-width.ts"
import { answerable, type State } from "../../view/state.ts"
import { LineStyle } from "./line-style.ts"
import { plainMarkdown } from "./plain-markdown.ts"
import { isToldAsQuestion, questionLines, questionNews } from "./question-lines.ts"

/** The news since `before`, sanitized, with these rows: an answer is confirmed before the next question is asked. */
export function newLines(
  before: State,
  after: State,
  fresh: readonly Row[] = newRows(before.run, after.run),
  style = new LineStyle(),
): readonly string[] {
  if (before === after) return []
  const link = linkLines(before, after)
  const hasEnded = isPlayed(after) || ["lost", "exited", "closed"].includes(after.link.state)
  const { closed, refused, asked } = questionNews(before, after)
  const rows = fresh.filter(row => !isToldAsQuestion(before.run, after.run, row))
  const news = [
    ...closed,
    ...refused,
    ...rows.flatMap(row => rowLines(after, row, style)),
    ...debuggerLines(before, after),
    ...asked,
    ...noticeLines(before, after, closed),
  ]
  return hasEnded ? [...news, ...link] : [...link, ...news]
}

/** True once playback has ended or paused: then a recording shows nothing more. */
export function isPlayed({ link, isPast, time }: State): boolean {
  return link.state === "ended" && !(isPast && time.playing)
}

/** The answer to `/status`. */
export function plainStatusLines(state: State): readonly string[] {
  const { run } = state
  const streaming = run.turnBuffers.filter(stream => stream.turn.status === "streaming").length
  const open = answerable(state)
  return [
    linkWords(state),
    `run: ${run.status}${run.reason === null ? "" : `, ${run.reason}`}; ${run.chart.config.join(" › ") || "no state yet"}`,
    `${counted(run.sessions.length, "session")}, ${streaming} streaming, ${counted(run.facts.tokens, "token")}, ${counted(run.log.errors, "error")}`,
    ...open.flatMap(prompt => questionLines(state, prompt)),
  ]
}

function linkLines(before: State, after: State): readonly string[] {
  const words = linkWords(after)
  return words === linkWords(before) ? [] : [words]
}

function linkWords(state: State): string {
  const { link } = state
  switch (link.state) {
    case "connecting":
      return `connecting to ${sanitizeLine(link.url)}`
    case "open":
      return "connected"
    case "lost":
      return `disconnected, ${link.why}; ${link.api === true ? "answers go over HTTP" : "trying again"}`
    case "running":
      return `command: ${link.command} is running`
    case "exited":
      return `command: ${link.command} ended with exit code ${link.code}`
    case "replaying":
      return `recording: ${sanitizeLine(link.path)}`
    case "ended":
      if (!isPlayed(state)) return `recording: ${sanitizeLine(link.path)}`
      if (state.isPast) return `recording: paused at frame ${frameNumber(state.run)}`
      return link.incompleteLength > 0
        ? `recording: ended; its last line is incomplete (${counted(link.incompleteLength, "character")})`
        : "recording: ended"
    case "closed":
      return "disconnected"
  }
}

/** A row and, below it, the whole text of a reply. */
export function rowLines(
  { run, recalled }: Pick<State, "run" | "recalled">,
  packed: Row,
  style: LineStyle,
): readonly string[] {
  const row = withRecalledFrame(packed, recalled)
  const { source, what, text } = rowWords(run, row)
  const who = style.name(run, row.session ?? -1) ?? source
  const level = row.level === "info" ? "" : `${row.level}: `
  const below = said(run, row)
  const beside = below.length > 0 ? (replyWords(row) ?? text) : text
  const head = `${style.time(run, row)}${level}${who}: ${[what, beside].filter(Boolean).join(" ")}`
  return [head, ...below.map(line => (line === "" ? "" : `  ${line}`))]
}

function replyWords({ what }: Row): string | null {
  if (what.kind !== "event" || what.body.type !== "llm/response") return null
  const { usage, stopReason } = what.body
  return [usage.output === null ? "" : `${usage.output} tok`, stopReason ?? ""].filter(Boolean).join("  ")
}

/** The text of a reply in full, or as much as there is of one that failed. */
function said(run: Run, { what, session }: Row): readonly string[] {
  if (what.kind !== "event") return []
  const { body } = what
  if (body.type === "llm/response") {
    return (body.content ?? []).flatMap(block => (block.type === "text" ? plainMarkdown(block.text) : []))
  }
  const stream = run.turnBuffers[session ?? -1]
  const owner = run.sessions[session ?? -1]
  if (body.type !== "llm/error" || stream === undefined || owner === undefined) return []
  const { text, missing } = turnTextOf(owner, stream)
  const cut = missing === 0 ? [] : [missingWords(missing)]
  return text === "" ? [] : ["reply so far:", ...plainMarkdown(text), ...cut]
}

function debuggerLines(before: State, after: State): readonly string[] {
  const words = debuggerWords(after.run)
  return words === "" || words === debuggerWords(before.run) ? [] : [words]
}

function debuggerWords(run: Run): string {
  const { debug, awaiting } = run
  if (debug === null) return ""
  const holds = [
    isPaused(run) && `paused${awaiting === null ? "" : `, ${awaiting}`}: /step or /continue`,
    isAtTurn(run) && `paused before a model turn (${waitingTurnWords(debug)}): /next, /back or /continue`,
    debug.breakpointArmed && "will pause before the next model turn",
    debug.branchError !== null && `the re-run failed: ${debug.branchError}`,
  ].filter(Boolean)
  return `debugger: ${holds.join("; ") || (isUntold(run) ? "attached" : "running")}`
}

/** Names a closed question instead of the notice of its answer: the reader may be several questions behind. */
function noticeLines(before: State, after: State, closed: readonly string[]): readonly string[] {
  const { notice } = after.view
  if (notice === null || notice === before.view.notice) return []
  return closed.length > 0 && notice.level === "info" ? [] : [`sidecar: ${notice.text}`]
}
