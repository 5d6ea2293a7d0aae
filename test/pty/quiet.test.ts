// A terminal with nothing new to show gets nothing: not a byte, whatever timers the program has.
import { expect, test } from "bun:test"
import { fixture } from "../fixtures.ts"
import { openLive, openSidecar } from "./sidecar.ts"
import type { Terminal } from "./terminal.ts"

/** The slowest clock of the screen ticks three times meanwhile. */
const QUIET_MS = 3000
const PATIENCE_MS = 30_000

let seq = 0
const event = (name: string, data: object): string =>
  JSON.stringify({ kind: "event", seq: ++seq, ts: 1_000 + seq, event: name, data })
const writer = { invokeid: "writer", "session-id": "s1", model: "m" }

/** Whether three seconds come in which nothing is sent. */
async function fallsQuiet(terminal: Terminal): Promise<boolean> {
  const began = performance.now()
  let since = began
  let sent = terminal.raw.length
  while (performance.now() - began < PATIENCE_MS) {
    await Bun.sleep(50)
    if (terminal.raw.length !== sent) {
      sent = terminal.raw.length
      since = performance.now()
    } else if (performance.now() - since >= QUIET_MS) return true
  }
  return false
}

test.concurrent("a live run whose sessions are all done, though it is not over", async () => {
  const lines = [
    event("runner/started", { "session-id": ":session/1", "chart-id": ":haiku/chart" }),
    event("llm/start", writer),
    event("llm/delta", { type: "text-delta", text: "said and done", ...writer }),
    event("llm/response", { content: [{ type: "text", text: "said and done" }], "stop-reason": "end_turn", ...writer }),
    // The run is not over while it waits for an answer.
    JSON.stringify({ kind: "prompt", "prompt-id": "p#1", type: "text", opts: { prompt: "Go on?" } }),
  ]
  await using live = await openLive(lines)
  await live.waitFor("Go on?")
  expect(await fallsQuiet(live)).toBe(true)
  const sent = live.raw.length
  live.agent.emit(event("llm/start", writer))
  await live.waitFor(() => live.raw.length > sent)
})

test.concurrent("a live run that is over", async () => {
  await using live = await openLive(fixture("parallel-60"))
  await live.waitFor("finished")
  expect(await fallsQuiet(live)).toBe(true)
})

test.concurrent("a recording at its end", async () => {
  const env = { OPENTUI_REPLAY: fixture("demo"), OPENTUI_REPLAY_TIMING: "instant" }
  await using replay = await openSidecar({ env })
  await replay.waitFor("end of recording")
  expect(await fallsQuiet(replay)).toBe(true)
})
