// Tests which session asks a question, and whose text is shown meanwhile (docs/decisions.md 3.3).
import { describe, expect, test } from "bun:test"
import { liveRows, rowOfTarget, sameTarget, selectionIn } from "../../../src/panels/common/session-rows.ts"
import { sessionId } from "../../../src/run/model/id.ts"
import { foldBlock, folding, unread } from "../../../src/view/block-reading.ts"
import { reduce } from "../../../src/view/reduce.ts"
import { askerOf, readText } from "../../../src/view/select/shown-session.ts"
import { emptyState, type StoreState } from "../../../src/view/state.ts"
import { shownState } from "../../../src/view/store.ts"
import type { ViewChange } from "../../../src/view/view.ts"
import { attach, delta, event, line, tell } from "../../run/lines.ts"
import { open } from "../planned.ts"

const ask = (id: string, invokeid: string | null) =>
  line({ kind: "prompt", "prompt-id": id, invokeid, type: "text", opts: { prompt: "?" } })
const says = (seq: number, invokeid: string, session: string) => delta(seq, "x", { invokeid, "session-id": session })

test("the session that asks is the latest of its invokeid, else the one that spoke last, and never of an earlier epoch", () => {
  const [judge, poet] = [says(0, "judge", "j.1"), says(1, "poet", "p.1")]
  const begun = event(0, "runner/started")
  const anew = event(0, "runner/started", {}, 900)
  const response = event(2, "llm/response", { invokeid: "judge", "session-id": "j.1", content: [] })
  const old = [event(0, "runner/started", {}, 1), says(1, "judge", "old")]
  for (const [asker, ...lines] of [
    ["j.2", judge, says(1, "judge", "j.2"), says(2, "poet", "p.1"), ask("q", "judge"), says(3, "judge", "j.3")],
    ["p.1", judge, poet, ask("q", null), says(2, "judge", "j.1")],
    ["j.1", judge, poet, response, ask("q", null)],
    // The question overtook its session's first event.
    ["j.1", begun, ask("q", "judge"), says(1, "judge", "j.1")],
    ["j.1", ask("q", "judge"), says(1, "judge", "j.1")],
    [null, ...old, anew, ask("q", null)],
    [null, ...old, anew, ask("q", "judge")],
    ["new", ask("q", "judge"), anew, says(1, "judge", "new")],
  ] as const) {
    const run = tell([attach, ...lines])
    expect(run.prompts.map(prompt => run.sessions[askerOf(run, prompt) ?? -1]?.sessionId ?? null)).toEqual([asker])
  }
})

test("the text beside the list keeps its place for its own session alone, and its row where a list was open before the question", () => {
  const frames = [says(0, "judge", "j.1"), says(1, "poet", "p.1")]
  const [judge, poet] = [sessionId(0, "judge", "j.1"), sessionId(0, "poet", "p.1")]
  const text = { ...unread, session: poet, folds: foldBlock(folding("all"), "3", false), first: { block: "0", row: 7 } }
  const list = { selected: { type: "session", session: poet }, pinned: true } as const
  const state = reduce(reduce(emptyState(open), { type: "frames", frames }), {
    type: "view",
    change: { list, reader: { text } },
  })
  const asked = reduce(state, { type: "frames", frames: [ask("q", "judge")] })
  const settled = reduce(asked, { type: "frames", frames: [event(2, "human-input/answer", { invokeid: "judge" })] })
  expect([state, asked, settled].map(one => readText(shownState(one)))).toEqual([
    text,
    { ...unread, session: judge, folds: folding("all") },
    text,
  ])
  const change = { overlays: [{ type: "alerts", cursor: null }], reader: { reads: "row", text } } as const
  const reading = reduce(reduce(state, { type: "view", change }), { type: "frames", frames: [ask("q", "judge")] })
  expect(readText(shownState(reading)).session).toBe(poet)
})

test("two rows are the same only if they are of one kind and of one session or group", () => {
  const run = tell([says(0, "a", "s"), says(1, "b", "t")])
  const rows = [
    ...run.sessions.map(({ id: session }) => ({ type: "session", session }) as const),
    ...run.invocations.flatMap(({ id: invocation }) =>
      (["group", "finished"] as const).map(type => ({ type, invocation })),
    ),
    null,
  ]
  for (const [i, first] of rows.entries())
    for (const [j, second] of rows.entries()) expect(sameTarget(first, second)).toBe(i === j)
})

describe("the rows of the list", () => {
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

  /** Sessions of an invocation, of so many tokens each, that ended in these ways, or have not. */
  const crew = (invokeid: string, ...ends: readonly (readonly [tokens: number, end: string])[]) =>
    ends.flatMap(([tokens, end], i) => {
      const ids = { invokeid, "session-id": `${invokeid}.${i + 1}` }
      const call = end === "tool" ? [{ type: "tool_use", name: "ls" }] : []
      const reply = event(null, "llm/response", { ...ids, content: call, usage: { "output-tokens": tokens } }, 5)
      return [
        event(null, "llm/start", ids, 1),
        ...(end === "waits" ? [] : [delta(null, "x", { ...ids, ts: 2 })]),
        ...(end === "done" || end === "tool" ? [reply] : []),
        ...(end === "fails" ? [event(null, "llm/error", { ...ids, message: "no" }, 5)] : []),
      ]
    })
  const idle = (count: number) => Array.from({ length: count }, () => [1, "done"] as const)
  const working = started(
    ...crew("poet", [5, "done"], [70, "done"], [9, "done"]),
    ...crew("judge", [1, "done"], [90, "done"], [0, "fails"], [0, "streams"], [30, "tool"], [0, "waits"], [2, "done"]),
    ...crew("cook", [8, "done"]),
    ...crew("scribe", [0, "fails"], [0, "fails"], [0, "waits"]),
    ...crew("smith", [4, "done"], [0, "streams"]),
  )
  const asked = reduce(working, { type: "frames", frames: [ask("q", "poet"), ask("r", "scribe"), ask("s", null)] })
  const failing = reduce(asked, { type: "frames", frames: crew("poet", ...idle(2), [0, "fails"]).slice(-1) })
  const ended = line({ kind: "control", op: "run-finished", "final-config": "[:done]" })
  const [poet, judge, cook] = working.run.invocations.map(({ id }) => id)
  if (poet === undefined || judge === undefined || cook === undefined) throw new Error("expected three groups")
  const gone = sessionId(0, "judge", "gone")
  const pins = [sessionId(0, "judge", "judge.2"), gone, sessionId(0, "scribe", "scribe.3")]
  const typed = { to: "sessions", text: " scribe", error: null, before: {} } as const
  const own = { list: { selected: session("judge", "judge.2") } }
  const group = { type: "group", invocation: judge } as const
  const views: Readonly<Record<string, ViewChange>> = {
    "as they come": {},
    "what needs a person": { list: { order: "needs" } },
    newest: { list: { order: "newest" } },
    "most tokens": { list: { order: "tokens" } },
    "folded: judge, and cook alone": { list: { folded: [judge, cook] } },
    "unfolded: poet": { list: { unfolded: [poet] } },
    "all unfolded": { list: { unfolded: [poet, judge] } },
    pinned: { list: { pins } },
    "pinned, newest": { list: { pins, order: "newest" } },
    "judges are found": { list: { filter: " judge ", order: "needs" } },
    "the newest that is done is found": { list: { filter: "done", order: "newest" } },
    "blanks are no filter": { list: { filter: "  " } },
    "nobody is found": { list: { filter: "nobody" } },
    "what is typed finds others than before": { typing: typed, list: { filter: "judge" } },
    "and what was selected before": { typing: { ...typed, text: "2", before: own } },
    "a group was selected before": { typing: { ...typed, text: "e", before: { list: { selected: group } } } },
    "a group is selected": { list: { filter: "e", selected: group } },
    "something else is typed": { typing: { ...typed, to: "filter" }, list: { filter: "cook" } },
    "more are found than fit": { list: { filter: "e", order: "needs" } },
  }

  /** Each row in short: `judge:` is a group, `judge…` its finished sessions; [ ] is the row of the selection. */
  function told(state: StoreState, room: number): string {
    const at = shownState(state)
    const { rows, pinned } = liveRows(at, room)
    const selection = selectionIn(at)
    const name = (row: (typeof rows)[number] | null) =>
      row === null
        ? "none"
        : row.type === "session"
          ? (at.run.sessions.find(({ id }) => id === row.session)?.sessionId ?? "gone")
          : `${at.run.invocations.find(({ id }) => id === row.invocation)?.invokeid}${row.type === "group" ? ":" : "…"}`
    const here = rowOfTarget(at.run, { rows }, selection)
    const words = rows.map(
      (row, i) => `${i === pinned && i > 0 ? "| " : ""}${i === here ? `[${name(row)}]` : name(row)}`,
    )
    return `  ${room}: ${words.join(" ")} · ${name(selection)}`
  }

  const some = [...crew("a", ...idle(20)), ...crew("b", ...idle(15)), ...crew("c", ...idle(3))]
  const many = started(...some, ...crew("d", [0, "streams"]))
  const after = reduce(many, { type: "frames", frames: [ended] })
  const folded = many.run.invocations.slice(2, 3).map(({ id }) => id)
  const folds: Readonly<Record<string, ViewChange>> = {
    "as they come": {},
    "folded: c": { list: { folded } },
    "folded: c, and one of it pinned": { list: { folded, pins: [sessionId(0, "c", "c.1")] } },
  }
  const few = Object.fromEntries(Object.entries(views).filter((_, i) => [0, 1, 7, 10].includes(i)))
  const first = { "as they come": {} }
  const found = ["asking", "failed", "running", "waiting", "done poet"].map(filter => [filter, { list: { filter } }])

  test("are those that fit, in each order, with what is folded, pinned, found or asks, and one of them for the selection", () => {
    const selected = [session("judge", "judge.7"), session("poet", "poet.1"), null, session("judge", "gone")]
    const lines = new Map<string, readonly string[]>()
    const tellAll = (rooms: readonly number[], ...states: readonly (readonly [string, StoreState, typeof views])[]) => {
      // What differs in one thing alone is asked for in turn: nothing is told that was made for another.
      for (const room of rooms)
        for (const [name, state, shown] of states)
          for (const [i, [words, change]] of Object.entries(shown).entries()) {
            const list = { selected: selected[i % selected.length] ?? null, ...change.list }
            const at = reduce(state, { type: "view", change: { ...change, list } })
            const known = lines.get(`${name}, ${words}`) ?? []
            lines.set(`${name}, ${words}`, [...known, told(at, room)])
          }
    }
    tellAll([4, 12, 15, 19, 20], ["working", working, views], ["working", working, first], ["asking", asked, few])
    tellAll([9], ["one that failed asks", failing, Object.fromEntries(found)])
    tellAll(
      [4, 18, 19, 29, 30, 31, 32, 35, 39, 40, 42],
      ["many", many, folds],
      ["many", many, first],
      ["over", after, folds],
    )
    const rows = (line = "") => line.slice(line.indexOf(":"))
    const all = [...lines].flatMap(([name, told]) => [
      name,
      ...told.filter((line, i) => rows(line) !== rows(told[i - 1])),
    ])
    expect(all.join("\n")).toMatchSnapshot()
  })
})
