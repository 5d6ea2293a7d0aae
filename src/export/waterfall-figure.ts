// Computes the waterfall of an HTML export, and draws it as SVG with a table of the same figures below.
import { slice } from "../run/model/chunked-list.ts"
import type { Run } from "../run/model/run.ts"
import type { StageKind } from "../run/model/session.ts"
import {
  type BarPiece,
  barPieces,
  hasYou,
  isFailure,
  type Lane,
  runRange,
  STAGES,
  type StageTimes,
  stageName,
  waterfallTurnOf,
} from "../run/select/waterfall.ts"
import { clip, clipMiddle, clock, count, duration, offset } from "../ui/text-width.ts"

/** All fields may be shown. Times are ms since the run began. */
export interface Waterfall {
  readonly ms: number
  /** The moment that a page is about; null for a page about the whole run. */
  readonly mark: number | null
  readonly states: readonly { readonly name: string; readonly at: number }[]
  readonly rows: readonly WaterfallRow[]
  /** The number of rows that are sessions; the last may be the person. */
  readonly sessions: number
  /** False if it has only the turns and states nearest to the moment. */
  readonly isWhole: boolean
}

export interface WaterfallRow {
  readonly name: string
  readonly pieces: readonly BarPiece[]
  /** The figures of each turn, for readers who can't see the picture. */
  readonly turns: readonly { readonly turn: number; readonly from: number; readonly ms: StageTimes }[]
}

/** The waterfall of these sessions as the run is now; null if none had a time. `name` returns the name of a session. */
export function waterfallOf(
  run: Run,
  sessions: readonly number[],
  name: (session: number) => string,
  clean: (text: string) => string,
): Waterfall | null {
  const whole = runRange(run, null)
  if (whole === null) return null
  const piecesOf = (lane: Lane) =>
    barPieces(run, lane, whole.to).map(one => ({ ...one, from: one.from - whole.from, to: one.to - whole.from }))
  const rows = sessions.flatMap(index => {
    const pieces = piecesOf(index)
    if (pieces.length === 0) return []
    const numbers = Array.from({ length: run.sessions[index]?.turns ?? 0 }, (_, i) => i + 1)
    const all = numbers.flatMap(turn => waterfallTurnOf(run, index, turn, whole.to) ?? [])
    const turns = all.map(({ turn, from, ms }) => ({ turn, from: from - whole.from, ms }))
    return [{ name: name(index), pieces, turns }]
  })
  const states = slice(run.facts.stateEntries, 0, run.facts.stateEntries.length).map(({ ids, ts }) => {
    return { name: clean(ids.at(-1) ?? ""), at: ts - whole.from }
  })
  if (rows.length === 0) return null
  const you = hasYou(run) ? [yourRow(piecesOf("you"))] : []
  const all = [...rows, ...you]
  return { ms: whole.to - whole.from, mark: null, states, rows: all, sessions: rows.length, isWhole: true }
}

/** The person's row, whose waits are in no turn. */
function yourRow(pieces: readonly BarPiece[]): WaterfallRow {
  const turns = pieces.map(({ turn, from, to }) => ({ turn, from, ms: { human: to - from } }))
  return { name: "you", pieces, turns }
}

/** Layout in SVG units: left edge and width of the bars, height of a row and of a bar. */
const LEFT = 190
const WIDTH = 800
const ROW = 22
const BAR = 14
/** Top of the first row, below the times and the states. */
const TOP = 52
/** Characters of a name that fit before the bars. */
const NAME = 26
/** Minimum distance between two state names, in SVG units. */
const NAME_ROOM = 70
const TICKS = 8

/**
 * Each kind has a shape of its own besides its color: a line, a low box, a full box, stripes, a frame, a cross. What is
 * drawn again in the overview has its style from within what is repeated.
 */
export const SVG_STYLE = `
.wide { overflow-x: auto }
svg.waterfall { width: 100%; min-width: 60rem; height: auto; font: 12px/1 ui-monospace, monospace }
svg.overview { display: none; min-width: 0 }
@media (max-width: 40rem) { svg.overview { display: block; margin: .5rem 0 } }
.waterfall text { fill: var(--ink) }
.waterfall .dim { fill: var(--dim) }
.waterfall .tick { stroke: var(--line) }
.waterfall .state { stroke: var(--dim); stroke-dasharray: 2 3 }
.bars .mark { stroke: var(--accent); stroke-width: 2; vector-effect: non-scaling-stroke }
.bars .waiting { fill: var(--dim) }
.bars .first-token { fill: var(--box); stroke: var(--dim) }
.bars .generation { fill: var(--accent) }
.bars .tool { fill: none; stroke: var(--ink); stroke-dasharray: 2 2 }
.bars .human { fill: none; stroke: var(--warn); stroke-width: 2 }
.bars .failed { stroke: var(--bad); stroke-width: 2.5 }
`

/** The waterfall as pieces of an SVG picture, without scripts. */
export function* svg(waterfall: Waterfall): Generator<string> {
  const height = TOP + ROW * (waterfall.rows.length + 1) + 6
  yield "<h2>Waterfall</h2>\n"
  yield overview(waterfall)
  yield `<div class="wide"><svg class="waterfall" viewBox="0 0 ${LEFT + WIDTH + 10} ${height}" role="img" aria-labelledby="waterfall-title">
<title id="waterfall-title">${escaped(`Sessions against time: ${count(waterfall.sessions)} in ${duration(waterfall.ms)}; the table below says ${waterfall.isWhole ? "the same" : "the turns nearest to the moment"} in numbers`)}</title>
`
  yield axis(waterfall, height - ROW)
  yield '<g id="waterfall" class="bars">\n'
  for (const [i, row] of waterfall.rows.entries()) yield rowOf(row, waterfall.ms, TOP + i * ROW)
  if (waterfall.mark !== null) yield markAt(waterfall.mark, waterfall.ms, height - ROW)
  yield "</g>\n"
  yield `<g class="bars">${legend(height - ROW + 2)}</g>\n`
  yield "</svg></div>\n"
  yield* table(waterfall)
}

/** Height of a row of the overview, and of all of it at most, in CSS pixels. */
const OVERVIEW_ROW = 14
const OVERVIEW = 200

/** Where the moment is, in words, and on a narrow page the bars in its width: they are to be seen without scrolling. */
function overview({ ms, rows, mark }: Waterfall): string {
  const box = `${LEFT} ${TOP - 4} ${WIDTH + 10} ${ROW * rows.length + 2}`
  const height = Math.min(OVERVIEW, OVERVIEW_ROW * rows.length)
  const about =
    mark === null ? "" : `<p>The line from top to bottom is the moment: ${offset(mark)} of ${offset(ms)}.</p>\n`
  return `${about}<svg class="waterfall overview" viewBox="${box}" style="height: ${height}px" preserveAspectRatio="none" aria-hidden="true"><use href="#waterfall"/></svg>
`
}

function x(ms: number, whole: number): number {
  return round(LEFT + (WIDTH * ms) / whole)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

function axis({ ms, states }: Waterfall, bottom: number): string {
  let text = ""
  for (let i = 0; i < TICKS; i++) {
    const at = (ms * i) / TICKS
    const words = ms < 10_000 * TICKS ? offset(Math.round(at)) : `+${clock(at)}`
    text += `<line class="tick" x1="${x(at, ms)}" x2="${x(at, ms)}" y1="18" y2="${bottom}"/><text class="dim" x="${x(at, ms)}" y="12">${words}</text>\n`
  }
  let free = 0
  for (const { name, at } of states) {
    const place = x(at, ms)
    text += `<line class="state" x1="${place}" x2="${place}" y1="24" y2="${bottom}"><title>${escaped(`${name} entered at ${offset(at)}`)}</title></line>\n`
    if (place < free) continue
    const room = Math.floor(Math.min(160, LEFT + WIDTH + 10 - place) / 8)
    text += `<text x="${round(place + 2)}" y="38">${escaped(clip(name, room))}</text>\n`
    free = place + Math.max(NAME_ROOM, 8 * Math.min(room, name.length) + 8)
  }
  return text
}

function markAt(mark: number, whole: number, bottom: number): string {
  const place = x(mark, whole)
  return `<line class="mark" x1="${place}" x2="${place}" y1="18" y2="${bottom}"><title>${offset(mark)}</title></line>\n`
}

function rowOf({ name, pieces }: WaterfallRow, whole: number, top: number): string {
  const bars = pieces.map(({ kind, turn, from, to }) => {
    const took = isFailure(kind) ? "" : `, ${duration(to - from)}`
    const where = turn === 0 ? "" : `, turn ${turn}`
    const words = `<title>${escaped(`${stageName(kind)}${where}, ${offset(from)}${took}`)}</title>`
    return shape(kind, x(from, whole), Math.max(1, round(x(to, whole) - x(from, whole))), top, words)
  })
  return `<text x="0" y="${top + BAR - 2}">${escaped(clipMiddle(name, NAME))}</text>\n${bars.join("")}`
}

const HEIGHTS: { readonly [kind in StageKind]?: number } = { waiting: 2, "first-token": 6, human: 10 }

function shape(kind: StageKind, left: number, width: number, top: number, words: string): string {
  if (isFailure(kind)) {
    const [right, low] = [left + 5, top + BAR - 2]
    return `<path class="failed" d="M${left - 5} ${top + 2}L${right} ${low}M${right} ${top + 2}L${left - 5} ${low}">${words}</path>\n`
  }
  const height = HEIGHTS[kind] ?? BAR
  const y = top + (BAR - height) / 2
  return `<rect class="${kind}" x="${left}" y="${y}" width="${width}" height="${height}">${words}</rect>\n`
}

function legend(top: number): string {
  return STAGES.map((kind, i) => {
    const left = LEFT + i * 130
    return `${shape(kind, left + 5, 16, top, "")}<text class="dim" x="${left + 28}" y="${top + BAR - 2}">${stageName(kind)}</text>\n`
  }).join("")
}

function* table({ rows, isWhole }: Waterfall): Generator<string> {
  const heads = ["session", "turn", "began", ...STAGES.map(stageName)]
  const summary = isWhole ? "The same in numbers" : "The turns nearest to the moment in numbers"
  yield `<details>\n<summary>${summary}</summary>\n<div class="wide"><table>\n<tr>${heads.map(head => `<th>${head}</th>`).join("")}</tr>\n`
  for (const { name, turns } of rows) {
    for (const { turn, from, ms } of turns) {
      const cells = STAGES.map(kind => {
        const took = ms[kind]
        return took === undefined ? "" : kind === "failed" ? "yes" : duration(took)
      })
      const all = [escaped(name), turn === 0 ? "" : turn, offset(from), ...cells]
      yield `<tr>${all.map(cell => `<td>${cell}</td>`).join("")}</tr>\n`
    }
  }
  yield "</table></div>\n</details>\n"
}

/** Escapes text for HTML and XML, and replaces characters that XML does not allow. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\ufffe\uffff]/g, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
}
