// Draws the banner above the footer: notices, pauses, the branch, the end of the run, and the replay bar.
import { keyOf } from "../keys/key-text.ts"
import { quit, shut } from "../panels/common/keys.ts"
import { waitingLine } from "../panels/prompt/lines.ts"
import { barLine } from "../panels/time/lines.ts"
import { isAtTurn, isPaused } from "../run/model/held.ts"
import type { KnownDebugger } from "../run/model/run.ts"
import { branchName } from "../run/select/branch-tree.ts"
import { isMovedBack, waitingTurnWords } from "../ui/debugger-words.ts"
import { type ColorToken, clipSpans, type Line, line, type RenderContext, span, wrapSpans } from "../ui/line.ts"
import { count, width } from "../ui/text-width.ts"
import { answerable, isOver, type State, talks } from "../view/state.ts"
import type { Notice } from "../view/view.ts"

const NARROW = 60

const NEXT = 3

/** Rows of the reason why a run failed. */
const REASON_ROWS = 3

/** Rows of what holds the run where a small screen shows a page. */
const READ_ROWS = 2

/** Rows of a notice: a path in it is of no use when cut. */
const NOTICE_ROWS = 6

/** A notice too long for the footer, why the run failed, then the replay bar, else what holds the run, or its end. */
export function bannerLines(state: State, context: RenderContext, columns: number): readonly Line[] {
  const bar = barLine(state, context, columns)
  const lines = banners(state, context)
  // A small screen needs its rows for the page that was opened.
  const isRead = columns < NARROW && state.view.overlays.length > 0
  const most = isRead ? Math.max(1, Math.floor(READ_ROWS / lines.length)) : columns < NARROW ? 2 : 3
  const held = bar === null ? lines.flatMap(one => fitted(one, context, columns, most)) : [bar]
  const waiting = waitingLine(state, columns, context)
  const why = isRead ? [] : failed(state, context).flatMap(one => fitted(one, context, columns, REASON_ROWS))
  const told = isRead ? held.slice(0, READ_ROWS) : held
  return [...noticed(state, context, columns), ...why, ...told, ...(waiting === null ? [] : [waiting])]
}

export const IGNORED = "Keys are ignored until you pause"

/** Whether the footer has room for the notice. */
export function isShort({ view: { notice, questions } }: State, columns: number): boolean {
  const taken = questions.ignored?.keys === "all" ? width(IGNORED) + 3 : 0
  return notice !== null && width(notice.text) <= columns - 2 - taken
}

function noticed(state: State, context: RenderContext, columns: number): readonly Line[] {
  const { notice } = state.view
  if (notice === null || isShort(state, columns)) return []
  return fitted(line(span(` ${notice.text}`, noticeToken(notice))), context, columns, NOTICE_ROWS)
}

/** The colour of a notice. */
export function noticeToken({ level }: Notice): ColorToken {
  return level === "warning" ? "warn" : "bright"
}

/** As many rows as needed, at most `most`. */
function fitted({ spans }: Line, { glyphs }: RenderContext, columns: number, most: number): readonly Line[] {
  const rows = wrapSpans(spans, columns - 1).map((row, i) => (i === 0 ? row : [span(" "), ...row]))
  const last = rows[most - 1]
  if (rows.length <= most || last === undefined) return rows.map(row => line(...row))
  const cut = [...clipSpans(last, columns - 2, ""), span(glyphs.ellipsis, "dim")]
  return [...rows.slice(0, most - 1), cut].map(row => line(...row))
}

function banners(state: State, context: RenderContext): readonly Line[] {
  // A captured turn can be re-run after the end of the run.
  const { awaiting } = state.run
  if (isOver(state.run)) {
    const end = state.run.status === "finished" ? [finished(state, context)] : []
    return [...end, ...(awaiting === null ? [] : [banner("WAITING", "warn", awaiting)]), ...branch(state)]
  }
  return [...holds(state), ...branch(state)]
}

/** The gate that holds the run or will (docs/contract.md section 3); the footer has the keys. */
function holds(state: State): readonly Line[] {
  const { debug, awaiting } = state.run
  if (debug === null) return []
  const lines: Line[] = []
  if (isPaused(state.run)) {
    const isGuest = talks(state.link)
    const yields = !isGuest && answerable(state).length > 0 ? "pause resumes after the question" : ""
    const asks = isGuest ? "it asks before its next tool" : ""
    const words = [yields, nextWords(debug) ?? awaiting, asks].filter(Boolean).join(" · ")
    if (words !== "") lines.push(banner("PAUSED", "warn", words))
  } else if (debug.stepBudget !== null && debug.stepBudget > 0) {
    const events = debug.stepBudget === 1 ? "event" : "events"
    lines.push(banner("STEPPING", "warn", `${debug.stepBudget} more ${events}, then it pauses`))
  }
  if (isAtTurn(state.run)) lines.push(banner("PAUSED", "warn", turnWords(debug)))
  if (debug.breakpointArmed) lines.push(banner("WILL PAUSE", "accent", "before the next model turn of any session"))
  return lines
}

/** The turn at the gate, and that moving its pointer back, impossible from the first turn, undoes nothing. */
function turnWords(debug: KnownDebugger): string {
  const turn = isMovedBack(debug) ? waitingTurnWords(debug) : `before ${waitingTurnWords(debug)}`
  return debug.turnIndex === 0 ? turn : `${turn} · stepping back undoes nothing`
}

/** The events that the next steps process; null where the agent lists none. */
function nextWords({ pendingEvents }: KnownDebugger): string | null {
  if (pendingEvents === null || pendingEvents.length === 0) return null
  const names = pendingEvents
    .slice(0, NEXT)
    .map(({ name, external }) => `${name ?? "?"}${external ? " (external)" : ""}`)
  const more = pendingEvents.length > NEXT ? [`${count(pendingEvents.length - NEXT)} more`] : []
  return `next: ${[...names, ...more].join(", ")}`
}

function branch(state: State): readonly Line[] {
  const { debug } = state.run
  if (debug === null) return []
  if (debug.branchError !== null) return [banner("RE-RUN FAILED", "error", debug.branchError)]
  if (debug.branch === null) return []
  const { point, parent } = debug.branch
  const turn = point?.turn ?? null
  const from = turn === null ? "" : `, from turn ${turn + 1}`
  return [banner("BRANCH", "accent", `of ${branchName(state.run, { sessionId: parent })}${from}`)]
}

function banner(name: string, token: ColorToken, words: string): Line {
  return line(span(` ${name}`, token, { bold: true }), span(`  ${words}`, "normal"))
}

/** Why the run failed or was aborted, if that is known. */
function failed({ run }: State, { glyphs }: RenderContext): readonly Line[] {
  const { status, reason } = run
  if (reason === null || (status !== "aborted" && status !== "error")) return []
  const name = `${glyphs.error} Run ${status === "error" ? "failed" : status}`
  return [banner(name, "error", reason.replaceAll("\n", " "))]
}

function finished({ view }: State, context: RenderContext): Line {
  const dash = context.glyphs.plain ? "-" : "—"
  return line(
    span(` ${context.glyphs.ok} Run finished`, "ok", { bold: true }),
    span(
      ` ${dash} press ${view.setup.isFromHome ? `${keyOf(view, shut)} to go back to the runs` : `${keyOf(view, quit)} to quit`}`,
      "bright",
    ),
  )
}
