// Checks that a prompt holds back what follows until it is answered.
import { expect, test } from "bun:test"
import { readScript } from "../../src/scripted-agent/read-script.ts"
import { attach, delta, deltas, event, play, prompt, Ui } from "../agent/ui.ts"
import { fixture } from "../fixtures.ts"

function answer(id: string, value: unknown): object {
  return { kind: "answer", "prompt-id": id, value }
}

const recordedAnswer = [
  '{"kind":"answer","prompt-id":"ask#1","value":"recorded"}',
  event("human-input/answer", { kind: "text", invokeid: "ask", answer: "recorded" }),
]

test("only its own event passes an open prompt, and the given answer replaces the recorded one", async () => {
  const asked = event("human-input/start", { kind: "text", invokeid: "ask" })
  const { ui } = await attach([...deltas(2), prompt("ask#1"), asked, ...recordedAnswer, delta("after")])
  await ui.untilFrame(frame => frame.event === "human-input/start")
  await ui.settle()
  expect(ui.events()).toHaveLength(3)

  ui.send(answer("ask#1", "é and 日本"))
  await ui.untilFinished()
  const data = { kind: "text", invokeid: "ask", answer: "é and 日本" }
  expect(ui.events()[3]).toMatchObject({ seq: 4, event: "human-input/answer", data })
  expect(ui.events().filter(frame => frame.event === "human-input/answer")).toHaveLength(1)
  expect(ui.seqs()).toEqual([1, 2, 3, 4, 5])
})

test("a cancelled prompt becomes human-input/cancelled and the run goes on", async () => {
  const { ui } = await attach([prompt("ask#1"), ...recordedAnswer, event("runner/done")])
  await ui.untilFrame(frame => frame.kind === "prompt")
  ui.send({ kind: "answer", "prompt-id": "ask#1", cancelled: true })
  await ui.untilFinished()
  expect(ui.events().map(frame => frame.event)).toEqual(["human-input/cancelled", "runner/done"])
})

test("only the first answer counts, and one to an unknown prompt does nothing", async () => {
  const { ui } = await attach([prompt("ask#1"), event("runner/done")])
  await ui.untilFrame(frame => frame.kind === "prompt")
  ui.send(answer("ask#9", "nobody asked"))
  ui.send(answer("ask#1", "first"))
  ui.send(answer("ask#1", "second"))
  await ui.untilFinished()
  await ui.settle()
  const answers = ui.events().filter(frame => frame.event === "human-input/answer")
  expect(answers.map(frame => frame.data)).toEqual([{ kind: "text", invokeid: "ask", answer: "first" }])
})

test("adjacent prompts are open at the same time, and any can be answered first", async () => {
  const { ui } = await attach([prompt("a#1", "text", null), prompt("b#2", "multi"), event("runner/done")])
  await ui.untilFrame(frame => frame["prompt-id"] === "b#2")
  ui.send(answer("b#2", ["x", { y: 1 }]))
  await ui.untilFrame(frame => frame.event === "human-input/answer")
  await ui.settle()
  expect(ui.events()).toHaveLength(1)
  ui.send(answer("a#1", ""))
  await ui.untilFinished()
  expect(ui.events().map(frame => frame.data)).toEqual([
    { kind: "multi-select", invokeid: "b", answer: ["x", { y: 1 }] },
    { kind: "text", invokeid: null, answer: "" },
    {},
  ])
})

test("an answer that the chart keeps private stays private", async () => {
  const secret = event("human-input/answer", { kind: "text", invokeid: "ask" })
  const { ui } = await attach([prompt("ask#1"), secret])
  await ui.untilFrame(frame => frame.kind === "prompt")
  ui.send(answer("ask#1", "hunter2"))
  await ui.untilFinished()
  expect(ui.events().map(frame => frame.data)).toEqual([{ kind: "text", invokeid: "ask" }])
})

test("a prompt that the run abandoned holds nothing", async () => {
  const { ui } = await attach([prompt("ask#1"), event("human-input/interrupted"), event("runner/done")])
  await ui.untilFinished()
  expect(ui.events().map(frame => frame.event)).toEqual(["human-input/interrupted", "runner/done"])
})

test("an injected prompt holds too, and an injected answer releases it", async () => {
  const { agent, ui } = await attach([prompt("ask#1"), event("runner/done")])
  await ui.untilFrame(frame => frame.kind === "prompt")
  agent.emit(prompt("late#2"))
  ui.send(answer("ask#1", "x"))
  await ui.untilFrame(frame => frame.event === "human-input/answer")
  await ui.settle()
  expect(ui.events()).toHaveLength(1)
  agent.emit(event("human-input/interrupted"))
  await ui.untilFinished()
})

test("with a client the recorded answer waits for theirs, however long that takes", async () => {
  const { ui } = await attach([prompt("ask#1"), ...recordedAnswer, event("runner/done")], {
    hold: false,
    unattendedMs: 0,
  })
  await ui.untilFrame(frame => frame.kind === "prompt")
  await ui.settle()
  ui.send(answer("ask#1", "mine"))
  await ui.untilFinished()
  expect(ui.events()[0]?.data).toMatchObject({ answer: "mine" })
})

test("an answer that is refused, of nobody knows whom, is the one that was asked first", () => {
  const refused = event("human-input/validation-failed", { kind: "text" })
  const { lines } = readScript([prompt("a#1"), prompt("b#2"), refused], [], true)
  expect(lines.at(-1)?.closes).toMatchObject({ promptId: "a#1", isRefused: true })
})

test("without a client for a while, the recorded answer is used", async () => {
  const agent = await play([prompt("ask#1"), ...recordedAnswer, event("runner/done")], {
    hold: false,
    unattendedMs: 5,
    waitForClient: false,
  })
  await agent.finished
  const ui = await Ui.attach(agent.url)
  await ui.settle()
  expect(ui.events()[0]?.data).toEqual({ kind: "text", invokeid: "ask", answer: "recorded" })
  expect(agent.inbound()).toEqual([{ kind: "control", op: "request-model-catalog" }])
})

test("the fixture asks each type once and echoes the answers", async () => {
  const { ui } = await attach(fixture("prompts"))
  const values: [string, unknown][] = [
    ["ask-name#1", "Grace"],
    ["ask-size#2", "s"],
    ["ask-extras#3", [{ shots: 2 }, false]],
    ["ask-sure#4", false],
  ]
  for (const [id, value] of values) {
    await ui.untilFrame(frame => frame["prompt-id"] === id)
    ui.send(answer(id, value))
  }
  await ui.untilFinished()
  const answers = ui.events().filter(frame => frame.event === "human-input/answer")
  expect(answers.map(frame => frame.data)).toEqual([
    { kind: "text", invokeid: "ask-name", answer: "Grace" },
    { kind: "select", invokeid: "ask-size", answer: "s" },
    { kind: "multi-select", invokeid: "ask-extras", answer: [{ shots: 2 }, false] },
    { kind: "confirm", invokeid: "ask-sure", answer: false },
  ])
})
