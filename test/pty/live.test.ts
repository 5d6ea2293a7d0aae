// Tests a live run in a terminal: questions, ops, interrupting and leaving.
import { expect, test } from "bun:test"
import { event, phase } from "../agent/ui.ts"
import { fixture } from "../fixtures.ts"
import { expectAsItWas, expectTaken } from "./as-it-was.ts"
import { modes } from "./modes.ts"
import { onEachAgent, openLive } from "./sidecar.ts"

const running = [
  event("runner/started", { "session-id": ":session/1", "chart-id": ":haiku/chart" }),
  phase("run", "writing"),
  event("llm/start", { invokeid: "poet", "session-id": "s1", model: "gemma3:1b" }),
]
/** A recording without `run-finished` finishes at its end; a closed gate keeps the run alive. */
const paused = { debug: "paused" } as const

onEachAgent("a live run asks four kinds of questions, and gets each answer as the contract defines it", async open => {
  await using sidecar = await open(fixture("prompts"))
  await sidecar.waitFor(/─ .* asks[\s\S]*Which name goes on the cup\?/)
  await sidecar.type("Ada Ł").waitFor("│ Ada Ł")
  expect(await sidecar.press("\r").hears({ "prompt-id": "ask-name#1" })).toEqual({
    kind: "answer",
    "prompt-id": "ask-name#1",
    value: "Ada Ł",
  })

  await sidecar.waitFor(/─ .* asks[\s\S]*What size\?/)
  expect(await sidecar.answers("2", { "prompt-id": "ask-size#2" })).toMatchObject({ value: "l" })

  await sidecar.waitFor(/─ .* asks[\s\S]*Anything with it\?/)
  await sidecar.press("2").waitFor("[x] An extra shot")
  await sidecar.press("\x1b[B ").waitFor("[x] Nothing that melts")
  sidecar.press("\r")
  expect(await sidecar.hears({ "prompt-id": "ask-extras#3" })).toMatchObject({ value: [{ shots: 2 }, false] })

  await sidecar.waitFor(/─ .* asks[\s\S]*Shall I start the machine\?/)
  expect(await sidecar.answers("n", { "prompt-id": "ask-sure#4" })).toMatchObject({ value: false })

  const rows = await sidecar.waitFor("✓ Run finished — press Ctrl-C to quit")
  expect(rows[0]).toContain("✓ finished")
  expect(sidecar.agent.inbound()).toHaveLength(4)
})

onEachAgent("a live run gets s, 5s, c, p and the arming of a pause as ops if a debugger is attached", async open => {
  await using sidecar = await open(fixture("debugger"), { agent: paused })
  await sidecar.waitFor("PAUSED")
  for (const [keys, frame] of [
    ["s", { op: "step", n: 1 }],
    ["5s", { op: "step", n: 5 }],
    [":pause at the next external event\r", { op: "arm" }],
    ["c", { op: "continue" }],
    ["p", { op: "pause" }],
  ] as const) {
    expect(await sidecar.press(keys).hears(frame)).toEqual({ kind: "control", ...frame })
  }
  expect(sidecar.agent.inbound()).toHaveLength(5)
})

onEachAgent("a live run is interrupted by Esc Esc, not by one, and quit by a second Ctrl-C", async open => {
  const asked = "Press Esc again to interrupt the agent"
  await using sidecar = await open(running, { agent: paused })
  const { before } = sidecar
  await sidecar.waitFor("PAUSED")
  expectTaken(sidecar, before)
  // The terminal's answers have come: Esc and another byte at once would be one key.
  await sidecar.waitFor(() => modes(sidecar.raw).includes("kitty-keyboard"))
  await sidecar.press("\x1b").waitFor(asked)
  // The first Esc counts as long as the screen asks for the second.
  await sidecar.pass(1001)
  await sidecar.waitFor(rows => !rows.join("\n").includes(asked))
  await sidecar.press("\x1b").waitFor(asked)
  expect(sidecar.agent.inbound()).toEqual([])
  await sidecar.press("\x1b").waitFor("Interrupting the agent")
  await sidecar.hears({ op: "ui-interrupt" })
  await sidecar.press("\x03").waitFor("Press Ctrl-C again to end the run")
  expect(await sidecar.press("\x03").exited).toBe(0)
  await sidecar.hears({ op: "ui-quit" })
  expect(sidecar.agent.inbound()).toEqual([
    { kind: "control", op: "ui-interrupt" },
    { kind: "control", op: "ui-quit" },
  ])
  expectAsItWas(sidecar, before)
})

test("a screen told to leave with its agent does so once the run is over and the connection is closed", async () => {
  await using sidecar = await openLive(running, { env: { OPENTUI_ON_AGENT_EXIT: "leave" } })
  const { before } = sidecar
  await sidecar.waitFor("Run finished")
  await sidecar.agent.stop()
  expect(await sidecar.exited).toBe(0)
  expectAsItWas(sidecar, before)
})

test("case 11: a screen whose agent was killed stays, never shows home, and one Ctrl-C quits it", async () => {
  await using sidecar = await openLive(running, { agent: paused })
  const { before } = sidecar
  await sidecar.waitFor("PAUSED")
  await sidecar.agent.stop()
  await sidecar.waitFor(/disconnected \d/)
  expect(await sidecar.press("\x03").exited).toBe(0)
  expect(sidecar.raw).not.toContain("RUNS")
  expectAsItWas(sidecar, before)
})
