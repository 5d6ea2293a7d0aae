// Tests that an unchanged screen writes not a byte, whatever timers run.
import { expect, test } from "bun:test"
import { fixture } from "../fixtures.ts"
import { until } from "../until.ts"
import { openLive, openSidecar } from "./sidecar.ts"
import type { Terminal } from "./terminal.ts"

/** Longer than what is drawn takes to arrive, ms. */
const QUIET_MS = 300

let seq = 0
const event = (name: string, data: object): string =>
  JSON.stringify({ kind: "event", seq: ++seq, ts: 1_000 + seq, event: name, data })
const writer = { invokeid: "writer", "session-id": "s1", model: "m" }

/** Resolves once nothing is sent though a minute passes; rejects if that never happens. */
async function quiet(terminal: Terminal): Promise<void> {
  for (let sent = -1; sent !== terminal.raw.length; ) {
    sent = terminal.raw.length
    for (let second = 0; second < 60; second++) await terminal.pass(1000)
    const since = performance.now()
    await until(() => performance.now() - since >= QUIET_MS)
  }
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
  await quiet(live)
  const sent = live.raw.length
  live.agent.emit(event("llm/start", writer))
  await live.waitFor(() => live.raw.length > sent)
  expect(await live.screen()).toContainEqual(expect.stringContaining("Go on?"))
})

test("a live run that is over writes nothing", async () => {
  await using live = await openLive(fixture("parallel-60"))
  await live.waitFor("finished")
  await quiet(live)
  expect(await live.screen()).toContainEqual(expect.stringContaining("finished"))
})

test("a recording at its end writes nothing", async () => {
  const env = { OPENTUI_REPLAY: fixture("demo"), OPENTUI_REPLAY_TIMING: "instant" }
  await using replay = await openSidecar({ held: true, env })
  await replay.waitFor("end of recording")
  await quiet(replay)
  expect(await replay.screen()).toContainEqual(expect.stringContaining("end of recording"))
})
