// Checks the hand-made recordings against their README, and plays them.
import { expect, test } from "bun:test"
import { decode } from "../../packages/wire/src/decode.ts"
import { fixture } from "../fixtures.ts"

const NAMES = ["demo", "prompts", "parallel-60", "debugger"]

async function framesOf(name: string) {
  const text = await Bun.file(fixture(name)).text()
  return text.trimEnd().split("\n").map(decode)
}

test.each(NAMES)("every line of %s is a frame without a fault, and seq counts from 0", async name => {
  const frames = await framesOf(name)
  const events = frames.flatMap(frame => (frame.kind === "event" || frame.kind === "delta" ? [frame] : []))
  expect(frames.filter(frame => frame.kind === "malformed" || frame.kind === "blank")).toEqual([])
  expect(events.flatMap(frame => frame.faults ?? [])).toEqual([])
  expect(events.map(frame => frame.seq)).toEqual(events.map((_, index) => index))
})

test("each session streams the text of its response", async () => {
  const streamed = new Map<string | null, string>()
  for (const frame of await framesOf("demo")) {
    if (frame.kind === "delta") streamed.set(frame.sessionId, (streamed.get(frame.sessionId) ?? "") + frame.text)
    if (frame.kind !== "event") continue
    if (frame.body.type === "llm/start") streamed.set(frame.sessionId, "")
    if (frame.body.type !== "llm/response") continue
    const spoken = (frame.body.content ?? []).flatMap(block =>
      block.type === "text" || block.type === "thinking" ? [block.text] : [],
    )
    expect(streamed.get(frame.sessionId)).toBe(spoken.join(""))
  }
})
