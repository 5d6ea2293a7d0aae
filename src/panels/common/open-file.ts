// Opens a file of the session directory to be read and searched.
import { both, change, type Plan } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import { inFront } from "./overlays.ts"

/** `title` is the name as it may be shown; `top` the line that is shown first. */
export function openFile(state: State, { name, title }: { name: string; title: string }, top = 0): Plan {
  return both(change({ overlays: inFront(state, { type: "file", name, top }) }), {
    actions: [],
    effects: [{ type: "directory/read", request: { read: "file", name, title } }],
  })
}
