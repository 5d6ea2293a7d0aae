// The watch list: what is watched, and each of its changes.
import {
  MOST_WATCHES,
  readWatched,
  type Watched,
  type Watches,
  type WatchRow,
  watchLength,
  watchRow,
  withoutWatch,
  withWatch,
} from "../../query/watches.ts"
import { frameNumber } from "../../run/model/run.ts"
import { both, change, frontOverlay, itemUnder, nothing, notice, type Plan, without } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import { type Typing, typingOf } from "../../view/view.ts"
import { close, down, help, up } from "../common/keys.ts"
import { listOverlay } from "../common/list/list.ts"
import type { OwnScope, Panel } from "../common/panel.ts"
import { seek } from "../common/seek.ts"
import { watchLines, watchTitle } from "./lines.ts"

const isFilled = ({ view }: State) => view.watches.list.length > 0

const scope: OwnScope = {
  id: "watches",
  kind: "list",
  keys: [
    {
      id: "watches/go",
      keys: ["enter"],
      title: "go to that change",
      words: "seek jump change",
      hint: "go there",
      when: isFilled,
    },
    {
      id: "watches/add",
      keys: ["a"],
      title: "watch a condition or value",
      words: "new watch expression variable",
      hint: "watch",
    },
    {
      id: "watches/delete",
      keys: ["d"],
      title: "remove the watch",
      words: "remove watch stop",
      hint: "remove",
      when: isFilled,
    },
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
      if (row === null) return nothing
      // Enter on a watch goes to its first change.
      const to = row.change ?? (row.hidden > 0 ? undefined : row.watch.first[0])
      const words = row.hidden > 0 ? "Counted only. Use : to go to a match" : "No changes yet"
      if (to === undefined) return notice(words, "info", now)
      const closed = change({ overlays: without(state, "watches", "breakpoints") })
      return both(closed, seek({ type: "frame", frame: to.frame }))
    },
    "watches/delete": state => {
      const row = rowUnder(state)
      if (row === null) return nothing
      return shown(state, withoutWatch(state.view.watches, row.watch.key), frontOverlay(state, "watches")?.cursor ?? 0)
    },
    "watches/hits": (state, _, { now }) => {
      const under = itemUnder(state, "breakpoints", state.view.breakpoints.list)
      return under === undefined ? nothing : watching(state, { type: "condition", filter: under.filter }, now)
    },
  },
  typing: { watch: { take: (state, typing, { now }) => takeWatch(state, typing, now), reads: readWatched } },
  commands: {
    watch: (state, rest, now) => (rest === "" ? openWatches(state) : takeWatch(state, typingOf("watch", rest), now)),
  },
  overlays: {
    watches: {
      ...listOverlay({
        title: watchTitle,
        length: ({ view }) => watchLength(view.watches),
        lines: watchLines,
        typed: "watch",
      }),
      kept: { type: "watches", cursor: 0 },
    },
  },
} satisfies Panel

function rowUnder(state: State): WatchRow | null {
  const overlay = frontOverlay(state, "watches")
  return overlay === null ? null : watchRow(state.view.watches, overlay.cursor)
}

function openWatches(state: State): Plan {
  const frame = frameNumber(state.run)
  const { watches } = state.view
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
  const watched = readWatched(typing.text)
  if ("error" in watched)
    return both(
      shown(state, state.view.watches, 0),
      change({ typing: { ...typing, to: "watch", error: watched.error } }),
    )
  return both(change({ typing: null }), watching(state, watched, now))
}

function watching(state: State, watched: Watched, now: number): Plan {
  const all = withWatch(state.view.watches, watched)
  if (all !== state.view.watches) return shown(state, all, watchLength(all) - 1)
  const isFull = all.list.length >= MOST_WATCHES
  const warning = isFull ? notice(`Limit of ${MOST_WATCHES} watches. d removes one`, "warning", now) : nothing
  return both(shown(state, all, 0), warning)
}

function shown(state: State, watches: Watches, at: number): Plan {
  const cursor = Math.max(0, Math.min(at, watchLength(watches) - 1))
  return change({ watches, overlays: [...without(state, "watches", "breakpoints"), { type: "watches", cursor }] })
}
