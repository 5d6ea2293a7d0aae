// Tests the cards of tool calls and thinking in a transcript, and how they fold.
import { expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import { delta, event } from "../../run/lines.ts"
import { NOW, type Shown, show, spansWith } from "../../screen/screen.tsx"
import { type Step, walked } from "../steps.ts"

const ids = { invokeid: "a", "session-id": "s" } as const
const call = (id: string, file: string) => ({ type: "tool_use", id, name: "read_file", input: { file } })
const result = (seq: number, id: string, text: string, more: object = {}) =>
  event(seq, "llm/tool-result", { ...ids, tool: "read_file", "tool-use-id": id, "content-preview": text, ...more }, NOW)

/** A turn that thinks and calls two tools, whose results come in reverse order. */
const turn = [
  event(0, "llm/start", ids, NOW),
  event(1, "llm/response", {
    ...ids,
    content: [
      { type: "thinking", thinking: "Which file is it?\nPerhaps both." },
      { type: "text", text: "I look into both." },
      call("t1", "one.txt"),
      call("t2", "two.txt"),
    ],
  }),
  result(2, "t2", "text of two", { "elapsed-ms": 1200 }),
  result(3, "t1", "no such file", { "is-error": true, "elapsed-ms": 300 }),
]

async function reading(...lines: readonly Decoded[]): Promise<Shown> {
  const screen = await show({ columns: 80, rows: 36 })
  screen.feed(...lines).press("enter", "m")
  await screen.settle()
  return screen
}

const feeding = (screen: Shown, name: string, ...lines: readonly Decoded[]): Step => [name, () => screen.feed(...lines)]

test("a card has call and result on one line, open if it failed, and folds alone, with all, and where all are folded", async () => {
  const alone = await reading(...turn)
  const beside = await show({ columns: 160, rows: 40 }, ...turn)
  const next = event(5, "llm/response", { ...ids, content: [call("t3", "three.txt")] })
  const spoken = await reading(...turn)
  const last = event(6, "llm/response", { ...ids, content: [{ type: "text", text: "Only one is there." }] })
  expect([
    await walked(alone, "", "z", "z", "z", "g j h", "l", "j j j j j j j j", "h", "enter"),
    await walked(
      beside,
      "tab z",
      feeding(beside, "a call", event(4, "llm/start", ids, NOW), next),
      feeding(beside, "its result", result(6, "t3", "text of three", { "elapsed-ms": 2000 })),
    ),
    // Speech that follows a card has its speaker's name only where it is folded.
    await walked(
      spoken,
      feeding(spoken, "streamed", event(4, "llm/start", ids, NOW), delta(5, "Only one", ids)),
      feeding(spoken, "complete", last),
      "G h",
    ),
  ]).toMatchSnapshot()
})

test("the reader's line stays in place when a result comes above it, and when streamed text becomes a reply", async () => {
  const lines = (word: string, count: number) => Array.from({ length: count }, (_, i) => `${word} ${i}`).join("\n")
  const content = [call("t1", "one.txt"), { type: "text", text: lines("line", 62) }]
  const above = await reading(event(0, "llm/start", ids, NOW), event(1, "llm/response", { ...ids, content }))
  const thought = delta(1, lines("thought", 30), { ...ids, type: "thinking-delta" })
  const streamed = await reading(event(0, "llm/start", ids, NOW), thought, delta(2, lines("word", 30), ids))
  const thinking = { type: "thinking", thinking: lines("thought", 30) }
  const reply = event(3, "llm/response", { ...ids, content: [thinking, { type: "text", text: lines("word", 30) }] })
  expect([
    await walked(above, "end pageup", feeding(above, "above", result(2, "t1", "a\nb\nc"), delta(3, "and more", ids))),
    await walked(streamed, "pageup", feeding(streamed, "a reply", reply)),
  ]).toMatchSnapshot()
})

test("a transcript is followed again once the cursor moves down to the last line", async () => {
  const screen = await reading(...turn)
  const steps = ["end", "k", "k", "j", "j"].map(key => screen.press(key).store.get().view.reader.text.at === null)
  expect(steps).toEqual([true, false, false, false, true])
  for (const keys of [["z"], ["/", "x", "enter"], ["/", "enter"]]) {
    screen.store.dispatch({ type: "view", change: { list: { pinned: false } } })
    expect(screen.press(...keys).store.get().view.list.pinned).toBe(true)
  }
})

test("a card marks a failure in red and with a word, folded and unfolded", async () => {
  const screen = await reading(...turn)
  for (const key of ["l", "z"] as const) {
    const frame = await screen.press(key).frame()
    const [failed] = spansWith(frame, "  ✗")
    const [fine] = spansWith(frame, "  ✓")
    expect(failed?.fg.r).toBeGreaterThan(failed?.fg.g ?? 1)
    expect(failed?.fg.r).toBeGreaterThan(failed?.fg.b ?? 1)
    expect(spansWith(frame, "no such file")[0]?.bg.toString()).toBe(failed?.bg.toString())
    expect(fine?.bg.toString()).not.toBe(failed?.bg.toString())
    expect(fine?.fg.toString()).not.toBe(failed?.fg.toString())
  }
})
