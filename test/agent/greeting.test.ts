// Checks that a new client is greeted as by the real hub (docs/contract.md section 2).
import { expect, test } from "bun:test"
import { attach, deltas, event, phase, play, prompt, Ui } from "./ui.ts"

test("a late client gets phase, debug, the newest prompt and then the last 256 of 300 events, in this order", async () => {
  const recording = [phase("run", "old"), ...deltas(300), phase("run", "new"), prompt("first#1"), prompt("second#2")]
  const { url, finished } = await play(recording, { debug: true })
  const early = await Ui.attach(url)
  await early.untilFrame(frame => frame["prompt-id"] === "second#2")

  const late = await Ui.attach(url)
  await late.settle()

  const [first, second, third, ...ring] = late.frames()
  expect(first).toMatchObject({ kind: "phase", config: ["run", "new"] })
  expect(second).toMatchObject({ kind: "debug", paused: false, "step-budget": 0 })
  expect(third).toMatchObject({ kind: "prompt", "prompt-id": "second#2" })
  expect(ring.slice(0, -1).map(frame => frame.seq)).toEqual(Array.from({ length: 256 }, (_, index) => index + 45))
  expect(ring.at(-1)?.kind).toBe("model-catalog")
  for (const id of ["first#1", "second#2"]) early.send({ kind: "answer", "prompt-id": id, value: "x" })
  await finished
})

test.each([{ value: "x" }, { cancelled: true }])(
  "the hub forgets the newest prompt at any answer, also to an older one: %j",
  async how => {
    const { url } = await play([prompt("first#1"), prompt("second#2")])
    const early = await Ui.attach(url)
    await early.untilFrame(frame => frame["prompt-id"] === "second#2")
    early.send({ kind: "answer", "prompt-id": "first#1", ...how })
    await early.untilFrame(({ event }) => event === "human-input/answer" || event === "human-input/cancelled")
    const late = await Ui.attach(url)
    await late.settle()
    expect(late.frames().some(frame => frame.kind === "prompt")).toBe(false)
  },
)

test("transcript rows become events, without the keys that only rows have", async () => {
  const keys = { "transcript/node-id": "n", "transcript/turn": 1, odd: true }
  const row = { event: "llm/start", seq: 7, ts: 5, data: { invokeid: "a" }, ...keys }
  const { ui } = await attach([JSON.stringify(row)])
  await ui.untilFinished()
  expect(ui.events()).toEqual([
    { kind: "event", seq: 1, ts: expect.any(Number), event: "llm/start", data: { invokeid: "a" }, odd: true },
  ])
})

test("an injected line is sent at once, with its number", async () => {
  const { agent, ui } = await attach([prompt("wait#1")])
  await ui.untilFrame(frame => frame.kind === "prompt")
  agent.emit(event("llm/error", { message: "out of ink" }))
  agent.emit('{"kind":"debug","paused":true,"step-budget":0}')
  agent.emit("not a frame")
  await ui.until(({ heard }) => heard.includes("not a frame"))
  expect(ui.events()[0]).toMatchObject({ seq: 1, event: "llm/error" })
  expect(ui.frames().at(-1)).toMatchObject({ kind: "debug", paused: true })
})

test("nothing is played until the first client attaches, unless requested", async () => {
  const { agent, ui } = await attach(deltas(3))
  await ui.untilFinished()
  expect(ui.seqs()).toEqual([1, 2, 3])
  await agent.stop()

  const eager = await play(deltas(3), { waitForClient: false })
  await eager.finished
  const late = await Ui.attach(eager.url)
  await late.settle()
  expect(late.seqs()).toEqual([1, 2, 3])
  expect(late.frames().some(frame => frame.op === "run-finished")).toBe(false)
})

test("a recording with debug frames is played with a debugger, without its own debug frames", async () => {
  const { ui } = await attach(['{"kind":"debug","paused":true,"step-budget":0}', ...deltas(2)])
  await ui.untilFinished()
  expect(ui.frames().filter(frame => frame.kind === "debug")).toMatchObject([{ paused: false }])
})
