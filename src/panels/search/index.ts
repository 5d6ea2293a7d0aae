// Searches the whole run, and lists the matches in the order in which they were found.
import { sanitizeLine, shellWord } from "../../../packages/wire/src/sanitize.ts"
import { at, firstIndexWhere } from "../../run/model/chunked-list.ts"
import { derived } from "../../run/model/derived.ts"
import type { Run } from "../../run/model/run.ts"
import type { Entry, Session } from "../../run/model/session.ts"
import { sessionName } from "../../run/select/figures.ts"
import { type Line, line, type RenderContext, span, wrapLines } from "../../ui/line.ts"
import { clip, clipStart, matchWords, pad, width } from "../../ui/text-width.ts"
import { folding, type OutlineReading, readingAt } from "../../view/block-reading.ts"
import type { SearchScope } from "../../view/effect.ts"
import { both, change, inFront, itemUnder, nothing, notice, only, openFile, type Plan } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import { typingOf } from "../../view/view.ts"
import { PLACES, search, searchRun } from "../common/keys.ts"
import { listLines, listOverlay } from "../common/list/list.ts"
import { openTranscript } from "../common/open-entry.ts"
import { bind, type KeyBinding, type Opener, type Panel, type Place, type Reading } from "../common/panel.ts"
import { type FoundText, MOST_FOUND, promptOfHit, searches, sessionOfHit } from "./search-results.ts"

const openers: readonly Opener[] = [{ from: PLACES, keys: [searchRun] }]

const keys: readonly KeyBinding[] = [
  bind("search/go", ["enter"], "go to the match, or copy the command that opens its run", "hit result", {
    hint: "go there",
    when: ({ view }: State) => hitsOf(view).length > 0,
  }),
  bind("search/widen", ["F"], "search all runs", "find everywhere other recordings", {
    hint: "all runs",
    when: ({ view }: State) => searches.of(view).last?.scope === "run",
  }),
  { ...search, hint: "new search", intent: () => ({ type: "search/begin" }) },
]

export const searchPanel = {
  keys: { group: "Find", openers },
  updates: {
    "search/begin": () => change({ typing: typingOf("run-search") }),
    "search/widen": (state, _, { now }) => {
      const { last: results } = searches.of(state.view)
      if (results === null) return nothing
      if (results.scope === "runs") return notice("Already searching all runs", "info", now)
      return begin(state, results.text, "runs")
    },
    "search/go": (state, _, { now }) => {
      const hit = itemUnder(state, "search-results", hitsOf(state.view))
      return hit === undefined ? nothing : toHit(state, hit, now)
    },
  },
  typing: {
    "run-search": {
      // An empty text brings the last results back.
      take(state, { text }) {
        const done = change({ typing: null })
        if (text.trim() !== "") return both(done, begin(state, text, "run"))
        return searches.of(state.view).last === null ? done : both(done, change({ overlays: withHits(state) }))
      },
    },
  },
  overlays: {
    "search-results": listOverlay({
      keys,
      title: searchTitle,
      length: ({ view }) => hitsOf(view).length,
      lines: hitLines,
      legend: footLines,
      reads: hitReading,
    }),
  },
} satisfies Panel

function hitsOf(view: State["view"]): readonly FoundText[] {
  return searches.of(view).last?.hits ?? []
}

function withHits(state: State) {
  return inFront(state, { type: "search-results", cursor: 0 })
}

function begin(state: State, text: string, scope: SearchScope): Plan {
  const last = { text, scope, hits: [], isOver: false, share: 0, why: null }
  const shown = change({ ...searches.put(state.view, { last }), overlays: withHits(state) })
  return both(shown, only({ type: "runs/search", text, scope }))
}

/** What the reader shows of a hit: its turn or its question; nothing of another run's. */
function hitReading(state: State, cursor: number): Reading | null {
  const { run } = state
  const hit = hitsOf(state.view)[cursor]
  if (hit === undefined || hit.run !== null) return null
  const session = run.sessions[sessionOfHit(run, hit) ?? -1]
  if (session !== undefined && (hit.turn ?? 0) <= session.turns) return { text: readingHit(state, session, hit) }
  const prompt = hit.sessionId === null ? promptOfHit(run, hit) : null
  return prompt === null ? null : { page: { type: "prompt", key: prompt.key, top: 0 } }
}

/** Reads from the block that holds the match, marks the match and unfolds its call; else reads from its turn. */
function readingHit({ view }: State, session: Session, { turn, what, excerpt, from, to }: FoundText): OutlineReading {
  const { entries } = session
  const words = excerpt.slice(from, to)
  const isTool = what.startsWith("tool")
  const isHit = (one?: Entry) => one?.type.startsWith("tool") === isTool && one.text.some(part => part.includes(words))
  let index = firstIndexWhere(entries, one => one.turn >= (turn ?? 0))
  while (at(entries, index)?.turn === turn && !isHit(at(entries, index))) index++
  const find = searches.of(view).last?.text ?? null
  const reading = readingAt({ find }, session, turn, index)
  return isTool ? { ...reading, folds: folding("none") } : reading
}

/** Opens a hit of this run beside the list, so that Esc leads back to it. */
function toHit(state: State, hit: FoundText, now: number): Plan {
  const { run } = state
  if (hit.run !== null) {
    const text = openCommand(hit.run.directory)
    return only({ type: "clipboard/copy", what: "the command that opens that run", text })
  }
  const index = sessionOfHit(run, hit) ?? -1
  const session = run.sessions[index]
  if (session !== undefined && (hit.turn ?? 0) <= session.turns) {
    return openTranscript(state, index, readingHit(state, session, hit))
  }
  if (hit.sessionId !== null) return notice("Not started yet at this point", "info", now)
  if (promptOfHit(run, hit) !== null) return change({ focus: "text" })
  const title = sanitizeLine(hit.file)
  if (hit.what !== "artifact") return notice(`Can't find its turn. See ${title}:${hit.line}`, "info", now)
  return openFile(state, hit.file, Math.max(0, hit.line - 1))
}

/** Columns of the longest name, turn and kind among the hits. */
const longest = derived<readonly [name: number, turn: number, kind: number]>()

const turnWords = (turn: number | null): string => (turn === null ? "" : `turn ${turn}`)

function hitLines({ view, present }: State, cursor: number, place: Place): readonly Line[] {
  const { last } = searches.of(view)
  if (last === null) return []
  const { hits, isOver } = last
  if (hits.length === 0) return [line(span(isOver ? "No matches" : "Searching", "dim"))]
  const { columns } = place
  const { ellipsis } = place.render.glyphs
  // In the narrowest place the text is worth more than its kind.
  const [longestName, longestTurn, longestKind] = longest([hits], () => [
    hits.reduce((most, hit) => Math.max(most, width(nameOf(present, hit))), 0),
    hits.reduce((most, { turn }) => Math.max(most, turnWords(turn).length), 0),
    hits.reduce((most, { what }) => Math.max(most, what.length), 0),
  ])
  const kindColumns = columns < 60 ? 0 : longestKind + 2
  const nameColumns = Math.min(longestName, Math.floor(columns * 0.3))
  const turnColumns = longestTurn + 2
  return listLines(hits, cursor, place, hit => {
    const { excerpt, from, to } = hit
    // The hit stands in the middle of what is left, so that it is never cut for the text before it.
    const room = Math.max(4, (columns - nameColumns - turnColumns - kindColumns - 4 - (to - from)) >> 1)
    return [
      span(pad(nameOf(present, hit), nameColumns, "left", ellipsis), "bright"),
      span(pad(turnWords(hit.turn), turnColumns, "right"), "dim"),
      span(`  ${pad(hit.what, kindColumns)}`, "dim"),
      span(clipStart(excerpt.slice(0, from), room, ellipsis)),
      span(excerpt.slice(from, to), "accent", { bold: true }),
      span(excerpt.slice(to)),
    ]
  })
}

/** Of this run, the name that its session has everywhere. */
function nameOf(present: Run, hit: FoundText): string {
  const { run, who, file } = hit
  if (run !== null) return `${run.title}/${who === "" ? sanitizeLine(file) : who}`
  const name = sessionName(present, sessionOfHit(present, hit) ?? -1)
  return name ?? (who === "" ? sanitizeLine(file) : who)
}

/** The place of a hit in a file or another run, the command that opens that run, and what can't be read. */
function footLines(state: State, { columns, render }: Place): readonly Line[] {
  const { last } = searches.of(state.view)
  const hit = itemUnder(state, "search-results", last?.hits ?? [])
  const why = wrapLines(last?.why ?? "", columns, "warn")
  if (hit === undefined || (hit.run === null && hit.what !== "artifact")) return why
  const opens = hit.run === null ? "" : `   Enter copies: ${openCommand(hit.run.directory)}`
  const place = `${sanitizeLine(hit.file)}:${hit.line}${opens}`
  return [line(span(clip(place, columns, render.glyphs.ellipsis), "dim")), ...why]
}

function openCommand(directory: string): string {
  return `opentui-sidecar replay ${shellWord(directory)}`
}

function searchTitle({ view }: State, { glyphs }: RenderContext): string {
  const { last } = searches.of(view)
  if (last === null) return "SEARCH"
  const { text, scope, hits, isOver, share } = last
  const found = `${hits.length >= MOST_FOUND ? "first " : ""}${matchWords(hits.length)}`
  const where = scope === "run" ? "this run" : "all runs"
  return `SEARCH  ${clip(text, 40, glyphs.ellipsis)} · ${where} · ${found}${isOver ? "" : ` · searching ${Math.floor(100 * share)}%`}`
}
