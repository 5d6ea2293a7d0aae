// Lists what can be done with a session. What cannot be had now stays listed and says why.

import { sessionById } from "../../run/identity/find-by-id.ts"
import type { SessionId } from "../../run/model/id.ts"
import type { State } from "../../view/state.ts"
import { rerunRefusal } from "../common/open-rerun.ts"
import { refusal } from "../common/send-op.ts"

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
