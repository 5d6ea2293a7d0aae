// Tests which sequences a question sends to alert a person who looks elsewhere.
import { expect, test } from "bun:test"
import { event, prompt } from "../agent/ui.ts"
import { expectAsItWas } from "./as-it-was.ts"
import { takeApart } from "./sequences.ts"
import { openLive } from "./sidecar.ts"

const recording = [event("runner/started", { "session-id": "s", "chart-id": ":haiku/chart" })]

/** Bells that do not end another sequence. */
const bells = (raw: string) => takeApart(raw).text.split("\x07").length - 1

test("a question rings once, and names the window until it is answered, or the screen is left", async () => {
  await using sidecar = await openLive(recording, { held: false, agent: { debug: "paused" } })
  const { before } = sidecar
  await sidecar.waitFor("PAUSED")
  expect(bells(sidecar.raw)).toBe(0)
  sidecar.agent.emit(prompt("first#1"))
  await sidecar.waitFor("first#1?")
  await sidecar.waitFor(() => sidecar.raw.includes("\x1b]2;(1) waiting \xc2\xb7 tournament\x07"))
  await sidecar.waitFor(() => bells(sidecar.raw) === 1)
  expect(sidecar.raw).not.toContain("first asks:")

  sidecar.agent.disconnectAll()
  await sidecar.waitFor("connection connected again")
  await sidecar.press("\r").hears({ kind: "answer" })
  await sidecar.waitFor(() => sidecar.raw.includes("\x1b]2;\x07\x1b[23;2t\x1b[22;2t"))
  expect(bells(sidecar.raw)).toBe(1)

  sidecar.agent.emit(prompt("second#1"))
  await sidecar.waitFor("second#1?")
  await sidecar.waitFor(() => bells(sidecar.raw) === 2)
  expect(await sidecar.press("\x03\x03").exited).toBe(0)
  expectAsItWas(sidecar, before)
  expect(sidecar.raw.lastIndexOf("\x1b[23;2t")).toBeGreaterThan(sidecar.raw.lastIndexOf("waiting \xc2\xb7"))
})
