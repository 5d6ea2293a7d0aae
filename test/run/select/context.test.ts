// Tests what filled the context of a turn, by the figures of fixtures/failing-run/truth.json.
import { beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { type Capture, decodeCapture } from "../../../packages/wire/src/capture.ts"
import type { Json } from "../../../packages/wire/src/json.ts"
import { readPrices } from "../../../src/cli/option-value.ts"
import { fold } from "../../../src/run/fold.ts"
import { initialRun, type Run } from "../../../src/run/model/run.ts"
import { type Captures, withCapture } from "../../../src/run/select/captures.ts"
import {
  charactersOf,
  contextOf,
  latestRefs,
  newParts,
  type TurnContext,
  tokensOf,
} from "../../../src/run/select/context.ts"
import { sessionName } from "../../../src/run/select/figures.ts"
import { requestRef } from "../../../src/run/select/turn-rows.ts"
import { readCapture } from "../../../src/session-dir/capture-file.ts"
import { openedDirectory } from "../../captured.ts"
import { readFrames, root } from "../../fixtures.ts"
import { event, ids, tell } from "../lines.ts"

const path = join(root, "fixtures/failing-run")
const truth = await Bun.file(join(path, "truth.json")).json()
const requests = await Bun.file(join(root, "fixtures/runs/requests.json")).json()
const ref = "nodes/n/0/turns/0/request.edn"

let run: Run
let captures: Captures
beforeAll(async () => {
  const frames = await readFrames(join(path, "transcript.jsonl"))
  run = fold(initialRun({ prices: readPrices(join(path, "prices.json")) }), frames)
  const directory = await openedDirectory(path)
  const read = new Map<string, Awaited<ReturnType<typeof readCapture>>>()
  for (const [session, { turns }] of run.sessions.entries()) {
    for (let turn = 1; turn <= turns; turn++) {
      const one = requestRef(run, { session, turn })
      if (one !== null) read.set(one, await readCapture(directory, one))
    }
  }
  captures = read
})

function of(name: string, turn: number, known = captures): TurnContext {
  const session = [...run.sessions.keys()].find(index => sessionName(run, index) === name) ?? -1
  return contextOf({ run, captures: known }, { session, turn })
}

/** The figures that the truth tells of a turn. */
function told(name: string, turn: number, expected: object): object {
  const context = of(name, turn)
  const kinds = (["system", "tools", "message", "result", "thinking"] as const).map(kind => {
    const parts = context.parts?.filter(part => part.kind === kind) ?? []
    return [kind, tokensOf(context, charactersOf(parts))]
  })
  const fresh = newParts(context, of(name, turn - 1))
  const limit = context.limit?.tokens
  const figures = { ...context, limit, ...Object.fromEntries(kinds), new: fresh && charactersOf(fresh) }
  return Object.fromEntries(Object.entries(figures).filter(([key]) => key in expected))
}

/** The context of a turn whose request was captured as this. */
function captured(request: Json, usage: Json = { "input-tokens": 100 }): TurnContext {
  const told = tell([
    event(0, "llm/start", ids),
    event(1, "llm/response", { ...ids, usage, content: [{ type: "text", text: "." }], "io/ref": ref }),
  ])
  return contextOf({ run: told, captures: new Map([[ref, { capture: decodeCapture(request) }]]) }, place)
}
const place = { session: 0, turn: 1 }

test("the contexts of the failing run have the shares that were worked out by hand", () => {
  for (const [name, turns] of Object.entries<object[]>(truth.contexts)) {
    const found = turns.map((expected, i) => told(name, i + 1, expected))
    expect({ name, found }).toEqual({ name, found: turns })
  }
})

test("the largest part of coder 2's turn 2 is what read_file read, and it is new", () => {
  const context = of("coder 2", 2)
  const largest = context.parts?.toSorted((a, b) => b.characters - a.characters)[0]
  expect(largest).toMatchObject({ kind: "result", name: "read_file", begin: '{"path":"coverage/lcov.info"}' })
  expect(tokensOf(context, largest?.characters ?? 0)).toBe(16_196)
  expect(newParts(context, of("coder 2", 1))?.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    "message 2 assistant",
    "result read_file",
  ])
  expect(newParts(of("coder 2", 1), null)).toBeNull()
})

test("without a capture what is missing is named: its file, why it can't be read, or that no event names one", () => {
  const file = "nodes/coding/1/turns/1/request.edn"
  expect(of("coder 2", 2, new Map())).toMatchObject({ parts: null, input: 16_400, missing: { ref: file, why: null } })
  const failed = new Map([[file, { why: "no such file" }]])
  expect(of("coder 2", 2, failed).missing).toEqual({ ref: file, why: "no such file" })
  const another = new Map([[file, { capture: decodeCapture("a result") }]])
  expect(of("coder 2", 2, another).missing).toEqual({ ref: file, why: "it holds no request" })
  const bare = tell([event(0, "llm/start", ids), event(1, "llm/response", { ...ids, content: [] })])
  expect(contextOf({ run: bare, captures: new Map() }, place).missing).toEqual({ ref: null, why: null })
  expect(contextOf({ run: bare, captures: new Map() }, { session: 7, turn: 3 }).input).toBeNull()
  expect(newParts(of("coder 2", 2), of("coder 2", 1, new Map()))).toBeNull()
})

test("the request of a turn without entries is the one that the log has of that turn, not of its neighbour", () => {
  const refOf = (turn: number) => `nodes/n/0/turns/${turn}/request.edn`
  const asked = (turn: number) => [
    event(3 * turn, "llm/start", ids),
    event(3 * turn + 1, "llm/request", { ...ids, "io/ref": refOf(turn) }),
  ]
  const replied = (turn: number) => [
    ...asked(turn),
    event(3 * turn + 2, "llm/response", { ...ids, content: [{ type: "text", text: "." }] }),
  ]
  const cut = tell([...replied(0), ...asked(1), ...asked(2), ...replied(3), ...asked(4)])
  for (const turn of [1, 2, 3, 4, 5]) expect(requestRef(cut, { session: 0, turn })).toBe(refOf(turn - 1))
  expect(requestRef(cut, { session: 0, turn: 6 })).toBeNull()
  expect(requestRef(tell([...asked(0), event(3, "llm/start", ids)]), { session: 0, turn: 2 })).toBeNull()
  const runs = [[], asked(0), replied(0), [...replied(0), ...replied(1), ...asked(2)]]
  expect(runs.map(lines => latestRefs(tell(lines)))).toEqual([[], [refOf(0)], [refOf(0)], [refOf(1), refOf(2)]])
})

test("a request is split into its prompt, tools, messages, thinking and results", () => {
  const context = captured(requests.split)
  expect(context.parts?.map(({ kind, name, characters }) => [kind, name, characters].join(" "))).toEqual([
    "system system prompt 5",
    // {"name": "look"}
    "tools look 16",
    "tools find 4",
    "message 1 user 6",
    "thinking 2 assistant 4",
    // 12look{"at":1}find
    "message 2 assistant 18",
    "result look 3",
    "result 3 user 1",
    "result 3 user 5",
    "message 4 user 0",
  ])
  expect(context.characters).toBe(62)
  // 100 × 16 / 62
  expect(tokensOf(context, 16)).toBe(26)
})

test("of captures too large together the oldest is dropped, whatever holds the text, but never the one just read", () => {
  const text = "x".repeat(30 * 2 ** 20)
  const blocks = [{ type: "text", text }] as const
  const bare = { type: "request", system: null, tools: [], messages: [], params: [] } as const
  const large: readonly Capture[] = [
    { type: "result", text, isError: false },
    { type: "response", blocks },
    { ...bare, system: text },
    { ...bare, tools: [{ name: "t", text }] },
    { ...bare, params: [{ name: "p", text }] },
    { ...bare, messages: [{ role: "user", blocks }] },
  ]
  const small = withCapture(new Map(), "small", { why: "no such file" })
  const kept = large.map(capture => {
    const two = withCapture(withCapture(small, "a", { capture }), "b", { capture })
    return [...two.keys(), ...withCapture(two, "c", { why: text + text }).keys()].join(" ")
  })
  expect(kept).toEqual(large.map(() => "b c"))
  expect([...withCapture(small, "a", { why: text }).keys()]).toEqual(["small", "a"])
  const half = { why: "x".repeat(24 * 2 ** 20) }
  expect(withCapture(withCapture(new Map(), "a", half), "b", half).size).toBe(2)
})

test("of what was not counted there is no estimate, nor of an empty request", () => {
  expect(tokensOf(captured({ system: "12345" }, {}), 5)).toBeNull()
  expect(tokensOf(captured({ messages: [], system: "" }), 0)).toBeNull()
})

test("a part that stands twice is new where it stood once before", () => {
  const said = (times: number) => captured({ messages: Array(times).fill({ role: "user", content: "Go on." }) })
  expect(newParts(said(3), said(2))).toHaveLength(1)
  expect(newParts(said(2), said(3))).toEqual([])
})

test("names and beginnings of a hostile request may be shown", () => {
  const context = captured(requests.hostile)
  const shown = context.parts?.flatMap(({ name, begin }) => [name, begin]).join("") ?? ""
  expect(shown).not.toMatch(/[\u001b\u0007\u202e\n]/)
})

test("a sum over the requests of a whole run is nobody's context", () => {
  const summed = { "input-tokens": 45_378, "output-tokens": 214, summed: true }
  const run = tell([event(0, "llm/start", ids), event(1, "llm/response", { ...ids, content: [], usage: summed })])
  const { input, cached } = contextOf({ run, captures: new Map() }, { session: 0, turn: 1 })
  expect([input, cached]).toEqual([null, null])
})
