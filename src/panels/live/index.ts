// The live pane: its selection, its folded groups, and how it lists sessions.
import type { GroupId } from "../../run/model/id.ts"
import { readingOf } from "../../view/block-reading.ts"
import { clamp, stepOf } from "../../view/cursor-step.ts"
import type { Fold, Move } from "../../view/intent.ts"
import type { SessionList } from "../../view/live-list.ts"
import { both, change, nothing, notice, type Plan, type ViewContext } from "../../view/plan-result.ts"
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
        keys: [bind("live/pin", ["*"], "pin the session to the top of the list, or let it go", "keep in sight star")],
      },
    ],
  },
  updates: { "live/pin": (state, _, { now }) => pin(state, now) },
  typing: {
    sessions: { take: (_, { text }) => change({ typing: null, focus: "live", list: { filter: text.trim() } }) },
  },
  panes: {
    live: {
      scope: "panes",
      move,
      fold,
      typed({ view: { list } }) {
        const { selected, pinned } = list
        return typingOf("sessions", list.filter, { list: { selected, pinned } })
      },
      measure: (_, { rows }) => ({ page: Math.max(1, rows), lines: 0 }),
    },
  },
} satisfies Panel

function move(state: State, by: Move, context: ViewContext): Plan {
  const list = liveRows(state, context.page)
  const { rows } = list
  if (rows.length === 0) return nothing
  if (by.unit === "follow")
    return change({
      list: { pinned: false, selected: rows.at(-1) ?? null },
      reader: { text: readingOf(state.view.reader.text, null) },
    })
  const from = rowOfTarget(state.run, list, state.view.list.selected)
  const to = clamp(from + stepOf(by, from, { ...context, lines: rows.length }), 0, rows.length - 1)
  const selected = rows[to] ?? null
  const moved = !sameTarget(selected, state.view.list.selected)
  return change({
    list: { selected, pinned: true },
    ...(moved && { reader: { text: readingOf(state.view.reader.text, null) } }),
  })
}

function pin({ view }: State, now: number): Plan {
  const { selected, pins } = view.list
  if (selected?.type !== "session") return notice("Only a session can be pinned", "info", now)
  const others = pins.filter(one => one !== selected.session)
  const isPinned = others.length < pins.length
  const words = isPinned ? "No longer pinned" : "Pinned to the top of the list"
  return both(change({ list: { pins: isPinned ? others : [...pins, selected.session] } }), notice(words, "info", now))
}

function fold(state: State, to: Fold): Plan {
  const { run, view } = state
  const groups = run.invocations.flatMap(({ id, sessions }) => (sessions.length > 1 ? [id] : []))
  if (to === "all") {
    const folded = groups.every(group => view.list.folded.includes(group)) ? [] : groups
    return change({ list: { folded } })
  }
  const target = view.list.selected
  if (target === null) return nothing
  const group = groupOf(run, target)
  if (group === null || !groups.includes(group)) return nothing
  return change({ list: { pinned: true, ...(to === "fold" ? folded(view.list, group) : unfolded(view.list, group)) } })
}

/** The finished sessions fold first. */
function folded(list: SessionList, invocation: GroupId): Partial<SessionList> {
  const unfolded = list.unfolded.filter(one => one !== invocation)
  if (unfolded.length < list.unfolded.length) return { unfolded }
  const others = list.folded.filter(one => one !== invocation)
  return { folded: [...others, invocation], selected: { type: "group", invocation } }
}

function unfolded({ folded, unfolded }: SessionList, group: GroupId): Partial<SessionList> {
  if (folded.includes(group)) return { folded: folded.filter(one => one !== group) }
  return { unfolded: [...unfolded.filter(one => one !== group), group] }
}
