// Decides what the keys of a hunt do: what is looked for where, and where a hit is read.
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { both, change, nothing, notice, type Plan } from "../../view/plan-result.ts"
import { type FoundText, promptOfHit, type SearchScope, sessionOfHit } from "../../view/search-results.ts"
import type { State } from "../../view/state.ts"
import type { Typing } from "../../view/view.ts"
import { openFile } from "../common/open-file.ts"
import { transcriptAt } from "../common/open-tab.ts"
import { frontOverlay, inFront } from "../common/overlays.ts"
import { typingOf } from "../common/typing.ts"
import type { SomeUpdates } from "../common/updates.ts"

export const searchUpdates = {
  "search/begin": () => change({ typing: typingOf("hunt", "") }),
  "search/widen": (state, _, { now }) => {
    const { searchResults: results } = state.view
    if (results === null) return nothing
    if (results.scope === "runs") return notice("All runs are searched already", "info", now)
    return begin(state, results.text, "runs")
  },
  "search/go": (state, _, { now }) => {
    const hit = state.view.searchResults?.hits[frontOverlay(state, "hunt")?.cursor ?? -1]
    return hit === undefined ? nothing : toHit(state, hit, now)
  },
} satisfies SomeUpdates

/** What was typed is looked for in the whole run; nothing brings back what was found last. */
export function takeSearchText(state: State, typing: Typing): Plan {
  const done = change({ typing: null })
  if (typing.text.trim() !== "") return both(done, begin(state, typing.text, "run"))
  return state.view.searchResults === null
    ? done
    : both(done, change({ overlays: inFront(state, { type: "hunt", cursor: 0 }) }))
}

/** The command that shows another run, for a POSIX shell. */
export function commandOf({ directory }: { readonly directory: string }): string {
  return `opentui-sidecar replay '${sanitizeLine(directory).replaceAll("'", "'\\''")}'`
}

function begin(state: State, text: string, scope: SearchScope): Plan {
  const hunt = { text, scope, hits: [], isOver: false, why: null }
  return {
    actions: [{ type: "view", change: { searchResults: hunt, overlays: inFront(state, { type: "hunt", cursor: 0 }) } }],
    effects: [{ type: "runs/search", text, scope }],
  }
}

/** A hit of this run is opened over the list, so that Esc leads back to it. */
function toHit(state: State, hit: FoundText, now: number): Plan {
  const { run, view } = state
  if (hit.run !== null) {
    const effect = {
      type: "clipboard/copy",
      what: "the command that opens that run",
      text: commandOf(hit.run),
    } as const
    return { actions: [], effects: [effect] }
  }
  const session = sessionOfHit(run, hit)
  const known = session === null ? undefined : run.sessions[session]
  if (known !== undefined && (hit.turn ?? 0) <= known.turns) {
    const inspector = { ...view.inspector, ...transcriptAt(known, hit.turn) }
    return change({ inspector, overlays: inFront(state, { type: "inspector" }) })
  }
  if (hit.sessionId !== null) return notice("Not begun at the moment that is shown", "info", now)
  const prompt = promptOfHit(run, hit)
  if (prompt !== null) return change({ overlays: inFront(state, { type: "prompt", key: prompt.key, top: 0 }) })
  if (hit.what !== "artifact") return notice(`No turn is known of it: ${hit.file}:${hit.line}`, "info", now)
  return openFile(state, { name: hit.file, title: hit.file }, Math.max(0, hit.line - 1))
}
