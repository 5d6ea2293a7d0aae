// Tests which sequences a question sends to alert a person who looks elsewhere.
import { describe, expect, test } from "bun:test"
import { event } from "../agent/ui.ts"
import { modes } from "./modes.ts"
import { takeApart } from "./sequences.ts"
import { openLive } from "./sidecar.ts"

const asks = JSON.stringify({
  kind: "prompt",
  "prompt-id": "q#1",
  invokeid: "judge",
  type: "text",
  opts: { prompt: "Which haiku?" },
})
const recording = [event("runner/started", { "session-id": "s", "chart-id": ":haiku/chart" })]
const paused = { debug: "paused" } as const

/** Bells that do not end another sequence. */
const bells = (raw: string) => takeApart(raw).text.split("\x07").length - 1

describe("a question", () => {
  test("rings once and names the window until it is answered", async () => {
    await using sidecar = await openLive(recording, { held: false, agent: paused })
    await sidecar.waitFor("PAUSED")
    expect(bells(sidecar.raw)).toBe(0)
    sidecar.agent.emit(asks)
    await sidecar.waitFor("Which haiku?")
    await sidecar.waitFor(() => sidecar.raw.includes("\x1b]2;(1) waiting \xc2\xb7 tournament\x07"))
    expect(bells(sidecar.raw)).toBe(1)
    expect(sidecar.raw).not.toContain("judge asks:")

    sidecar.agent.disconnectAll()
    await sidecar.waitFor("connection connected again")
    await sidecar.press("\r").hears({ kind: "answer" })
    await sidecar.waitFor(() => sidecar.raw.includes("\x1b]2;\x07\x1b[23;2t\x1b[22;2t"))
    expect(bells(sidecar.raw)).toBe(1)
  })

  test("leaves the terminal restored if it is never answered", async () => {
    await using sidecar = await openLive(recording, { agent: paused })
    await sidecar.waitFor("PAUSED")
    sidecar.agent.emit(asks)
    await sidecar.waitFor("Which haiku?")
    expect(await sidecar.press("\x03\x03").exited).toBe(0)
    expect(modes(sidecar.raw)).toEqual([])
    expect(sidecar.raw.lastIndexOf("\x1b[23;2t")).toBeGreaterThan(sidecar.raw.lastIndexOf("waiting \xc2\xb7"))
  })
})
