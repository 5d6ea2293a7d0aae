// Decides what the form of a re-run comes to: what is asked of the agent, what is edited, and what is sent.
import type { Op } from "../../protocol/command.ts"
import { sessionById } from "../../run/identity/find-by-id.ts"
import type { SessionId } from "../../run/model/id.ts"
import type { RerunIntent } from "../../view/intent.ts"
import { candidates } from "../../view/model-name.ts"
import { EFFECT_MS } from "../../view/pending-ops.ts"
import { both, change, nothing, notice, type Plan } from "../../view/plan-result.ts"
import { NOTICE_MS } from "../../view/reduce.ts"
import {
  capturedTurn,
  conversationOf,
  freshRerun,
  overridesOf,
  type RerunDraft,
  type RerunField,
  rerunFields,
  rerunText,
  turnNumbers,
  withText,
} from "../../view/rerun-draft.ts"
import type { State } from "../../view/state.ts"
import { send } from "../debugger/update.ts"
import { rerunRefusal } from "../menu/session-menu.ts"

/** Opens the form over `below`, with the edits that it was left with, and asks for what it is made of. */
export function openRerun(state: State, session: SessionId, now: number): Plan {
  const place = sessionById(state.run, session)?.capturePlace
  const invokeid = invokeidOf(state, session)
  if (place == null || invokeid === null) return nothing
  const opened = both(
    keep(state, draftAt(state, session)),
    change({ overlays: [...state.view.overlays.slice(0, -1), { type: "rerun", session }] }),
  )
  const { nodeId, visit } = place
  const conversation = send(state, { type: "request-conversation", invokeid, nodeId, visit }, now)
  // The second op waits beside the first, not in its place.
  const ops = [...state.view.ops, { op: "request-conversation", sentAt: now } as const]
  const catalog = send({ ...state, view: { ...state.view, ops } }, { type: "request-model-catalog" }, now)
  return both(opened, both(conversation, catalog))
}

export function planRerun(state: State, wish: RerunIntent, now: number): Plan {
  if (wish.type === "text") return edit(state, wish.session, wish.field, wish.text)
  const front = state.view.overlays.at(-1)
  if (front?.type !== "rerun" && front?.type !== "review") return nothing
  const draft = draftAt(state, front.session)
  switch (wish.type) {
    case "field":
      return nextField(state, draft, wish.step)
    case "pick":
      return pick(state, draft, wish.step)
    case "review":
      return review(state, draft, now)
    case "send":
      return front.type === "review" ? rerun(state, draft, now) : nothing
  }
}

/** The form of a session as it was left, or a fresh one. */
export function draftAt(state: State, session: SessionId): RerunDraft {
  return state.view.reruns.find(one => one.session === session) ?? freshRerun(session)
}

function keep(state: State, draft: RerunDraft): Plan {
  return change({ reruns: [...state.view.reruns.filter(one => one.session !== draft.session), draft] })
}

function edit(state: State, session: SessionId, field: RerunField, text: string): Plan {
  const draft = state.view.reruns.find(one => one.session === session)
  const captured = draft && capturedTurn(state.run, draft)
  if (draft === undefined || captured == null) return nothing
  const next = withText(captured.turn, draft, field, text)
  return next === draft ? nothing : keep(state, next)
}

function nextField(state: State, draft: RerunDraft, step: 1 | -1): Plan {
  const fields = rerunFields(capturedTurn(state.run, draft)?.turn ?? null)
  const at = Math.max(0, fields.indexOf(draft.field))
  return keep(state, { ...draft, field: fields[(at + step + fields.length) % fields.length] ?? "turn" })
}

/** The next turn, or the next model of the catalog; the other fields have nothing to pick from. */
function pick(state: State, draft: RerunDraft, step: 1 | -1): Plan {
  const captured = capturedTurn(state.run, draft)
  const conversation = conversationOf(state.run, draft.session)
  if (captured === null || conversation === null) return nothing
  if (draft.field === "turn") {
    const numbers = turnNumbers(conversation)
    const at = numbers.indexOf(captured.number) + step
    return keep(state, { ...draft, turn: numbers[Math.max(0, Math.min(at, numbers.length - 1))] ?? null })
  }
  if (draft.field !== "model") return nothing
  const names = candidates(state.run.catalog)
  const at = names.indexOf(rerunText(captured.turn, draft, "model"))
  const next = names[at < 0 ? (step === 1 ? 0 : names.length - 1) : (at + step + names.length) % names.length]
  return next === undefined ? nothing : keep(state, withText(captured.turn, draft, "model", next))
}

function review(state: State, draft: RerunDraft, now: number): Plan {
  const op = opOf(state, draft)
  if (typeof op === "string") return notice(`Not yet: ${op}`, "warning", now)
  return change({ overlays: [...state.view.overlays, { type: "review", session: draft.session, top: 0 }] })
}

/** Sends the re-run. The form stays with its edits until a branch starts. */
function rerun(state: State, draft: RerunDraft, now: number): Plan {
  const op = opOf(state, draft)
  if (typeof op === "string") return notice(`rerun-from not sent: ${op}`, "warning", now)
  const overlays = state.view.overlays.slice(0, -1)
  const sent = both(keep(state, { ...draft, sentAt: now, error: null }), change({ overlays }))
  const until = { actions: [], effects: [{ type: "wake", at: now + EFFECT_MS + NOTICE_MS } as const] }
  return both(both(sent, send(state, op, now)), until)
}

/** The op that the form asks for, or why it cannot be sent. */
function opOf(state: State, draft: RerunDraft): Op | string {
  const { run, view } = state
  const why = rerunRefusal(state, draft.session)
  if (why !== null) return why
  if (view.ops.some(({ op }) => op === "rerun-from")) return "a re-run is on its way already"
  const captured = capturedTurn(run, draft)
  if (captured === null) return "the conversation has not come yet"
  const session = sessionById(run, draft.session)
  const invokeid = invokeidOf(state, draft.session)
  if (session?.capturePlace == null || invokeid === null) return "the session is gone"
  const overrides = overridesOf(captured.turn, draft, run.catalog)
  if (typeof overrides === "string") return overrides
  const { nodeId, visit } = session.capturePlace
  return {
    type: "rerun-from",
    sessionId: session.sessionId,
    invokeid,
    nodeId,
    visit,
    turn: captured.number,
    overrides,
  }
}

function invokeidOf(state: State, session: SessionId): string | null {
  return state.run.invocations[sessionById(state.run, session)?.invocation ?? -1]?.invokeid ?? null
}
