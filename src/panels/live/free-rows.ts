// Fills the rows that a short list leaves free: what came of a run that is over, and a lane for each invocation.
import { at } from "../../run/model/chunked-list.ts"
import type { Run } from "../../run/model/run.ts"
import { beginOf } from "../../run/select/row-words.ts"
import { moneyWords } from "../../run/select/usage.ts"
import { hasYou } from "../../run/select/waterfall.ts"
import { blank, clipSpans, type Line, line, type RenderContext, span, wholeParts } from "../../ui/line.ts"
import { clip, count, counted, pad } from "../../ui/text-width.ts"
import { isOver, type State } from "../../view/state.ts"
import { groupLane, laneScale, youLane } from "../common/lanes.ts"
import { type Columns, laneStart } from "./columns.ts"

/** Entries of a session among which its task is looked for. */
const FIRST_ENTRIES = 8
/** At most so many lines, with a blank one before each part. */
export function freeLines(state: State, context: RenderContext, columns: Columns, rows: number): readonly Line[] {
  const { run } = state
  const outcome = isOver(run) ? outcomeLines(run, context, columns) : []
  const fits = outcome.length > 0 && outcome.length <= rows
  const told = fits ? [blank, ...outcome].slice(-rows) : []
  // Beside a filtered list, lanes keep their axis even without a free row.
  const lanes = told.length > 0 && told.length >= rows ? [] : laneLines(run, context, columns, rows - told.length)
  // The axis of lanes beside the rows stands right below them.
  return columns.lane > 0 ? [...lanes, ...told] : [...told, ...lanes]
}

/** What was asked, what the last reply began with, and what it took; a line whose text is unknown is left out. */
function outcomeLines(run: Run, { glyphs }: RenderContext, { row, name }: Columns): readonly Line[] {
  const { total } = run.facts.ledger
  const { errors } = run.log
  const [taken, spent] = [total.input, run.facts.tokens]
  const figures = [moneyWords(total), taken > 0 && `${count(taken)} in`, spent > 0 && `${count(spent)} out`]
  const dot = ` ${glyphs.dot} `
  const wrong = errors === 0 ? "" : counted(errors, "error")
  const cost = wholeParts(figures, dot, row - name - 4 - wrong.length)
  const failed = wrong === "" ? [] : [span(`${cost === "" ? "" : dot}${wrong}`, "error")]
  const told = [
    ["asked", [span(beginOf(taskOf(run)))]],
    ["result", [span(beginOf(run.sessions[run.facts.lastSpeaker ?? -1]?.firstLine ?? ""), "bright")]],
    ["cost", [span(cost), ...failed]],
  ] as const
  return told.flatMap(([label, words]) => {
    if (words.every(({ text }) => text === "")) return []
    return [{ spans: clipSpans([span(pad(`   ${label}`, name + 1), "dim"), ...words], row, glyphs.ellipsis) }]
  })
}

function taskOf(run: Run): string {
  const entries = run.sessions[0]?.entries
  for (let index = 0; entries !== undefined && index < FIRST_ENTRIES; index++) {
    const entry = at(entries, index)
    if (entry?.type === "user") return entry.text.join("")
  }
  return ""
}

/** The axis, and below it the lanes; the axis alone where the rows above have their lanes. */
function laneLines(run: Run, context: RenderContext, columns: Columns, rows: number): readonly Line[] {
  const { row, name } = columns
  const { glyphs } = context
  if (columns.lane > 0) {
    const scale = laneScale(run, context, columns.lane)
    if (scale === null) return []
    const start = laneStart(columns)
    const you = hasYou(run) ? [line(span(pad("   you", start), "dim"), ...youLane(run, scale, context))] : []
    return [...you, line(span(" ".repeat(start)), span(scale.ticks, "dim"))].slice(-Math.max(0, rows))
  }
  const scale = laneScale(run, context, row - name - 1)
  const you = hasYou(run) ? 1 : 0
  const lanes = Math.min(run.invocations.length, rows - 2 - you)
  if (scale === null || lanes < 1) return []
  const label = (title: string) => pad(`   ${clip(title, name - 3, glyphs.ellipsis)}`, name + 1)
  const first = run.invocations.length - lanes
  const told = first > 0 ? `last ${lanes} of ${run.invocations.length}` : isOver(run) ? "the run" : "so far"
  const rule = clip(`${glyphs.ahead.repeat(2)} ${told} `, name, glyphs.ellipsis)
  return [
    blank,
    line(span(" "), span(`${rule}${glyphs.ahead.repeat(Math.max(0, name - rule.length - 1))} ${scale.ticks}`, "dim")),
    ...run.invocations.slice(first).map(({ title }, i): Line => {
      const head = span(label(title), context.goneMs == null ? `hue${first + i}` : "dim", {
        faint: isOver(run) || (run.tallies[first + i]?.open.length ?? 0) === 0,
      })
      return { spans: [head, ...groupLane(run, first + i, scale, context)] }
    }),
    ...(you === 0 ? [] : [line(span(label("you"), "dim"), ...youLane(run, scale, context))]),
  ]
}
