// Tests a live run in a terminal: questions, ops, interrupting and leaving.
import { describe, expect, test } from "bun:test"
import { event, phase } from "../agent/ui.ts"
import { fixture } from "../fixtures.ts"
import { modes } from "./modes.ts"
import { onEachAgent, openLive } from "./sidecar.ts"

/** A run under way: one session has streamed text, and nothing ends it. */
const underWay = [
  event("runner/started", { "session-id": ":session/1", "chart-id": ":haiku/chart" }),
  event("runner/start-config", { config: ["run", "writing"] }),
  phase("run", "writing"),
  event("llm/start", { invokeid: "poet", "session-id": "s1", model: "gemma3:1b" }),
  event("llm/delta", {
    type: "text-delta",
    text: "winter holds its breath",
    model: "gemma3:1b",
    invokeid: "poet",
    "session-id": "s1",
  }),
  // This question stays unanswered, so the run stays alive.
  JSON.stringify({
    kind: "prompt",
    "prompt-id": "never#1",
    invokeid: "never",
    type: "text",
    opts: { prompt: "Well?" },
  }),
]

const running = underWay.slice(0, -1)
/** A recording without `run-finished` finishes at its end; a closed gate keeps the run alive. */
const paused = { debug: "paused" } as const

describe("a live run", () => {
  test("is shown in header, panes, text and log", async () => {
    await using sidecar = await openLive(underWay)
    await sidecar.waitFor(/─ .* asks[\s\S]*Well\?/)
    // Alt-h hides the question.
    const rows = await sidecar.press("\x1bh").waitFor(rows => !rows.join("\n").includes("Type an answer"))
    expect(rows[0]).toMatch(/^ tournament {2}889d14f8 {3}run › writing .* \?1 .*● live · running .*1 out/)
    expect(rows.join("\n")).toMatch(/SESSIONS {2}1 · 1 running · \?1/)
    expect(rows.join("\n")).toMatch(/● poet {2,}winter holds its breath +1\/s /)
    expect(rows.join("\n")).toMatch(/winter holds its breath▌/)
    expect(rows.join("\n")).toMatch(/LOG {2}\d+ · following/)
    expect(rows.join("\n")).toMatch(/chart +started +:haiku\/chart/)
    expect(rows.at(-1)).toContain("a answer")
  })

  onEachAgent("asks four kinds of questions, and gets each answer as the contract defines it", async open => {
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

  onEachAgent("gets s, 5s, c, p and the arming of a pause as ops if a debugger is attached", async open => {
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

  onEachAgent("is interrupted by Esc Esc within a second, once, and not by one Esc", async open => {
    const asked = "Press Esc again to interrupt the agent"
    /** The first Esc counts as long as the screen asks for the second. */
    const forgets = async () => {
      await sidecar.pass(1001)
      await sidecar.waitFor(rows => !rows.join("\n").includes(asked))
    }
    await using sidecar = await open(running, { agent: paused })
    await sidecar.waitFor("PAUSED")
    await sidecar.press("\x1b").waitFor(asked)
    await forgets()
    await sidecar.press("p").waitFor("Pausing")
    await sidecar.press("\x1b").waitFor(asked)
    expect(sidecar.agent.inbound()).toEqual([{ kind: "control", op: "pause" }])
    await forgets()
    sidecar.press("\x1b")
    // Esc and another byte at once would be one key.
    await sidecar.waitFor(asked)
    await sidecar.press("\x1b").waitFor("Interrupting the agent")
    await sidecar.hears({ op: "ui-interrupt" })
    expect(sidecar.agent.inbound()).toEqual([
      { kind: "control", op: "pause" },
      { kind: "control", op: "ui-interrupt" },
    ])
  })

  onEachAgent(
    "is quit by a second Ctrl-C while it is alive, with a quit to the agent and the terminal restored",
    async open => {
      await using sidecar = await open(running, { agent: paused })
      const before = sidecar.flags
      await sidecar.waitFor("PAUSED")
      await sidecar.press("\x03").waitFor("Press Ctrl-C again to end the run")
      expect(await sidecar.press("\x03").exited).toBe(0)
      await sidecar.hears({ op: "ui-quit" })
      expect(sidecar.agent.inbound()).toEqual([{ kind: "control", op: "ui-quit" }])
      expect(modes(sidecar.raw)).toEqual([])
      expect(sidecar.flags).toEqual(before)
    },
  )
})

test("a screen told to leave with its agent does so once the run is over and the connection is closed", async () => {
  await using sidecar = await openLive(running, { env: { OPENTUI_ON_AGENT_EXIT: "leave" } })
  await sidecar.waitFor("Run finished")
  await sidecar.agent.stop()
  expect(await sidecar.exited).toBe(0)
  expect(modes(sidecar.raw)).toEqual([])
})

test("case 11: a screen whose agent was killed stays, and one Ctrl-C quits it", async () => {
  await using sidecar = await openLive(running, { agent: paused })
  await sidecar.waitFor("PAUSED")
  await sidecar.agent.stop()
  await sidecar.waitFor(/disconnected \d/)
  expect(await sidecar.press("\x03").exited).toBe(0)
  expect(modes(sidecar.raw)).toEqual([])
})
