import { noteFrame } from "../../../packages/wire/src/encode.ts"
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import {
  added,
  type Breakpoint,
  type Breakpoints,
  type Reaction,
  removed,
  toggled,
  withNextReaction,
} from "../../query/breakpoints.ts"
import { parse } from "../../query/filter/parse.ts"
import { whoWords } from "../../query/watch-changes.ts"
import { isAtTurn, isPaused } from "../../run/model/held.ts"
import { frameNumber } from "../../run/model/run.ts"
import { blank, type Line, type Span, span, wrapLines } from "../../ui/line.ts"
import { clip, count, pad } from "../../ui/text-width.ts"
import { OP_WORDS } from "../../view/pending-ops.ts"
import {
  both,
  change,
  frontOverlay,
  inFront,
  itemUnder,
  nothing,
  notice,
  type Plan,
  toggleOverlay,
} from "../../view/plan-result.ts"
import { isRecording, type State } from "../../view/state.ts"
import { type Typing, typingOf } from "../../view/view.ts"
import { ADD, close, DELETE, down, help, PLACES, up } from "../common/keys.ts"
import { addingList, cursorWithin, listLines } from "../common/list/list.ts"
import { bind, type Opener, type OwnScope, type Panel, type Place } from "../common/panel.ts"
import { awaiting, refusal, send } from "../common/send-op.ts"

const isFilled = ({ view }: State) => view.conditions.breakpoints.list.length > 0

const openers: readonly Opener[] = [
  {
    from: PLACES,
    keys: [bind("breakpoints/toggle", ["B"], "show or hide breakpoints (conditions that pause the run)", "stop debug")],
  },
]

const scope: OwnScope = {
  id: "breakpoints",
  kind: "list",
  keys: [
    { ...ADD, id: "breakpoints/add" },
    { ...DELETE, id: "breakpoints/delete", when: isFilled },
    bind("breakpoints/switch", [], "turn the breakpoint on or off", "toggle enable disable"),
    bind(
      "breakpoints/react",
      [],
      "choose what it does: pause, pause before the next turn, or log only",
      "reaction action type logpoint",
    ),
    bind("watches/hits", ["enter"], "list everything the breakpoint matched so far", "watch hits history", {
      group: "Time",
      hint: "all matches",
      when: isFilled,
    }),
    close,
    { ...down, when: isFilled },
    { ...up, when: isFilled },
    help,
  ],
}

export const breakpointsPanel = {
  keys: { group: "Debugger", openers, scopes: [scope] },
  updates: {
    "breakpoints/toggle": state => toggleOverlay(state, { type: "breakpoints", cursor: 0 }),
    "breakpoints/add": state =>
      frontOverlay(state, "breakpoints") === null ? nothing : change({ typing: typingOf("breakpoint") }),
    "breakpoints/delete": state =>
      both(changeUnder(state, removed), cursorWithin(state, state.view.conditions.breakpoints.list.length - 1)),
    "breakpoints/switch": state => changeUnder(state, toggled),
    "breakpoints/react": state => changeUnder(state, withNextReaction),
    "breakpoints/hits": (state, _, { now }) => tellHits(state, now),
  },
  typing: { breakpoint: { take: takeBreakpoint, reads: parse } },
  overlays: {
    breakpoints: addingList("add a breakpoint", {
      title: breakpointTitle,
      length: ({ view }) => view.conditions.breakpoints.list.length,
      lines: breakpointLines,
      legend: breakpointLegend,
      typed: "breakpoint",
    }),
  },
} satisfies Panel

function changeUnder(state: State, to: (all: Breakpoints, key: number) => Breakpoints): Plan {
  const { breakpoints } = state.view.conditions
  const under = itemUnder(state, "breakpoints", breakpoints.list)
  return under === undefined ? nothing : change({ conditions: { breakpoints: to(breakpoints, under.key) } })
}

/** A condition that cannot be read stays in the field, with where it is wrong. */
function takeBreakpoint(state: State, typing: Typing): Plan {
  if (typing.text.trim() === "") {
    return change({ typing: { ...typing, error: { at: 0, length: 0, message: "type a condition" } } })
  }
  const parsed = parse(typing.text)
  if ("error" in parsed) return change({ typing: { ...typing, error: parsed.error } })
  const { breakpoints } = state.view.conditions
  const overlays = inFront(state, { type: "breakpoints", cursor: breakpoints.list.length })
  return change({ typing: null, conditions: { breakpoints: added(breakpoints, parsed.filter) }, overlays })
}

/** Logs a row per new hit and sends each op once; its row says why one was refused (docs/decisions.md 3.1). */
function tellHits(state: State, now: number): Plan {
  const { pending, list } = state.view.conditions.breakpoints
  if (pending.length === 0) return nothing
  const cleared = change({ conditions: { breakpoints: { ...state.view.conditions.breakpoints, pending: [] } } })
  if (isRecording(state)) return both(cleared, sayStopped(state, now))
  const hits = pending.flatMap(hit => {
    const breakpoint = list.find(one => one.key === hit.key)
    return breakpoint === undefined ? [] : [{ hit, breakpoint, outcome: outcomeOf(state, breakpoint) }]
  })
  const frames = hits.map(({ hit, breakpoint, outcome }) => {
    const data: JsonObject = { condition: breakpoint.text, who: whoWords(state.run, hit), outcome: outcome.words }
    return noteFrame(now, "breakpoint", data)
  })
  let plan = both(cleared, { actions: [{ type: "local", frames }], effects: [] })
  const ops = new Set(hits.flatMap(({ outcome }) => outcome.op ?? []))
  let sending = state
  for (const op of ops) {
    plan = both(plan, send(sending, { type: op }, now))
    sending = awaiting(sending, op, now)
  }
  // What stops the run is said before what is only counted.
  const first = hits.find(({ outcome }) => outcome.op !== null) ?? hits[0]
  if (first === undefined) return plan
  const more = hits.length > 1 ? ` and ${hits.length - 1} more` : ""
  return both(plan, notice(`Breakpoint ${first.breakpoint.text}${more}: ${first.outcome.words}`, "warning", now))
}

/** In a recording a hit stops what is played, and nothing is added to it. */
function sayStopped({ view, run, time }: State, now: number): Plan {
  const { list, pending } = view.conditions.breakpoints
  const names = pending.flatMap(hit => list.find(one => one.key === hit.key)?.text ?? [])
  const stopped = time.playing ? "still playing" : `paused at frame ${frameNumber(run)}`
  return notice(`Breakpoint ${names.join(", ")}: ${stopped}`, "warning", now)
}

type StopOp = "pause" | "arm-llm-breakpoint"

interface Outcome {
  readonly op: StopOp | null
  readonly words: string
}

/** What a hit does. Ops name no target and we trail the agent, so the stop may land at the gate of another worker. */
function outcomeOf(state: State, { reaction }: Breakpoint): Outcome {
  if (reaction === "log") return { op: null, words: "logged" }
  const op = reaction === "pause" ? "pause" : "arm-llm-breakpoint"
  const why = refusal(state, op)
  if (why !== null) return { op: null, words: `can't ${OP_WORDS[op].verb}: ${why}` }
  const { debug } = state.run
  const stands = reaction === "pause" ? isPaused(state.run) : debug?.breakpointArmed || isAtTurn(state.run)
  if (stands === true) return { op: null, words: reaction === "pause" ? "already paused" : "already set" }
  const where = reaction === "pause" ? "at the next event of any session" : "before the next model turn of any session"
  if (state.view.control.ops.some(one => one.op === op))
    return { op: null, words: `pauses ${where} (already requested)` }
  return { op, words: `pauses ${where}` }
}

/** What a hit does, as wide as the column it stands in. */
const WORDS: { readonly [reaction in Reaction]: string } = { pause: "pause", turn: "turn", log: "log only" }
const WORD_COLUMNS = 10
const HIT_COLUMNS = 7

/** Rows of the list without which the legend is left out. */
const LEAST_ROWS = 3

const EMPTY = [
  "No breakpoints yet. Examples:",
  "  invokeid=judge* turn>=3",
  "  error",
  "  state=review",
  "  tokens>4000",
]
const LEGEND =
  "pause stops at the next event, turn before the next model turn, in any session. " +
  "Triggers when the condition becomes true."

/** One line for each condition: on or off, what a hit does, how often it hit, and its text. */
function breakpointLines({ view }: State, cursor: number, place: Place): readonly Line[] {
  const { list } = view.conditions.breakpoints
  if (list.length === 0) return emptyLines(place.columns).slice(0, place.rows)
  return listLines(list, cursor, place, (one, here) => breakpointSpans(one, here, place))
}

/** What the reactions mean; nothing on a low screen, where the list has the rows. */
function breakpointLegend({ view }: State, { columns, rows }: Place): readonly Line[] {
  const { list } = view.conditions.breakpoints
  const legend = [blank, ...wrapLines(LEGEND, columns, "dim")]
  const needed = Math.min(LEAST_ROWS, list.length === 0 ? emptyLines(columns).length : list.length)
  return view.typing === null && rows - legend.length >= needed ? legend : []
}

function emptyLines(columns: number): readonly Line[] {
  return EMPTY.flatMap(text => wrapLines(text, columns, "dim"))
}

function breakpointTitle({ view }: State): string {
  const { list } = view.conditions.breakpoints
  return list.length === 0 ? "BREAKPOINTS" : `BREAKPOINTS  ${list.filter(one => one.on).length} of ${list.length} on`
}

function breakpointSpans(one: Breakpoint, here: boolean, { columns, render: { glyphs } }: Place): readonly Span[] {
  const hits = `${count(one.hits)}${glyphs.plain ? "x" : "×"}`
  const room = columns - 6 - WORD_COLUMNS - HIT_COLUMNS - 1
  return [
    span(`[${one.on ? glyphs.on : glyphs.off}] `, here ? "accent" : "dim"),
    span(pad(WORDS[one.reaction], WORD_COLUMNS), one.on ? "bright" : "dim"),
    span(`${pad(hits, HIT_COLUMNS, "right")} `, one.hits > 0 ? "warn" : "dim"),
    span(clip(sanitizeLine(one.text), room, glyphs.ellipsis), one.on ? "normal" : "dim", { bold: here }),
  ]
}
