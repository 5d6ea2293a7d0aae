// Tests the debugger by its keys: break before a turn, next, back, continue, and re-run.
import { describe, expect } from "bun:test"
import { readFileSync } from "node:fs"
import { event } from "../agent/ui.ts"
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
  sidecar.press(":actions for\r")
  await sidecar.waitFor("Re-run from here…")
  sidecar.press("G\r")
  await sidecar.waitFor(/turn +4 of 4 [\s\S]*Tab field/)
}

describe("a re-run", () => {
  onEachAgent("is sent with exactly the edits, after the review, and its branch is followed", async open => {
    await using sidecar = await open(game, { agent: { debug: true } })
    await openForm(sidecar)
    expect(await sidecar.hears({ op: "request-conversation" })).toEqual({
      kind: "control",
      op: "request-conversation",
      invokeid: "mover",
      "node-id": ":black",
      visit: 0,
    })
    sidecar.press("\t")
    await sidecar.waitFor("→ openai gpt-5")
    sidecar.press("\x1b[B")
    await sidecar.waitFor(/\* model +smart/)
    sidecar.press("\t")
    await sidecar.waitFor("── temperature")
    sidecar.type("0.25")
    await sidecar.waitFor(/\* temperature +0\.25/)
    // Shift-Tab past the model and the turn to the last message.
    sidecar.press("\x1b[Z\x1b[Z\x1b[Z")
    await sidecar.waitFor("── 7 user")
    sidecar.type(" sQé🎉")
    await sidecar.waitFor(/\* 7 user +Move 4, black to play\. sQé🎉/)
    sidecar.press("\r")
    const rows = await sidecar.waitFor("costs money")
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

  onEachAgent("that could not start says why and keeps the edits, also through Esc", async open => {
    await using sidecar = await open(game, { agent: { debug: true, branchError: "no key for openai" } })
    await openForm(sidecar)
    sidecar.press("\t")
    await sidecar.waitFor("── model")
    sidecar.press("\x1b[B")
    await sidecar.waitFor(/\* model +smart/)
    sidecar.press("\r")
    await sidecar.waitFor("costs money")
    sidecar.press("\x1b")
    await sidecar.waitFor("── model")
    sidecar.press("\r")
    await sidecar.waitFor("costs money")
    sidecar.press("\r")
    const rows = (await sidecar.waitFor("The re-run failed: no key for openai")).join("\n")
    expect(rows).toMatch(/\* model +smart/)
    expect(rows).toContain("RE-RUN FAILED  no key for openai")
    expect(await sidecar.hears({ op: "rerun-from" })).toMatchObject({ overrides: { alias: "smart" } })
  })
})

onEachAgent(
  "a breakpoint is armed from the menu, and n, b and c at the turn gate are sent and described",
  async (open, as) => {
    await using sidecar = await open(game, { agent: { debug: "paused" } })
    await sidecar.waitFor("PAUSED")
    sidecar.press("4s")
    await sidecar.waitFor(/mover +asked/)
    sidecar.press(":actions for\r")
    await sidecar.waitFor("Pause before the next model turn")
    sidecar.press("j\r")
    await sidecar.waitFor("WILL PAUSE  before the next model turn of any session")
    sidecar.press("c")
    if (as === "scripted") {
      await sidecar.waitFor("PAUSED  before turn 2")
      sidecar.press("s")
      const gate = (await sidecar.waitFor("PAUSED  before turn 3")).join("\n")
      expect(gate).toContain("s run it · b step back (undoes nothing) · c continue")
      sidecar.press("b")
      await sidecar.waitFor("PAUSED  pointer at turn 2 · turn 3 waits")
    } else {
      // No frame of Escapement tells that the run stands at the gate (docs/contract.md section 3).
      await sidecar.hears({ op: "continue" })
      sidecar.press("s")
      await sidecar.hears({ op: "turn-next" })
      await sidecar.waitFor(/Kh7, the corner[\s\S]*WILL PAUSE/)
      sidecar.press("b")
      await sidecar.hears({ op: "turn-back" })
    }
    sidecar.press("c")
    await sidecar.waitFor("Run finished")
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

/** A turn of one of the drafters, who share a name. */
function drafted(n: number, turn: number, ask: string, reply: string, tokens: number): readonly string[] {
  const ids = { invokeid: "drafter", "session-id": `session/drafter.${n}` }
  const place = (file: string) => ({ ...ids, "io/ref": `nodes/drafting.${n}/0/turns/${turn}/${file}.edn` })
  const usage = { "input-tokens": 100, "output-tokens": tokens }
  return [
    event("llm/start", { ...ids, model: "gemma3:4b" }, 1000 + turn),
    event("llm/request", { ...place("request"), "user-blocks": [{ type: "text", text: ask }] }),
    event("llm/response", { ...place("response"), content: [{ type: "text", text: reply }], usage }),
  ]
}

onEachAgent(
  "a re-run of one of several siblings offers its own turns, warns of an unknown model, and counts what it made",
  async open => {
    const siblings = [
      ...drafted(1, 0, "Write the timeline.", "Timeline.", 236),
      ...drafted(2, 0, "Find the cause.", "Cause.", 40),
      ...drafted(1, 1, "Go on.", "More.", 52),
      ...[event("runner/done"), JSON.stringify(catalog)],
    ]
    await using sidecar = await open(siblings, { agent: { debug: true } })
    await sidecar.waitFor(/328 out[\s\S]*Run finished/)
    sidecar.press("gj")
    await sidecar.waitFor(/▌ +✓ 1 /)
    sidecar.press(":actions for\r")
    await sidecar.waitFor("Re-run from here…")
    sidecar.press("G\r")
    const form = (await sidecar.waitFor(/▸ turn 2 +Go on\./)).join("\n")
    expect(form).toMatch(/turn +2 of 2[\s\S]*1 user +Write the timeline\.[\s\S]*turn 1 +Write the timeline\./)
    expect(form).not.toContain("Find the cause.")
    sidecar.press("\t")
    await sidecar.waitFor("── model")
    sidecar.type("XY\r")
    await sidecar.waitFor(/Re-runs from turn 2[\s\S]*Not among the agent's models/)
    sidecar.press("\x1b")
    await sidecar.waitFor("── model")
    sidecar.press("\x1b[B")
    await sidecar.waitFor(/\* model +(smart|cheap)/)
    sidecar.press("\r")
    await sidecar.waitFor("costs money")
    sidecar.press("\r")
    // 236 tokens of the branch were captured; it made 52.
    await sidecar.waitFor(/BRANCH {2}of drafter 1, from turn 2/)
    expect((await sidecar.waitFor(/✓ 1 · branch 1 +re-run from turn 2/))[0]).toContain(" 380 out")
    sidecar.type(":branches\r")
    await sidecar.waitFor(/▸ drafter 1 +2 .* 288 [\s\S]*drafter 1 · branch 1 .* 52 /)
    sidecar.press("j=")
    await sidecar.waitFor(
      /TURNS {2}drafter 1 turn 2 → drafter 1 · branch 1 [\s\S]*model[\s\S]*\[-gemma3:4b-\]\{\+(smart|cheap)\+\}/,
    )
    sidecar.press("q")
    await sidecar.waitFor("go there")
    sidecar.press("\r")
    const there = await sidecar.waitFor(/▌\S+ +drafter 1 ·… +start +captured/)
    expect(there.join("\n")).toMatch(/▌ +– 1 · branch 1/)
  },
)
