// Decides what the keys of the agent's log do.
import { clamp, stepOf } from "../../view/cursor-step.ts"
import { AGENT_LOG } from "../../view/directory-files.ts"
import type { Move } from "../../view/intent.ts"
import { alter, type Plan } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import type { ViewContext } from "../../view/view-context.ts"
import { openFile } from "../common/overlays.ts"
import type { SomeUpdates } from "../common/updates.ts"

export const agentLogUpdates = {
  "agent-log/open": state => openFile(state, { name: AGENT_LOG, title: AGENT_LOG }),
} satisfies SomeUpdates

export function moveAgentLog({ view: { inspector } }: State, by: Move, context: ViewContext): Plan {
  if (by.unit === "follow") return alter(inspector, { logTop: null })
  const last = Math.max(0, context.lines - context.page)
  const from = Math.min(inspector.logTop ?? last, last)
  const to = clamp(from + stepOf(by, from, context), 0, last)
  return alter(inspector, { logTop: to === last && to >= from ? null : to })
}
