// Tests that frames come out in the order of their numbers.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { decode } from "../../packages/wire/src/decode.ts"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { HOLD_MS, MAX_HELD, ReorderBuffer } from "../../src/transport/reorder-buffer.ts"
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

/** The output of each push, all at the same time. */
function pushed(order: ReorderBuffer<Item>, items: readonly Item[]): string[][] {
  return items.map(item => names(order.push(item, 0)))
}

/** The frames that come out with each that arrives, between bars. */
test.each<[string, readonly Item[], string]>([
  ["one that was overtaken waits for it", [event(4), event(6), event(5), event(7)], "4||5 6|7"],
  ["several gaps close one after the other", [event(1), event(5), event(3), event(2), event(4)], "1|||2 3|4 5"],
  ["the first frame of a connection sets the first expected number", [event(200), event(201)], "200|201"],
  ["a late or repeated number passes at once", [event(5), event(3), event(5)], "5|3|5"],
  ["a coalesced delta that covers the numbers before it passes", [event(1), delta(8, 7), event(9)], "1|8|9"],
  ["one that covers all but one number waits", [event(1), delta(9, 7)], "1|"],
  ["a coalesced delta that fills a gap frees those behind it", [event(1), event(9), delta(8, 7)], "1||8 9"],
  [
    "a run that starts at a lower number frees the held frames and counts from there",
    [event(50), event(52), event(1, "runner/started"), event(3), event(2)],
    "50||52 1||2 3",
  ],
  [
    "a run that starts at a higher number is an ordinary frame",
    [event(0), event(2, "runner/started"), event(1)],
    "0||1 2",
  ],
])("%s", (_, arrivals, out) => {
  const each = pushed(new ReorderBuffer(), arrivals)
  expect(each.map(one => one.join(" ")).join("|")).toBe(out)
})

test("a prompt, note, malformed or empty line, or a frame without a number, passes ahead of a held frame", () => {
  const order = new ReorderBuffer<Item>()
  pushed(order, [event(1), event(3)])
  const passing = [
    event(null),
    line('{"kind":"phase","config":["a"]}'),
    line('{"kind":"prompt","prompt-id":"p#1","type":"text","opts":{}}'),
    line('{"kind":"debug","paused":true,"step-budget":0}'),
    line('{"kind":"sidecar","at":1,"what":"link"}'),
    line("not JSON"),
    line(""),
  ]
  expect(pushed(order, passing)).toEqual(passing.map(({ name }) => [name]))
  expect(names(order.flush())).toEqual(["3"])
})

describe("a gap that is never filled", () => {
  test("is given up 50 ms after the frame behind it came", () => {
    const order = new ReorderBuffer<Item>()
    order.push(event(1), 0)
    expect(order.dueAt).toBeNull()
    order.push(event(4), 10)
    order.push(event(3), 30)
    expect(order.dueAt).toBe(10 + HOLD_MS)
    expect(order.takeDue(59)).toEqual([])
    expect(names(order.takeDue(60))).toEqual(["3", "4"])
    expect(order.dueAt).toBeNull()
    expect(names(order.push(event(5), 60))).toEqual(["5"])
  })

  test("does not release frames behind a later gap early", () => {
    const order = new ReorderBuffer<Item>()
    order.push(event(1), 0)
    order.push(event(3), 10)
    order.push(event(5), 30)
    expect(names(order.takeDue(60))).toEqual(["3"])
    expect(order.dueAt).toBe(80)
    expect(names(order.push(event(4), 61))).toEqual(["4", "5"])
  })

  test("is given up when 64 frames are held", () => {
    const order = new ReorderBuffer<Item>()
    order.push(event(1), 0)
    const held = Array.from({ length: MAX_HELD - 1 }, (_, n) => event(n + 3))
    expect(pushed(order, held).flat()).toEqual([])
    expect(order.push(event(100), 0)).toHaveLength(MAX_HELD - 1)
    expect(names(order.flush())).toEqual(["100"])
  })
})

test("a new connection releases the held frames, and its first frame sets the count", () => {
  const order = new ReorderBuffer<Item>()
  pushed(order, [event(50), event(52)])
  expect(names(order.reset())).toEqual(["52"])
  expect(pushed(order, [event(7), event(8)])).toEqual([["7"], ["8"]])
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

  test("numbers shuffled within a window below 64 come out in order", async () => {
    const windows = fc.integer({ min: 2, max: MAX_HELD - 1 })
    await forAll([windows, fc.array(fc.nat(), { minLength: 300, maxLength: 300 })], 100, (window, chances) => {
      const arrivals = shuffledWithin(window, chances)
      const order = new ReorderBuffer<Item>()
      order.push(event(0), 0)
      const out = arrivals.flatMap(seq => order.push(event(seq), 0))
      expect(names(out)).toEqual(chances.map((_, n) => String(n + 1)))
    })
  })

  /** 1, 2, 3 …, each of which may arrive up to `window` - 1 places early. */
  function shuffledWithin(window: number, chances: readonly number[]): number[] {
    const waiting: number[] = []
    const arrivals: number[] = []
    chances.forEach((chance, n) => {
      waiting.push(n + 1)
      const oldest = waiting[0] ?? 0
      const isOverdue = n + 1 - oldest >= window - 1
      if (waiting.length === window || isOverdue)
        arrivals.push(...waiting.splice(isOverdue ? 0 : chance % waiting.length, 1))
    })
    chances.forEach(chance => {
      if (waiting.length > 0) arrivals.push(...waiting.splice(chance % waiting.length, 1))
    })
    return arrivals
  }
})
