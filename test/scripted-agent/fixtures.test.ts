// Checks the hand-made recordings against their README, and plays them.
import { expect, test } from "bun:test"
import { decode } from "../../packages/wire/src/decode.ts"
import { readScript } from "../../src/scripted-agent/read-script.ts"
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

test("the demo lasts about a minute and shows every feature", async () => {
  const frames = await framesOf("demo")
  const names = new Set(frames.flatMap(frame => (frame.kind === "event" ? [frame.body.type] : [])))
  const needed = [
    "llm/retry",
    "llm/error",
    "llm/model-down",
    "llm/context-warning",
    "llm/tool-result",
    "human-input/answer",
    "runner/done",
  ] as const
  for (const name of needed) expect(names).toContain(name)
  const stops = frames.flatMap(frame =>
    frame.kind === "event" && frame.body.type === "llm/response" ? [frame.body.stopReason] : [],
  )
  expect(new Set(stops)).toEqual(new Set(["end_turn", "tool_use", "max_tokens"]))
  expect(frames.flatMap(frame => (frame.kind === "prompt" ? [frame.type] : []))).toEqual(["select", "confirm", "text"])
  expect(frames.filter(frame => frame.kind === "progress")).toHaveLength(6)
  const { lines: cues } = readScript((await Bun.file(fixture("demo")).text()).split("\n"))
  const seconds = cues.reduce((sum, cue) => sum + cue.gap, 0) / 1000
  expect(seconds).toBeGreaterThan(50)
  expect(seconds).toBeLessThan(70)
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
