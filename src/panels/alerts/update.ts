// Decides what the list of needs does: it opens at the next one, and leads to it.
import { promptByKey } from "../../run/identity/find-by-id.ts"
import type { PromptKey } from "../../run/model/id.ts"
import { turned } from "../../view/block-reading.ts"
import { change, nothing, notice, type Plan } from "../../view/plan-result.ts"
import { targetOf } from "../../view/select/live-rows.ts"
import { frontPrompt, isLive, type State } from "../../view/state.ts"
import type { View } from "../../view/view.ts"
import { frontOverlay, inFront } from "../common/overlays.ts"
import type { SomeUpdates } from "../common/updates.ts"
import { type Alert, alertsOf } from "./alerts.ts"

export const alertUpdates = {
  "alerts/next": (state, _, { now }) => nextAlert(state, now),
  "alerts/go": (state, _, { now }) => goToAlert(state, now),
} satisfies SomeUpdates

/** Opens the list with the cursor on what follows where the person went last; where it is open, goes there. */
function nextAlert(state: State, now: number): Plan {
  if (frontOverlay(state, "attention") !== null) return goToAlert(state, now)
  const all = alertsOf(state, now)
  const next = all[(all.findIndex(one => one.id === state.view.attended) + 1) % Math.max(1, all.length)]
  return change({ overlays: inFront(state, { type: "attention", cursor: next?.id ?? null }) })
}

/**
 * Goes to the need under the cursor: its prompt comes to the front, its session is selected, and the list closes. In a recording
 * the prompt is only read.
 */
function goToAlert(state: State, now: number): Plan {
  const overlay = frontOverlay(state, "attention")
  if (overlay === null) return nothing
  const all = alertsOf(state, now)
  const need = all[alertCursor(all, overlay.cursor)]
  if (need === undefined) return notice("Nothing needs you", "info", now)
  const { target } = need
  if (target.type === "prompt" && !isLive(state)) {
    const page = { type: "prompt", key: target.key, top: 0 } as const
    return change({ overlays: [...state.view.overlays, page], attended: need.id })
  }
  return change({ overlays: [], attended: need.id, ...placeOf(state, need) })
}

/** Where the cursor stands; at the oldest where what it stood on is settled. */
export function alertCursor(all: readonly Alert[], id: string | null): number {
  return Math.max(
    0,
    all.findIndex(one => one.id === id),
  )
}

function placeOf(state: State, { target }: Alert): Partial<View> {
  switch (target.type) {
    case "prompt":
      return { ...asker(state, target.key), prompt: target.key, promptHidden: false }
    case "session": {
      // A question in front would have the keys that read the session.
      const hidden = frontPrompt({ ...state, view: { ...state.view, overlays: [] } }) !== null
      return { ...selecting(state, target.session), focus: "text", ...(hidden ? { promptHidden: true } : {}) }
    }
    case "run":
      return { focus: "log", cursor: null }
  }
}

/** The session that a prompt's invokeid names last, since that one asks. */
function asker(state: State, key: PromptKey): Partial<View> {
  const { run } = state
  const invokeid = promptByKey(run, key)?.frame.invokeid
  const group = run.invocations.findLast(one => one.invokeid === invokeid && one.epoch === run.epochs.length - 1)
  const session = group?.sessions.at(-1)
  return session === undefined || invokeid === null ? {} : selecting(state, session)
}

/** The session is selected and follows its end; a group that hides it unfolds. */
function selecting({ run, view }: State, session: number): Partial<View> {
  const group = run.invocations[run.sessions[session]?.invocation ?? -1]?.id
  const folded = view.folded.filter(one => one !== group)
  return { selected: targetOf(run, session), pinned: true, text: turned(view.text), folded }
}
