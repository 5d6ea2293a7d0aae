// Checks that a prompt holds back what follows until it is answered.
import { expect, test } from "bun:test"
import { attach, event, play, prompt, Ui } from "../agent/ui.ts"
import { ManualClock } from "../transport/manual-clock.ts"

function answer(id: string, value: unknown): object {
  return { kind: "answer", "prompt-id": id, value }
}

const recordedAnswer = [
  '{"kind":"answer","prompt-id":"ask#1","value":"recorded"}',
  event("human-input/answer", { kind: "text", invokeid: "ask", answer: "recorded" }),
]

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

test("an injected answer takes the place of the recorded one", async () => {
  const { agent, ui } = await attach([prompt("ask#1"), ...recordedAnswer, event("runner/done")])
  await ui.untilFrame(frame => frame.kind === "prompt")
  agent.emit(event("human-input/answer", { invokeid: "ask", answer: "injected" }))
  await ui.untilFinished()
  expect(ui.events().map(({ event }) => event)).toEqual(["human-input/answer", "runner/done"])
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
  expect(ui.frames().filter(({ kind }) => kind === "prompt")).toEqual([])
  const inbound = [{ kind: "control", op: "request-model-catalog" }]
  const heard = agent.inbound() as unknown[]
  expect(heard).toEqual(inbound)
  heard.pop()
  expect(agent.inbound()).toEqual(inbound)
})

test("the recorded answer is used once all clients have left, but never where an answer is to be waited for", async () => {
  const recording = [prompt("ask#1"), ...recordedAnswer, event("runner/done")]
  const { agent, ui } = await attach(recording, { hold: false, unattendedMs: 1 })
  await ui.untilFrame(frame => frame.kind === "prompt")
  ui.leave()
  await agent.finished
  const clock = new ManualClock()
  const held = await play(recording, { waitForClient: false, clock })
  clock.advance(10_000)
  const late = await Ui.attach(held.url)
  await late.settle()
  expect(late.events()).toEqual([])
})
