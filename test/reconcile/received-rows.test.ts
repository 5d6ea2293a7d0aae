// Tests how the lines of a live run are grouped into epochs.
import { expect, test } from "bun:test"
import { liveEpochs } from "../../src/reconcile/received-rows.ts"
import { decodeLine } from "../../src/transport/message.ts"

function epochsOf(...frames: readonly (readonly [seq: number, event: string])[]): readonly (readonly number[])[] {
  const lines = frames.map(([seq, event]) => {
    const text = JSON.stringify({ kind: "event", seq, ts: 1000, event, data: {} })
    return { text, frame: decodeLine(text) }
  })
  const steps = liveEpochs(lines)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value.map(({ events }) => events.map(({ seq }) => seq))
  }
}

test("a start below the numbers seen begins an epoch, also as the last line so far", () => {
  expect(epochsOf([5, "a"], [6, "b"], [2, "runner/started"])).toEqual([[5, 6], [2]])
  expect(epochsOf([5, "a"], [6, "b"], [2, "runner/started"], [3, "c"])).toEqual([
    [5, 6],
    [2, 3],
  ])
})

test("a start below the numbers seen that a repeat brings, before a known event, begins none", () => {
  expect(epochsOf([5, "a"], [6, "b"], [4, "runner/started"], [5, "a"])).toEqual([[4, 5, 6]])
})
