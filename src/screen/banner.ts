import { barLine } from "../panels/time/lines.ts"
import { type ColorToken, clipSpans, type Line, line, span } from "../ui/line.ts"
import type { RenderContext } from "../ui/render-context.ts"
import { width } from "../ui/text-width.ts"
import { wrapSpans } from "../ui/wrap.ts"
import type { Notice } from "../view/notice.ts"
import { answerable, isOver, type State } from "../view/state.ts"

/** Columns below which words are short, and take fewer rows. */
const NARROW = 60

/** Rows that what was just said takes at most: a path is of no use where it is cut. */
const NOTICE_ROWS = 6

/**
 * The rows above the footer: what was just said, where it is too long for the footer; what holds the run, or that it is
 * over, mostly none; of a recording and of the past, where in it we are.
 */
export function bannerLines(state: State, look: RenderContext, columns: number): readonly Line[] {
  const bar = barLine(state, look, columns)
  const lines = banners(state, look, columns < NARROW)
  const held = bar === null ? lines.flatMap(one => fitted(one, look, columns, columns < NARROW ? 2 : 3)) : [bar]
  return [...noticed(state, look, columns), ...held]
}

/** Whether the footer has room for what was just said. */
export function isShort({ text }: Notice, columns: number): boolean {
  return width(text) <= columns - 2
}

function noticed({ view: { notice } }: State, look: RenderContext, columns: number): readonly Line[] {
  if (notice === null || isShort(notice, columns)) return []
  return fitted(line(span(` ${notice.text}`, noticeToken(notice))), look, columns, NOTICE_ROWS)
}

export function noticeToken({ level }: Notice): ColorToken {
  return level === "warning" ? "warn" : "bright"
}

/** As many rows as the words need, up to `most`. */
function fitted({ spans }: Line, { glyphs }: RenderContext, columns: number, most: number): readonly Line[] {
  const rows = wrapSpans(spans, columns - 1).map((row, i) => (i === 0 ? row : [span(" "), ...row]))
  const last = rows[most - 1]
  if (rows.length <= most || last === undefined) return rows.map(row => line(...row))
  const cut = [...clipSpans(last, columns - 2, ""), span(glyphs.ellipsis, "dim")]
  return [...rows.slice(0, most - 1), cut].map(row => line(...row))
}

function banners(state: State, look: RenderContext, narrow: boolean): readonly Line[] {
  // A captured turn can be run again when the run is over.
  if (isOver(state.run)) return [...(state.run.status === "finished" ? [finished(look)] : []), ...branch(state)]
  return [...gates(state, narrow), ...branch(state)]
}

/** Each gate that is shut or will be, and what the keys really do there (docs/contract.md section 3). */
function gates(state: State, narrow: boolean): readonly Line[] {
  const { debug, awaiting } = state.run
  if (debug === null) return []
  const lines: Line[] = []
  if (debug.paused) {
    const yields = answerable(state).length > 0 ? "yields while a question is open" : ""
    const words = [yields, awaiting, "s steps one event, c continues"].filter(Boolean).join("   ")
    lines.push(banner("PAUSED", "warn", words))
  } else if (debug.stepBudget > 0) {
    const events = debug.stepBudget === 1 ? "event" : "events"
    lines.push(banner("STEPPING", "warn", `${debug.stepBudget} more ${events}, then it pauses`))
  }
  if (debug.mode === "paused-at-turn") {
    const turn = debug.turnIndex === null ? "a turn" : `turn ${debug.turnIndex}`
    const words = narrow
      ? `${turn}: n runs it, b moves back and undoes nothing, c continues`
      : `before ${turn}   n runs it, b moves the pointer back and undoes nothing, c continues`
    lines.push(banner("TURN GATE", "warn", words))
  }
  if (state.view.armed) lines.push(banner("ARMED", "accent", "the next external event will pause the run"))
  if (debug.breakpointArmed) lines.push(banner("ARMED", "accent", "the next model turn, of any worker, will wait"))
  return lines
}

function branch(state: State): readonly Line[] {
  const { debug } = state.run
  if (debug === null) return []
  if (debug.branchError !== null) return [banner("RE-RUN FAILED", "error", debug.branchError)]
  if (debug.branch === null) return []
  const { point, parent } = debug.branch
  const from =
    point === null ? "" : ` at ${point.nodeId ?? "?"}, visit ${point.visit ?? "?"}, turn ${point.turn ?? "?"}`
  return [banner("BRANCH", "accent", `of ${parent ?? "?"}${from}`)]
}

function banner(name: string, token: ColorToken, words: string): Line {
  return line(span(` ${name}`, token, { bold: true }), span(`  ${words}`, "normal"))
}

function finished(look: RenderContext): Line {
  const dash = look.glyphs.plain ? "-" : "—"
  return line(
    span(` ${look.glyphs.ok} Run finished`, "ok", { bold: true }),
    span(` ${dash} press Ctrl-C to quit`, "bright"),
  )
}
