// Draws how many sessions of each invocation worked over time, above the sessions that fit.
import type { Run } from "../../run/model/run.ts"
import { noTally } from "../../run/model/tally.ts"
import type { TimeRange } from "../../run/select/waterfall.ts"
import { heightOf } from "../../ui/glyphs.ts"
import { type ColorToken, type Line, line, type RenderContext, rowClick, span } from "../../ui/line.ts"
import { counted, nameWith, pad } from "../../ui/text-width.ts"
import { sessionsAtWork } from "../common/sessions-at-work.ts"

export interface AxisLayout {
  readonly shown: TimeRange
  /** Columns of the names, and of the bars behind them. */
  readonly name: number
  readonly room: number
  /** The column of the moment shown, null where it is not visible. */
  readonly place: number | null
}

/** Rows of the overview: one for each invocation in a fourth of the rows, else one for all, else none. */
export function overviewRows({ invocations }: Run, rows: number): number {
  if (invocations.length <= Math.floor(rows / 4)) return invocations.length
  return rows >= 12 ? 1 : 0
}

/** How many sessions worked in each column: all of them in one row, or those of each invocation in its own. */
export function overviewLines(
  run: Run,
  rows: number,
  axis: AxisLayout,
  now: number,
  { glyphs }: RenderContext,
): readonly Line[] {
  const { shown, name, room, place } = axis
  const isWhole = rows < run.invocations.length
  const drawn = rows === 0 ? [] : isWhole ? [null] : [...run.invocations.keys()]
  const counts = drawn.map(invocation => sessionsAtWork(run, invocation, shown, room, now))
  const most = Math.max(1, ...counts.flat())
  return drawn.map((invocation, i) => {
    const token: ColorToken = invocation === null ? "normal" : `hue${invocation}`
    const cells = (counts[i] ?? []).map((count, column) => {
      if (count > 0) return heightOf(count, most, glyphs)
      return column === place ? glyphs.rule : " "
    })
    const head = headOf(run, invocation, name - 4, glyphs.ellipsis)
    const first = run.invocations[invocation ?? -1]?.sessions[0]
    const drawnLine = line(span(`${pad(`   ${head}`, name - 1)} `, token), span(cells.join(""), token))
    return first === undefined ? drawnLine : { ...drawnLine, click: rowClick(first, false) }
  })
}

/** The name of an invocation with how many of its sessions are over, in so many columns. */
function headOf(run: Run, invocation: number | null, columns: number, ellipsis: string): string {
  const group = run.invocations[invocation ?? -1]
  if (group === undefined) return counted(run.sessions.length, "session")
  const { counts } = run.tallies[invocation ?? -1] ?? noTally
  return nameWith(group.title, ` ${counts.done + counts.error}/${group.sessions.length}`, columns, ellipsis)
}
