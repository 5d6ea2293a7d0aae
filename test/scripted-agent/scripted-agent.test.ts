// Tests the pace of a playback on a fake clock, a start that fails, and that a prompt holds back what follows.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { isObject } from "../../packages/wire/src/json.ts"
import { startAgent } from "../../src/scripted-agent/scripted-agent.ts"
import type { Clock } from "../../src/transport/clock.ts"
import { attach, delta, event, play, prompt, Ui } from "../agent/ui.ts"
import { fileScratch } from "../scratch.ts"
import { ManualClock } from "../transport/manual-clock.ts"

/** A clock on which every wait ends at once; noticeable waits are recorded. */
function hastyClock(waits: number[]): Clock {
  let elapsed = 0
  return {
    now: () => elapsed,
    elapsed: () => elapsed,
    after(ms, run) {
      if (ms > 0) waits.push(ms)
      const turn = setImmediate(() => {
        elapsed += Math.max(0, ms)
        run()
      })
      return () => clearImmediate(turn)
    },
    sleep: ms => {
      elapsed += ms
    },
  }
}

const recording = [0, 100, 100, 90, 400, 60_000, 60_010].map((ts, index) => event("llm/tool-result", { index }, ts))

async function waitsAt(speed: number): Promise<number[]> {
  const waits: number[] = []
  const agent = await startAgent({ recording, speed, waitForClient: false, clock: hastyClock(waits) })
  await agent.finished
  await agent.stop()
  return waits
}

test("recorded gaps are waited out, at most 2 s each, divided by the speed, of which 0 removes them", async () => {
  // A time that steps back takes none.
  expect(await waitsAt(1)).toEqual([100, 300, 2000, 10])
  expect(await waitsAt(4)).toEqual([25, 75, 500, 2.5])
  expect(await waitsAt(0)).toEqual([])
})

test("a process that was suspended doesn't race to catch up, and a wait for an answer is no gap", async () => {
  const clock = new ManualClock()
  const gapped = [0, 1000, 2000, 3000].map(ts => delta(`${ts}`, "s", ts))
  const agent = await play([...gapped, prompt("q#1"), delta("more", "s", 3100), delta("late", "s", 9000)], {
    clock,
    speed: 1,
    waitForClient: false,
  })
  const ui = await Ui.attach(agent.url)
  const played = async (ms: number) => {
    clock.advance(ms)
    await ui.settle()
    return ui
      .events()
      .map(({ data }) => (isObject(data) ? (data.text ?? data.answer) : null))
      .slice(-1)
  }
  expect([await played(0), await played(1000), await played(900)]).toEqual([["0"], ["1000"], ["1000"]])
  clock.sleep(60_000)
  expect([await played(1), await played(700), await played(100)]).toEqual([["2000"], ["2000"], ["3000"]])
  ui.send({ kind: "answer", "prompt-id": "q#1", value: "yes" })
  expect(await played(0)).toEqual(["more"])
  await agent.stop()
  expect(clock.alarms).toBe(0)
})

test("a failed start has a one-line error: no recording, or a port that is taken", async () => {
  await expect(startAgent({ recording: join(fileScratch(), "none.jsonl") })).rejects.toThrow("no such file")
  const { port } = await play([])
  const sessionDir = fileScratch()
  await expect(startAgent({ recording: [], port, sessionDir, logPath: join(sessionDir, "log") })).rejects.toThrow()
  expect(Bun.spawnSync(["ls", "-l", `/proc/${process.pid}/fd`]).stdout.toString()).not.toContain(sessionDir)
})

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
