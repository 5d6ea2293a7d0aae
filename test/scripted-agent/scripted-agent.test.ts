// Tests the pace of a playback on a fake clock.
import { expect, test } from "bun:test"
import { startAgent } from "../../src/scripted-agent/scripted-agent.ts"
import type { Clock } from "../../src/transport/clock.ts"
import { event } from "../agent/ui.ts"

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

test("recorded gaps are waited out, at most 2 s each, and a time that steps back takes none", async () => {
  expect(await waitsAt(1)).toEqual([100, 300, 2000, 10])
})

test("speed divides the waits, and 0 removes them", async () => {
  expect(await waitsAt(4)).toEqual([25, 75, 500, 2.5])
  expect(await waitsAt(0)).toEqual([])
})
