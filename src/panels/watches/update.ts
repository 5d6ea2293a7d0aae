// Decides what the keys of the watch list do: what is watched, and which of its changes is shown.

import {
  MOST_WATCHES,
  readWatched,
  type Watched,
  type Watches,
  watchLength,
  watchRow,
  withoutWatch,
  withWatch,
} from "../../query/watches.ts"
import { frameNumber } from "../../run/model/run.ts"
import type { WatchIntent } from "../../view/intent.ts"
import { both, change, nothing, notice, type Plan } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import type { Overlay, Typing } from "../../view/view.ts"
import { typingOf } from "../filters/update.ts"
import { seek } from "../time/update.ts"

export function planWatch(state: State, wish: WatchIntent, now: number): Plan {
  const overlay = state.view.overlays.at(-1)
  const { watches, breakpoints } = state.view
  switch (wish.to) {
    case "list":
      return overlay?.type === "watches" ? change({ overlays: state.view.overlays.slice(0, -1) }) : openWatches(state)
    case "add":
      return change({ typing: typingOf("watch", "") })
    case "hits": {
      const under = overlay?.type === "breakpoints" ? breakpoints.list[overlay.cursor] : undefined
      return under === undefined ? nothing : watching(state, { type: "condition", filter: under.filter }, now)
    }
    case "go":
    case "delete": {
      const row = overlay?.type === "watches" ? watchRow(watches, overlay.cursor) : null
      if (row === null || overlay?.type !== "watches") return nothing
      if (wish.to === "delete") return shown(state, withoutWatch(watches, row.watch.key), overlay.cursor)
      // Of a watch itself it is the first change that is asked for.
      const to = row.change ?? (row.left > 0 ? undefined : row.watch.first[0])
      if (to !== undefined) return both(closed(state), seek({ type: "frame", frame: to.frame }))
      return notice(
        row.left > 0 ? "These were only counted: : goes to where it comes true" : "No change yet",
        "info",
        now,
      )
    }
  }
}

/** Opens the list where the moment shown stands in it. */
export function openWatches(state: State): Plan {
  const frame = frameNumber(state.run)
  const { watches } = state.view
  const rows = watchLength(watches)
  let cursor = 0
  for (let i = 0; i < rows && cursor === 0; i++) if (watchRow(watches, i)?.change?.frame === frame) cursor = i
  const open = shown(state, watches, cursor)
  // An empty list is there to be typed into.
  return rows > 0 ? open : both(open, change({ typing: typingOf("watch", "") }))
}

/** What was typed is watched from now on, or it stays in the field with where it is wrong. */
export function takeWatch(state: State, typing: Typing, now: number): Plan {
  if (typing.text.trim() === "") return change({ typing: null })
  const watched = readWatched(typing.text)
  if ("error" in watched) {
    const { error } = watched
    return both(shown(state, state.view.watches, 0), change({ typing: { ...typing, to: "watch", error } }))
  }
  return both(change({ typing: null }), watching(state, watched, now))
}

/** The list with this one in it, the cursor on it. */
function watching(state: State, watched: Watched, now: number): Plan {
  const all = withWatch(state.view.watches, watched)
  const full = all === state.view.watches && all.list.length >= MOST_WATCHES
  const last = watchLength(all) - 1
  const open = shown(state, all, all === state.view.watches ? 0 : last)
  return full ? both(open, notice(`At most ${MOST_WATCHES} are watched: d deletes one`, "warning", now)) : open
}

/** The list in front, in this state and with the cursor there. */
function shown(state: State, watches: Watches, at: number): Plan {
  const cursor = Math.max(0, Math.min(at, watchLength(watches) - 1))
  const front: Overlay = { type: "watches", cursor }
  return change({ watches, overlays: [...others(state), front] })
}

function closed(state: State): Plan {
  return change({ overlays: others(state) })
}

function others({ view }: State): readonly Overlay[] {
  return view.overlays.filter(one => one.type !== "watches" && one.type !== "breakpoints")
}
