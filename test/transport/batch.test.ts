// Tests that items are delivered at once or in batches.
import { expect, test } from "bun:test"
import { Batch } from "../../src/transport/batch.ts"
import { ManualClock } from "./manual-clock.ts"

function batching() {
  const clock = new ManualClock()
  const batches: (readonly number[])[] = []
  return { clock, batches, batch: new Batch<number>(clock, 16, items => batches.push(items)) }
}

test("the first item is delivered at once, the others in batches 16 ms apart", () => {
  const { clock, batches, batch } = batching()
  batch.add(1)
  expect(batches).toEqual([])
  clock.advance(0)
  expect(batches).toEqual([[1]])
  batch.add(2)
  clock.advance(10)
  batch.add(3)
  batch.add(4)
  clock.advance(5)
  expect(batches).toEqual([[1]])
  clock.advance(1)
  expect(batches).toEqual([[1], [2, 3, 4]])
})

test("a batch delivered late does not delay the next one", () => {
  const { clock, batches, batch } = batching()
  batch.add(1)
  clock.advance(0)
  batch.add(2)
  clock.oversleep(20)
  batch.add(3)
  clock.advance(11)
  expect(batches).toEqual([[1], [2]])
  clock.advance(1)
  expect(batches).toEqual([[1], [2], [3]])
})

test("after a pause the next item is delivered at once again", () => {
  const { clock, batches, batch } = batching()
  batch.add(1)
  clock.advance(1000)
  batch.add(2)
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
  batch.add(1)
  batch.flush()
  expect([batches, clock.alarms]).toEqual([[[1]], 0])
})
