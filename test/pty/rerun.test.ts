// Tests the debugger by its keys: break before a turn, next, back, continue, and re-run.
import { expect } from "bun:test"
import { readFileSync } from "node:fs"
import { fixture } from "../fixtures.ts"
import { type Live, onEachAgent } from "./sidecar.ts"

const catalog = {
  kind: "model-catalog",
  aliases: [
    { alias: "cheap", targets: [{ provider: "ollama", model: "gemma3:1b" }] },
    { alias: "smart", targets: [{ provider: "openai", model: "gpt-5" }] },
  ],
  preferences: ["smart"],
}
const game = [...readFileSync(fixture("debugger"), "utf8").trim().split("\n"), JSON.stringify(catalog)]

/** The form for the last turn of the game, once the requested data has come. */
async function openForm(sidecar: Live): Promise<void> {
  await sidecar.waitFor("Run finished")
  await sidecar.press(":actions for\r").waitFor("Re-run from here…")
  await sidecar.press("G\r").waitFor(/turn +4 of 4 [\s\S]*Tab field/)
}

onEachAgent("a re-run is sent with exactly the edits, after the review, and its branch is followed", async open => {
  await using sidecar = await open(game, { agent: { debug: true } })
  await openForm(sidecar)
  expect(await sidecar.hears({ op: "request-conversation" })).toEqual({
    kind: "control",
    op: "request-conversation",
    invokeid: "mover",
    "node-id": ":black",
    visit: 0,
  })
  await sidecar.press("\t").waitFor("→ openai gpt-5")
  await sidecar.press("\x1b[B").waitFor(/\* model +smart/)
  await sidecar.press("\t").waitFor("── temperature")
  await sidecar.type("0.25").waitFor(/\* temperature +0\.25/)
  // Shift-Tab past the model and the turn to the last message.
  await sidecar.press("\x1b[Z\x1b[Z\x1b[Z").waitFor("── 7 user")
  await sidecar.type(" sQé🎉").waitFor(/\* 7 user +Move 4, black to play\. sQé🎉/)
  const rows = await sidecar.press("\r").waitFor("costs money")
  expect(rows.join("\n")).toContain("[-gemma3:4b-]{+smart+}")
  expect(rows.join("\n")).toContain("{+0.25+}")
  expect(rows.join("\n")).toContain("Move 4, black to play.{+ sQé🎉+}")
  expect(sidecar.agent.inbound()).toHaveLength(2)
  sidecar.press("\r")
  const said = [
    ["user", "Move 1, white to play."],
    ["assistant", "Kf6, and the pawn has company."],
    ["user", "Move 2, black to play."],
    ["assistant", "Kh7, the corner is all there is."],
    ["user", "Move 3, white to play."],
    ["assistant", "g6+, politely."],
    ["user", "Move 4, black to play. sQé🎉"],
  ] as const
  expect(await sidecar.hears({ op: "rerun-from" })).toEqual({
    kind: "control",
    op: "rerun-from",
    "session-id": "session/chess-1",
    invokeid: "mover",
    "node-id": ":black",
    visit: 0,
    turn: 3,
    overrides: { alias: "smart", temperature: 0.25, messages: said.map(([role, text]) => ({ role, text })) },
  })
  await sidecar.waitFor("The branch session/chess-1/branch-1 has started")
  const after = (await sidecar.waitFor(/▌ +✓ 1 · branch 1 +re-run from turn 4/)).join("\n")
  expect(after).toContain("BRANCH  of mover 1, from turn 4")
  expect(after).toMatch(/said +captured/)
  expect(after).toMatch(/asked +live +smart · Move 4, black to play/)
  expect(sidecar.agent.inbound()).toHaveLength(3)
})

onEachAgent(
  "a breakpoint is armed from the menu, and n, b and c at the turn gate are sent and described",
  async (open, as) => {
    await using sidecar = await open(game, { agent: { debug: "paused" } })
    await sidecar.waitFor("PAUSED")
    await sidecar.press("4s").waitFor(/mover +asked/)
    await sidecar.press(":actions for\r").waitFor("Pause before the next model turn")
    await sidecar.press("j\r").waitFor("WILL PAUSE  before the next model turn of any session")
    sidecar.press("c")
    if (as === "scripted") {
      await sidecar.waitFor("PAUSED  before turn 2")
      const gate = (await sidecar.press("s").waitFor("PAUSED  before turn 3")).join("\n")
      expect(gate).toMatch(/s run it {2,3}b step back {2,3}c continue/)
      await sidecar.press("b").waitFor("PAUSED  pointer at turn 2 · turn 3 waits")
    } else {
      // No frame of Escapement tells that the run stands at the gate (docs/contract.md section 3).
      await sidecar.hears({ op: "continue" })
      await sidecar.press("s").hears({ op: "turn-next" })
      await sidecar.waitFor(/Kh7, the corner[\s\S]*WILL PAUSE/)
      await sidecar.press("b").hears({ op: "turn-back" })
    }
    await sidecar.press("c").waitFor("Run finished")
    expect(sidecar.agent.inbound()).toEqual([
      { kind: "control", op: "step", n: 4 },
      { kind: "control", op: "arm-llm-breakpoint" },
      { kind: "control", op: "continue" },
      { kind: "control", op: "turn-next" },
      { kind: "control", op: "turn-back" },
      { kind: "control", op: "continue" },
    ])
  },
)
