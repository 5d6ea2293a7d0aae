// Tests that items are delivered at once or in batches.
import { expect, test } from "bun:test"
import { Batch, TURN_UNITS } from "../../src/transport/message.ts"
import { ManualClock } from "./manual-clock.ts"

interface Item {
  readonly n: number
  readonly units?: number
}

function batching() {
  const clock = new ManualClock()
  const batches: (readonly number[])[] = []
  return {
    clock,
    batches,
    batch: new Batch<Item>(
      clock,
      16,
      items => batches.push(items.map(({ n }) => n)),
      ({ units = 1 }) => units,
    ),
  }
}

test("the first item is delivered at once, the others in batches 16 ms apart", () => {
  const { clock, batches, batch } = batching()
  batch.add([{ n: 1 }])
  expect(batches).toEqual([])
  clock.advance(0)
  expect(batches).toEqual([[1]])
  batch.add([{ n: 2 }])
  clock.advance(10)
  batch.add([{ n: 3 }])
  batch.add([{ n: 4 }])
  clock.advance(5)
  expect(batches).toEqual([[1]])
  clock.advance(1)
  expect(batches).toEqual([[1], [2, 3, 4]])
})

test("a batch delivered late does not delay the next one", () => {
  const { clock, batches, batch } = batching()
  batch.add([{ n: 1 }])
  clock.advance(0)
  batch.add([{ n: 2 }])
  clock.oversleep(20)
  batch.add([{ n: 3 }])
  clock.advance(11)
  expect(batches).toEqual([[1], [2]])
  clock.advance(1)
  expect(batches).toEqual([[1], [2], [3]])
})

test("after a pause the next item is delivered at once again", () => {
  const { clock, batches, batch } = batching()
  batch.add([{ n: 1 }])
  clock.advance(1000)
  batch.add([{ n: 2 }])
  clock.advance(0)
  expect(batches).toEqual([[1], [2]])
})

test("without items there is no batch and no timer", () => {
  const { clock, batches, batch } = batching()
  batch.flush()
  expect([batches.length, clock.alarms]).toEqual([0, 0])
})

test("a flush delivers at once and leaves no timer", () => {
  const { clock, batches, batch } = batching()
  batch.add([{ n: 1 }])
  batch.flush()
  expect([batches, clock.alarms]).toEqual([[[1]], 0])
})

test("a turn takes so much work and no more; the rest follows in the next turns, and what was added meanwhile after it", () => {
  const { clock, batches, batch } = batching()
  const many = Array.from({ length: 7 }, (_, n) => ({ n, units: TURN_UNITS / 3 }))
  batch.add(many)
  batch.add([TURN_UNITS, { n: 7 }])
  batch.flush()
  expect(batches).toEqual([[0, 1, 2]])
  batch.add([{ n: 8 }])
  clock.step()
  clock.step()
  expect(batches).toEqual([[0, 1, 2], [3, 4, 5], [6]])
  clock.step()
  expect([batches.at(-1), clock.alarms]).toEqual([[7, 8], 0])
})

test("what was added is gone once it is stopped, also amid what takes several turns, and no timer stays", () => {
  const { clock, batches, batch } = batching()
  batch.add(Array.from({ length: 6 }, (_, n) => ({ n, units: TURN_UNITS / 3 })))
  batch.flush()
  batch.add([{ n: 6 }])
  batch.stop()
  expect([batches, clock.alarms, batch.isEmpty]).toEqual([[[0, 1, 2]], 0, true])
})

test("items are made as they are taken", () => {
  const { clock, batch } = batching()
  let made = 0
  batch.add(
    (function* () {
      for (; made < 9; made++) yield TURN_UNITS
    })(),
  )
  batch.flush()
  expect(made).toBe(0)
  clock.step()
  expect(made).toBe(1)
})

test("after many early flushes an item is not delivered later than any other", () => {
  const { clock, batches, batch } = batching()
  for (let n = 0; n < 9; n++) {
    batch.add([{ n }])
    batch.flush()
  }
  batch.add([{ n: 9 }])
  clock.advance(16)
  expect(batches.at(-1)).toEqual([9])
})
