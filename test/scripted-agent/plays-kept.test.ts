// Keeps what a client hears of a scripted agent: with each fault, and with what a person answers.
import { describe, expect, test } from "bun:test"
import type { Json } from "../../packages/wire/src/json.ts"
import { parseFault } from "../../src/scripted-agent/faults.ts"
import { attach, delta, deltas, event, phase, prompt, type Ui } from "../agent/ui.ts"
import { fixture } from "../fixtures.ts"

/** What a client heard, a frame on each line, without the times. */
function heard(ui: Ui): string {
  return ui.heard.map(line => line.replace(/"ts":\d+/g, '"ts":0').slice(0, 300)).join("\n")
}

const told = ["a", "b", "c", "d"]
const ofTwo = told.map((text, at) => delta(text, at === 1 ? "s2" : "s1"))
const RECORDED = [
  '{"kind":"answer","prompt-id":"ask#1","value":"recorded"}',
  event("human-input/answer", { kind: "text", invokeid: "ask", answer: "recorded" }),
]

const FAULTS: readonly (readonly [faults: string, recording: readonly string[]])[] = [
  ["none", [phase("run"), ...deltas(3), event("runner/done")]],
  ["cut@3", deltas(6)],
  ["repeat@4", deltas(6)],
  ["drop@2", [delta("a"), event("llm/tool-result"), delta("b"), delta("c")]],
  ["coalesce@3", deltas(12)],
  ["coalesce@1", ofTwo],
  ["coalesce@2 repeat@5", [...deltas(4), event("llm/start"), ...deltas(8)]],
  ["reorder@2", [...deltas(5), phase("run"), delta("last")]],
  ["reorder@1", deltas(30)],
  ["garbage@1", deltas(2)],
  ["garbage@2 drop@1", deltas(4)],
]

describe("a recording with the fault", () => {
  test.each(FAULTS)("%s", async (names, recording) => {
    const faults = names.split(" ").flatMap(name => parseFault(name) ?? [])
    const { ui } = await attach([...recording], { faults, refuseMs: 5 })
    if (names === "cut@3") await ui.untilClosed()
    else await ui.untilFinished()
    const events = recording.filter(line => line.includes('"event"')).length
    // What was held follows the end.
    if (names === "reorder@1") await ui.until(one => one.events().length === events)
    expect(heard(ui)).toMatchSnapshot()
  })
  test("that is none", () => {
    const names = [
      "coalesce@12",
      "",
      "cut@ 1",
      "cut",
      "cut@",
      "cut@0",
      "cut@-1",
      "cut@1.5",
      "cut@1e9",
      "rain@3",
      "@3",
      "constructor@1",
    ]
    expect(names.map(name => `${name}: ${JSON.stringify(parseFault(name))}`).join("\n")).toMatchSnapshot()
  })
})

/** What a person sends once the prompt is there; null cancels. */
type Answers = readonly (readonly [promptId: string, value: Json])[]

const QUESTIONS: Readonly<Record<string, readonly [recording: readonly string[] | string, answers: Answers]>> = {
  "with its event": [
    [
      ...deltas(2),
      prompt("ask#1"),
      event("human-input/start", { kind: "text", invokeid: "ask" }),
      ...RECORDED,
      delta("after"),
    ],
    [["ask#1", "é and 日本"]],
  ],
  "that is cancelled": [[prompt("ask#1"), ...RECORDED, event("runner/done")], [["ask#1", null]]],
  "that is answered twice": [
    [prompt("ask#1"), prompt("b#2"), event("runner/done")],
    [
      ["ask#1", "first"],
      ["ask#1", "second"],
      ["b#2", 1],
    ],
  ],
  "beside another": [
    [prompt("a#1", "text", null), prompt("b#2", "multi"), event("runner/done")],
    [
      ["b#2", ["x", { y: 1 }]],
      ["a#1", ""],
    ],
  ],
  "whose answer is private": [
    [prompt("ask#1"), event("human-input/answer", { kind: "text", invokeid: "ask" })],
    [["ask#1", "hunter2"]],
  ],
  "that the run withdrew": [[prompt("ask#1"), event("human-input/interrupted"), event("runner/done")], []],
  "of each type": [
    fixture("prompts"),
    [
      ["ask-name#1", "Grace"],
      ["ask-size#2", "s"],
      ["ask-extras#3", [{ shots: 2 }, false]],
      ["ask-sure#4", false],
    ],
  ],
}

describe("a question", () => {
  test.each(Object.keys(QUESTIONS))("%s", async name => {
    const [recording, answers] = QUESTIONS[name] ?? [[], []]
    const { ui } = await attach(typeof recording === "string" ? recording : [...recording])
    for (const [id, value] of answers) {
      await ui.untilFrame(frame => frame["prompt-id"] === id)
      ui.send({ kind: "answer", "prompt-id": id, ...(value === null ? { cancelled: true } : { value }) })
    }
    await ui.untilFinished()
    expect(heard(ui)).toMatchSnapshot()
  })
})
