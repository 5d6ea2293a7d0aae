// Tests that a view is written as plain data and restored from it.
import { expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import { restoreView, snapshotView } from "../../../src/app/handlers/view-snapshot.ts"
import { plainOverlays } from "../../../src/panels/index.ts"
import { promptKey, type RowId } from "../../../src/run/model/id.ts"
import { reduce } from "../../../src/view/reduce.ts"
import { shownState } from "../../../src/view/select/shown-state.ts"
import { emptyState, type StoreState } from "../../../src/view/state.ts"
import type { Overlay, ViewChange } from "../../../src/view/view.ts"
import { open } from "../../panels/planned.ts"
import { delta, event, groupAt, idAt, ids, line } from "../../run/lines.ts"

function looked(change: ViewChange): StoreState {
  const frames = [event(0, "llm/start", ids), delta(1, "one"), event(2, "llm/response", ids)]
  const state = reduce(emptyState(open), { type: "frames", frames })
  return reduce(state, { type: "view", change })
}

test("a view snapshot restores the reading place, also one in the first row of a block", () => {
  for (const row of [0, 3]) {
    const before = looked({})
    const session = before.run.sessions[0]?.id ?? null
    if (session === null) throw new Error("expected a session")
    const state = looked({
      list: { selected: { type: "session", session } },
      reader: { text: { ...before.view.reader.text, session, at: { block: "0", row } } },
    })
    const restored = restoreView(
      shownState(looked({})),
      JSON.parse(JSON.stringify(snapshotView(shownState(state), plainOverlays))),
      plainOverlays,
    )
    expect(restored).toMatchObject({
      list: { selected: { type: "session", session } },
      reader: { text: { session, at: { block: "0", row } } },
    })
  }
})

test("a malformed view snapshot restores nothing", () => {
  for (const text of [
    ...["7", "[]", '{"focus":9}'],
    ...['{"text":{"block":"0","row":-1}}', '{"at":{"block":"0","row":0.5}}', '{"overlay":{"type":"nothing"}}'],
    ...['{"text":{"at":{"block":"0","row":-1}}}', '{"inspector":{"at":{"block":1,"row":0}}}'],
  ]) {
    const restored = restoreView(shownState(looked({})), JSON.parse(text), plainOverlays)
    expect(restored.reader?.text?.at ?? null).toBeNull()
    expect(restored.overlays ?? []).toEqual([])
  }
})

/** Two epochs with the same sessions, and a question. */
const twice = [
  event(0, "llm/start", ids),
  event(1, "llm/error", { ...ids, message: "no" }),
  line({ kind: "sidecar", at: null, what: "start" }),
  event(0, "llm/start", ids),
  event(1, "llm/start", { ...ids, "session-id": "t" }),
  event(2, "llm/error", { ...ids, message: "no" }),
  line({ kind: "prompt", "prompt-id": "p", invokeid: "a", type: "text", opts: { prompt: "?" } }),
]
const state = (frames: readonly Decoded[], change: ViewChange = {}): StoreState =>
  reduce(reduce(emptyState(open), { type: "frames", frames }), { type: "view", change })
const saved = (change: ViewChange) =>
  JSON.parse(JSON.stringify(snapshotView(shownState(state(twice, change)), plainOverlays)))
const whole = state(twice)
/** What a bug report has of a long run: its end. */
const end = state(twice.slice(3))
const id: RowId = { epoch: 1, order: 2, nth: 0 }

test("a view snapshot restores ids, also if a bug report lacks the first epochs", () => {
  const { run } = whole
  const page: Overlay = { type: "entry", id, top: 3, find: "typed" }
  const selected = { type: "group", invocation: groupAt(run, 1) } as const
  const view = { list: { selected }, log: { cursor: id }, overlays: [page] }
  expect(restoreView(shownState(whole), saved(view), plainOverlays)).toMatchObject({
    ...view,
    overlays: [{ type: "entry", id, top: 3 }],
  })
  const moved = { ...id, epoch: 0 }
  expect(restoreView(shownState(end), saved(view), plainOverlays)).toMatchObject({
    list: { selected: { type: "group", invocation: groupAt(end.run, 0) } },
    log: { cursor: moved },
    overlays: [{ type: "entry", id: moved, top: 3 }],
  })
  const session = idAt(run, 1)
  const text = { ...whole.view.reader.text, session }
  const overlays: readonly Overlay[] = [{ type: "waterfall" }]
  expect(restoreView(shownState(whole), saved({ reader: { text }, overlays }), plainOverlays)).toMatchObject({
    ...{ reader: { text: { session } }, overlays },
  })
  expect(restoreView(shownState(end), saved({ reader: { text }, overlays }), plainOverlays)).toMatchObject({
    ...{ reader: { text: { session: idAt(end.run, 0) } }, overlays },
  })
})

test("a view snapshot restores a question, and each overlay that shows the run, without what was typed", () => {
  const prompt: Overlay = { type: "prompt", key: promptKey("p", null), top: 0, find: "typed" }
  expect(JSON.stringify(saved({ overlays: [prompt] }))).not.toContain("typed")
  expect(restoreView(shownState(whole), saved({ overlays: [prompt] }), plainOverlays).overlays).toEqual([
    { type: "prompt", key: promptKey("p", null), top: 0 },
  ])
  for (const overlay of [
    { type: "filters", cursor: 0 },
    { type: "alerts", cursor: null },
    { type: "waterfall" },
  ] as const) {
    expect(restoreView(shownState(whole), saved({ overlays: [overlay] }), plainOverlays).overlays).toEqual([overlay])
  }
})

test("a view snapshot with an overlay that this version does not know restores the rest", () => {
  const view = { ...saved({ focus: "log" }), overlay: { type: "attention", cursor: null } }
  const restored = restoreView(shownState(whole), view, plainOverlays)
  expect([restored.focus, restored.overlays]).toEqual(["log", []])
})
