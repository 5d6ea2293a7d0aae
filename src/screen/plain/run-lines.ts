// Prints a run as labelled lines that are never redrawn: for screen readers, pipes, CI and dumb terminals.
import { stringifySafe } from "../../protocol/json.ts"
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { withRecalledFrame } from "../../run/memory/recalled-frames.ts"
import { frameNumber, type Prompt, type Row, type Run } from "../../run/model/run.ts"
import { answerWords } from "../../run/select/answer-words.ts"
import { isAtTurn, isPaused, turnTextOf } from "../../run/select/figures.ts"
import { newRows } from "../../run/select/new-rows.ts"
import { rowWords } from "../../run/select/row-words.ts"
import { offset } from "../../ui/text-width.ts"
import { answerable, isLive, type State } from "../../view/state.ts"

/** What is new since `before`, in reading order. All of it is sanitized. */
export function newLines(before: State, after: State): readonly string[] {
  if (before === after) return []
  const link = linkLines(before, after)
  const down = isPlayed(after) || after.link.state === "lost"
  return [
    ...(down ? [] : link),
    ...newRows(before.run, after.run).flatMap(row => rowLines(after.run, withRecalledFrame(row, after.recalled))),
    ...debuggerLines(before, after),
    ...newPrompts(before, after).flatMap(prompt => questionLines(after, prompt)),
    ...errorLines(before, after),
    ...noticeLines(before, after, closedLines(before, after)),
    ...(down ? link : []),
  ]
}

/** True once playback has ended or paused: then a recording shows nothing more. */
export function isPlayed({ link, isPast, time }: State): boolean {
  return link.state === "ended" && !(isPast && time.playing)
}

/** The answer to `/status`. */
export function plainStatusLines(state: State): readonly string[] {
  const { run } = state
  const streaming = run.turnBuffers.filter(stream => stream.status === "streaming").length
  const open = answerable(state)
  return [
    linkWords(state),
    `run: ${run.status}${run.reason === null ? "" : `, ${run.reason}`}; ${run.chart.config.join(" › ") || "no state yet"}`,
    `${counted(run.sessions.length, "session")}, ${streaming} streaming, ${counted(run.tokens, "token")}, ${counted(run.log.errors, "error")}`,
    ...open.flatMap(prompt => questionLines(state, prompt)),
  ]
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`
}

/** The number of a question, from 1: its place among all of the run. */
export function numberOf(run: Run, prompt: Prompt): number {
  return run.prompts.findIndex(one => one.key === prompt.key) + 1
}

function linkLines(before: State, after: State): readonly string[] {
  const words = linkWords(after)
  return words === linkWords(before) && before.link.state !== "connecting" ? [] : [words]
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

function rowLines(run: Run, row: Row): readonly string[] {
  const { source, what, text } = rowWords(run, row)
  const time = row.ts === null || run.firstTs === null ? "" : `${offset(row.ts - run.firstTs)} `
  const level = row.level === "info" ? "" : `${row.level}: `
  const below = said(run, row)
  const beside = below.length > 0 ? (replyWords(row) ?? text) : text
  const head = `${time}${level}${source}: ${[what, beside].filter(Boolean).join(" ")}`
  return [head, ...below.map(line => `  ${line}`)]
}

/** What to print beside a reply whose text is printed below. */
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
    return (body.content ?? []).flatMap(block => (block.type === "text" ? block.text.trimEnd().split("\n") : []))
  }
  const stream = run.turnBuffers[session ?? -1]
  const owner = run.sessions[session ?? -1]
  if (body.type !== "llm/error" || stream === undefined || owner === undefined) return []
  const { text } = turnTextOf(owner, stream)
  return text === "" ? [] : ["reply so far:", ...text.split("\n")]
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
    isAtTurn(run) && "paused before a turn: /next, /back or /continue",
    debug.breakpointArmed && "will pause before the next model turn",
    debug.branchError !== null && `the re-run failed: ${debug.branchError}`,
  ].filter(Boolean)
  return `debugger: ${holds.length === 0 ? "running" : holds.join("; ")}`
}

function newPrompts(before: State, after: State): readonly Prompt[] {
  if (before.run.prompts === after.run.prompts) return []
  const known = new Set(before.run.prompts.map(prompt => prompt.key))
  return after.run.prompts.filter(prompt => prompt.state === "open" && !known.has(prompt.key))
}

const HOW = {
  text: "type your answer; end a line with \\ to continue",
  select: "type the number of one option",
  multi: "type the numbers of the options, or none",
  confirm: "type yes or no",
} as const

function questionLines(state: State, prompt: Prompt): readonly string[] {
  const { question, options, type } = prompt.frame
  const number = numberOf(state.run, prompt)
  const listed = type === "select" || type === "multi" ? options : []
  return [
    `question ${number}, ${prompt.title} asks: ${question.split("\n").join("\n  ")}`,
    ...listed.map((option, index) => `  ${index + 1}. ${option.label}`),
    ...(isLive(state) ? [`answer ${number}: ${HOW[type]}${presetWords(prompt)}; /cancel ${number} cancels it`] : []),
  ]
}

function presetWords({ frame }: Prompt): string {
  if (frame.default === undefined) return ""
  const preset = frame.default
  const words = typeof preset === "boolean" ? (preset ? "yes" : "no") : stringifySafe(preset)
  return `; Enter alone: ${words}`
}

function errorLines(before: State, after: State): readonly string[] {
  if (before.run.prompts === after.run.prompts) return []
  const known = new Map(before.run.prompts.map(prompt => [prompt.key, prompt.errors]))
  return after.run.prompts
    .filter(prompt => prompt.errors.length > 0 && prompt.errors !== known.get(prompt.key))
    .flatMap(prompt => prompt.errors.map(error => `question ${numberOf(after.run, prompt)} was not answered: ${error}`))
}

/** Names a closed question instead of the notice of its answer: the reader may be several questions behind. */
function noticeLines(before: State, after: State, closed: readonly string[]): readonly string[] {
  const { notice } = after.view
  if (notice === null || notice === before.view.notice) return closed
  return closed.length > 0 && notice.level === "info" ? closed : [...closed, `sidecar: ${notice.text}`]
}

function closedLines(before: State, after: State): readonly string[] {
  if (before.run.prompts === after.run.prompts) return []
  const known = new Map(before.run.prompts.map(prompt => [prompt.key, prompt]))
  return after.run.prompts.flatMap(prompt => {
    const was = known.get(prompt.key)
    // Another client was faster than our answer.
    const isOther = was?.state === "answered" && was.answer !== null && prompt.answer === null
    if (prompt.state === "open" || !(was?.state === "open" || isOther)) return []
    const words = prompt.state === "answered" ? answerWords(prompt) : null
    const how = prompt.state === "closed" ? "closed by the agent" : isOther ? "answered elsewhere" : prompt.state
    return [`question ${numberOf(after.run, prompt)} ${how}${words === null ? "" : `: ${words}`}`]
  })
}
