// Draws the time bar, which shows the moment within the run.
import { markersIn, type TimelineMarkers } from "../../query/timeline-markers.ts"
import { isHeld } from "../../run/model/held.ts"
import { frameNumber, type Run } from "../../run/model/run.ts"
import { openPrompts } from "../../run/select/figures.ts"
import { heightOf } from "../../ui/glyphs.ts"
import { type Line, lineWidth, type RenderContext, type Span, span } from "../../ui/line.ts"
import { clock, count } from "../../ui/text-width.ts"
import { bookmarkRows } from "../../view/bookmark.ts"
import { isOver, isRecording, type State } from "../../view/state.ts"

/** Columns below which a track says nothing. */
const TRACK = 12

/** Where the moment shown lies in the run, as a row; null where the present of a live run is shown. */
export function barLine(state: State, context: RenderContext, columns: number): Line | null {
  if (!isRecording(state) && !state.isPast) return null
  const left = [span(` ${playWords(state, context)} `, "accent", { bold: true })]
  const most = columns - lineWidth(left)
  const words = placeWords(state)
  const fits = (columns: number) => words.find(one => one.length + 2 <= columns)
  const right = [span(` ${fits(most - TRACK) ?? fits(most) ?? words.at(-1)} `, "bright")]
  const room = most - lineWidth(right)
  return { spans: [...left, ...(room < TRACK ? [] : track(state, context, room)), ...right] }
}

/** What is new beyond the moment shown: how many frames, and whether anybody asks. */
export function behindWords(state: State, { glyphs }: RenderContext): string {
  const present = state.present
  const asks = openPrompts(present).length
  const waiting = asks === 0 ? "" : ` ${glyphs.asks}${asks}`
  const held = isHeld(present) && !isOver(present) ? " PAUSED" : ""
  return `LIVE${held} +${count(frameNumber(present) - frameNumber(state.run))}${waiting}`
}

function playWords({ time }: State, { glyphs }: RenderContext): string {
  const speed = time.speed === Number.POSITIVE_INFINITY ? "" : ` ${time.speed}${glyphs.plain ? "x" : "×"}`
  return `${time.playing ? "playing" : "paused"}${speed}${time.loop ? " loop" : ""}`
}

/** Where the moment shown lies, from the most words to the fewest. */
function placeWords(state: State): readonly string[] {
  const { run, time } = state
  const present = state.present
  const reading = time.read < 1 ? `  reading ${Math.floor(100 * time.read)}%` : ""
  const frames = `${count(frameNumber(run))}/${count(frameNumber(present))}`
  const at = passed(run, present)
  const times = `${at} of ${passed(present, present)}`
  const whole = `${frames}  ${times}`
  const numbered = `${frames}${seqWords(run)}  ${times}`
  return [`${numbered}${reading}`, numbered, `${whole}${reading}`, whole, `${frames}  ${at}`, frames]
}

/** The highest `seq` at this moment, as it is typed to come back here. */
function seqWords({ epochs }: Run): string {
  const epoch = epochs.at(-1)
  if (epoch === undefined || epoch.highest < 0) return ""
  return `  seq ${epochs.length > 1 ? `e${epochs.length}/` : ""}${epoch.highest}`
}

function passed(run: Run, { firstTs }: Run): string {
  return firstTs === null || run.lastTs === null ? "--:--" : clock(run.lastTs - firstTs)
}

const MARKS: readonly (readonly [
  kind: keyof TimelineMarkers,
  glyph: (context: RenderContext) => string,
  token: "error" | "warn" | "ok",
])[] = [
  ["error", ({ glyphs }) => glyphs.error, "error"],
  ["prompt", ({ glyphs }) => glyphs.asks, "warn"],
  ["state", ({ glyphs }) => glyphs.mark, "ok"],
]

/** Errors in more than one cell of so many make a fence of marks: then each cell shows how many it holds. */
const DENSE = 6

/** The track: what was played, what comes, where we are, and what stands out. */
function track(state: State, context: RenderContext, columns: number): readonly Span[] {
  const { time, run } = state
  const total = Math.max(1, Math.round(frameNumber(state.present) / Math.max(time.read, 0.01)))
  const at = Math.min(columns - 1, Math.floor((frameNumber(run) * columns) / total))
  const bookmarks = bookmarkRows(state.present, state.view.log.bookmarks).map(row => row.frame)
  const rangeOf = (column: number) =>
    [Math.ceil((column * total) / columns), Math.ceil(((column + 1) * total) / columns)] as const
  const errors = Array.from({ length: columns }, (_, column) => markersIn(time.marks.error, ...rangeOf(column)))
  const isDense = errors.filter(one => one > 0).length * DENSE > columns
  const cell = (column: number): Span => {
    if (column === at) return span(context.glyphs.live, "bright", { bold: true })
    const [from, to] = rangeOf(column)
    if (bookmarks.some(frame => frame >= from && frame < to)) return span(context.glyphs.bar, "accent", { bold: true })
    if (isDense && (errors[column] ?? 0) > 0)
      return span(heightOf(errors[column] ?? 0, Math.max(...errors), context.glyphs), "error")
    const mark = MARKS.find(([kind]) => markersIn(time.marks[kind], from, to) > 0)
    if (mark !== undefined) return span(mark[1](context), mark[2])
    return column < at ? span(context.glyphs.done, "accent") : span(context.glyphs.ahead, "dim")
  }
  return Array.from({ length: columns }, (_, column) => {
    const frame = Math.round(((column + 0.5) * total) / columns)
    return { ...cell(column), click: { type: "time/step", frames: frame - frameNumber(run) } }
  })
}
