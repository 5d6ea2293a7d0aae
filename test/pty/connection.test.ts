// Tests a lost connection in a terminal, and a remote one.
import { describe, expect, test } from "bun:test"
import { delta, event, phase } from "../agent/ui.ts"
import { fixture } from "../fixtures.ts"
import { openLive, openSidecar } from "./sidecar.ts"

const start = [
  event("runner/started", { "session-id": "s", "chart-id": ":haiku/chart" }),
  event("runner/start-config", { config: ["run", "writing"] }),
  phase("run", "writing"),
  event("llm/start", { invokeid: "writer", "session-id": "s1", model: "m" }),
]
const words = ["first ", "snow ", "falls ", "lanterns ", "dim "]
const story = [...start, ...words.map(word => delta(word))]
/** A closed gate holds the run, so that only what a test emits arrives. */
const gate = { debug: "paused" } as const
/** New connections are refused for long enough to act meanwhile. */
const longCut = { refuseMs: 2500, hold: true } as const

describe("a connection that is cut", () => {
  test("case 1: gets the ring again, and no token and no row is doubled", async () => {
    await using sidecar = await openLive(story, { agent: { debug: true, stamps: "recorded" } })
    const before = await sidecar.waitFor(/first snow falls lanterns dim/)
    expect(before.join("\n")).toMatch(/writer +m +5 /)
    const log = /LOG {2}\d+ · following/.exec(before.join("\n"))?.[0] ?? "no log"
    sidecar.agent.disconnectAll()
    await sidecar.waitFor("disconnected")
    await sidecar.waitFor(rows => !(rows[0] ?? "").includes("disconnected"))
    sidecar.agent.emit(delta("on the still pond"))
    const rows = (await sidecar.waitFor("on the still pond")).join("\n")
    expect(rows).toMatch(/writer +m +6 /)
    expect(rows).toContain(log)
    expect(rows).not.toMatch(/missing|not understood|earlier run/)
    expect(rows.match(/first snow falls/g)).toHaveLength(1)
  })

  test("case 2: counts a coalesced delta of 7 as 7, without a gap", async () => {
    await using sidecar = await openLive([...start, ...Array.from({ length: 7 }, (_, i) => delta(`w${i} `))], {
      agent: { debug: true, faults: [{ kind: "coalesce", at: 5 }] },
    })
    const rows = (await sidecar.waitFor("w0 w1 w2 w3 w4 w5 w6")).join("\n")
    expect(rows).toMatch(/writer +m +7 /)
    expect(rows).not.toContain("missing")
  })

  test("case 3: drops a step and a quit pressed meanwhile, and the screen says so", async () => {
    await using sidecar = await openLive(story, { agent: { ...gate, ...longCut } })
    await sidecar.waitFor("PAUSED")
    sidecar.agent.disconnectAll()
    await sidecar.waitFor(/disconnected \d/)
    sidecar.press("s")
    await sidecar.waitFor("Can't step: the agent is disconnected")
    await sidecar.waitFor("PAUSED")
    await sidecar.waitFor(rows => !(rows[0] ?? "").includes("disconnected"))
    sidecar.press("p")
    await sidecar.hears({ op: "pause" })
    expect(sidecar.agent.inbound()).toEqual([{ kind: "control", op: "pause" }])

    sidecar.agent.disconnectAll()
    await sidecar.waitFor(/disconnected \d/)
    sidecar.press("\x03")
    expect(await sidecar.exited).toBe(0)
    const after = sidecar.raw.slice(sidecar.raw.lastIndexOf("\x1b[?1049l"))
    expect(after).toContain("opentui-sidecar: The agent was disconnected, so it was not told to quit\r\n")
    expect(sidecar.agent.inbound()).toHaveLength(1)
  })

  test("case 3: keeps an answer given meanwhile, and sends it when it is back", async () => {
    await using sidecar = await openLive(fixture("prompts"), { agent: longCut })
    await sidecar.waitFor("Which name goes on the cup?")
    sidecar.agent.disconnectAll()
    await sidecar.waitFor(/disconnected \d/)
    sidecar.type("Grace")
    await sidecar.waitFor("│ Grace")
    sidecar.press("\r")
    await sidecar.waitFor("Will be sent after reconnecting")
    expect(sidecar.agent.inbound()).toEqual([])
    expect(await sidecar.hears({ kind: "answer" })).toMatchObject({ "prompt-id": "ask-name#1", value: "Grace" })
    // The agent took the answer, since it asks the next question.
    await sidecar.waitFor("What size?")
  })
})

test("case 16: an op without effect is pending, and given up after 5 s with a notice", async () => {
  // After the first event the agent sends nothing more to attached clients.
  await using sidecar = await openLive(story, { agent: { debug: true, faults: [{ kind: "silent", at: 1 }] } })
  await sidecar.waitFor("haiku/chart")
  await sidecar.waitFor("p pause")
  sidecar.press("p")
  await sidecar.hears({ op: "pause" })
  await sidecar.waitFor("pause pending")
  const rows = (await sidecar.waitFor("pause: no effect within 5s")).join("\n")
  expect(rows).not.toContain("pause pending")
  expect(rows).toMatch(/no effect +pause/)
  expect(sidecar.agent.inbound()).toEqual([{ kind: "control", op: "pause" }])
})

test("a remote agent without encryption is warned about, on the screen and in plain mode", async () => {
  // A reserved address (RFC 5737).
  const env = { OPENTUI_WS_URL: "ws://192.0.2.1:9/ws", OPENTUI_ALLOW_REMOTE: "1" }
  for (const plain of ["", "1"]) {
    await using sidecar = await openSidecar({ env: { ...env, OPENTUI_PLAIN: plain } })
    await sidecar.waitFor("The connection to 192.0.2.1 isn't encrypted")
    expect(sidecar.raw.includes("\x1b[?1049h")).toBe(plain === "")
  }
})
