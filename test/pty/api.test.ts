// Tests answers and debugger ops through the agent's API without a socket (docs/contract.md section 7).
import { expect, test } from "bun:test"
import { fixture } from "../fixtures.ts"
import { openLive } from "./sidecar.ts"

test("the debugger's keys go through the API without a socket, a turn op doesn't, and the header says so", async () => {
  const agent = { socket: false, debug: "paused", waitForClient: false } as const
  await using sidecar = await openLive(fixture("debugger"), { agent })
  const [header = ""] = await sidecar.waitFor(([shown = ""]) => shown.includes("over HTTP") && shown.includes("PAUSED"))
  expect(header).toContain("not connected")
  await sidecar.press("b").waitFor("the agent is disconnected, and HTTP has no turn control")
  expect(sidecar.agent.inbound()).toEqual([])
  sidecar.press("s")
  expect(await sidecar.hears({ via: "api", op: "step" })).toMatchObject({ kind: "control", op: "step" })
  await sidecar.press("c").hears({ via: "api", op: "continue" })
  await sidecar.waitFor(([shown = ""]) => !shown.includes("PAUSED"))
})

test("an answer goes through the API while the socket is gone", async () => {
  await using sidecar = await openLive(fixture("prompts"), { agent: { hold: true } })
  await sidecar.waitFor("Which name goes on the cup?")
  sidecar.agent.serveSocket(false)
  await sidecar.waitFor("over HTTP")
  sidecar.type("Ada")
  sidecar.press("\r")
  expect(await sidecar.hears({ via: "api", "prompt-id": "ask-name#1" })).toMatchObject({ kind: "answer", value: "Ada" })
})
