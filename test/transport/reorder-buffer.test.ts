// Tests that frames come out in the order of their numbers.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { decode } from "../../packages/wire/src/decode.ts"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { MAX_HELD, ReorderBuffer } from "../../src/transport/reorder-buffer.ts"
import { forAll } from "../for-all.ts"

interface Item {
  readonly frame: Decoded
  readonly name: string
}

function event(seq: number | null, event = "llm/start"): Item {
  return { frame: decode(JSON.stringify({ kind: "event", seq, ts: 1, event, data: {} })), name: String(seq) }
}

function delta(seq: number, coalesced: number): Item {
  const data = { type: "text-delta", text: "x", coalesced }
  return { frame: decode(JSON.stringify({ kind: "event", seq, ts: 1, event: "llm/delta", data })), name: String(seq) }
}

function line(text: string): Item {
  return { frame: decode(text), name: text }
}

const names = (items: readonly Item[]) => items.map(({ name }) => name)

test("a gap that is never filled is given up when 64 frames are held", () => {
  const order = new ReorderBuffer<Item>()
  order.push(event(1), 0)
  for (let seq = 3; seq < MAX_HELD + 2; seq++) expect(order.push(event(seq), 0)).toEqual([])
  expect(order.push(event(100), 0)).toHaveLength(MAX_HELD - 1)
  expect(names(order.flush())).toEqual(["100"])
})

describe("properties", () => {
  /** Any number that a line may carry. */
  const anyItem = fc.oneof(
    fc.integer({ min: -3, max: 90 }).map(seq => event(seq)),
    fc.double({ noNaN: true }).map(seq => event(seq)),
    fc.tuple(fc.nat(90), fc.nat(100)).map(([seq, n]) => delta(seq, n)),
    fc.nat(90).map(seq => event(seq, "runner/started")),
    fc.constantFrom(event(null), line("not JSON"), line("")),
  )

  test("every frame comes out exactly once, and at most 63 are ever held", () =>
    forAll([fc.array(fc.tuple(anyItem, fc.nat(30)), { maxLength: 300 })], 100, arrivals => {
      const order = new ReorderBuffer<Item>()
      const items = arrivals.map(([{ frame, name }]) => ({ frame, name }))
      const out: Item[] = []
      let now = 0
      arrivals.forEach(([, pause], n) => {
        const item = items[n]
        if (item === undefined) return
        now += pause
        out.push(...order.takeDue(now), ...order.push(item, now))
        expect(n + 1 - out.length).toBeLessThan(MAX_HELD)
      })
      out.push(...order.flush())
      expect(out).toHaveLength(items.length)
      expect(new Set(out)).toEqual(new Set(items))
    }))
})
