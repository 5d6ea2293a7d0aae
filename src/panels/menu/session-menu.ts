// Lists what can be done with a session. What cannot be had now stays listed and says why.

import { sessionById } from "../../run/identity/find-by-id.ts"
import type { SessionId } from "../../run/model/id.ts"
import type { State } from "../../view/state.ts"
import { refusal } from "../debugger/update.ts"

export interface MenuItem {
  readonly id: "transcript" | "breakpoint" | "rerun"
  readonly title: string
  /** Why it cannot be had now; null where it can. */
  readonly why: string | null
}

/** The actions of a session, in the order in which they are listed. */
export function menuOf(state: State, session: SessionId): readonly MenuItem[] {
  const known = sessionById(state.run, session)
  return [
    { id: "transcript", title: "Transcript", why: known === undefined ? "the session is gone" : null },
    { id: "breakpoint", title: "Break before the next model turn", why: refusal(state, "arm-llm-breakpoint") },
    { id: "rerun", title: "Re-run from here…", why: rerunRefusal(state, session) },
  ]
}

/** Why no turn of a session can be run again now; null where one can. */
export function rerunRefusal(state: State, session: SessionId): string | null {
  const why = refusal(state, "arm-llm-breakpoint")
  if (why !== null) return why
  const known = sessionById(state.run, session)
  if (known === undefined) return "the session is gone"
  if ((state.run.invocations[known.invocation]?.invokeid ?? null) === null) return "the session has no invokeid"
  return known.capturePlace === null ? "where its turns are captured is not known yet" : null
}
