// The transcript of a session, in the reader.
import { keyOf } from "../../keys/key-text.ts"
import { sessionById, sessionIndex, turnIdOf, turnNumber } from "../../run/identity/find-by-id.ts"
import type { TurnRef } from "../../run/model/id.ts"
import { sessionName } from "../../run/select/figures.ts"
import { isOpen } from "../../run/session-index.ts"
import {
  errorBlocks,
  findBlocks,
  foldBlocks,
  moveBlocks,
  toggleCard,
  turnBlocks,
} from "../../transcript/block-moves.ts"
import type { SessionOutline } from "../../transcript/session-outline.ts"
import { type Line, line, rowClick, span } from "../../ui/line.ts"
import { count, edgeWords, matchWords } from "../../ui/text-width.ts"
import type { Outline, OutlineReading } from "../../view/block-reading.ts"
import type { Direction } from "../../view/intent.ts"
import { both, change, noMore, nothing, notice, type Plan, type ViewContext } from "../../view/plan-result.ts"
import { sessionsToRecall } from "../../view/recalled-texts.ts"
import { readText, shownSession } from "../../view/select/shown-session.ts"
import { isAlone } from "../../view/select/stack.ts"
import { createSlice } from "../../view/slice.ts"
import type { State } from "../../view/state.ts"
import { turnInFront } from "../common/in-front.ts"
import { fold, PLACES, search } from "../common/keys.ts"
import { bind, type Finder, type FrontPanel, type KeyBinding, type Panel, type Place } from "../common/panel.ts"

/** The turn that another is to be compared with. */
export const comparing = createSlice<{ readonly marked: TurnRef | null }>("comparing", { marked: null })

export const foldText: KeyBinding = { ...fold, hint: "fold", when: hasText }
const compareTurns = bind("transcript/compare", ["="], "mark the turn; on another, compare the two", "diff difference")
export const compareText: KeyBinding = { ...compareTurns, hint: "compare", when: hasText }

function hasText(state: State): boolean {
  const index = shownSession(state) ?? -1
  const [session, turn] = [state.run.sessions[index], state.run.turnBuffers[index]]
  return session !== undefined && turn !== undefined && (session.entries.length > 0 || turn.deltas > 0)
}

const reader: FrontPanel = {
  scope: "pane-text",
  move: (state, by, context) => withOutline(state, context, outline => moveBlocks(readText(state), by, outline)),
  fold: (state, to, context) => withOutline(state, context, outline => foldBlocks(readText(state), to, outline)),
  jump(state, kind, step, context) {
    if (kind === "turn") return goOn(state, kind, turnBlocks, step, context)
    const { outline } = context
    const hasErrors = outline?.errorFrom(-1, 1) != null
    return kind === "error" && hasErrors ? goOn(state, kind, errorBlocks, step, context) : null
  },
  finder: blockFinder((state, { outline }) => ({
    reading: readText(state),
    outline,
    change: to => reading(state, to),
  })),
  measure(state, place) {
    const outline = outlineAt(state, place)
    return { page: place.rows, lines: outline.length, outline }
  },
}

export const transcriptPanel = {
  keys: { group: "Views", openers: [{ from: PLACES, keys: [compareTurns] }] },
  updates: {
    "transcript/fold": (state, { line }, context) =>
      withOutline(state, context, outline => toggleCard(readText(state), line, outline)),
    "transcript/compare": (state, _, context) => compare(state, context),
  },
  panes: { text: reader },
} satisfies Panel

type Change = Partial<OutlineReading>
type Find = typeof turnBlocks

function goOn(state: State, what: string, find: Find, step: Direction, { outline, now }: ViewContext): Plan {
  const to = outline === undefined ? null : find(readText(state), step, outline)
  return to === null ? noMore(what, step, now) : reading(state, to)
}

function withOutline(state: State, { outline }: ViewContext, make: (outline: Outline) => Change): Plan {
  return outline === undefined ? nothing : reading(state, make(outline))
}

/** Changes how the transcript in front is read. What a person reads stays selected, unless its end is followed. */
function reading(state: State, to: Change): Plan {
  return change({ reader: { text: { ...readText(state), ...to } }, ...(to.at !== null && { list: { pinned: true } }) })
}

/** The first press marks a turn, the second lays the marked one beside the turn under the cursor. */
function compare(state: State, context: ViewContext): Plan {
  const { run, view } = state
  const { now } = context
  const { marked } = comparing.of(view)
  const place = turnInFront(state, context)
  const session = run.sessions[place?.session ?? -1]
  if (place === null || session === undefined) return notice("No turn here to compare", "info", now)
  const { turn } = place
  const here = { session: session.id, turn: turnIdOf(session, turn) }
  if (marked === null || sessionIndex(run, marked.session) === null) {
    return both(
      change(comparing.put(view, { marked: here })),
      notice(`Turn ${turn} marked. ${keyOf(view, compareTurns)} on another turn compares`, "info", now),
    )
  }
  const done = comparing.put(view, { marked: null })
  if (marked.session === session.id && turnNumber(session, marked.turn) === turn) {
    return both(change(done), notice(`Turn ${turn} unmarked`, "info", now))
  }
  return change({
    ...done,
    overlays: [...view.overlays, { type: "turn-diff", before: marked, after: here, top: 0 }],
  })
}

/** The outline of the transcript that is read, laid out for its place. */
function outlineAt(state: State, { outline, columns, rows, render }: Place) {
  outline.update(state, readText(state), { columns, rows }, render)
  return outline
}

/** The lines in its place; those of a pane without focus show no cursor. */
export function transcriptLines(state: State, place: Place, hasFocus: boolean): readonly Line[] {
  const outline = outlineAt(state, place)
  const { session, at } = readText(state)
  if (outline.length > 0) {
    const lines = outline.window(hasFocus ? at : null)
    return lines.map((one, i): Line => {
      const row = outline.top + i
      const isHeading = outline.isHeading(row)
      const click = isHeading
        ? ({ type: "transcript/fold", line: row } as const)
        : rowClick(row, one.selected === true, "text")
      return { ...one, click }
    })
  }
  if (session === null) return [line(span(noSession(state), "dim"))]
  const status = state.run.turnBuffers[sessionIndex(state.run, session) ?? -1]?.turn.status
  return [line(span(status === "waiting" ? "Waiting for the first token" : "No messages", "dim"))]
}

function noSession({ run, view }: State): string {
  if (view.reader.text.session !== null) return "Not started yet at this point"
  return run.sessions.length === 0 ? "No session to read yet" : "Select a session to read it"
}

/** The session's name, and the text that is sought in its transcript. */
export function transcriptTitle(state: State, place: Place): string {
  const outline = outlineAt(state, place)
  const { run } = state
  const reading = readText(state)
  const index = sessionIndex(run, reading.session)
  if (index === null) return "READER"
  const disk = sessionsToRecall(state).length > 0 ? " · reading from disk" : ""
  // The head of a session that is alone tells its name.
  const name = isAlone(state.present, state.view) ? (run.turnBuffers[index]?.turn.model ?? "") : sessionName(run, index)
  return `${name}${disk}${foundWords(outline, reading)}`.replace(/^ · /, "")
}

/** The turn that is read, and the place in its text. */
export function transcriptEdge(state: State, place: Place): string | undefined {
  const outline = outlineAt(state, place)
  const { session: id, at } = readText(state)
  const session = sessionById(state.run, id)
  if (session === undefined) return undefined
  const turn = outline.turnAt(at === null ? outline.length - 1 : outline.lineOf(at))
  const isFollowing = at === null && isOpen(state.run.turnBuffers[sessionIndex(state.run, id) ?? -1])
  const where = isFollowing ? "following" : edgeWords(outline)
  const words = [session.turns > 1 && `turn ${turn} of ${session.turns}`, where].filter(Boolean)
  return words.length === 0 ? undefined : words.join(" · ")
}

/** The transcript in front: how it is read, how it lies, and the plan that changes how it is read. */
interface SearchedTranscript {
  readonly reading: OutlineReading
  readonly outline: Outline | undefined
  change(reading: Partial<OutlineReading>): Plan
}

function blockFinder(transcriptOf: (state: State, context: ViewContext) => SearchedTranscript): Finder {
  return {
    take: (state, text, context) => planFind(transcriptOf(state, context), text, 1, context.now),
    step(state, step, context) {
      const transcript = transcriptOf(state, context)
      const { find } = transcript.reading
      if (find === null) return notice(`No search yet. ${keyOf(state.view, search)} starts one`, "info", context.now)
      return planFind(transcript, find, step, context.now)
    },
  }
}

function planFind({ reading, outline, change }: SearchedTranscript, find: string, step: Direction, now: number): Plan {
  if (find === "") return change({ find: null })
  const to = outline === undefined ? null : findBlocks(reading, find, step, outline)
  if (to !== null) return change({ ...to, find })
  const isSearching = outline?.isSearching === true
  const words = isSearching ? `Still searching for ${find}. n goes on` : `No match for ${find}`
  return both(change({ find }), notice(words, isSearching ? "info" : "warning", now))
}

/** What is searched for, and which match a line is, for a title; empty without a search. */
function foundWords(outline: SessionOutline, { find, at }: OutlineReading): string {
  if (find === null) return ""
  const { nth, count: all } = outline.foundAt(find, at === null ? outline.length - 1 : outline.lineOf(at))
  if (all === 0) return ` · /${find} ${outline.isSearching ? "searching…" : "not found"}`
  const more = outline.isSearching ? "…" : ""
  return ` · /${find} ${nth === null ? matchWords(all) : `${count(nth)} of ${count(all)}`}${more}`
}
