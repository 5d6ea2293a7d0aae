// Tests which files of the session directory are requested, and when.
import { describe, expect, test } from "bun:test"
import { diskReads, listReads, overlayCaptureReads, captureReads as readsOf } from "../../src/panels/disk-reads.ts"
import { turnIdOf } from "../../src/run/identity/find-by-id.ts"
import { slice } from "../../src/run/model/chunked-list.ts"
import type { RowId } from "../../src/run/model/id.ts"
import type { Row } from "../../src/run/model/run.ts"
import { withCapture } from "../../src/run/select/captures.ts"
import { unread } from "../../src/view/block-reading.ts"
import type { Effect } from "../../src/view/effect.ts"
import { reduce } from "../../src/view/reduce.ts"
import { emptyState, type StoreState } from "../../src/view/state.ts"
import { shownState } from "../../src/view/store.ts"
import type { Overlay, ViewChange } from "../../src/view/view.ts"
import { event, idAt, ids, tell } from "../run/lines.ts"

const link = { state: "replaying", path: "run.jsonl", incompleteLength: 0 } as const
const directory = { path: "/run", error: null }

function asked(seq: number, turn: number) {
  const ref = `nodes/n/0/turns/${turn}/request.edn`
  return event(seq, "llm/request", { ...ids, "user-blocks": [{ type: "text", text: "?" }], "io/ref": ref })
}

/** The transcript of the first session in front. */
function reading(lines = [event(0, "llm/start", ids), asked(1, 0), asked(2, 1)]): StoreState {
  const state = emptyState(link)
  const run = tell(lines)
  const text = { ...state.view.reader.text, session: idAt(run, 0) }
  return {
    ...state,
    directory,
    run,
    view: { ...state.view, reader: { ...state.view.reader, text, reads: "row" }, focus: "text" },
  }
}

const refs = ["nodes/n/0/turns/1/request.edn", "nodes/n/0/turns/0/request.edn"]

/** The captures that an effect asks for; none without one. */
function wanted([effect]: readonly Effect[]): readonly string[] {
  return effect?.type === "directory/read" && effect.request.read === "captures" ? effect.request.refs : []
}

const captureReads = (before: StoreState, after: StoreState) => wanted(readsOf(shownState(before), shownState(after)))

test("the captures of two turns are requested when their difference opens, wherever it is opened from, and known ones not again", () => {
  const state = reading()
  const session = state.run.sessions[0]
  if (session === undefined) throw new Error("no session")
  const [before, after] = [1, 2].map(turn => ({ session: session.id, turn: turnIdOf(session, turn) }))
  if (before === undefined || after === undefined) throw new Error("no turns")
  const overlays = [...state.view.overlays, { type: "turn-diff", before, after, top: 0 } as const]
  const opened = { ...state, view: { ...state.view, overlays } }
  const reads = (from: StoreState, to: StoreState) => wanted(overlayCaptureReads(shownState(from), shownState(to)))
  expect(reads(state, opened)).toEqual(refs.toReversed())
  expect(reads(opened, opened)).toEqual([])
  expect(reads({ ...opened, directory: null }, opened)).toHaveLength(2)
  const captures = withCapture(state.captures, refs[1] ?? "", { why: "no such file" })
  expect(reads(state, { ...opened, captures })).toEqual(refs.slice(0, 1))
  expect(reads(state, { ...opened, directory: null })).toEqual([])
})

describe("the captures of the transcript", () => {
  test("are requested once it is in front or has grown, the latest first, and known ones not again, nor behind an overlay", () => {
    const closed = emptyState(link)
    const state = reading()
    expect(captureReads(closed, state)).toEqual(refs)
    expect(captureReads(state, state)).toEqual([])
    const captures = withCapture(state.captures, refs[0] ?? "", { why: "no such file" })
    // A missing file is requested again, since it may be there by now.
    expect(captureReads(closed, { ...state, captures })).toEqual(refs)
    const found = withCapture(captures, refs[1] ?? "", { capture: { type: "result", text: "", isError: false } })
    expect(captureReads(closed, { ...state, captures: found })).toEqual(refs.slice(0, 1))
    const opened = { ...reading([event(0, "llm/start", ids)]), captures }
    expect(captureReads(opened, { ...state, captures })).toEqual(refs.slice(1))
    const before = reading([event(0, "llm/start", ids), asked(1, 0)])
    expect(captureReads(before, { ...before, run: reading().run })).toEqual(refs)
    expect(captureReads(before, { ...reading(), directory: null })).toEqual([])
    expect(captureReads(before, { ...reading(), directory: { path: "/run", error: "gone" } })).toEqual([])
    const behind = reading()
    const overlays = [...behind.view.overlays, { type: "file", name: "a", top: 0 } as const]
    expect(captureReads(before, { ...behind, view: { ...behind.view, overlays } })).toEqual([])
  })

  test("are requested once their directory is known or the text is in front, and no more than the latest 400", () => {
    const state = reading(
      Array.from({ length: 401 }, (_, i) => [event(2 * i, "llm/start", ids), asked(2 * i + 1, i)]).flat(),
    )
    const file = { type: "file", name: "a", top: 0 } as const
    const reader = { ...state.view.reader, text: unread }
    const seen = (view: Partial<StoreState["view"]>) => ({ ...state, view: { ...state.view, ...view } })
    const views = [{ focus: "live" }, { overlays: [file] }, { reader }] as const
    for (const before of [{ ...state, directory: null }, ...views.map(seen)]) {
      const all = captureReads(before, state)
      expect([all.length, all[0], all.at(-1)]).toEqual([400, ...[400, 1].map(n => `nodes/n/0/turns/${n}/request.edn`)])
    }
  })

  test("are evicted for each other, never the one just read", () => {
    const text = "x".repeat(20 * 1024 * 1024)
    const result = { capture: { type: "result", text, isError: false } } as const
    const kept = ["a", "b", "c"].reduce((all, ref) => withCapture(all, ref, result), emptyState(link).captures)
    expect([...kept.keys()]).toEqual(["b", "c"])
  })
})

describe("the captures of the context", () => {
  const overlays = [{ type: "context" } as const]
  const shown = (state: StoreState): StoreState => ({ ...state, view: { ...state.view, overlays } })

  test("are the requests of at most ten turns on each side of its cursor, and known ones are not requested again", () => {
    const closed = emptyState(link)
    const state = shown(reading([event(0, "llm/start", ids), asked(1, 0), event(2, "llm/start", ids), asked(3, 1)]))
    expect(captureReads(closed, state)).toEqual(refs)
    expect(captureReads(state, state)).toEqual([])
    const captures = withCapture(state.captures, refs[0] ?? "", { why: "no such file" })
    const grown = { ...state, captures, view: { ...state.view, slices: { ...state.view.slices } } }
    expect(captureReads(state, grown)).toEqual(refs.slice(1))
    expect(captureReads(closed, { ...state, directory: null })).toEqual([])
    const lines = Array.from({ length: 100 }, (_, i) => [event(2 * i, "llm/start", ids), asked(2 * i + 1, i)]).flat()
    const read = captureReads(emptyState(link), shown(reading(lines)))
    expect(read).toHaveLength(10)
    expect(read[0]).toBe("nodes/n/0/turns/99/request.edn")
  })
})

describe("frames that memory has let go of", () => {
  const lines = [event(0, "test/a", ids), event(1, "test/b", ids), event(2, "test/c", ids)]
  const log = slice(tell(lines).log.rows, 0, lines.length)
  const what = { kind: "evicted", type: "other", name: null, changesState: false, hasSessionIds: true } as const
  const evicted = log.map((row): Row => ({ ...row, what }))

  test("are read for the rows on the screen, and once", () => {
    const state = shownState(reading())
    expect(diskReads(state, state, log)).toEqual([])
    expect(diskReads(state, state, null)).toEqual([])
    expect(diskReads(state, state, evicted.slice(1))).toEqual([{ type: "frames/recall", lines: [1, 2] }])
    const recalled = new Map([[1, null]])
    expect(diskReads(state, { ...state, recalled }, evicted.slice(1))).toEqual([{ type: "frames/recall", lines: [2] }])
  })

  test("are read for the page in front, and to go on with a search while the log is seen", () => {
    const frames = Array.from({ length: 600 }, (_, n) => event(n, "test/a", ids))
    const state = reduce(emptyState(link, { rowWindow: 0 }), { type: "frames", frames })
    const search = { filter: { type: "plain", key: "text", text: "x" }, text: "x", wanted: null } as const
    const log = { filters: { ...state.view.log.filters, search } }
    const overlays = [{ type: "entry", id: { epoch: 0, order: 3, nth: 0 } as RowId, top: 0 }] as const
    const seen = (change: ViewChange) => shownState(reduce(state, { type: "view", change }))
    const [paged, sought] = [seen({ overlays }), seen({ log })]
    expect(diskReads(paged, paged, null)).toEqual([{ type: "frames/recall", lines: [3] }])
    expect(diskReads(sought, sought, null)).toEqual([])
    expect(diskReads(sought, sought, [])).toMatchObject([{ type: "log/scan", lines: { length: 512 } }])
  })
})

test("a file is read when the reader turns to it, and again only after another", () => {
  const state = { ...emptyState(link), directory }
  const showing = (...names: readonly string[]): StoreState => {
    const overlays = names.map(name => ({ type: "file", name, top: 0 }) as const)
    return { ...state, view: { ...state.view, overlays } }
  }
  const reads = (before: StoreState, after: StoreState) => diskReads(shownState(before), shownState(after), null)
  const read = (name: string | null) => [{ type: "directory/read", request: { read: "file", name } }] as const
  expect(reads(state, showing("a.md"))).toEqual(read("a.md"))
  expect(reads(showing("a.md"), { ...showing("a.md"), zone: 1 })).toEqual([])
  expect(reads(showing("a.md"), showing("a.md", "b.md"))).toEqual(read("b.md"))
  expect(reads(showing("a.md"), state)).toEqual(read(null))
  expect(reads(state, { ...showing("a.md"), directory: { path: "/run", error: "gone" } })).toEqual([])
})

test("files are listed only while their list is shown, also behind a file", () => {
  const state = reading()
  const artifacts = { type: "artifacts", cursor: null } as const
  const showing = (...overlays: readonly Overlay[]) => shownState({ ...state, view: { ...state.view, overlays } })
  const reads = (on: boolean) => [{ type: "directory/read", request: { read: "artifacts", on } }] as const
  const both = showing(artifacts, { type: "file", name: "escapement.log", top: 0 })
  expect(listReads(showing(), showing(artifacts))).toEqual(reads(true))
  expect(listReads(showing(artifacts), both)).toEqual([])
  expect(listReads(both, showing())).toEqual(reads(false))
  expect(listReads(showing(), { ...both, directory: { path: "/run", error: "gone" } })).toEqual([])
})
