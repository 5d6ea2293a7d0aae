// What a person did to the screen stays with what they did it to, when the run is told anew with what the disk had.
import { expect, test } from "bun:test"
import { rowIdOf, rowIndex } from "../../../src/run/identity/find-by-id.ts"
import { emptyList, slice } from "../../../src/run/model/chunked-list.ts"
import type { RowId } from "../../../src/run/model/id.ts"
import type { Run } from "../../../src/run/model/run.ts"
import { reduce } from "../../../src/view/reduce.ts"
import { rebaseView } from "../../../src/view/restore/rebase-view.ts"
import { emptyState } from "../../../src/view/state.ts"
import { emptyView, type View } from "../../../src/view/view.ts"
import { deepFreeze } from "../../freeze.ts"
import { attach, delta, event, groupAt, idAt, line, rowsOf, tell } from "../../run/lines.ts"

const note = (rows: number, more: object = {}) =>
  line({ kind: "sidecar", at: null, what: "disk", rows, absent: 0, approximate: false, ...more })
const later = [
  event(4, "llm/start", { invokeid: "a", "session-id": "s", model: "m" }),
  delta(5, "one"),
  event(6, "llm/worker-exit", { invokeid: "a", "session-id": "s", reason: "done" }),
]
const earlier = [
  event(1, "runner/started", {}),
  event(2, "llm/start", { invokeid: "z", "session-id": "first", model: "m" }),
  event(3, "llm/worker-exit", { invokeid: "z", "session-id": "first", reason: "done" }),
]
const before = tell([attach, ...later])
const after = tell([note(3), ...earlier, attach, ...later])
const ofAnEarlierRun = tell([
  note(3, { earlier: 1 }),
  ...earlier,
  line({ kind: "sidecar", at: null, what: "disk", epoch: true }),
  note(3),
  ...earlier,
  attach,
  ...later,
])

const rowNamed = (run: Run, name: string, nth = 0): RowId => {
  const row = rowsOf(run).filter(({ what }) => what.kind === "event" && what.name === name)[nth]
  if (row === undefined) throw new Error(`no row ${name}`)
  return rowIdOf(run, row)
}
const sessionOf = (run: Run, id: string) => run.sessions.findLastIndex(one => one.sessionId === id)

test("a rebased view keeps its selection, cursor and entry on the same session and row", () => {
  const exit = rowNamed(before, "llm/worker-exit")
  const view: View = deepFreeze({
    ...emptyView,
    selected: { type: "session", session: idAt(before, 0) },
    folded: [groupAt(before, 0)],
    textOf: idAt(before, 0),
    cursor: exit,
    seenTo: exit,
    overlays: [
      { type: "reader", session: idAt(before, 0) },
      { type: "attention", cursor: null },
    ],
  })
  for (const run of [after, ofAnEarlierRun]) {
    const moved = rebaseView(view, before, run)
    const session = idAt(run, sessionOf(run, "s"))
    const row = rowNamed(run, "llm/worker-exit", run === after ? 1 : 2)
    expect(moved.selected).toEqual({ type: "session", session })
    expect(moved.folded).toEqual([groupAt(run, run.sessions[sessionOf(run, "s")]?.invocation ?? -1)])
    expect(moved).toMatchObject({ textOf: session, cursor: row, seenTo: row })
    expect(moved.overlays).toEqual([
      { type: "reader", session },
      { type: "attention", cursor: null },
    ])
  }
})

test("a cursor on a filled gap moves to the rows that fill it", () => {
  const gap = rowsOf(before)[0]
  expect(gap?.what.kind).toBe("gap")
  const cursor = gap === undefined ? null : rowIdOf(before, gap)
  const moved = rebaseView({ ...emptyView, cursor }, before, after)
  expect(rowIndex(after, moved.cursor ?? { epoch: 0, order: -1, nth: 0 })).toBe(
    rowIndex(after, rowNamed(after, "runner/started")),
  )
})

test("a rebased state has the new run and keeps its link", () => {
  const link = { state: "open", url: "ws://127.0.0.1:1/ws", since: 0 } as const
  const state = deepFreeze({ ...emptyState(link), run: before })
  expect(reduce(state, { type: "refilled", run: after, shown: null })).toMatchObject({ run: after, link })
})

test("a rebased view keeps its reading line, folds and marked turn on the same text", () => {
  const ids = { invokeid: "a", "session-id": "s" }
  const start = (seq: number) => event(seq, "llm/start", { ...ids, model: "m" })
  const said = (seq: number, text: string) => event(seq, "llm/response", { ...ids, content: [{ type: "text", text }] })
  const late = [start(5), said(6, "three"), start(7), said(8, "four"), start(9), delta(10, "now", ids)]
  const read = tell([attach, ...late])
  const filled = tell([note(4), start(1), said(2, "one"), start(3), said(4, "two"), attach, ...late])
  const at = (run: Run, text: string) =>
    slice(run.sessions[0]?.entries ?? emptyList, 0, 100).findIndex(entry => entry.text.join("") === text)
  expect([at(read, "four"), at(filled, "four")]).toEqual([1, 3])
  const spot = (key: string, row = 0) => ({ block: key, row })
  const view: View = deepFreeze({
    ...emptyView,
    textOf: idAt(read, 0),
    text: { at: spot("1", 4), first: spot(""), folds: { all: false, except: ["0"] } },
    inspector: {
      ...emptyView.inspector,
      session: idAt(read, 0),
      at: spot("1.0.0", 2),
      first: spot("0.0.0"),
      folds: { all: true, except: ["0.0.0", "tail"] },
      marked: { session: idAt(read, 0), turn: 2 },
    },
  })
  const moved = rebaseView(view, read, filled)
  expect(moved.inspector).toMatchObject({
    session: idAt(filled, 0),
    at: spot("3.0.0", 2),
    first: spot("2.0.0"),
    folds: { all: true, except: ["2.0.0"] },
    marked: { session: idAt(filled, 0), turn: 4 },
  })
  expect(moved.text).toEqual({ at: spot("3", 4), first: spot("2"), folds: { all: false, except: ["2"] } })
  // What streams stands behind the last entry, and an end that is followed is followed on.
  const streaming = { ...view, text: { ...view.text, at: null, first: spot("2", 1) } }
  expect(rebaseView(streaming, read, filled).text).toMatchObject({ at: null, first: spot("4", 1) })
})
