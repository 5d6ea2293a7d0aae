// Tests that an unchanged screen writes not a byte, whatever timers run.
import { expect, test } from "bun:test"
import { event, prompt } from "../agent/ui.ts"
import { fixture } from "../fixtures.ts"
import { until } from "../until.ts"
import { openLive, openSidecar } from "./sidecar.ts"
import type { Terminal } from "./terminal.ts"

/** Longer than what is drawn takes to arrive, ms. */
const QUIET_MS = 300

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
  const writer = { invokeid: "writer", "session-id": "s1", model: "m" }
  const content = [{ type: "text", text: "said and done" }]
  await using live = await openLive([
    event("runner/started", { "session-id": ":session/1", "chart-id": ":haiku/chart" }),
    event("llm/start", writer),
    event("llm/delta", { type: "text-delta", text: "said and done", ...writer }),
    event("llm/response", { content, "stop-reason": "end_turn", ...writer }),
    // The run is not over while it waits for an answer.
    prompt("go-on#1"),
  ])
  await live.waitFor("go-on#1?")
  await quiet(live)
  const sent = live.raw.length
  live.agent.emit(event("llm/start", writer))
  await live.waitFor(() => live.raw.length > sent)
  expect(await live.screen()).toContainEqual(expect.stringContaining("go-on#1?"))
})

test.each([
  ["a live run that is over", "finished", () => openLive(fixture("parallel-60"))],
  [
    "a recording at its end",
    "end of recording",
    () => openSidecar({ held: true, env: { OPENTUI_REPLAY: fixture("demo"), OPENTUI_REPLAY_TIMING: "instant" } }),
  ],
] as const)("%s writes nothing", async (_, words, open) => {
  await using terminal = await open()
  await terminal.waitFor(words)
  await quiet(terminal)
  expect(await terminal.screen()).toContainEqual(expect.stringContaining(words))
})
