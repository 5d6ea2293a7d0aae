// Checks that a prompt holds back what follows until it is answered.
import { expect, test } from "bun:test"
import { attach, event, play, prompt, Ui } from "../agent/ui.ts"

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
  expect(agent.inbound()).toEqual([{ kind: "control", op: "request-model-catalog" }])
})
