// Fills the rows that a short list leaves free: what came of a run that is over, and a lane for each invocation.

import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { at } from "../../run/model/chunked-list.ts"
import { derived } from "../../run/model/derived.ts"
import type { Run } from "../../run/model/run.ts"
import type { StageKind } from "../../run/model/session.ts"
import { withoutMarks } from "../../run/select/row-words.ts"
import { moneyWords } from "../../run/select/usage.ts"
import { barStages, runRange, type TimeRange } from "../../run/select/waterfall.ts"
import type { Glyphs } from "../../ui/glyphs.ts"
import {
  blank,
  clipSpans,
  type Hue,
  type Line,
  line,
  merged,
  type RenderContext,
  type Span,
  span,
} from "../../ui/line.ts"
import { clip, count, counted, pad, roundTicks } from "../../ui/text-width.ts"
import { isOver, type State } from "../../view/state.ts"
import { stageGlyph, stageToken } from "../common/stage-mark.ts"
import type { Columns } from "./columns.ts"

/** A run with more sessions has no lanes here: each column of a lane looks at all sessions of its invocation. */
const MOST_SESSIONS = 12
/** Entries of a session among which its task is looked for. */
const FIRST_ENTRIES = 8
/** UTF-16 units of a text that are looked at, which is more than a row holds. */
const LOOKED_AT = 600
/** Of the stages of several sessions in one column, the first of these is drawn. */
const FIRST_KINDS: readonly StageKind[] = [
  ...(["failed", "tool-failed", "human", "generation", "tool", "first-token", "waiting"] as const),
]

/** At most so many lines, with a blank one before each part. */
export function freeLines(state: State, context: RenderContext, columns: Columns, rows: number): readonly Line[] {
  const { run } = state
  const outcome = isOver(run) ? outcomeLines(run, context, columns) : []
  const lines = outcome.length === 0 || outcome.length >= rows ? [] : [blank, ...outcome]
  return [...lines, ...laneLines(run, context, columns, rows - lines.length)]
}

/** What was asked, what the last reply began with, and what it took; a line whose text is unknown is left out. */
function outcomeLines(run: Run, { glyphs }: RenderContext, { row, name }: Columns): readonly Line[] {
  const { total } = run.ledger
  const { errors } = run.log
  const figures = [
    moneyWords(total) ?? "",
    run.tokensIn === 0 ? "" : `${count(run.tokensIn)} in`,
    run.tokens === 0 ? "" : `${count(run.tokens)} out`,
  ].filter(one => one !== "")
  const cost = figures.join(` ${glyphs.dot} `)
  const failed =
    errors === 0 ? [] : [span(`${cost === "" ? "" : ` ${glyphs.dot} `}${counted(errors, "error")}`, "error")]
  const told = [
    ["asked", [span(oneLine(taskOf(run)))]],
    ["result", [span(oneLine(run.sessions[run.lastSpeaker ?? -1]?.firstLine ?? ""), "bright")]],
    ["cost", [span(cost), ...failed]],
  ] as const
  return told.flatMap(([label, words]) => {
    if (words.every(({ text }) => text === "")) return []
    return [{ spans: clipSpans([span(pad(`   ${label}`, name + 1), "dim"), ...words], row, glyphs.ellipsis) }]
  })
}

/** What the first session was asked, if that is in memory. */
function taskOf(run: Run): string {
  const entries = run.sessions[0]?.entries
  for (let index = 0; entries !== undefined && index < FIRST_ENTRIES; index++) {
    const entry = at(entries, index)
    if (entry?.type === "user") return entry.text.join("").slice(0, LOOKED_AT)
  }
  return ""
}

/** The axis, and below it the lanes; none for a run with many sessions, or where a lane has no room. */
function laneLines(run: Run, context: RenderContext, { row, name }: Columns, rows: number): readonly Line[] {
  const { glyphs } = context
  const whole = runRange(run, isOver(run) ? null : context.now)
  const room = row - name - 1
  const lanes = Math.min(run.invocations.length, rows - 2)
  if (whole === null || lanes < 1 || room < 20 || run.sessions.length > MOST_SESSIONS) return []
  const { words, end } = roundTicks(whole.to - whole.from, room)
  const shown = { from: whole.from, to: whole.from + end }
  const title = isOver(run) ? "the run" : "so far"
  const rule = `${glyphs.ahead.repeat(2)} ${title} `
  const first = run.invocations.length - lanes
  return [
    blank,
    line(span(" "), span(`${rule}${glyphs.ahead.repeat(Math.max(0, name - rule.length - 1))} ${words}`, "dim")),
    ...run.invocations.slice(first).map(({ title, sessions }, i): Line => {
      const hue: Hue | "dim" = context.goneMs == null ? `hue${first + i}` : "dim"
      const kinds = laneOf(run, sessions, { to: whole.to, shown, room })
      const cells = kinds.map(kind => (kind === null ? span(" ") : cellOf(kind, hue, glyphs)))
      const label = pad(`   ${clip(title, name - 3, glyphs.ellipsis)}`, name + 1)
      return { spans: merged([span(label, hue), ...cells]) }
    }),
  ]
}

function cellOf(kind: StageKind, hue: Hue | "dim", glyphs: Glyphs): Span {
  return span(stageGlyph(kind, glyphs), hue === "dim" ? "dim" : stageToken(kind, hue))
}

interface LaneRange {
  /** Where the run is, epoch ms. */
  readonly to: number
  readonly shown: TimeRange
  readonly room: number
}

type Lane = readonly (StageKind | null)[]

/** A lane changes with a stage, or as time gets to the next column. */
const drawn = derived<Lane>()

/** What the sessions did in each column of the time that is shown: of several stages the first of `FIRST_KINDS`. */
function laneOf(run: Run, sessions: readonly number[], { to, shown, room }: LaneRange): Lane {
  const column = Math.floor(((to - shown.from) / (shown.to - shown.from)) * room)
  const stages = sessions.flatMap(index => [run.sessions[index]?.stages, run.turnBuffers[index]?.status])
  return drawn([sessions, room, column, shown.from, shown.to, run.status, ...stages], () => {
    const bars = sessions.map(index => barStages(run, index, shown, room, to))
    return Array.from({ length: room }, (_, at) => {
      const kinds = bars.map(bar => bar[at]?.kind)
      return FIRST_KINDS.find(one => kinds.includes(one)) ?? null
    })
  })
}

function oneLine(text: string): string {
  return sanitizeLine(withoutMarks(text).replace(/\s+/g, " ").trim())
}
