// The live pane: its selection, its folded groups, and how it lists sessions.
import type { GroupId } from "../../run/model/id.ts"
import { readingOf } from "../../view/block-reading.ts"
import { clamp, stepOf } from "../../view/cursor-step.ts"
import type { Fold, Move } from "../../view/intent.ts"
import type { LiveList } from "../../view/live-list.ts"
import { change, nothing, notice, type Plan, type ViewContext } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import { typingOf } from "../../view/view.ts"
import { bind, type Panel } from "../common/panel.ts"
import { groupOf, liveRows, rowOfTarget, sameTarget } from "../common/session-rows.ts"

export const livePanel = {
  keys: {
    group: "Panes",
    openers: [
      {
        from: ["panes"],
        keys: [
          bind(
            "live/pin",
            ["*"],
            "pin the session to the top of the list, or let it go",
            "keep in sight star favourite",
          ),
        ],
      },
    ],
  },
  updates: {
    "live/pin": (state, _, { now }) => pin(state, now),
  },
  typing: {
    sessions: {
      take: (state, { text }) => takeFilter(state, text.trim()),
    },
  },
  panes: {
    live: {
      scope: "panes",
      move,
      fold,
      typed: ({ view }) => typingOf("sessions", view.live.filter),
      measure: (_, { rows }) => ({ page: Math.max(1, rows), lines: 0 }),
    },
  },
} satisfies Panel

function withList(live: LiveList, to: Partial<LiveList>): Plan {
  return change({ live: { ...live, ...to } })
}

/** Sessions are found by a text; a selection that is not among them gives way to the first. */
function takeFilter(state: State, filter: string): Plan {
  const view = { ...state.view, typing: null, live: { ...state.view.live, filter } }
  const { rows } = liveRows({ ...state, view }, Number.POSITIVE_INFINITY)
  const selected = rows[rowOfTarget(state.run, { rows }, view.selected)] ?? view.selected
  const isSame = sameTarget(selected, view.selected)
  return change({ typing: null, focus: "live", live: view.live, ...(isSame ? {} : { selected, pinned: true }) })
}

function move(state: State, by: Move, context: ViewContext): Plan {
  const list = liveRows(state, context.page)
  const { rows } = list
  if (rows.length === 0) return nothing
  if (by.unit === "follow")
    return change({ pinned: false, selected: rows.at(-1) ?? null, text: readingOf(state.view.text, null) })
  const from = rowOfTarget(state.run, list, state.view.selected)
  const to = clamp(from + stepOf(by, from, { ...context, lines: rows.length }), 0, rows.length - 1)
  const selected = rows[to] ?? null
  const moved = !sameTarget(selected, state.view.selected)
  return change({ selected, pinned: true, ...(moved ? { text: readingOf(state.view.text, null) } : {}) })
}

/** Pins the selected session, or lets it go. */
function pin({ view: { live, selected } }: State, now: number): Plan {
  if (selected?.type !== "session") return notice("Only a session can be pinned", "info", now)
  const others = live.pins.filter(one => one !== selected.session)
  return withList(live, { pins: others.length < live.pins.length ? others : [...others, selected.session] })
}

function fold(state: State, to: Fold): Plan {
  const { run, view } = state
  const groups = run.invocations.flatMap(({ id, sessions }) => (sessions.length > 1 ? [id] : []))
  if (to === "all") {
    const folded = groups.every(group => view.folded.includes(group)) ? [] : groups
    return change({ folded })
  }
  const target = view.selected
  if (target === null) return nothing
  const group = groupOf(run, target)
  if (group === null || !groups.includes(group)) return nothing
  return change({ pinned: true, ...(to === "fold" ? folded(state, group) : unfolded(state, group)) })
}

function folded({ view }: State, group: GroupId) {
  const unfolded = view.live.unfolded.filter(one => one !== group)
  // The finished sessions fold first.
  if (unfolded.length < view.live.unfolded.length) return { live: { ...view.live, unfolded } }
  return { folded: [...view.folded.filter(one => one !== group), group], selected: groupTarget(group) }
}

function unfolded({ view }: State, group: GroupId) {
  if (view.folded.includes(group)) return { folded: view.folded.filter(one => one !== group) }
  const others = view.live.unfolded.filter(one => one !== group)
  return { live: { ...view.live, unfolded: [...others, group] } }
}

function groupTarget(invocation: GroupId) {
  return { type: "group", invocation } as const
}
