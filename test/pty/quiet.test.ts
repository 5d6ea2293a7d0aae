// Tests that an unchanged screen writes not a byte, whatever timers run.
import { expect, test } from "bun:test"
import { fixture } from "../fixtures.ts"
import { until } from "../until.ts"
import { openLive, openSidecar } from "./sidecar.ts"
import type { Terminal } from "./terminal.ts"

/** Three ticks of the screen's slowest timer. */
const QUIET_MS = 3000

let seq = 0
const event = (name: string, data: object): string =>
  JSON.stringify({ kind: "event", seq: ++seq, ts: 1_000 + seq, event: name, data })
const writer = { invokeid: "writer", "session-id": "s1", model: "m" }

/** Resolves once nothing was sent for so long; rejects if that never happens. */
async function quiet(terminal: Terminal, ms: number): Promise<void> {
  let [sent, since] = [terminal.raw.length, performance.now()]
  await until(() => {
    if (terminal.raw.length !== sent) [sent, since] = [terminal.raw.length, performance.now()]
    return performance.now() - since >= ms
  })
}

test("a live run whose sessions are done writes nothing, though it is not over", async () => {
  const lines = [
    event("runner/started", { "session-id": ":session/1", "chart-id": ":haiku/chart" }),
    event("llm/start", writer),
    event("llm/delta", { type: "text-delta", text: "said and done", ...writer }),
    event("llm/response", {
      content: [{ type: "text", text: "said and done" }],
      "stop-reason": "end_turn",
      ...writer,
    }),
    // The run is not over while it waits for an answer.
    JSON.stringify({ kind: "prompt", "prompt-id": "p#1", type: "text", opts: { prompt: "Go on?" } }),
  ]
  await using live = await openLive(lines)
  await live.waitFor("Go on?")
  await quiet(live, QUIET_MS)
  const sent = live.raw.length
  live.agent.emit(event("llm/start", writer))
  await live.waitFor(() => live.raw.length > sent)
  expect(await live.screen()).toContainEqual(expect.stringContaining("Go on?"))
})

test("a live run that is over writes nothing", async () => {
  await using live = await openLive(fixture("parallel-60"))
  await live.waitFor("finished")
  await quiet(live, QUIET_MS)
  expect(await live.screen()).toContainEqual(expect.stringContaining("finished"))
})

test("a recording at its end writes nothing", async () => {
  const env = { OPENTUI_REPLAY: fixture("demo"), OPENTUI_REPLAY_TIMING: "instant" }
  await using replay = await openSidecar({ env })
  await replay.waitFor("end of recording")
  await quiet(replay, QUIET_MS)
  expect(await replay.screen()).toContainEqual(expect.stringContaining("end of recording"))
})
