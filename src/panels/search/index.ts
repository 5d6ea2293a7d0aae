// Searches the whole run, and lists the matches in the order in which they were found.
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { both, change, nothing, notice, only, type Plan } from "../../view/plan-result.ts"
import { type FoundText, promptOfHit, type SearchScope, sessionOfHit } from "../../view/search-results.ts"
import type { State } from "../../view/state.ts"
import { typingOf } from "../../view/view.ts"
import { close, help } from "../common/keys.ts"
import { listOverlay } from "../common/list/list.ts"
import { transcriptAt } from "../common/open-tab.ts"
import { inFront, itemUnder, openFile } from "../common/overlays.ts"
import type { Panel } from "../common/panel.ts"
import type { Opener, OwnScope } from "../common/panel-keys.ts"
import { openCommand, searchLines, searchTitle } from "./lines.ts"

const openers: readonly Opener[] = [
  {
    from: ["panes", "reader", "page", "entry", "bookmarks", "tab"],
    keys: [
      {
        id: "search/begin",
        keys: ["F"],
        title: "search the whole run, its captures and artifacts",
        words: "find text everywhere full",
      },
    ],
  },
]

const scope: OwnScope = {
  id: "search-results",
  kind: "list",
  keys: [
    {
      id: "search/go",
      keys: ["enter"],
      title: "go to the match, or copy the command that opens its run",
      words: "open hit result",
      hint: "go there",
      when: ({ view }: State) => (view.searchResults?.hits.length ?? 0) > 0,
    },
    {
      id: "search/widen",
      keys: ["F"],
      title: "search all runs",
      words: "find everywhere other recordings",
      hint: "all runs",
      when: ({ view }: State) => view.searchResults?.scope === "run",
    },
    {
      id: "search/again",
      keys: ["/"],
      title: "search for something else",
      words: "find search again",
      hint: "new search",
      intent: () => ({ type: "search/begin" }),
    },
    close,
    help,
  ],
}

export const searchPanel = {
  keys: { group: "Find", openers, scopes: [scope] },
  updates: {
    "search/begin": () => change({ typing: typingOf("run-search") }),
    "search/widen": (state, _, { now }) => {
      const { searchResults: results } = state.view
      if (results === null) return nothing
      if (results.scope === "runs") return notice("Already searching all runs", "info", now)
      return begin(state, results.text, "runs")
    },
    "search/go": (state, _, { now }) => {
      const hit = itemUnder(state, "search-results", state.view.searchResults?.hits ?? [])
      return hit === undefined ? nothing : toHit(state, hit, now)
    },
  },
  typing: {
    "run-search": {
      // An empty text brings the last results back.
      take(state, { text }) {
        const done = change({ typing: null })
        if (text.trim() !== "") return both(done, begin(state, text, "run"))
        return state.view.searchResults === null ? done : both(done, change({ overlays: withHits(state) }))
      },
    },
  },
  overlays: {
    "search-results": listOverlay({
      title: searchTitle,
      length: ({ view }) => view.searchResults?.hits.length ?? 0,
      lines: searchLines,
    }),
  },
} satisfies Panel

function withHits(state: State) {
  return inFront(state, { type: "search-results", cursor: 0 })
}

function begin(state: State, text: string, scope: SearchScope): Plan {
  const searchResults = { text, scope, hits: [], isOver: false, why: null }
  const shown = change({ searchResults, overlays: withHits(state) })
  return both(shown, only({ type: "runs/search", text, scope }))
}

/** Opens a hit of this run over the list, so that Esc leads back to it. */
function toHit(state: State, hit: FoundText, now: number): Plan {
  const { run, view } = state
  if (hit.run !== null) {
    const text = openCommand(hit.run.directory)
    return only({ type: "clipboard/copy", what: "the command that opens that run", text })
  }
  const session = run.sessions[sessionOfHit(run, hit) ?? -1]
  if (session !== undefined && (hit.turn ?? 0) <= session.turns) {
    const inspector = { ...view.inspector, ...transcriptAt(session, hit.turn) }
    return change({ inspector, overlays: inFront(state, { type: "inspector" }) })
  }
  if (hit.sessionId !== null) return notice("Not started yet at this point", "info", now)
  const prompt = promptOfHit(run, hit)
  if (prompt !== null) return change({ overlays: inFront(state, { type: "prompt", key: prompt.key, top: 0 }) })
  const title = sanitizeLine(hit.file)
  if (hit.what !== "artifact") return notice(`Can't find its turn. See ${title}:${hit.line}`, "info", now)
  return openFile(state, { name: hit.file, title }, Math.max(0, hit.line - 1))
}
