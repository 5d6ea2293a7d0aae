// The list of conditions: what each does when it becomes true, and below an open one each of its changes.
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import {
  type Condition,
  type ConditionChange,
  type ConditionRow,
  type Conditions,
  conditionRows,
  MOST_CONDITIONS,
  opened,
  type Reaction,
  readCondition,
  toggled,
  withCondition,
  withNextReaction,
  withoutCondition,
} from "../../query/conditions.ts"
import { frameNumber } from "../../run/model/run.ts"
import { blank, type Line, type Span, span, wrapLines } from "../../ui/line.ts"
import { clip, clock, count, counted, offset, pad } from "../../ui/text-width.ts"
import {
  both,
  change,
  frontOverlay,
  nothing,
  notice,
  type Plan,
  toggleOverlay,
  without,
} from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import { type Typing, typingOf } from "../../view/view.ts"
import { ADD, close, DELETE, down, PLACES, up } from "../common/keys.ts"
import { addingList, listLines } from "../common/list/list.ts"
import { bind, type KeyBinding, type Opener, type Panel, type Place } from "../common/panel.ts"
import { jump, seek } from "../common/seek.ts"
import { tellHits } from "./tell-hits.ts"

const isFilled = ({ view }: State) => view.conditions.list.length > 0

const openers: readonly Opener[] = [
  {
    from: PLACES,
    keys: [
      bind(
        "conditions/toggle",
        ["B"],
        "show or hide conditions (breakpoints that pause the run, and watches)",
        "stop debug breakpoint watch expression variable",
      ),
    ],
  },
]

const keys: readonly KeyBinding[] = [
  { ...ADD, id: "conditions/add", words: "new breakpoint watch expression variable" },
  { ...DELETE, id: "conditions/delete", when: isFilled },
  bind("conditions/switch", [], "turn the condition on or off", "toggle enable disable"),
  bind(
    "conditions/react",
    [],
    "choose what it does: pause, pause before the next turn, log only, or watch",
    "reaction action type logpoint",
  ),
  bind("conditions/go", ["enter"], "list everything the condition matched, or go to that change", "hits history", {
    group: "Time",
    hint: "all changes",
    when: isFilled,
  }),
  close,
  { ...down, when: isFilled },
  { ...up, when: isFilled },
]

export const conditionsPanel = {
  keys: { group: "Debugger", openers },
  updates: {
    "conditions/toggle": state => toggleOverlay(state, { type: "conditions", cursor: 0 }),
    "conditions/add": state =>
      frontOverlay(state, "conditions") === null ? nothing : change({ typing: typingOf("breakpoint") }),
    "conditions/delete": state => changeUnder(state, withoutCondition),
    "conditions/switch": state => changeUnder(state, toggled),
    "conditions/react": state => changeUnder(state, withNextReaction),
    "conditions/go": (state, _, { now }) => go(state, now),
    "conditions/tell": (state, _, { now }) => tellHits(state, now),
  },
  typing: {
    breakpoint: { take: (state, typing, { now }) => take(state, typing, now), reads: readCondition },
    watch: { take: (state, typing, { now }) => take(state, typing, now), reads: readCondition },
  },
  commands: {
    watch: {
      title: "watch a condition over the whole run",
      words: "watches list expression variable",
      run: (state, rest, now) => (rest === "" ? openWatches(state) : take(state, typingOf("watch", rest), now)),
    },
  },
  overlays: {
    conditions: addingList("add a condition", {
      keys,
      title: conditionTitle,
      length: ({ view }) => conditionRows(view.conditions).length,
      lines: conditionLines,
      legend: conditionLegend,
      typed: ["breakpoint", "watch"],
    }),
  },
} satisfies Panel

function rowUnder(state: State): ConditionRow | undefined {
  return conditionRows(state.view.conditions)[frontOverlay(state, "conditions")?.cursor ?? -1]
}

function changeUnder(state: State, to: (all: Conditions, key: number) => Conditions): Plan {
  const row = rowUnder(state)
  if (row === undefined) return nothing
  return shown(state, to(state.view.conditions, row.condition.key), frontOverlay(state, "conditions")?.cursor ?? 0)
}

/** Lists the changes of a condition; on an open one goes to its first change, on a change to its moment. */
function go(state: State, now: number): Plan {
  const row = rowUnder(state)
  if (row === undefined) return change({ typing: typingOf("breakpoint") })
  if (!row.condition.open) return changeUnder(state, opened)
  const to = row.change ?? (row.hidden > 0 ? undefined : row.condition.first[0])
  const words = row.hidden > 0 ? "Counted only. Use : to go to a match" : "No changes yet"
  if (to === undefined) return notice(words, "info", now)
  const closed = change({ overlays: without(state, "conditions") })
  return jump(state, both(closed, seek({ type: "frame", frame: to.frame })))
}

function shown(state: State, conditions: Partial<Conditions>, at: number): Plan {
  const { length } = conditionRows({ ...state.view.conditions, ...conditions })
  const cursor = Math.max(0, Math.min(at, length - 1))
  return change({ conditions, overlays: [...without(state, "conditions"), { type: "conditions", cursor }] })
}

/** Opens the list on the change at the moment shown; an empty list is there to be typed into. */
function openWatches(state: State): Plan {
  const frame = frameNumber(state.run)
  const rows = conditionRows(state.view.conditions)
  const here = rows.findIndex(({ change }) => change?.frame === frame)
  const open = shown(state, {}, here)
  return rows.length > 0 ? open : both(open, change({ typing: typingOf("watch") }))
}

/** Adds a typed condition; one that is wrong stays in the field with its mistake. */
function take(state: State, typing: Typing, now: number): Plan {
  const read = readCondition(typing.text)
  if ("error" in read) return both(shown(state, {}, 0), change({ typing: { ...typing, error: read.error } }))
  const before = state.view.conditions
  const all = withCondition(before, read.filter, typing.to === "watch" ? "watch" : "pause")
  const taken = both(change({ typing: null }), shown(state, all, Infinity))
  if (all !== before || all.list.length < MOST_CONDITIONS) return taken
  return both(taken, notice(`Limit of ${MOST_CONDITIONS} conditions. d deletes one`, "warning", now))
}

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
function conditionTitle({ view }: State): string {
  const { list, read } = view.conditions
  const searched = read < 1 ? `  searched ${Math.floor(100 * read)}%` : ""
  return list.length === 0
    ? "CONDITIONS"
    : `CONDITIONS  ${list.filter(one => one.on).length} of ${list.length} on${searched}`
}

/** What the reactions mean; nothing where the list needs the rows. */
function conditionLegend({ view }: State, { columns, rows }: Place): readonly Line[] {
  const { length } = conditionRows(view.conditions)
  const legend = [blank, ...wrapLines(LEGEND, columns, "dim")]
  const needed = length === 0 ? emptyLines(columns).length : length + 1
  return view.typing === null && rows - legend.length >= needed ? legend : []
}

/** A line for each condition: on or off, what a hit does, how often it hit, and its text; its changes below it. */
function conditionLines(state: State, cursor: number, place: Place): readonly Line[] {
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
