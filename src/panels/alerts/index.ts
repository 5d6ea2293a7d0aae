// The list of what needs a person: questions first, then what failed, then the others.
import { promptByKey } from "../../run/identity/find-by-id.ts"
import { at, firstIndexWhere } from "../../run/model/chunked-list.ts"
import type { PromptKey } from "../../run/model/id.ts"
import type { Row, Run } from "../../run/model/run.ts"
import type { Session } from "../../run/model/session.ts"
import { missingFrames } from "../../run/select/figures.ts"
import { type ColorToken, type Line, type RenderContext, span, wrapLines } from "../../ui/line.ts"
import { clip, count, counted, duration, pad, width } from "../../ui/text-width.ts"
import { type OutlineReading, readingAt } from "../../view/block-reading.ts"
import { change, frontOverlay, inFront, nothing, notice, type Plan, replacing } from "../../view/plan-result.ts"
import { cursorOn } from "../../view/select/log-rows.ts"
import { overlayInFront } from "../../view/select/stack.ts"
import { isLive, isOver, type State } from "../../view/state.ts"
import type { Overlay, ViewChange } from "../../view/view.ts"
import { close, DELETE, down, up } from "../common/keys.ts"
import { keyedListOverlay, listLines } from "../common/list/list.ts"
import { entryOf, latestReading, selecting } from "../common/open-entry.ts"
import { openWhy } from "../common/open-why.ts"
import { bind, type KeyBinding, type Opener, type Panel, type Place, type Reading } from "../common/panel.ts"
import { type Alert, alertRows, alertsOf, asksForPerson, hasAlerts, needs } from "./alerts.ts"

const alerts = bind(
  "alerts/next",
  ["!"],
  "show what needs you; again goes to the next",
  "alerts attention problems waiting stuck",
)

/** Whether the footer says so: not while the answer or the list is in front. Of a run that is over errors tell it. */
const openers: readonly Opener[] = [
  {
    from: ["panes", "past", "page", "entry", "list", "view"],
    first: true,
    keys: [
      {
        ...alerts,
        hint: ({ present }) => (isOver(present) ? "went wrong" : "needs you"),
        when: (state, now) => asksForPerson(state, now) || (isOver(state.present) && state.present.log.errors > 0),
      },
    ],
  },
]

const keys: readonly KeyBinding[] = [
  bind("alerts/go", ["enter"], "go to the selected alert", "open jump", { hint: "go there", when: hasAlerts }),
  bind("alerts/why", ["v"], "show what led to the selected alert", "why cause reason", {
    hint: "why",
    when: hasAlerts,
  }),
  { id: "alerts/aside", ...DELETE, hint: "put aside", when: hasAlerts },
  close,
  { ...down, when: hasAlerts },
  { ...up, when: hasAlerts },
  alerts,
]

export const alertsPanel = {
  keys: { group: "Panes", openers },
  updates: {
    "alerts/next": (state, _, { now }) => nextAlert(state, now),
    "alerts/go": (state, _, { now }) => goToAlert(state, now),
    "alerts/why": (state, _, { now }) => whyAlert(state, now),
    "alerts/aside": (state, _, { now }) => putAside(state, now),
  },
  overlays: {
    alerts: keyedListOverlay({
      keys,
      title: alertTitle,
      length: (state, _, now) => alertRows(state, now).length,
      lines: alertLines,
      // The cursor stays on its alert while others come and go.
      cursorOf: (state, { cursor }, now) => alertCursor(alertRows(state, now), cursor),
      reads: alertReading,
      moved: (state, overlay, cursor, now) => ({
        overlays: replacing(state, { ...overlay, cursor: alertRows(state, now)[cursor]?.id ?? null }),
      }),
    }),
  },
} satisfies Panel

/** Opens the list with the cursor on what follows where the person went last; where it is open, goes there. */
function nextAlert(state: State, now: number): Plan {
  if (overlayInFront(state.view)?.type === "alerts") return goToAlert(state, now)
  const all = alertRows(state, now)
  const next = all[(all.findIndex(one => one.id === needs.of(state.view).attended) + 1) % Math.max(1, all.length)]
  return change({ overlays: inFront(state, { type: "alerts", cursor: next?.id ?? null }), focus: "live" })
}

/** Goes to the alert under the cursor: to read it beside the list, or to its question; a recording's is only read. */
function goToAlert(state: State, now: number): Plan {
  const overlay = frontOverlay(state, "alerts")
  if (overlay === null) return nothing
  const all = alertRows(state, now)
  const alert = all[alertCursor(all, overlay.cursor)]
  if (alert === undefined) return notice(nothingWords(state), "info", now)
  const { target, members } = alert
  if (members !== undefined) {
    const opened: Overlay = { ...overlay, cursor: members[0]?.id ?? null, opened: true }
    return change({ overlays: state.view.overlays.map(one => (one === overlay ? opened : one)) })
  }
  const attended = needs.put(state.view, { attended: alert.id })
  if (target.type === "prompt" && isLive(state)) {
    const asked = { questions: { prompt: target.key, promptHidden: false }, focus: "live" } as const
    return change({ overlays: [], ...attended, ...asker(state, target.key), ...asked })
  }
  if (target.type !== "run") return change({ ...attended, focus: "text" })
  const row = target.frame === null ? null : rowAt(state.present, target.frame)
  const there = row === null ? { log: { cursor: null } } : cursorOn(state, row)
  return change({ overlays: [], ...attended, focus: "log", ...there })
}

/** What the reader shows of an alert: the turn that it is about, its question, or its row of the log. */
function alertReading(state: State, cursor: number, now: number): Reading | null {
  const target = alertRows(state, now)[cursor]?.target
  if (target?.type === "prompt") return { page: { type: "prompt", key: target.key, top: 0 } }
  if (target?.type === "run") {
    const row = rowAt(state.present, target.frame)
    return row === null ? null : { page: entryOf(state, row) }
  }
  return target === undefined ? null : { text: sessionReading(state, target) }
}

/** Where a session is read that an alert is about. */
function sessionReading({ run, view }: State, { session: index, turn, line }: SessionTarget): OutlineReading {
  const session = run.sessions[index]
  if (turn === null || session === undefined) return latestReading(run, view.reader.text, index)
  return readingAt(view.reader.text, session, turn, line === null ? null : entryOfLine(session, turn, line))
}

/** The index of the turn's entry that a line of the recording made, or of the one behind the turn. Costs the turn. */
function entryOfLine({ entries }: Session, turn: number, line: number): number {
  let index = firstIndexWhere(entries, entry => entry.turn >= turn)
  while (at(entries, index)?.turn === turn && at(entries, index)?.line !== line) index++
  return index
}

/** What led to the alert under the cursor: to its session's turn, or to the log row where the run got there. */
function whyAlert(state: State, now: number): Plan {
  const overlay = frontOverlay(state, "alerts")
  const all = alertRows(state, now)
  const target = all[alertCursor(all, overlay?.cursor ?? null)]?.target
  if (target === undefined) return notice(nothingWords(state), "info", now)
  const { sessions } = state.present
  if (target.type === "session")
    return openWhy(
      state,
      { session: target.session, turn: target.turn ?? sessions[target.session]?.turns ?? 0 },
      null,
      now,
    )
  return openWhy(state, null, target.type === "run" ? rowAt(state.present, target.frame) : null, now)
}

/** The log row of a frame, or the last one before it; null is the end. */
function rowAt({ log: { rows } }: Run, frame: number | null): Row | null {
  const end = frame === null ? rows.length : firstIndexWhere(rows, row => row.frame > frame)
  return at(rows, end - 1) ?? null
}

/** Takes the alert under the cursor off the list; the next one has the cursor. */
function putAside(state: State, now: number): Plan {
  const overlay = frontOverlay(state, "alerts")
  const all = alertRows(state, now)
  const row = alertCursor(all, overlay?.cursor ?? null)
  const alert = all[row]
  if (overlay === null || alert === undefined) return notice(nothingWords(state), "info", now)
  if (alert.what === "prompt") return notice("A question is answered or cancelled, not put aside", "info", now)
  const cursor = (all[row + 1] ?? all[row - 1])?.id ?? null
  const gone = (alert.members ?? [alert]).map(({ id }) => id)
  const aside = needs.put(state.view, { aside: [...needs.of(state.view).aside, ...gone] })
  return change({ ...aside, overlays: inFront(state, { ...overlay, cursor }) })
}

/** The row of the cursor: the first alert if its own is settled. */
function alertCursor(all: readonly Alert[], id: string | null): number {
  const row = all.findIndex(one => one.id === id)
  return Math.max(0, row)
}

/** The session that a prompt's invokeid names last, since that one asks. */
function asker(state: State, key: PromptKey): ViewChange {
  const { run } = state
  const invokeid = promptByKey(run, key)?.asker
  const group = run.invocations.findLast(one => one.invokeid === invokeid && one.epoch === run.epochs.length - 1)
  const session = group?.sessions.at(-1)
  return session === undefined || invokeid === null ? {} : selecting(state, session)
}

type SessionTarget = Extract<Alert["target"], { readonly type: "session" }>

/** One line for each alert: what it is, for how long, who, and why. */
function alertLines(state: State, cursor: number, place: Place): readonly Line[] {
  const { columns, render } = place
  const all = alertRows(state, render.now)
  if (all.length === 0) return wrapLines(nothingWords(state), columns, "dim")
  const ageOf = ({ since }: Alert) => (since === null ? "" : duration(Math.max(0, render.now - since)))
  const ageColumns = Math.max(6, ...all.map(one => width(ageOf(one))))
  const most = columns >= 90 ? 22 : columns >= 50 ? 18 : 12
  const whoColumns = Math.min(most, 2 + Math.max(...all.map(({ who }) => width(who))))
  return listLines(all, cursor, place, (one, here) => {
    return [
      span(`${markOf(one, render)} `, tokenOf(one)),
      span(`${pad(ageOf(one), ageColumns, "right")}  `, "dim"),
      span(pad(clip(one.who, whoColumns - 1, render.glyphs.ellipsis), whoColumns), "bright"),
      span(one.why, tokenOf(one), { bold: here }),
    ]
  })
}

function markOf({ what }: Alert, { glyphs }: RenderContext): string {
  if (what === "prompt") return glyphs.asks
  if (what === "error") return glyphs.error
  return what === "silence" ? glyphs.status.waiting : glyphs.warning
}

function tokenOf({ what }: Alert): ColorToken {
  return what === "error" ? "error" : "warn"
}

function nothingWords({ run }: State): string {
  const { errors } = run.log
  const missing = missingFrames(run)
  // A missing frame may have told anything.
  const known = missing === 0 ? "" : ` in what arrived: ${counted(missing, "frame")} missing`
  if (!isOver(run)) return `Nothing needs you${known}`
  // A failed tool that was called again is no finding.
  return errors === 0 ? `Nothing went wrong${known}` : `No session failed${known}; E shows ${counted(errors, "error")}`
}

function alertTitle(state: State, { now }: RenderContext): string {
  const { length } = alertsOf(state, now)
  const what = isOver(state.run) ? "WENT WRONG" : "NEEDS YOU"
  return length === 0 ? what : `${what}  ${count(length)}`
}
