// Tests that selections, folds and reading places stay with their rows when rows from disk come in.
import { expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { rerunDraftAt, reruns } from "../../src/panels/common/open-rerun.ts"
import { liveRows } from "../../src/panels/common/session-rows.ts"
import { plan } from "../../src/panels/plan.ts"
import { comparing } from "../../src/panels/transcript/index.ts"
import { noMarkers } from "../../src/query/timeline-markers.ts"
import { sessionIndex, turnPlace } from "../../src/run/identity/find-by-id.ts"
import { assembled, type Packed } from "../../src/run/model/chunked-list.ts"
import type { TurnRef } from "../../src/run/model/id.ts"
import { emptyRun, type Row, type Run } from "../../src/run/model/run.ts"
import type { Session } from "../../src/run/model/session.ts"
import { turnParts } from "../../src/run/select/turn-parts.ts"
import { SessionOutline } from "../../src/transcript/session-outline.ts"
import { unicode } from "../../src/ui/glyphs.ts"
import { lineText } from "../../src/ui/mark-hits.ts"
import { type Anchor, foldBlock, startAnchor, turnAnchor, unread } from "../../src/view/block-reading.ts"
import { bookmarkOf, indexOfBookmark } from "../../src/view/bookmark.ts"
import type { Intent } from "../../src/view/intent.ts"
import { reduce } from "../../src/view/reduce.ts"
import { cursorIndex } from "../../src/view/select/log-rows.ts"
import { readText, sessionOf, shownSession } from "../../src/view/select/shown-session.ts"
import { emptyState, promptDraftOf, type StoreState } from "../../src/view/state.ts"
import { shownState } from "../../src/view/store.ts"
import { changed, emptyView } from "../../src/view/view.ts"
import { deepFreeze } from "../freeze.ts"
import { attach, delta, event, idAt, line, rowsOf, tell } from "../run/lines.ts"

const link = { state: "open", url: "ws://127.0.0.1:1/ws", since: 0 } as const
const disk = (rows: number, more: object = {}) =>
  line({ kind: "sidecar", at: null, what: "disk", rows, absent: 0, approximate: false, ...more })
const start = (seq: number, invokeid: string, id: string) =>
  event(seq, "llm/start", { invokeid, "session-id": id, model: "m" })
const said = (seq: number, id: string, text: string) =>
  event(seq, "llm/response", { invokeid: "g", "session-id": id, content: [{ type: "text", text }] })

/** What the agent sent: two sessions of one group, of which the first has two turns. */
const live = [
  start(5, "g", "s"),
  event(6, "llm/request", { invokeid: "g", "session-id": "s", "io/ref": "nodes/n/0/turns/0/request.edn" }),
  said(7, "s", "one"),
  start(8, "g", "s"),
  said(9, "s", "two"),
  start(10, "g", "t"),
  event(11, "llm/error", { invokeid: "g", "session-id": "t", message: "no" }),
]
/** What it lost before that: another group, and the first turn of the session. */
const lost = [start(1, "z", "q"), start(2, "z", "r"), start(3, "g", "s"), said(4, "s", "nought")]
/** A run that only the disk has, with the same ids. */
const earlier = [start(1, "g", "s"), said(2, "s", "of old"), start(3, "g", "t"), start(4, "g", "u")]

const before = tell([attach, ...live])
const filled = tell([disk(lost.length), ...lost, attach, ...live])
const behindAnother = tell([
  disk(earlier.length, { earlier: 1 }),
  ...earlier,
  line({ kind: "sidecar", at: null, what: "disk", epoch: true }),
  disk(lost.length),
  ...lost,
  attach,
  ...live,
])

const CONTEXT = { glyphs: unicode, now: 0, motion: false }

/** The state after these intents, each decided on the one before. */
function after(intents: readonly Intent[], from: StoreState): StoreState {
  const outline = new SessionOutline()
  return intents.reduce((state, intent) => {
    const shown = shownState(state)
    outline.update(shown, readText(shown), { columns: 80, rows: 20 }, CONTEXT)
    const { actions } = plan(shown, intent, { now: 10_000, page: 20, lines: 0, outline })
    return actions.reduce((one, action) => deepFreeze(reduce(one, action)), state)
  }, from)
}

const opened: StoreState = deepFreeze({ ...emptyState(link), run: before })

/** The state once its run was folded again to this one. */
const refilledWith = (state: StoreState, run: Run): StoreState =>
  deepFreeze(reduce(state, { type: "refilled", run, shown: null, marks: noMarkers }))

/** What a person did, looked at after the run was folded again: with what was lost, and behind an earlier run too. */
function refilled(...intents: readonly Intent[]): readonly StoreState[] {
  const state = after(intents, opened)
  return [filled, behindAnother].map(run => refilledWith(state, run))
}

const select = (index: number): Intent[] => [
  { type: "cursor/move", by: { unit: "first" } },
  { type: "cursor/move", by: { unit: "row", count: index + 1 } },
]

/** A session of the epoch that is under way. */
function current(run: Run, index: number | null): Session["sessionId"] | null {
  const session = run.sessions[index ?? -1]
  return session?.epoch === run.epochs.length - 1 ? session.sessionId : null
}

/** What a person sees of a state, by names that stay: ids and places may change. */
function seen(state: StoreState): string {
  const shown = shownState(state)
  const { run, view } = state
  const { selected } = view.list
  const name = (index: number | null) => current(run, index) ?? "another"
  const group = selected?.type === "group" && run.invocations.find(({ id }) => id === selected.invocation)?.invokeid
  const folded = run.invocations.filter(({ id }) => view.list.folded.includes(id)).map(({ invokeid }) => invokeid)
  const { length } = liveRows(shown, 40).rows
  const reply = (turn: TurnRef) => turnParts(state, turnPlace(run, turn)).reply
  const { marked } = comparing.of(view)
  const front = view.overlays.at(-1)
  const row = rowsOf(run)[cursorIndex(shown) ?? -1]
  const marks = view.log.bookmarks.map(mark => {
    const at = rowsOf(run)[indexOfBookmark(run, mark) ?? -1]
    const isLast = at?.epoch === run.epochs.length - 1
    return `${at?.seq} ${isLast} ${at === undefined ? "" : bookmarkOf(run, view.log.bookmarks, at)?.note}`
  })
  return [
    `selected ${group || name(sessionOf(run, selected))}, read ${name(shownSession(shown))}, ${length} rows, folded ${folded}`,
    `marked ${marked === null ? "nothing" : reply(marked)}, bookmarks ${marks}`,
    front?.type === "turn-diff" ? `compares ${reply(front.before)} with ${reply(front.after)}` : `front ${front?.type}`,
    front?.type === "rerun" &&
      `re-run ${name(sessionIndex(run, front.session))}: ${rerunDraftAt(shown, front.session).system}`,
    `cursor ${row?.seq} ${row?.what.kind} of ${row?.epoch === run.epochs.length - 1 ? "this run" : "another"}`,
  ]
    .filter(Boolean)
    .join("; ")
}

const first: Intent = { type: "cursor/move", by: { unit: "first" } }
const compare: Intent = { type: "transcript/compare" }
const opens: Intent = { type: "cursor/open" }
const toLog: Intent = { type: "pane/next", step: -1 }
/** To the log, and there so far below its first row. */
const toRow = (count: number): Intent[] => [toLog, first, { type: "cursor/move", by: { unit: "row", count } }]
const text = (words: string): Intent[] => [{ type: "typing/text", text: words }, { type: "typing/take" }]

const ACTS: { readonly [what: string]: readonly Intent[] } = {
  "a session is selected": select(1),
  "a group is folded": [first, { type: "cursor/fold", to: "fold" }],
  "a turn is marked": [...select(0), opens, first, compare],
  "two are compared": [...select(0), opens, first, compare, { type: "log/jump", kind: "turn", step: 1 }, compare],
  "a row of the log": toRow(5),
  "a gap": toRow(0),
  "its entry is open": [...toRow(5), opens],
  "a bookmark": [toLog, { type: "bookmarks/mark" }, ...text("here")],
}

test.each(Object.keys(ACTS))("what is seen stays what it was: %s", what => {
  const told = [after(ACTS[what] ?? [], opened), ...refilled(...(ACTS[what] ?? []))].map(seen)
  expect(told.join("\n")).toMatchSnapshot()
})

test("the session that the reader was opened for, and the form of a re-run, stay with their session", () => {
  const [own, other] = [idAt(before, 0), idAt(before, 1)]
  const reads = changed(opened.view, { focus: "text", reader: { reads: "row", text: { ...unread, session: other } } })
  const draft = { ...rerunDraftAt(shownState(opened), own), system: "Be brief." }
  const form = changed(opened.view, {
    overlays: [{ type: "rerun", session: own }],
    ...reruns.put(opened.view, { drafts: [draft] }),
  })
  const states = [reads, form].map(view => deepFreeze({ ...opened, view }))
  const told = states.flatMap(state => [filled, behindAnother].map(run => seen(refilledWith(state, run))))
  expect(told.join("\n")).toMatchSnapshot()
})

test("a line of ours that no seq names keeps its place", () => {
  const refused: Decoded = line({ kind: "sidecar", at: 9, what: "refused", op: "step", why: "no" })
  const frames = [attach, ...live.slice(0, 3), refused, ...live.slice(3)]
  const run = tell([disk(lost.length), ...lost, ...frames])
  const moved = refilledWith(after(toRow(4), { ...opened, run: tell(frames) }), run)
  expect(rowsOf(run)[cursorIndex(shownState(moved)) ?? -1]?.what).toMatchObject({ kind: "refused" })
})

test("a draft stays with its question, though the disk shows that one before it was asked twice", () => {
  const asks = (id: string) =>
    line({ kind: "prompt", "prompt-id": id, invokeid: id, type: "text", opts: { prompt: id } })
  const answered = event(6, "human-input/answer", { invokeid: "p", answer: "no" })
  const known = [attach, start(5, "g", "s"), asks("p")]
  const again = [event(7, "human-input/validation-failed", { invokeid: "x" }), asks("p"), asks("q")]
  const asked = tell([...known, ...again])
  const key = asked.prompts.find(one => one.frame.promptId === "q")?.key
  if (key === undefined) throw new Error("a question is expected")
  const typed = after([{ type: "prompt/text", key, text: "mine" }], { ...opened, run: asked })
  const run = tell([...known, disk(1), answered, ...again])
  expect([asked.prompts.length, run.prompts.length]).toEqual([2, 3])
  const { view } = refilledWith(typed, run)
  const prompt = run.prompts.at(-1)
  expect(prompt?.frame.promptId).toBe("q")
  if (prompt !== undefined) expect(promptDraftOf(view, prompt).text).toBe("mine")
})

test("what is read of a session whose first turns come from disk is the same line, turn or beginning, and stays folded", () => {
  const late = [
    ...[start(5, "g", "s"), said(6, "s", "three"), start(7, "g", "s"), said(8, "s", "four"), start(9, "g", "s")],
    delta(10, "now", { invokeid: "g", "session-id": "s" }),
  ]
  const read = tell([attach, ...late])
  const first = [start(1, "g", "s"), said(2, "s", "one"), start(3, "g", "s"), said(4, "s", "two")]
  const whole = tell([disk(4), ...first, attach, ...late])
  const outline = (state: StoreState) => {
    const text = new SessionOutline()
    text.update(shownState(state), state.view.reader.text, { columns: 40, rows: 4 }, CONTEXT)
    return text
  }
  const [known] = read.sessions
  if (known === undefined) throw new Error("a session is expected")
  const { id: session } = known
  const selected = changed(emptyView, { list: { selected: { type: "session", session } } })
  /** What is read with this place in it, before and after. */
  const readings = (at: Anchor | null, folds = unread.folds) => {
    const view = changed(selected, { reader: { text: { ...unread, session, at, first: at, folds } } })
    const state = deepFreeze({ ...emptyState(link), run: read, view })
    return [state, refilledWith(state, whole)].map(outline)
  }
  const [text] = readings(null)
  const lines = Array.from({ length: text?.length ?? 0 }, (_, line) => text?.anchorAt(line) ?? null)
  const told = [...lines, startAnchor(known), ...[1, 2, 3].map(turn => turnAnchor(known, turn))].map(at =>
    readings(at).map(one => {
      const line = one.lineOf(at ?? { block: "", row: 0 })
      return `${line} ${lineText(one.line(line)).trim()}`
    }),
  )
  const [, at = null] = lines
  const folded = readings(at, foldBlock(unread.folds, at?.block ?? "", true))
  const windows = folded.map(one => one.window(null).map(lineText).join("\n"))
  expect([...told.map(pair => pair.join(" → ")), ...windows].join("\n")).toMatchSnapshot()
})

test("a rewritten run appears at once, however many rows its log has", () => {
  const rows: Packed<Row> = {
    length: 10_000_000,
    get: () => {
      throw new Error("expected no row to be read")
    },
    repack: () => rows,
  }
  const run: Run = { ...emptyRun, log: { ...emptyRun.log, rows: assembled<Row>([rows, []]) } }
  const state = reduce(emptyState(link), { type: "refilled", run, shown: null, marks: noMarkers })
  expect(state.run.log.rows.length).toBe(10_000_000)
})
