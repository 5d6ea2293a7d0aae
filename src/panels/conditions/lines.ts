// Draws the list of conditions.
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { type Condition, type ConditionChange, conditionRows, type Reaction } from "../../query/conditions.ts"
import { frameNumber } from "../../run/model/run.ts"
import { blank, type Line, type Span, span, wrapLines } from "../../ui/line.ts"
import { clip, clock, count, counted, offset, pad } from "../../ui/text-width.ts"
import type { State } from "../../view/state.ts"
import { listLines } from "../common/list/list.ts"
import type { Place } from "../common/panel.ts"

/** What a hit does, as wide as the column it stands in. */
const WORDS: { readonly [reaction in Reaction]: string } = {
  pause: "pause",
  turn: "turn",
  log: "log only",
  watch: "watch",
}
const WORD_COLUMNS = 9
const HIT_COLUMNS = 7

const EMPTY = [
  "No conditions yet. Examples:",
  "  invokeid=judge* turn>=3",
  "  error",
  "  state=review",
  "  tokens>4000",
]
const LEGEND =
  "When a condition becomes true, pause stops the run at the next event, and turn before the next model turn. " +
  "Enter lists each change."

/** The title of the list: how many are on, and how much of the run was searched for the changes of the open ones. */
export function conditionTitle({ view }: State): string {
  const { list, read } = view.conditions
  const searched = read < 1 ? `  searched ${Math.floor(100 * read)}%` : ""
  return list.length === 0
    ? "CONDITIONS"
    : `CONDITIONS  ${list.filter(one => one.on).length} of ${list.length} on${searched}`
}

/** What the reactions mean; nothing where the list needs the rows. */
export function conditionLegend({ view }: State, { columns, rows }: Place): readonly Line[] {
  const { length } = conditionRows(view.conditions)
  const legend = [blank, ...wrapLines(LEGEND, columns, "dim")]
  const needed = length === 0 ? emptyLines(columns).length : length + 1
  return view.typing === null && rows - legend.length >= needed ? legend : []
}

/** A line for each condition: on or off, what a hit does, how often it hit, and its text; its changes below it. */
export function conditionLines(state: State, cursor: number, place: Place): readonly Line[] {
  const { conditions } = state.view
  if (conditions.list.length === 0) return emptyLines(place.columns).slice(0, place.rows)
  return listLines(conditionRows(conditions), cursor, place, ({ condition, change, hidden }, here) => {
    if (change !== null) return changeSpans(state, change, place)
    if (hidden === 0) return conditionSpans(state, condition, here, place)
    return [span(`   ${place.render.glyphs.ellipsis} ${count(hidden)} more between, only counted`, "dim")]
  })
}

function emptyLines(columns: number): readonly Line[] {
  return EMPTY.flatMap(text => wrapLines(text, columns, "dim"))
}

function conditionSpans(
  { view }: State,
  one: Condition,
  here: boolean,
  { columns, render: { glyphs } }: Place,
): readonly Span[] {
  const times = (number: number): string => `${count(number)}${glyphs.plain ? "x" : "×"}`
  const isNever = one.count === 0 && view.conditions.read === 1
  const changes = columns < 60 ? times(one.count) : isNever ? "not yet" : counted(one.count, "change")
  const found = one.open ? `  ${changes}` : ""
  const hits = one.reaction === "watch" ? "" : `${pad(times(one.hits), HIT_COLUMNS, "right")} `
  const room = columns - 6 - WORD_COLUMNS - hits.length - found.length
  return [
    span(`[${one.on ? glyphs.on : glyphs.off}] `, here ? "accent" : "dim"),
    span(pad(WORDS[one.reaction], WORD_COLUMNS), one.on ? "bright" : "dim"),
    span(hits, one.hits > 0 ? "warn" : "dim"),
    span(clip(sanitizeLine(one.text), room, glyphs.ellipsis), one.on ? "normal" : "dim", { bold: here }),
    span(found, one.count > 0 ? "warn" : "dim"),
  ]
}

function changeSpans(state: State, change: ConditionChange, { columns, render }: Place): readonly Span[] {
  const frame = frameNumber(state.run)
  const token = change.to && change.frame <= frame ? "ok" : "dim"
  const { firstTs } = state.present
  const passed = change.ts === null || firstTs === null ? null : change.ts - firstTs
  // In the narrowest place the change is worth more than its milliseconds.
  const time =
    columns < 60
      ? pad(passed === null ? "" : clock(passed), 5, "right")
      : `${pad(seqWords(state, change), 10, "right")}  ${pad(passed === null ? "" : offset(passed), 11, "right")}`
  const at = `${change.frame === frame ? render.glyphs.live : " "} ${pad(`#${count(change.frame)}`, 9, "right")}  `
  const words = `${change.to}${change.words === "" ? "" : `  ${change.words}`}`
  return [span(at, change.frame === frame ? "bright" : "dim"), span(`${time}  `, "dim"), span(words, token)]
}

function seqWords({ present }: State, { seq, epoch }: ConditionChange): string {
  if (seq === null) return ""
  return present.epochs.length > 1 ? `e${epoch + 1}/${seq}` : `seq ${seq}`
}
