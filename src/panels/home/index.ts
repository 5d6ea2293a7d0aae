// The home screen: the runs below a directory, and what else can be opened.
import { keyOf } from "../../keys/key-text.ts"
import { clamp, stepOf } from "../../view/cursor-step.ts"
import type { Effect } from "../../view/effect.ts"
import { KEPT, type RunTarget } from "../../view/home.ts"
import type { Move } from "../../view/intent.ts"
import { both, change, nothing, notice, only, type Plan, type ViewContext } from "../../view/plan-result.ts"
import { type HomeList, type HomeRow, homeList, homeRow, targetOf } from "../../view/select/home-rows.ts"
import type { State } from "../../view/state.ts"
import { typingOf } from "../../view/view.ts"
import { DELETE, help, openPalette, shut } from "../common/keys.ts"
import { bind, type KeyBinding, type OwnScope, type Panel } from "../common/panel.ts"
import { homeShape } from "./lines.ts"

const hasRuns = ({ home }: State): boolean => (home?.runs ?? []).length > 0 || home?.agent.answers === true

const forgetKey: KeyBinding = {
  id: "home/forget",
  ...DELETE,
  words: "delete forget kept remove",
  when: (state, now) => rowUnder(state, now)?.key.startsWith(KEPT) === true,
}

const scope: OwnScope = {
  id: "home",
  kind: "home",
  keys: [
    bind(
      "home/open",
      ["enter"],
      "open the run: attach where its agent answers, else see its recording",
      "show replay",
      { hint: "open", when: (state, now) => rowUnder(state, now) !== undefined },
    ),
    forgetKey,
    bind("home/demo", [], "start the demo", "example try"),
    bind(
      "home/filter",
      ["/", "f"],
      "show only runs that have some words: of the name, chart, question or end",
      "search find",
      { hint: "filter", when: hasRuns },
    ),
    bind(
      "home/terminal",
      ["o"],
      "go to the terminal of an agent CLI's session, or copy how to go on with it",
      "tmux pane jump resume outside",
      { hint: "terminal", when: ({ home }) => (home?.stores ?? []).length > 0 },
    ),
    bind("home/path", [], "open a recording or a directory", "file path replay"),
    bind("home/url", [], "attach to a URL", "connect address agent port"),
    bind("home/agent", [], "talk to an agent again: lists its sessions, to go on with one", "acp load resume continue"),
    openPalette,
    help,
    { ...shut, hint: "leave" },
  ],
}

export const homePanel = {
  keys: { group: "Home", scopes: [scope] },
  updates: {
    "home/open"(state, _, { now }) {
      const row = rowUnder(state, now)
      return row === undefined ? nothing : only({ type: "run/open", target: targetOf(row) })
    },
    "home/forget": (state, _, { now }) => forget(state, rowUnder(state, now), now),
    "home/filter": ({ view: { home } }) => change({ typing: typingOf("home-filter", home.filter, { home }) }),
    "home/demo": () => only({ type: "run/open", target: { type: "demo" } }),
    "home/terminal": (state, _, { now }) => {
      const run = rowUnder(state, now)?.run
      if (run?.talk !== undefined && run.directory === run.talk.directory)
        return notice("Enter goes on with this session here", "info", now)
      if (run?.cli === undefined) return notice("Only the session of an agent CLI has a terminal to go to", "info", now)
      return only({ type: "session/terminal", path: run.directory })
    },
    "home/path": () => change({ typing: typingOf("home-path") }),
    "home/url": () => change({ typing: typingOf("home-url") }),
    "home/agent": () => change({ typing: typingOf("home-agent") }),
    "run/leave": () => only({ type: "run/leave" }),
  },
  typing: {
    "home-filter": {
      take: () => change({ typing: null }),
      changed: (_, { text }) => change({ home: { filter: text, selected: null } }),
    },
    "home-path": { take: (_, { text }) => typed(text, { type: "recording", path: text.trim() }) },
    "home-url": {
      take: (_, { text }) => typed(text, { type: "agent", url: urlOf(text.trim()), directory: null }),
    },
    "home-agent": {
      take: (_, { text }) => taken(text, { type: "sessions/list", command: text.trim() }),
    },
  },
  panes: { home: { scope: "home", move, measure: (_, place) => ({ page: homeShape(place, true).shown, lines: 0 }) } },
} satisfies Panel

/** Removes a run that was kept, once it was asked twice for the same. */
function forget(state: State, row: HomeRow | undefined, now: number): Plan {
  if (row === undefined) return nothing
  if (!row.key.startsWith(KEPT))
    return notice("Only runs that `run` has kept are removed. Nothing else on the disk is", "info", now)
  if (state.view.home.forgets === row.key)
    return both(change({ home: { forgets: null } }), only({ type: "run/forget", name: row.key }))
  return both(
    change({ home: { forgets: row.key } }),
    notice(`${keyOf(state.view, forgetKey)} again removes this run from the disk`, "warning", now),
  )
}

/** Carries out the typed line, which stays until that is done. An empty line does nothing. */
function taken(text: string, effect: Effect): Plan {
  return text.trim() === "" ? change({ typing: null }) : only(effect)
}

function typed(text: string, target: RunTarget): Plan {
  return taken(text, { type: "run/open", target })
}

/** A port alone, and a host without a path, are enough. */
function urlOf(text: string): string {
  if (/^\d{1,5}$/.test(text)) return `ws://127.0.0.1:${text}/ws`
  if (text.includes("://")) return text
  return text.includes("/") ? `ws://${text}` : `ws://${text}/ws`
}

function rowUnder(state: State, now: number): HomeRow | undefined {
  const list = listOf(state, now)
  return list === null ? undefined : homeRow(list, state.view.home)
}

function listOf({ home, view, zone }: State, now: number): HomeList | null {
  return home === null ? null : homeList(home, view.home, zone, now)
}

function move(state: State, by: Move, context: ViewContext): Plan {
  const rows = listOf(state, context.now)?.rows ?? []
  const row = rowUnder(state, context.now)
  const from = row === undefined ? 0 : (listOf(state, context.now)?.places.get(row.key)?.row ?? 0)
  const to = clamp(from + stepOf(by, from, { ...context, lines: rows.length }), 0, Math.max(0, rows.length - 1))
  return change({ home: { selected: rows[to]?.key ?? null, forgets: null } })
}
