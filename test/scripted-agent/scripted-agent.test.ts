// Tests the pace of a playback on a fake clock, and a start that fails.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { isObject } from "../../packages/wire/src/json.ts"
import { startAgent } from "../../src/scripted-agent/scripted-agent.ts"
import type { Clock } from "../../src/transport/clock.ts"
import { delta, event, play, prompt, Ui } from "../agent/ui.ts"
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
