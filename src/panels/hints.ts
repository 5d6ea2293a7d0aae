import type { Binding } from "../keys/binding.ts"
import type { Scope } from "../keys/scope.ts"
import { TABS } from "../view/inspector.ts"
import { shownSession } from "../view/select/asker.ts"
import { answerable, frontPrompt, isLive, isOver, promptDraftOf, type State } from "../view/state.ts"
import { isPast } from "../view/time.ts"
import { asksForPerson, hasAlerts } from "./alerts/alerts.ts"
import { bindingOf } from "./keymap.ts"
import { foundOptions } from "./prompt/choice.ts"
import { scopeOf } from "./scope.ts"

/** The keys that make sense at `now` (epoch ms), most useful first; whoever shows them drops from the end. */
export function hints(state: State, now = state.run.lastTs ?? 0): readonly Binding[] {
  const ids = idsFor(state, now)
  const called = CALLED.includes(scopeOf(state)) && asksForPerson(state, now)
  return (called ? ["attention", ...ids] : ids).flatMap(id => bindingOf(id) ?? [])
}

/** Where a person is told that they are needed: where no question has the keys, and they are not there already. */
const CALLED: readonly Scope[] = [
  "panes",
  "past",
  "reader",
  "pager",
  "entry",
  "breakpoints",
  "filters",
  "bookmarks",
  "hunt",
  "watches",
  "branches",
  ...TABS,
]

function idsFor(state: State, now: number): readonly string[] {
  switch (scopeOf(state)) {
    case "text":
      return ["answer", "cancel", ...others(state), "hide-prompt", "behind-up", "edit"]
    case "choice":
      return [
        ...(isMulti(state) || findsOptions(state) ? ["answer"] : []),
        "cancel",
        ...(isMulti(state) && findsOptions(state) ? ["toggle"] : []),
        // While something is typed a digit is a letter like any other.
        ...(findsOptions(state) && !isSearched(state) ? ["pick-1"] : []),
        ...others(state),
        "hide-prompt",
        "behind-up",
      ]
    case "confirm":
      return ["answer", "cancel", "yes", "no", ...others(state), "hide-prompt", "behind-up"]
    case "reader":
      return ["close", "page-down", "page-up", ...(hasCards(state) ? ["fold-all"] : []), "follow", "help"]
    case "breakpoints":
      return state.view.breakpoints.list.length === 0
        ? ["breakpoint-add", "close", "help"]
        : [
            "breakpoint-add",
            "breakpoint-delete",
            "breakpoint-switch",
            "breakpoint-react",
            "watch-hits",
            "close",
            "down",
            "up",
            "help",
          ]
    case "bookmarks":
      return state.view.bookmarks.length === 0 ? ["close", "help"] : ["bookmark-go", "bookmark-delete", "close", "help"]
    case "branches":
      return ["branch-go", "branch-diff", "close", "down", "up", "help"]
    case "watches":
      return state.view.watches.list.length === 0
        ? ["watch-add", "close", "help"]
        : ["watch-go", "watch-add", "watch-delete", "close", "down", "up", "help"]
    case "hunt": {
      const { searchResults: hunt } = state.view
      const more = [...(hunt?.scope === "run" ? ["hunt-widen"] : []), "hunt-anew", "close", "help"]
      return hunt === null || hunt.hits.length === 0 ? more : ["hunt-go", ...more]
    }
    case "filters":
      return ["filter-add", "filter-edit", "filter-switch", "filter-delete", "close", "help"]
    case "attention":
      return hasAlerts(state, now) ? ["attend", "close", "down", "up", "help"] : ["close", "help"]
    case "condition":
      return ["condition-take", "condition-drop"]
    case "menu":
      return ["choose", "close", "down", "up"]
    case "form":
    case "form-line":
      return ["review", "leave", "next-field", "pick-next"]
    case "form-text":
      return ["review", "leave", "next-field"]
    case "review":
      return ["send", "close", "down", "page-down"]
    case "invocations": {
      const { length } = state.run.sessions
      return [...(length > 0 ? ["inspect-open"] : []), "next-tab", ...(length > 1 ? ["sort"] : []), "close", "help"]
    }
    case "transcript":
      return isSilent(state)
        ? ["next-tab", "close", "help"]
        : ["next-turn", "fold-block", "compare", "next-tab", "close", "search", "page-down", "follow", "help"]
    case "artifacts":
      return [
        ...((state.files.artifacts ?? []).length === 0 ? [] : ["inspect-open", "show-artifact"]),
        "next-tab",
        "close",
        "help",
      ]
    case "agent-log":
      return [
        ...((state.files.log ?? "") === "" ? [] : ["inspect-open"]),
        "next-tab",
        "close",
        ...((state.files.log ?? "") === "" ? [] : ["follow", "page-up"]),
        "help",
      ]
    case "waterfall":
      if (state.run.sessions.length === 0) return ["waterfall", "next-tab", "close", "help"]
      return [
        "inspect-open",
        "fall-in",
        "fall-left",
        "next-turn",
        "waterfall",
        "next-tab",
        "close",
        "fall-whole",
        "help",
      ]
    case "chart":
    case "status":
      return ["next-tab", "close", "down", "page-down", "help"]
    case "pager":
    case "entry":
      return state.view.overlays.some(one => "top" in one && one.find !== undefined)
        ? ["close", "next-hit", "previous-hit", "search", "page-down"]
        : ["close", "down", "page-down", "search", "wrap", "numbers"]
    case "line":
      return ["line-take", "line-drop"]
    case "past":
      return [
        ...(isPast(state) ? ["play", "frame-back", "frame-on"] : ["play", "frame-back"]),
        "goto",
        ...(isPast(state) ? ["follow"] : []),
        "open",
        "next-pane",
        ...(isLive(state) ? [] : ["quit"]),
        "help",
      ]
    case "panes": {
      const waiting = answerable(state).length > 0 ? ["show-prompt"] : []
      const gate = isLive(state) && !isOver(state.run) ? gateKeys(state) : []
      const leave = isOver(state.run) || !isLive(state) ? ["quit"] : []
      const { search, list } = state.view.filters
      const reading = state.view.focus === "log" || list.length > 0 ? ["search", "filters"] : []
      const asked = search === null ? gate : gate.filter(id => id !== "turn-next")
      return [...waiting, ...asked, "open", ...reading, "next-pane", "inspect", "maximize", ...leave, "help"]
    }
  }
}

/** True where the text in front tells of a tool's call. */
function hasCards(state: State): boolean {
  return (state.run.sessions[shownSession(state) ?? -1]?.repeat ?? null) !== null
}

/** True where the transcript in front has nothing to read yet. */
function isSilent({ run, view }: State): boolean {
  const index = view.inspector.session ?? -1
  const [session, stream] = [run.sessions[index], run.turnBuffers[index]]
  return session === undefined || stream === undefined || (session.entries.length === 0 && stream.deltas === 0)
}

function gateKeys(state: State): readonly string[] {
  const { debug } = state.run
  if (debug === null) return []
  if (debug.mode === "paused-at-turn") return ["turn-next", "turn-back", "continue"]
  return debug.paused ? ["step", "continue"] : ["pause"]
}

function isMulti(state: State): boolean {
  return frontPrompt(state)?.frame.type === "multi"
}

/** True where an option is left to be picked. */
function findsOptions(state: State): boolean {
  const prompt = frontPrompt(state)
  return prompt !== null && foundOptions(prompt, promptDraftOf(state.view, prompt)).length > 0
}

function isSearched(state: State): boolean {
  const prompt = frontPrompt(state)
  return prompt !== null && promptDraftOf(state.view, prompt).text !== ""
}

function others(state: State): readonly string[] {
  return answerable(state).length > 1 ? ["next-prompt"] : []
}

/** The key table for people: one line for each group of bindings that read alike. */
export function keyLines(bindings: readonly Binding[]): readonly { group: string; shown: string; title: string }[] {
  const lines = new Map<string, { group: string; shown: string; title: string }>()
  for (const { group, shown, title } of bindings) lines.set(`${group} ${shown} ${title}`, { group, shown, title })
  return [...lines.values()]
}
