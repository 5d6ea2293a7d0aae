// Tests which session asks a question, and whose text is shown meanwhile (docs/decisions.md 3.3).
import { describe, expect, test } from "bun:test"
import { liveRows, sameTarget } from "../../../src/panels/common/session-rows.ts"
import { sessionId } from "../../../src/run/model/id.ts"
import type { Run } from "../../../src/run/model/run.ts"
import { foldBlock, folding, unread } from "../../../src/view/block-reading.ts"
import { reduce } from "../../../src/view/reduce.ts"
import { askerOf, readText, shownSession } from "../../../src/view/select/shown-session.ts"
import { emptyState, type StoreState } from "../../../src/view/state.ts"
import { shownState } from "../../../src/view/store.ts"
import { attach, delta, event, line, tell } from "../../run/lines.ts"

const ask = (id: string, invokeid: string | null) =>
  line({ kind: "prompt", "prompt-id": id, invokeid, type: "text", opts: { prompt: "?" } })
const says = (seq: number, invokeid: string, session: string) => delta(seq, "x", { invokeid, "session-id": session })

/** The ids of the sessions that ask, in the order of the questions; null where nobody is known. */
function askers(run: Run): readonly (string | null)[] {
  return run.prompts.map(prompt => run.sessions[askerOf(run, prompt) ?? -1]?.sessionId ?? null)
}

describe("the session that asks a question", () => {
  test("is the latest of its invokeid, and stays it when others come", () => {
    const before = [attach, says(0, "judge", "j.1"), says(1, "judge", "j.2"), says(2, "poet", "p.1")]
    expect(askers(tell([...before, ask("q", "judge"), says(3, "judge", "j.3")]))).toEqual(["j.2"])
  })

  test("is the one that spoke last, if its invokeid has none", () => {
    const run = tell([attach, says(0, "judge", "j.1"), says(1, "poet", "p.1"), ask("q", null), says(2, "judge", "j.1")])
    expect(askers(run)).toEqual(["p.1"])
    const response = event(2, "llm/response", { invokeid: "judge", "session-id": "j.1", content: [] })
    expect(askers(tell([attach, says(0, "judge", "j.1"), says(1, "poet", "p.1"), response, ask("q", null)]))).toEqual([
      "j.1",
    ])
  })

  test("is the one whose first event the question overtook", () => {
    const overtaking = [attach, event(0, "runner/started"), ask("q", "judge"), says(1, "judge", "j.1")]
    expect(askers(tell(overtaking))).toEqual(["j.1"])
    expect(askers(tell([attach, ask("q", "judge"), says(1, "judge", "j.1")]))).toEqual(["j.1"])
  })

  test("is never of an earlier epoch, also before the first event of a new one", () => {
    const first = [attach, event(0, "runner/started", {}, 1), says(1, "judge", "old")]
    const anew = [event(0, "runner/started", {}, 900), ask("q", null), ask("r", "judge")]
    expect(askers(tell([...first, ...anew]))).toEqual([null, null])
    const early = [attach, ask("q", "judge"), event(0, "runner/started", {}, 900), says(1, "judge", "new")]
    expect(askers(tell([...first, ...early]))).toEqual(["new"])
  })
})

describe("the text beside the list", () => {
  const open = { state: "open", url: "ws://127.0.0.1:1/ws", since: 0 } as const
  const shown = (state: StoreState) => state.run.sessions[shownSession(shownState(state)) ?? -1]?.sessionId ?? null
  const start = [says(0, "judge", "j.1"), says(1, "poet", "p.1")]
  const selected = { type: "session", session: sessionId(0, "poet", "p.1") } as const
  const select = { type: "view", change: { list: { selected, pinned: true } } } as const
  const state = (...lines: Parameters<typeof tell>[0]): StoreState =>
    reduce(reduce(emptyState(open), { type: "frames", frames: [...start, ...lines] }), select)

  test("is the selected session's, or the asking one's while a question is in front", () => {
    expect(shown(state())).toBe("p.1")
    expect(shown(state(ask("q", "judge")))).toBe("j.1")
    const hidden = reduce(state(ask("q", "judge")), { type: "view", change: { questions: { promptHidden: true } } })
    expect(shown(hidden)).toBe("p.1")
  })

  test("stays that of the row of a list that was open before the question came", () => {
    const text = { ...unread, session: selected.session }
    const reading = reduce(state(), {
      type: "view",
      change: { overlays: [{ type: "alerts", cursor: null }], reader: { reads: "row", text } },
    })
    expect(shown(reduce(reading, { type: "frames", frames: [ask("q", "judge")] }))).toBe("p.1")
  })

  test("of another session is followed, folded if all was folded", () => {
    const folds = foldBlock(folding("all"), "3", false)
    const folded = reduce(state(), {
      type: "view",
      change: { reader: { text: { ...unread, session: selected.session, folds } } },
    })
    const asked = reduce(folded, { type: "frames", frames: [ask("q", "judge")] })
    const session = sessionId(0, "judge", "j.1")
    expect(readText(shownState(asked))).toEqual({ ...unread, session, folds: folding("all") })
  })

  test("keeps a reading place only for its own session", () => {
    const first = { block: "0", row: 7 }
    const scrolled = reduce(state(), {
      type: "view",
      change: { reader: { text: { ...unread, session: selected.session, first } } },
    })
    expect(readText(shownState(scrolled)).first).toEqual(first)
    const asked = reduce(scrolled, { type: "frames", frames: [ask("q", "judge")] })
    expect(readText(shownState(asked)).first).toBe(null)
    const settled = reduce(asked, { type: "frames", frames: [event(2, "human-input/answer", { invokeid: "judge" })] })
    expect(readText(shownState(settled)).first).toEqual(first)
  })
})

test("two rows are the same only if they are of one kind and of one session or group", () => {
  const [a, b] = [sessionId(0, "a", "s"), sessionId(0, "a", "t")]
  const run = tell([says(0, "a", "s"), says(1, "b", "t")])
  const [one, two] = run.invocations.map(({ id }) => id)
  if (one === undefined || two === undefined) throw new Error("expected two groups")
  const rows = [
    ...[a, b].map(session => ({ type: "session", session }) as const),
    ...[one, two].flatMap(invocation => [
      { type: "group", invocation } as const,
      { type: "finished", invocation } as const,
    ]),
    null,
  ]
  for (const [i, first] of rows.entries())
    for (const [j, second] of rows.entries()) expect(sameTarget(first, second)).toBe(i === j)
})

describe("the rows of a group", () => {
  const open = { state: "open", url: "ws://127.0.0.1:1/ws", since: 0 } as const
  const over = (seq: number, invokeid: string, session: string) =>
    event(seq, "llm/worker-exit", { invokeid, "session-id": session, reason: "done" })
  const started = (...lines: Parameters<typeof tell>[0]): StoreState =>
    reduce(emptyState(open), { type: "frames", frames: [attach, ...lines] })
  const rowsOf = (state: StoreState, room: number) => liveRows(shownState(state), room).rows
  const session = (invokeid: string, id: string) => ({ type: "session", session: sessionId(0, invokeid, id) }) as const

  test("are not made again when a session joins another group", () => {
    const two = [says(0, "judge", "j.1"), says(1, "judge", "j.2"), says(2, "poet", "p.1"), says(3, "poet", "p.2")]
    const state = started(...two)
    const before = rowsOf(state, 40)
    const after = rowsOf(reduce(state, { type: "frames", frames: [says(4, "poet", "p.3")] }), 40)
    expect(before).toHaveLength(6)
    expect(after).toHaveLength(7)
    for (const row of [1, 2]) expect(after[row]).toBe(before[row])
    expect(after[6]).toEqual(session("poet", "p.3"))
  })

  test("are its head alone while it is folded, and a session alone has no head", () => {
    const state = started(says(0, "judge", "j.1"), says(1, "judge", "j.2"), says(2, "poet", "p.1"))
    const [head] = rowsOf(state, 40)
    if (head?.type !== "group") throw new Error("expected a group")
    expect(rowsOf(state, 40)).toEqual([head, session("judge", "j.1"), session("judge", "j.2"), session("poet", "p.1")])
    const folded = reduce(state, { type: "view", change: { list: { folded: [head.invocation] } } })
    expect(rowsOf(folded, 40)).toEqual([head, session("poet", "p.1")])
    const pins = [sessionId(0, "judge", "j.2")]
    const pinned = reduce(state, { type: "view", change: { list: { ...state.view.list, pins } } })
    const { rows, pinned: count } = liveRows(shownState(pinned), 40)
    expect([rows, count]).toEqual([[session("judge", "j.2"), head, session("judge", "j.1"), session("poet", "p.1")], 1])
  })

  test("show again once the run is over, where rows are free below what came of it", () => {
    const who = (i: number) => (i < 12 ? "judge" : "poet")
    const all = Array.from({ length: 14 }, (_, i) => [says(2 * i, who(i), `${i}`), over(2 * i + 1, who(i), `${i}`)])
    const state = started(...all.flat())
    expect(rowsOf(state, 15)).toHaveLength(2)
    const finished = line({ kind: "control", op: "run-finished", "final-config": "[:done]" })
    expect(rowsOf(reduce(state, { type: "frames", frames: [finished] }), 15)).toHaveLength(4)
  })

  test("show again after a resize alone what had no room before", () => {
    const state = started(
      says(0, "judge", "j.1"),
      says(1, "judge", "j.2"),
      over(2, "judge", "j.1"),
      over(3, "judge", "j.2"),
    )
    expect([1, 40, 1].map(room => rowsOf(state, room).map(({ type }) => type))).toEqual([
      ["group"],
      ["group", "session", "session"],
      ["group"],
    ])
  })

  test("show a finished session only while it asks", () => {
    const ids = ["j.1", "j.2", "j.3"]
    const spoken = ids.map((id, seq) => says(seq, "judge", id))
    const state = started(...spoken, ...ids.map((id, i) => over(3 + i, "judge", id)))
    const types = (of: StoreState) => rowsOf(of, 2).map(({ type }) => type)
    expect(types(state)).toEqual(["group"])
    const asking = reduce(state, { type: "frames", frames: [ask("q", "judge")] })
    expect(types(asking)).toEqual(["group", "finished", "session"])
    expect(types(state)).toEqual(["group"])
  })
})
