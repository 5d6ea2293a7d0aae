// Tests that selections, folds and reading places stay with their rows when rows from disk come in.
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { rerunDraftAt, reruns } from "../../src/panels/common/open-rerun.ts"
import { liveRows } from "../../src/panels/common/session-rows.ts"
import { plan } from "../../src/panels/plan.ts"
import { comparing } from "../../src/panels/transcript/index.ts"
import { noMarkers } from "../../src/query/timeline-markers.ts"
import { rowIdOf, turnPlace } from "../../src/run/identity/find-by-id.ts"
import { assembled, type Packed } from "../../src/run/model/chunked-list.ts"
import { eventTypeOf } from "../../src/run/model/row.ts"
import { emptyRun, type Row, type Run } from "../../src/run/model/run.ts"
import type { Session } from "../../src/run/model/session.ts"
import { turnParts } from "../../src/run/select/turn-parts.ts"
import { SessionOutline } from "../../src/transcript/session-outline.ts"
import { unicode } from "../../src/ui/glyphs.ts"
import type { Line } from "../../src/ui/line.ts"
import { lineText } from "../../src/ui/mark-hits.ts"
import { type Anchor, foldBlock, startAnchor, turnAnchor, unread } from "../../src/view/block-reading.ts"
import { bookmarkOf, indexOfBookmark } from "../../src/view/bookmark.ts"
import type { Intent } from "../../src/view/intent.ts"
import { reduce } from "../../src/view/reduce.ts"
import { cursorIndex } from "../../src/view/select/log-rows.ts"
import { readText, sessionOf, shownSession } from "../../src/view/select/shown-session.ts"
import { emptyState, promptDraftOf, type StoreState } from "../../src/view/state.ts"
import { shownState } from "../../src/view/store.ts"
import { changed, emptyView, type View } from "../../src/view/view.ts"
import { deepFreeze } from "../freeze.ts"
import { attach, delta, event, groupAt, idAt, line, rowsOf, tell } from "../run/lines.ts"

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

/** The state after these intents, each decided on the one before. */
function after(intents: readonly Intent[], from: StoreState): StoreState {
  const outline = new SessionOutline()
  return intents.reduce((state, intent) => {
    const shown = shownState(state)
    outline.update(shown, readText(shown), { columns: 80, rows: 20 }, { glyphs: unicode, now: 0, motion: false })
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

test("a session is named by its epoch, its group and its id, wherever it stands", () => {
  for (const run of [filled, behindAnother]) {
    const names = run.sessions.map(({ id }) => id)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining([idAt(before, 0), idAt(before, 1)]))
    expect(run.invocations.map(({ id }) => id)).toContain(groupAt(before, 0))
    expect(current(run, names.indexOf(idAt(before, 1)))).toBe("t")
  }
})

test("the selection stays with its session, and its text with it", () => {
  for (const state of refilled(...select(1))) {
    expect(current(state.run, sessionOf(state.run, state.view.list.selected))).toBe("t")
    expect(current(state.run, shownSession(shownState(state)))).toBe("t")
  }
})

test("a group stays selected, and folded, and no other folds", () => {
  for (const state of refilled({ type: "cursor/move", by: { unit: "first" } }, { type: "cursor/fold", to: "fold" })) {
    const { view } = state
    expect(view.list.selected).toEqual({ type: "group", invocation: groupAt(before, 0) })
    const listed = (folded: View["list"]["folded"]) => ({ ...state, view: changed(view, { list: { folded } }) })
    const rows = (folded: View["list"]["folded"]) => liveRows(shownState(listed(folded)), 40).rows
    expect(rows(view.list.folded)).toHaveLength(rows([]).length - 2)
    expect(rows(view.list.folded)).toContainEqual({ type: "group", invocation: groupAt(before, 0) })
  }
})

test("an open transcript stays with the session that it was opened for", () => {
  const overlay: StoreState = deepFreeze({
    ...opened,
    view: {
      ...opened.view,
      focus: "text",
      reader: { ...opened.view.reader, reads: "row", text: { ...unread, session: idAt(before, 1) } },
    },
  })
  for (const run of [filled, behindAnother]) {
    expect(current(run, shownSession(shownState(refilledWith(overlay, run))))).toBe("t")
  }
})

test("the reader keeps the turn that was marked, and the two that are compared", () => {
  const opens: Intent[] = [{ type: "cursor/open" }]
  const open: Intent[] = [...select(0), ...opens, { type: "cursor/move", by: { unit: "first" } }]
  const mark = { type: "transcript/compare" } as const
  const next = { type: "log/jump", kind: "turn", step: 1 } as const
  for (const state of refilled(...open, mark)) {
    const { marked } = comparing.of(state.view)
    expect(marked).not.toBeNull()
    if (marked !== null) expect(turnParts(state, turnPlace(state.run, marked)).reply).toBe("one")
  }
  for (const state of refilled(...open, mark, next, mark)) {
    const page = state.view.overlays.at(-1)
    if (page?.type !== "turn-diff") throw new Error("two turns are expected in front")
    const replies = [page.before, page.after].map(turn => turnParts(state, turnPlace(state.run, turn)).reply)
    expect(replies).toEqual(["one", "two"])
  }
})

test("the form of a re-run keeps its session and what was typed", () => {
  const session = idAt(before, 0)
  const form: StoreState = deepFreeze({
    ...opened,
    view: {
      ...opened.view,
      overlays: [{ type: "rerun", session }],
      ...reruns.put(opened.view, { drafts: [{ ...rerunDraftAt(shownState(opened), session), system: "Be brief." }] }),
    },
  })
  for (const run of [filled, behindAnother]) {
    const state = refilledWith(form, run)
    const front = state.view.overlays.at(-1)
    if (front?.type !== "rerun") throw new Error("the form is expected in front")
    expect(rerunDraftAt(shownState(state), front.session).system).toBe("Be brief.")
    expect(run.sessions.find(({ id }) => id === front.session)?.capturePlace?.nodeId).toBe(":n")
  }
})

/** To the log, and there so far below its first row. */
const toRow = (count: number): Intent[] => [
  { type: "pane/next", step: -1 },
  { type: "cursor/move", by: { unit: "first" } },
  { type: "cursor/move", by: { unit: "row", count } },
]

describe("the log", () => {
  const toRow9 = toRow(5)
  const under = (state: StoreState): Row | undefined => rowsOf(state.run)[cursorIndex(shownState(state)) ?? -1]

  test("keeps the row under its cursor", () => {
    for (const state of refilled(...toRow9)) {
      const row = under(state)
      expect(row === undefined ? null : eventTypeOf(row)).toBe("llm/response")
      expect(row?.seq).toBe(9)
      expect(row?.epoch).toBe(state.run.epochs.length - 1)
    }
  })

  test("keeps the entry that is open", () => {
    for (const state of refilled(...toRow9, { type: "cursor/open" })) {
      expect(state.view.overlays).toHaveLength(1)
      expect(under(state)?.seq).toBe(9)
    }
  })
})

test("a bookmark stays on its row", () => {
  const marked = [
    { type: "pane/next", step: -1 },
    { type: "bookmarks/mark" },
    { type: "typing/text", text: "here" },
    { type: "typing/take" },
  ] as const
  for (const { run, view } of refilled(...marked)) {
    const [mark] = view.log.bookmarks
    if (mark === undefined) throw new Error("a bookmark is expected")
    const row = rowsOf(run)[indexOfBookmark(run, mark) ?? -1]
    expect(row).toMatchObject({ seq: 11, epoch: run.epochs.length - 1 })
    if (row !== undefined) expect(bookmarkOf(run, view.log.bookmarks, row)?.note).toBe("here")
  }
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

test("a cursor on the gap that was filled stands at what fills it", () => {
  const [gap] = rowsOf(before)
  if (gap === undefined) throw new Error("a gap is expected")
  expect(gap.what.kind).toBe("gap")
  const cursor = rowIdOf(before, gap)
  const state = refilledWith({ ...opened, view: { ...opened.view, log: { ...opened.view.log, cursor } } }, filled)
  expect(rowsOf(filled)[cursorIndex(shownState(state)) ?? -1]).toMatchObject({ seq: 1, what: { kind: "event" } })
})

test("the state takes the run over, and keeps its link", () => {
  expect(refilledWith(opened, filled)).toMatchObject({ run: filled, link })
})

describe("what is read of a session whose first turns come from disk", () => {
  const late = [
    start(5, "g", "s"),
    said(6, "s", "three"),
    start(7, "g", "s"),
    said(8, "s", "four"),
    start(9, "g", "s"),
    delta(10, "now", { invokeid: "g", "session-id": "s" }),
  ]
  const read = tell([attach, ...late])
  const first = [start(1, "g", "s"), said(2, "s", "one"), start(3, "g", "s"), said(4, "s", "two")]
  const whole = tell([disk(4), ...first, attach, ...late])
  const size = { columns: 40, rows: 4 }
  const context = { glyphs: unicode, now: 0, motion: false }
  const outline = (state: StoreState) => {
    const text = new SessionOutline()
    text.update(shownState(state), state.view.reader.text, size, context)
    return text
  }
  const session = idAt(read, 0)
  const from: StoreState = deepFreeze({
    ...emptyState(link),
    run: read,
    view: { ...emptyView, list: { ...emptyView.list, selected: { type: "session", session } } },
  })
  const inspected = (at: Anchor | null, folds = unread.folds): StoreState =>
    deepFreeze({
      ...from,
      view: changed(from.view, { reader: { text: { ...unread, session, at, first: at, folds } } }),
    })
  /** A line, but for the number in the heading of a turn. */
  const words = (line: Line) =>
    lineText(line)
      .replace(/turn \d+.*/, "turn")
      .trim()

  test("is the same line, wherever that is", () => {
    const text = outline(inspected(null))
    for (let line = 0; line < text.length; line++) {
      const at = text.anchorAt(line)
      const after = outline(refilledWith(inspected(at), whole))
      const now = after.lineOf(at ?? { block: "", row: 0 })
      expect(now).toBeGreaterThan(line)
      expect(words(after.line(now))).toBe(words(text.line(line)))
    }
  })

  test("is the beginning that was known, and the beginning of a turn", () => {
    const known = read.sessions[0]
    if (known === undefined) throw new Error("a session is expected")
    const anchors = [startAnchor(known), ...[1, 2, 3].map(turn => turnAnchor(known, turn))]
    const headings = anchors.map(at => {
      const text = outline(refilledWith(inspected(at), whole))
      return /turn \d/.exec(lineText(text.line(text.lineOf(at))))?.[0]
    })
    expect(headings).toEqual(["turn 3", "turn 3", "turn 4", "turn 5"])
  })

  test("stays folded", () => {
    const at = outline(inspected(null)).anchorAt(1)
    const folds = foldBlock(unread.folds, at?.block ?? "", true)
    for (const state of [inspected(at, folds), refilledWith(inspected(at, folds), whole)]) {
      const lines = outline(state).window(null).map(lineText)
      expect(lines.filter(one => one.includes("1 line"))).toHaveLength(1)
      expect(lines).not.toContain("  three")
    }
  })
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
