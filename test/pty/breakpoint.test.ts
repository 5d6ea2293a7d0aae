// Tests that a breakpoint pauses a real agent at the right frame, once.
import { expect, test } from "bun:test"
import { event } from "../agent/ui.ts"
import { openLive } from "./sidecar.ts"

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
  await sidecar.waitFor(/judge-1 +m/)
  sidecar.press("B")
  await sidecar.waitFor("BREAKPOINTS")
  sidecar.press("a")
  await sidecar.waitFor("Enter accept")
  sidecar.type("invokeid=judge* turn>=3")
  await sidecar.waitFor("invokeid=judge* turn>=3")
  sidecar.press("\r")
  await sidecar.waitFor("1 of 1 on")
  sidecar.press("\x1b")
  await sidecar.waitFor(rows => !rows.join("\n").includes("BREAKPOINTS"))

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
