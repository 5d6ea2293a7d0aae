// Opens the form of a re-run, or says why no turn can be run again.
import { shellWord } from "../../../packages/wire/src/sanitize.ts"
import { sessionById } from "../../run/identity/find-by-id.ts"
import type { SessionId } from "../../run/model/id.ts"
import type { Run } from "../../run/model/run.ts"
import type { Session } from "../../run/model/session.ts"
import type { RerunField } from "../../view/intent.ts"
import { both, change, nothing, type Plan } from "../../view/plan-result.ts"
import { createSlice } from "../../view/slice.ts"
import { isRecording, type State } from "../../view/state.ts"
import { awaiting, refusal, send } from "./send-op.ts"

/** The form of one session. Texts are null while they are as captured, so that a fresh capture shows through. */
export interface RerunDraft {
  readonly session: SessionId
  readonly field: RerunField
  /** Number of the turn; null for the latest. */
  readonly turn: number | null
  readonly model: string | null
  readonly temperature: string | null
  readonly system: string | null
  readonly messages: readonly (string | null)[]
  /** When it was sent, epoch ms, until the agent tells its result. */
  readonly sentAt: number | null
  readonly error: string | null
}

interface Reruns {
  /** The edits, one set for each session whose form was opened. */
  readonly drafts: readonly RerunDraft[]
  /** Id of the session of a branch of ours, until it is there and selected. */
  readonly branch: string | null
}

export const reruns = createSlice<Reruns>("reruns", { drafts: [], branch: null })

/** A form without edits. */
export function freshRerun(session: SessionId): RerunDraft {
  const untouched = { turn: null, model: null, temperature: null, system: null, messages: [] }
  return { ...untouched, session, field: "turn", sentAt: null, error: null }
}

/** Why no turn of a session can be run again now; null where one can. */
export function rerunRefusal(state: State, session: SessionId): string | null {
  const why = refusal(state, "rerun-from")
  if (why !== null) return isRecording(state) ? `${why}; to get one: ${agentCommand(state)}` : why
  const known = sessionById(state.run, session)
  if (known === undefined) return "the session is gone"
  if ((state.run.invocations[known.invocation]?.invokeid ?? null) === null) return "the session can't be re-run"
  if (known.capturePlace !== null || isOnlyOrigin(state.run, known)) return null
  return "its events name no capture, and other sessions have its name"
}

/** The command that starts the agent of a recorded run again; its chart's name is in no frame. */
function agentCommand({ directory }: State): string {
  const [, parent, id] = /^(.*)\/([^/]+)\/*$/.exec(directory?.path ?? "") ?? []
  const place =
    parent === undefined || id === undefined ? "" : ` --work-dir ${shellWord(parent)} --session ${shellWord(id)}`
  return `escapement run CHART${place} --resume --debug`
}

/** True if a conversation of the session's invokeid can be no other's: the other sessions are its branches. */
function isOnlyOrigin({ sessions, invocations, facts }: Run, { id, invocation }: Session): boolean {
  const siblings = invocations[invocation]?.sessions.flatMap(index => sessions[index] ?? []) ?? []
  return siblings.every(one => one.id === id || facts.branches.some(({ sessionId }) => sessionId === one.sessionId))
}

/** Opens the form over `below`, with the edits that it was left with, and asks for what it is made of. */
export function openRerun(state: State, session: SessionId, now: number): Plan {
  const invokeid = invokeidOf(state, session)
  if (invokeid === null) return nothing
  const opened = both(
    keepRerun(state, rerunDraftAt(state, session)),
    change({ overlays: [...state.view.overlays.slice(0, -1), { type: "rerun", session }] }),
  )
  const place = sessionById(state.run, session)?.capturePlace
  const at = place == null ? {} : { nodeId: place.nodeId, visit: place.visit }
  const conversation = send(state, { type: "request-conversation", invokeid, ...at }, now)
  const catalog = send(awaiting(state, "request-conversation", now), { type: "request-model-catalog" }, now)
  // The form says itself that it is loading.
  return both(both(conversation, catalog), both(opened, change({ notice: null })))
}

/** The form of a session as it was left, or a fresh one. */
export function rerunDraftAt(state: State, session: SessionId): RerunDraft {
  const known = reruns.of(state.view).drafts.find(one => one.session === session)
  return known ?? freshRerun(session)
}

/** Keeps what was changed in a form. */
export function keepRerun(state: State, draft: RerunDraft): Plan {
  const others = reruns.of(state.view).drafts.filter(one => one.session !== draft.session)
  return change(reruns.put(state.view, { drafts: [...others, draft] }))
}

/** The invokeid of a session; null where it is unknown. */
export function invokeidOf(state: State, session: SessionId): string | null {
  return state.run.invocations[sessionById(state.run, session)?.invocation ?? -1]?.invokeid ?? null
}
