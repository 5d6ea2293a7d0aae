// Lists what can be done with a session. What cannot be had now stays listed and says why.
import { sessionById } from "../../run/identity/find-by-id.ts"
import type { SessionId } from "../../run/model/id.ts"
import type { State } from "../../view/state.ts"
import type { MenuItem } from "../common/list/list.ts"
import { rerunRefusal } from "../common/open-rerun.ts"
import { refusal } from "../common/send-op.ts"

export interface SessionAction extends MenuItem {
  readonly id: "transcript" | "breakpoint" | "rerun"
}

/** The actions of a session, in the order in which they are listed. */
export function menuOf(state: State, session: SessionId): readonly SessionAction[] {
  const known = sessionById(state.run, session)
  return [
    { id: "transcript", title: "Transcript", why: known === undefined ? "the session is gone" : null },
    { id: "breakpoint", title: "Break before the next model turn", why: refusal(state, "arm-llm-breakpoint") },
    { id: "rerun", title: "Re-run from here…", why: rerunRefusal(state, session) },
  ]
}
