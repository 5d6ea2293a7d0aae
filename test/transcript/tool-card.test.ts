// Tests which call a result belongs to: by its id, or without one if only one call is possible.
import { expect, test } from "bun:test"
import { type Carded, CardList } from "../../src/transcript/tool-card.ts"

interface Told {
  readonly name?: string | null
  readonly id?: string
  readonly turn?: number
}

function call(key: string, { name = "read", id, turn = 1 }: Told = {}) {
  return { key, card: key, type: "tool-call", name, turn, ...(id !== undefined && { callId: id }) } as const
}

function result(key: string, { name = "read", id, turn = 1 }: Told = {}) {
  return { key, card: key, type: "tool-result", name, turn, ...(id !== undefined && { callId: id }) } as const
}

const text = (key: string) => ({ key, card: key, type: "text", name: null, turn: 1 }) as const

function paired(blocks: readonly Carded[]): readonly Carded[] {
  const list = new CardList<Carded>()
  for (const block of blocks) list.add(block)
  return list.blocks
}

/** The blocks in their order, and below which call a result folds: `r>c`. */
function shown(...blocks: readonly Carded[]) {
  return paired(blocks).map(({ key, card }) => (key === card ? key : `${key}>${card}`))
}

const [a, b, c] = [{ id: "a" }, { id: "b" }, { id: "c" }]
const list = { name: "list" }

test.each<[what: string, blocks: readonly Carded[], shown: string]>([
  [
    "with an id is shown below its own call, whatever came in between",
    [
      ...[call("c1", a), call("c2", b), call("c3", c)],
      ...[result("r2", b), text("t"), result("r3", c), result("r1", a)],
    ],
    "c1 r1>c1 c2 r2>c2 c3 r3>c3 t",
  ],
  ["with an id is not joined to a call with another", [call("c1", a), result("r", { id: "z" })], "c1 r"],
  ["with an id, in parts, is one card", [call("c", a), result("r1", a), text("t"), result("r2", a)], "c r1>c r2>c t"],
  [
    "belongs to the later call if its id comes again after an answer",
    [call("c1", a), result("r1", a), call("c2", a), result("r2", a)],
    "c1 r1>c1 c2 r2>c2",
  ],
  [
    "belongs to no call if two that wait share its id",
    [call("c1", a), call("c2", a), result("r1", a), result("r2", a)],
    "c1 c2 r1 r2",
  ],
  ["without an id belongs to the turn's only open call of its tool", [call("c"), result("r")], "c r>c"],
  ["without an id or a tool belongs to the only call", [call("c"), text("t"), result("r", { name: null })], "c r>c t"],
  [
    "without an id is told from that of another tool",
    [call("c1"), call("c2", list), result("r2", list), result("r1", { name: null })],
    "c1 r1>c1 c2 r2>c2",
  ],
  ["without an id may be of two calls", [call("c1"), call("c2"), result("r1"), result("r2")], "c1 c2 r1 r2"],
  ["without an id is not of another tool's call", [call("c"), result("r", list)], "c r"],
  ["without an id is not of another turn's call", [call("c"), result("r", { turn: 2 })], "c r"],
  ["without an id is not of an answered call", [call("c"), result("r1"), result("r2")], "c r1>c r2"],
  ["that came before its call stays there", [result("r"), call("c")], "r c"],
  ["without an id belongs to a call with one", [call("c", a), result("r")], "c r>c"],
  ["with an id belongs to a call without", [call("c"), result("r", a)], "c r>c"],
])("a tool result %s", (_, blocks, all) => expect(shown(...blocks).join(" ")).toBe(all))

test("a tool result of a later turn is shown in its call's turn", () => {
  const blocks = [call("c1", a), call("c2", { id: "b", turn: 2 }), result("r", { id: "a", turn: 2 })]
  expect(shown(...blocks)).toEqual(["c1", "r>c1", "c2"])
  expect(paired(blocks)[1]?.turn).toBe(1)
})
