// Checks the hand-made recordings against their README.
import { expect, test } from "bun:test"
import { decode } from "../../packages/wire/src/decode.ts"
import { fixture } from "../fixtures.ts"

const NAMES = ["demo", "prompts", "parallel-60", "debugger"]

test.each(NAMES)("every line of %s is a frame without a fault, and seq counts from 0", async name => {
  const text = await Bun.file(fixture(name)).text()
  const frames = text.trimEnd().split("\n").map(decode)
  const events = frames.flatMap(frame => (frame.kind === "event" || frame.kind === "delta" ? [frame] : []))
  expect(frames.filter(frame => frame.kind === "malformed" || frame.kind === "blank")).toEqual([])
  expect(events.flatMap(frame => frame.faults ?? [])).toEqual([])
  expect(events.map(frame => frame.seq)).toEqual(events.map((_, index) => index))
})
