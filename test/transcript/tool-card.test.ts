// Tests which call a result belongs to: by its id, or without one if only one call is possible.
import { describe, expect, test } from "bun:test"
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

describe("a tool result with an id", () => {
  test("is shown below its own call, whatever came in between", () => {
    const calls = [call("c1", { id: "a" }), call("c2", { id: "b" }), call("c3", { id: "c" })]
    const results = [result("r2", { id: "b" }), text("t"), result("r3", { id: "c" }), result("r1", { id: "a" })]
    expect(shown(...calls, ...results)).toEqual(["c1", "r1>c1", "c2", "r2>c2", "c3", "r3>c3", "t"])
  })

  test("is not joined to the call above it if its id says otherwise", () => {
    expect(shown(call("c1", { id: "a" }), result("r", { id: "z" }))).toEqual(["c1", "r"])
  })

  test("of a later turn is shown in its call's turn", () => {
    const blocks = [call("c1", { id: "a" }), call("c2", { id: "b", turn: 2 }), result("r", { id: "a", turn: 2 })]
    expect(shown(...blocks)).toEqual(["c1", "r>c1", "c2"])
    expect(paired(blocks)[1]?.turn).toBe(1)
  })

  test("in parts is one card with its call", () => {
    expect(shown(call("c", { id: "a" }), result("r1", { id: "a" }), text("t"), result("r2", { id: "a" }))).toEqual([
      "c",
      "r1>c",
      "r2>c",
      "t",
    ])
  })

  test("belongs to the later call if the id comes again after an answer", () => {
    const blocks = [
      call("c1", { id: "a" }),
      result("r1", { id: "a" }),
      call("c2", { id: "a" }),
      result("r2", { id: "a" }),
    ]
    expect(shown(...blocks)).toEqual(["c1", "r1>c1", "c2", "r2>c2"])
  })

  test("belongs to no call if two waiting calls share its id", () => {
    const blocks = [
      call("c1", { id: "a" }),
      call("c2", { id: "a" }),
      result("r1", { id: "a" }),
      result("r2", { id: "a" }),
    ]
    expect(shown(...blocks)).toEqual(["c1", "c2", "r1", "r2"])
  })
})

describe("a tool result without an id", () => {
  test("belongs to the turn's only open call of that tool", () => {
    expect(shown(call("c"), result("r"))).toEqual(["c", "r>c"])
    expect(shown(call("c"), text("t"), result("r", { name: null }))).toEqual(["c", "r>c", "t"])
    const two = [call("c1"), call("c2", { name: "list" }), result("r2", { name: "list" }), result("r1", { name: null })]
    expect(shown(...two)).toEqual(["c1", "r1>c1", "c2", "r2>c2"])
  })

  test("stays where it came if more than one call is possible", () => {
    expect(shown(call("c1"), call("c2"), result("r1"), result("r2"))).toEqual(["c1", "c2", "r1", "r2"])
    expect(shown(call("c"), result("r", { name: "list" }))).toEqual(["c", "r"])
    expect(shown(call("c"), result("r", { turn: 2 }))).toEqual(["c", "r"])
    expect(shown(call("c"), result("r1"), result("r2"))).toEqual(["c", "r1>c", "r2"])
    expect(shown(result("r"), call("c"))).toEqual(["r", "c"])
  })

  test("belongs to a call with an id, and a result with one to a call without", () => {
    expect(shown(call("c", { id: "a" }), result("r"))).toEqual(["c", "r>c"])
    expect(shown(call("c"), result("r", { id: "a" }))).toEqual(["c", "r>c"])
  })
})
