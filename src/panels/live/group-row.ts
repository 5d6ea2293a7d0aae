// Draws the row of a group in the live pane, which adds its sessions up.
import { derived } from "../../run/model/derived.ts"
import type { Run } from "../../run/model/run.ts"
import { noTally, type Tally } from "../../run/model/tally.ts"
import { isActive, recentRate, sumOfRates } from "../../run/select/figures.ts"
import { type Hue, type Span, span } from "../../ui/line.ts"
import { lastSeenWords } from "../../ui/link-words.ts"
import { count, nameWith, width } from "../../ui/text-width.ts"
import { groupLane } from "../common/lanes.ts"
import { rowOf } from "./columns.ts"
import { progressOf, progressSpans } from "./now.ts"
import { asLastSeen, type RowContext } from "./session-row.ts"

/** The part of a row that the name of a group takes at most. */
const WIDEST = 0.5

/** A group: how many of its sessions are done, what the others do, and the sums of them all. */
export function groupSpans(group: number, isFolded: boolean, row: RowContext): readonly Span[] {
  const { run, context, columns, scale } = row
  const { glyphs, now } = context
  const invocation = run.invocations[group]
  if (invocation === undefined) return []
  const tally = run.tallies[group] ?? noTally
  const { counts } = tally
  const over = ` ${counts.done + counts.error}/${invocation.sessions.length}`
  // A group's activity is short, so its name may be longer than a session's.
  const name = Math.max(columns.name, Math.min(width(invocation.title + over) + 3, Math.floor(columns.row * WIDEST)))
  const title = nameWith(invocation.title, over, name - 3, glyphs.ellipsis)
  const hue: Hue = `hue${group}`
  const atWork = tally.open.filter(index => isActive(run, index))
  const named = [
    span(" "),
    span(`${isFolded ? glyphs.folded : glyphs.unfolded} `),
    span(title.slice(0, -over.length), hue, { bold: true, faint: atWork.length === 0 }),
    span(over),
  ]
  const streaming = (context.goneMs == null ? atWork : []).filter(
    index => run.turnBuffers[index]?.turn.status === "streaming",
  )
  const isEarlier = invocation.epoch < run.epochs.length - 1
  const states = [...(isEarlier ? [span("(earlier run) ", "dim")] : []), ...stateSpans(tally, row, group)]
  const progress = progressSpans(progressOf(run, invocation), context)
  const figures = {
    rate: streaming.length === 0 ? null : sumOfRates(run, streaming, one => recentRate(one, now)),
    ms: groupTime(run, group, atWork.length > 0, now),
    fullness: null,
    lane: scale === null ? [] : groupLane(run, group, scale, context),
  }
  const doing = (room: number) => {
    const words = atWork.length === 0 ? null : lastSeenWords(context, room)
    if (words !== null) return [span(words)]
    return progress.length === 0 ? states : [...states, span("  "), ...progress]
  }
  return asLastSeen(rowOf({ ...columns, name }, named, doing, figures, context), context)
}

/** Sessions of a group that have no rows of their own. */
export interface HiddenCount {
  readonly done: number
  readonly failed: number
}

const NO_CELLS = { rate: null, ms: null, fullness: null, lane: [] }

/** The row for the sessions of a group that are over, where they have no rows of their own. */
export function finishedSpans({ done, failed }: HiddenCount, { context, columns }: RowContext): readonly Span[] {
  const { glyphs } = context
  const name = [
    span(" "),
    span(`  ${glyphs.folded}`),
    done > 0 ? span(` ${count(done)} done`, "dim") : span(` ${count(failed)} failed`, "error"),
  ]
  const trouble = done > 0 && failed > 0 ? `${glyphs.error}${count(failed)}  ` : ""
  const words = [span(trouble, "error"), span("Enter shows them", "dim")]
  return rowOf(columns, name, () => words, NO_CELLS, context)
}

function stateSpans(
  { counts, open }: Tally,
  { run, asking, silent, context }: RowContext,
  group: number,
): readonly Span[] {
  const { glyphs } = context
  const running = open.filter(index => isActive(run, index)).length
  const asks = [...asking.keys()].filter(index => run.sessions[index]?.invocation === group).length
  const silences = silent.size === 0 ? 0 : open.filter(index => silent.has(index)).length
  const parts = [
    ...(asks > 0 ? [span(`${glyphs.asks}${asks}`, "warn", { bold: true })] : []),
    ...(counts.error > 0 ? [span(`${glyphs.error}${counts.error}`, "error")] : []),
    ...(running > 0 ? [span(`${count(running)} running`)] : []),
    ...(silences > 0 ? [span(`${count(silences)} silent`, "warn")] : []),
  ]
  return parts.flatMap((part, i) => (i === 0 ? [part] : [span(` ${glyphs.dot} `, "dim"), part]))
}

/** When the last session of a group ended changes only with its tally. */
const ends = derived<number>()

/** Ms since the first session of a group began, or until the last one ended. */
function groupTime(run: Run, group: number, isOn: boolean, now: number): number | null {
  const members = run.invocations[group]?.sessions ?? []
  const tally = run.tallies[group]
  const began = run.sessions[members[0] ?? -1]?.beganTs ?? null
  if (began === null || tally === undefined) return null
  if (isOn) return Math.max(now, run.lastTs ?? now) - began
  const times = () =>
    members.map(index => Math.max(run.sessions[index]?.lastTs ?? 0, run.turnBuffers[index]?.lastTs ?? 0))
  return ends([tally], () => times().reduce((last, ts) => Math.max(last, ts), began)) - began
}
