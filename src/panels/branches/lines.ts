// Draws the tree of branches: each below the one that it branched off, with the same figures.
import { frameNumber, type Run } from "../../run/model/run.ts"
import { type BranchRow, branchName, branchPointWords, branchRows } from "../../run/select/branch-tree.ts"
import { reasonOf, sessionTime, usageOf } from "../../run/select/figures.ts"
import { type Line, line, type Span, span } from "../../ui/line.ts"
import type { RenderContext } from "../../ui/render-context.ts"
import { clip, count, duration, offset, pad } from "../../ui/text-width.ts"
import type { State } from "../../view/state.ts"
import { listLines } from "../common/list/list.ts"
import type { Place } from "../common/place.ts"

/** Columns of the figures: turns, time, output tokens, and how it stands. Where they have no room they are left out. */
const FIGURES = [6, 9, 9, 22] as const
const HEADINGS = ["turns", "time", "out", "  result"] as const
const NAME = 36

/** The heading, and the rows that fit around the cursor. */
export function branchLines(state: State, cursor: number, place: Place): readonly Line[] {
  const { columns, render } = place
  const run = state.present
  const figures = figuresFor(columns)
  const name = Math.max(8, columns - 2 - FIGURES.slice(0, figures).reduce((sum, one) => sum + one, 0))
  const heads = HEADINGS.slice(0, figures).map((text, i) => cell(text, i))
  const heading = line(span(`  ${pad("branch", name)}${heads.join("")}`, "dim"))
  const lines = listLines(branchRows(run), cursor, { ...place, rows: Math.max(1, place.rows - 1) }, row => [
    ...nameSpans(state, run, row, name, render),
    span(figuresOf(run, row, render).slice(0, figures).map(cell).join("")),
  ])
  return [heading, ...lines]
}

function figuresFor(columns: number): number {
  let left = columns - 2 - NAME
  let figures = 0
  for (const size of FIGURES) {
    left -= size
    if (left < 0) break
    figures++
  }
  return figures
}

function cell(text: string, index: number): string {
  const size = FIGURES[index] ?? 0
  return index === FIGURES.length - 1 ? pad(text, size) : pad(text, size, "right")
}

/** Its name as deep as it lies, the turn that it runs again, and the frame from which on it is there. */
function nameSpans(state: State, run: Run, row: BranchRow, columns: number, context: RenderContext): readonly Span[] {
  const { start, depth } = row
  if (start === null)
    return [span(pad(branchName(run, row), columns, "left", context.glyphs.ellipsis), "bright", { bold: true })]
  const point = branchPointWords(start.branch)
  const time = start.ts === null || run.firstTs === null ? "" : ` ${offset(start.ts - run.firstTs)}`
  const words = `${"  ".repeat(Math.min(depth - 1, 8))}${context.glyphs.branch} ${branchName(run, row)}`
  const about = `  ${point === "" ? "" : `${point}  `}#${count(start.frame)}${time}`
  const shown = clip(words, columns, context.glyphs.ellipsis)
  const isLater = start.frame > frameNumber(state.run)
  return [
    span(shown, isLater ? "dim" : "bright"),
    span(pad(clip(about, columns - shown.length, context.glyphs.ellipsis), Math.max(0, columns - shown.length)), "dim"),
  ]
}

function figuresOf(run: Run, { session: index }: BranchRow, context: RenderContext): readonly string[] {
  const session = index === null ? undefined : run.sessions[index]
  const stream = index === null ? undefined : run.turnBuffers[index]
  if (session === undefined || stream === undefined) return []
  const time = sessionTime(session, stream, null)
  const out = usageOf(session, stream).output
  const reason = reasonOf(session)
  const { dash, status } = context.glyphs
  return [
    count(session.turns),
    time === null ? dash : duration(time),
    out === null ? dash : count(out),
    `  ${status[stream.status]} ${reason ?? stream.status}`,
  ]
}
