// The watch list: what is watched, and each of its changes.
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import type { Filter } from "../../query/filter/filter.ts"
import { parse } from "../../query/filter/parse.ts"
import {
  MOST_WATCHES,
  type WatchChange,
  type Watches,
  type WatchRow,
  watchLength,
  watchRow,
  withoutWatch,
  withWatch,
} from "../../query/watches.ts"
import { frameNumber } from "../../run/model/run.ts"
import { type Line, type RenderContext, type Span, span, wrapLines } from "../../ui/line.ts"
import { clock, count, counted, offset, pad } from "../../ui/text-width.ts"
import { both, change, frontOverlay, itemUnder, nothing, notice, type Plan, without } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import { type Typing, typingOf } from "../../view/view.ts"
import { ADD, close, DELETE, down, help, up } from "../common/keys.ts"
import { addingList, listLines } from "../common/list/list.ts"
import { bind, type OwnScope, type Panel, type Place } from "../common/panel.ts"
import { jump, seek } from "../common/seek.ts"

const isFilled = ({ view }: State) => view.conditions.watches.list.length > 0

const scope: OwnScope = {
  id: "watches",
  kind: "list",
  keys: [
    bind("watches/go", ["enter"], "go to that change", "seek jump", { hint: "go there", when: isFilled }),
    { ...ADD, id: "watches/add", words: "new watch expression" },
    { ...DELETE, id: "watches/delete", when: isFilled },
    close,
    { ...down, when: isFilled },
    { ...up, when: isFilled },
    help,
  ],
}

export const watchesPanel = {
  keys: { group: "Time", scopes: [scope] },
  updates: {
    "watches/add": () => change({ typing: typingOf("watch") }),
    "watches/go": (state, _, { now }) => {
      const row = rowUnder(state)
      if (row === null) return change({ typing: typingOf("watch") })
      // Enter on a watch goes to its first change.
      const to = row.change ?? (row.hidden > 0 ? undefined : row.watch.first[0])
      const words = row.hidden > 0 ? "Counted only. Use : to go to a match" : "No changes yet"
      if (to === undefined) return notice(words, "info", now)
      const closed = change({ overlays: without(state, "watches", "breakpoints") })
      return jump(state, both(closed, seek({ type: "frame", frame: to.frame })))
    },
    "watches/delete": state => {
      const row = rowUnder(state)
      if (row === null) return nothing
      const left = withoutWatch(state.view.conditions.watches, row.watch.key)
      return shown(state, left, frontOverlay(state, "watches")?.cursor ?? 0)
    },
    "watches/hits": (state, _, { now }) => {
      const under = itemUnder(state, "breakpoints", state.view.conditions.breakpoints.list)
      if (under === undefined) return change({ typing: typingOf("breakpoint") })
      return watching(state, under.filter, now)
    },
  },
  typing: { watch: { take: (state, typing, { now }) => takeWatch(state, typing, now), reads: parse } },
  commands: {
    watch: {
      title: "watch a condition over the whole run",
      words: "watches list expression",
      run: (state, rest, now) => (rest === "" ? openWatches(state) : takeWatch(state, typingOf("watch", rest), now)),
    },
  },
  overlays: {
    watches: addingList("add a watch", {
      title: watchTitle,
      length: ({ view }) => watchLength(view.conditions.watches),
      lines: watchLines,
      typed: "watch",
    }),
  },
} satisfies Panel

function rowUnder(state: State): WatchRow | null {
  const overlay = frontOverlay(state, "watches")
  return overlay === null ? null : watchRow(state.view.conditions.watches, overlay.cursor)
}

function openWatches(state: State): Plan {
  const frame = frameNumber(state.run)
  const { watches } = state.view.conditions
  const rows = watchLength(watches)
  let cursor = 0
  for (let i = 0; i < rows && cursor === 0; i++) if (watchRow(watches, i)?.change?.frame === frame) cursor = i
  const open = shown(state, watches, cursor)
  // An empty list is there to be typed into.
  return rows > 0 ? open : both(open, change({ typing: typingOf("watch") }))
}

/** Watches a typed condition; one that is wrong stays in the field with its mistake. */
function takeWatch(state: State, typing: Typing, now: number): Plan {
  if (typing.text.trim() === "") return change({ typing: null })
  const read = parse(typing.text)
  if ("error" in read)
    return both(
      shown(state, state.view.conditions.watches, 0),
      change({ typing: { ...typing, to: "watch", error: read.error } }),
    )
  return both(change({ typing: null }), watching(state, read.filter, now))
}

function watching(state: State, filter: Filter, now: number): Plan {
  const all = withWatch(state.view.conditions.watches, filter)
  if (all !== state.view.conditions.watches) return shown(state, all, watchLength(all) - 1)
  const isFull = all.list.length >= MOST_WATCHES
  const warning = isFull ? notice(`Limit of ${MOST_WATCHES} watches. d deletes one`, "warning", now) : nothing
  return both(shown(state, all, 0), warning)
}

function shown(state: State, watches: Watches, at: number): Plan {
  const cursor = Math.max(0, Math.min(at, watchLength(watches) - 1))
  const overlays = [...without(state, "watches", "breakpoints"), { type: "watches", cursor } as const]
  return change({ conditions: { watches }, overlays })
}

const EMPTY = [
  "No watches yet. Examples:",
  "  state=review       when it becomes true, and when it stops being true",
  '  text~"I cannot"',
  "  tokens>4000",
  "  error",
  "  state              each change of value; also reason, model, tool, turn, tokens",
]

function watchLines(state: State, cursor: number, place: Place): readonly Line[] {
  const { watches } = state.view.conditions
  const { columns, rows, render } = place
  if (watches.list.length === 0) return EMPTY.flatMap(text => wrapLines(text, columns, "dim")).slice(0, rows)
  const all = { length: watchLength(watches), at: (index: number) => watchRow(watches, index) ?? undefined }
  return listLines(all, cursor, place, row => rowSpans(state, row, render, columns))
}

function watchTitle({ view }: State): string {
  const { list, read } = view.conditions.watches
  return `WATCH  ${count(list.length)}${read < 1 && list.length > 0 ? `  searched ${Math.floor(100 * read)}%` : ""}`
}

function rowSpans(state: State, row: WatchRow, render: RenderContext, columns: number): readonly Span[] {
  const { watch, change, hidden } = row
  if (change !== null) return changeSpans(state, change, render, columns)
  if (hidden > 0) return [span(`   ${render.glyphs.ellipsis} ${count(hidden)} more between, only counted`, "dim")]
  const isNever = watch.count === 0 && state.view.conditions.watches.read === 1
  const words = isNever ? "not yet" : counted(watch.count, "change")
  return [
    span(sanitizeLine(watch.text), "bright", { bold: true }),
    span(`  ${words}`, watch.count > 0 ? "warn" : "dim"),
  ]
}

function changeSpans(state: State, change: WatchChange, render: RenderContext, columns: number): readonly Span[] {
  const frame = frameNumber(state.run)
  const token = change.frame > frame || !change.to ? "dim" : "ok"
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

function seqWords({ present }: State, { seq, epoch }: WatchChange): string {
  if (seq === null) return ""
  return present.epochs.length > 1 ? `e${epoch + 1}/${seq}` : `seq ${seq}`
}
