// Tests the debugger by its keys on real agents: a re-run with its edits, and stepping to where a person asks.
import { expect } from "bun:test"
import { readFileSync } from "node:fs"
import { isObject } from "../../packages/wire/src/json.ts"
import { catalog, event } from "../agent/ui.ts"
import { fixture } from "../fixtures.ts"
import { onEachAgent } from "./sidecar.ts"

const game = [...readFileSync(fixture("debugger"), "utf8").trim().split("\n"), JSON.stringify(catalog)]

const says = (text: string) => event("llm/user-message", { invokeid: "user", text })

onEachAgent("a re-run is sent with exactly the edits, after the review, and its branch is followed", async open => {
  await using sidecar = await open(game, { agent: { debug: true } })
  await sidecar.waitFor("Run finished")
  await sidecar.press(":actions for\r").waitFor("Re-run from here…")
  await sidecar.press("G\r").waitFor(/turn +4 of 4 [\s\S]*Tab field/)
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

/** A run that passes a state, a session and a turn, each between messages that say how far it is. */
const passing = [
  event("runner/started", { "session-id": "s", "chart-id": "c" }),
  event("runner/start-config", { config: ["run", "writing"] }),
  says("one"),
  says("two"),
  event("runner/event-processed", {
    "event-name": "go",
    "config-before": ["run", "writing"],
    "config-after": ["run", "judging"],
    entered: ["judging"],
    exited: ["writing"],
  }),
  says("three"),
  event("llm/start", { invokeid: "judge-1", "session-id": "s1", model: "m" }),
  says("four"),
  event("llm/start", { invokeid: "judge-1", "session-id": "s2", model: "m" }),
]

onEachAgent("C steps a paused run to the next state, session and model turn, and no further", async (open, as) => {
  await using sidecar = await open(passing, { agent: { debug: "paused", speed: 1 } })
  const steps = () => sidecar.agent.inbound().filter(frame => isObject(frame) && frame.op === "step").length
  /** A picture comes from top to bottom, so its log is waited for too. */
  const stepTo = async (keys: string, place: string, row: string) => {
    await sidecar.waitFor("PAUSED")
    await sidecar.press(":step to the\r").waitFor("─ STEP TO")
    await sidecar.press(keys).waitFor(place)
    await sidecar.waitFor(/PAUSED|WILL PAUSE/)
    return (await sidecar.waitFor(row)).join("\n")
  }
  await stepTo("\r", "run › writing", "  config ")
  const stepsToStart = steps()
  expect(await stepTo("\r", "run › judging", "two")).not.toContain("three")
  expect(steps()).toBe(stepsToStart + 3)
  expect(await stepTo("j\r", "Reached the next session", "judge-1")).not.toContain("four")
  expect(steps()).toBe(stepsToStart + 3 + 2)
  // No frame of Escapement tells that the run stands at the gate (docs/contract.md section 3).
  await stepTo("G\r", as === "scripted" ? "before turn" : "WILL PAUSE", "four")
  expect(sidecar.agent.inbound().slice(-2)).toMatchObject([{ op: "arm-llm-breakpoint" }, { op: "continue" }])
})
