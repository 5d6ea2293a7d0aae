// Tests that a breakpoint pauses a real agent at the right frame, once, and that C steps one to where a person asks.
import { expect, test } from "bun:test"
import { isObject } from "../../packages/wire/src/json.ts"
import { event } from "../agent/ui.ts"
import { onEachAgent, openLive } from "./sidecar.ts"

const start = (id: string) => event("llm/start", { invokeid: "judge-1", "session-id": id, model: "m" })

const delta = (text: string) =>
  event("llm/delta", { type: "text-delta", text, invokeid: "judge-1", "session-id": "s1" })
/** So far ahead that the run does not end meanwhile. */
const end = event("runner/tick", {}, 1_000_000_000)

test("a breakpoint sends one pause, at the frame that makes its condition true and at no other", async () => {
  await using sidecar = await openLive([event("runner/started", { "session-id": "s" }), start("s1"), end], {
    agent: { debug: true, speed: 1 },
  })
  const { agent } = sidecar
  await sidecar.waitFor(/judge-1 +start +m/)
  sidecar.press("B")
  await sidecar.waitFor("CONDITIONS")
  sidecar.press("+")
  await sidecar.waitFor("Enter accept")
  sidecar.type("invokeid=judge* turn>=3")
  await sidecar.waitFor("invokeid=judge* turn>=3")
  sidecar.press("\r")
  await sidecar.waitFor("1 of 1 on")
  sidecar.press("\x1b")
  await sidecar.waitFor(rows => !rows.join("\n").includes("CONDITIONS"))

  agent.emit(start("s1"))
  agent.emit(delta("second "))
  await sidecar.waitFor("second")
  expect(agent.inbound()).toEqual([])
  agent.emit(start("s1"))
  await sidecar.hears({ op: "pause" })
  await sidecar.waitFor("PAUSED")
  await sidecar.waitFor("pauses at the next event of any session")
  // The condition stays true for the frames after it.
  sidecar.press("c")
  await sidecar.hears({ op: "continue" })
  agent.emit(delta("third "))
  agent.emit(start("s1"))
  agent.emit(delta("fourth "))
  await sidecar.waitFor("fourth")
  expect(agent.inbound()).toEqual([
    { kind: "control", op: "pause" },
    { kind: "control", op: "continue" },
  ])
})

onEachAgent(
  "C steps a paused run to the next state, to the next session, and to the next model turn, and no further",
  async (open, as) => {
    const moves = { "event-name": "go", "config-before": ["run", "writing"], "config-after": ["run", "judging"] }
    const recording = [
      event("runner/started", { "session-id": "s", "chart-id": "c" }),
      event("runner/start-config", { config: ["run", "writing"] }),
      event("llm/user-message", { invokeid: "user", text: "one" }),
      event("llm/user-message", { invokeid: "user", text: "two" }),
      event("runner/event-processed", { ...moves, entered: ["judging"], exited: ["writing"] }),
      event("llm/user-message", { invokeid: "user", text: "three" }),
      start("s1"),
      event("llm/user-message", { invokeid: "user", text: "four" }),
      start("s2"),
    ]
    await using sidecar = await open(recording, { agent: { debug: "paused", speed: 1 } })
    const steps = () => sidecar.agent.inbound().filter(frame => isObject(frame) && frame.op === "step").length
    /** A picture comes from top to bottom, so its log is waited for too. */
    const stepTo = async (keys: string, place: string, row: string) => {
      await sidecar.waitFor("PAUSED")
      sidecar.press(":step to the\r")
      await sidecar.waitFor("─ STEP TO")
      sidecar.press(keys)
      await sidecar.waitFor(place)
      await sidecar.waitFor(/PAUSED|WILL PAUSE/)
      return (await sidecar.waitFor(row)).join("\n")
    }
    await stepTo("\r", "run › writing", "  config ")
    const stepsToStart = steps()
    expect(await stepTo("\r", "run › judging", "two")).not.toContain("three")
    expect(steps()).toBe(stepsToStart + 3)
    expect(await stepTo("j\r", "Reached the next session", "judge-1")).not.toContain("four")
    expect(steps()).toBe(stepsToStart + 3 + 2)
    // No frame of Escapement tells that the run stands at the gate.
    await stepTo("G\r", as === "scripted" ? "before turn" : "WILL PAUSE", "four")
    expect(sidecar.agent.inbound().slice(-2)).toMatchObject([{ op: "arm-llm-breakpoint" }, { op: "continue" }])
  },
)
