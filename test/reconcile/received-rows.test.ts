// Tests how the lines of a live run are grouped into epochs.
import { expect, test } from "bun:test"
import { liveEpochs } from "../../src/reconcile/received-rows.ts"
import { resultOf } from "../../src/timeline/steps.ts"
import { decodeLine } from "../../src/transport/message.ts"
import { eventText } from "../run/lines.ts"

function epochsOf(...frames: readonly (readonly [seq: number, event: string])[]): readonly (readonly number[])[] {
  const lines = frames.map(([seq, event]) => {
    const text = eventText(seq, event, {}, 1000)
    return { text, frame: decodeLine(text) }
  })
  return resultOf(liveEpochs(lines)).map(({ events }) => events.map(({ seq }) => seq))
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
