// Tests a lost connection in a terminal, a remote one, and one with a certificate.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { delta, event, phase } from "../agent/ui.ts"
import { fixture } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { type Live, onEachAgent, openSidecar } from "./sidecar.ts"

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
/** The agent refuses connections and requests until `back`. */
const cut = { refuseMs: 600_000, hold: true } as const
const BACKOFF_MS = 500
/** After it nothing waits, neither an answer for the end of the greeting nor a notice to be read. */
const SETTLED_MS = 10_000
const early = { early: true } as const

/** The agent accepts again, and the sidecar tries. */
async function back({ agent, pass, waitFor }: Live): Promise<void> {
  agent.disconnectAll(0)
  await pass(BACKOFF_MS)
  await waitFor(rows => !(rows[0] ?? "").includes("disconnected"), early)
  await pass(SETTLED_MS)
}

describe("a connection that is cut", () => {
  onEachAgent("case 1: gets the ring again, and no token and no row is doubled", async open => {
    await using sidecar = await open(story, { agent: { debug: true, refuseMs: cut.refuseMs } })
    const before = await sidecar.waitFor(/first snow falls lanterns dim/)
    expect(before.join("\n")).toMatch(/turn 1 · m · .*5 out ─/)
    const log = /LOG {2}\d+ · following/.exec(before.join("\n"))?.[0] ?? "no log"
    sidecar.agent.disconnectAll()
    await sidecar.waitFor("disconnected")
    await back(sidecar)
    sidecar.agent.emit(delta("on the still pond"))
    const rows = (await sidecar.waitFor("on the still pond")).join("\n")
    expect(rows).toMatch(/turn 1 · m · .*6 out ─/)
    expect(rows).toContain(log)
    expect(rows).not.toMatch(/missing|not understood|earlier run/)
    expect(rows.match(/first snow falls lanterns dim on the still pond/g)).toHaveLength(1)
  })

  onEachAgent("case 3: drops a step and a quit pressed meanwhile, and the screen says so", async open => {
    await using sidecar = await open(story, { agent: { ...gate, ...cut } })
    await sidecar.waitFor("PAUSED")
    sidecar.agent.disconnectAll()
    await sidecar.waitFor(/disconnected \d/)
    await sidecar.press("s").waitFor("Can't step: the agent is disconnected")
    await back(sidecar)
    await sidecar.waitFor("PAUSED")
    await sidecar.press("p").hears({ op: "pause" })
    expect(sidecar.agent.inbound()).toEqual([{ kind: "control", op: "pause" }])

    sidecar.agent.disconnectAll()
    await sidecar.waitFor(/disconnected \d/)
    expect(await sidecar.press("\x03").exited).toBe(0)
    const after = sidecar.raw.slice(sidecar.raw.lastIndexOf("\x1b[?1049l"))
    expect(after).toContain("opentui-sidecar: The agent was disconnected, so it was not told to quit\r\n")
    expect(sidecar.agent.inbound()).toHaveLength(1)
  })

  onEachAgent("case 3: keeps an answer given meanwhile, and sends it when it is back", async open => {
    await using sidecar = await open(fixture("prompts"), { agent: cut })
    await sidecar.waitFor("Which name goes on the cup?")
    sidecar.agent.disconnectAll()
    await sidecar.waitFor(/disconnected \d/, early)
    await sidecar.type("Grace").waitFor("│ Grace", early)
    await sidecar.press("\r").waitFor("Will be sent after reconnecting", early)
    expect(sidecar.agent.inbound()).toEqual([])
    await back(sidecar)
    expect(await sidecar.hears({ kind: "answer" })).toMatchObject({ "prompt-id": "ask-name#1", value: "Grace" })
    // The agent took the answer, since it asks the next question.
    await sidecar.waitFor("What size?")
  })
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

test("an agent whose certificate nobody has signed is refused, and a small first screen says why and what to do", async () => {
  await using agent = await selfSigned()
  await using sidecar = await openSidecar({ cols: 40, rows: 10, env: { OPENTUI_WS_URL: agent.url } })
  await sidecar.waitFor("NODE_EXTRA_CA_CERTS")
  const shown = await sidecar.waitFor("Trying again in")
  const words = shown.map(row => row.split("│")[1]?.trim() ?? "").join(" ")
  expect(words).toContain("certificate isn't trusted")
  expect(words).not.toMatch(/no agent/i)
  expect(shown[0]).toContain("not connected")
})

test("it is connected to where its certificate is named, and with a warning where the check is off", async () => {
  await using agent = await selfSigned()
  const env = { OPENTUI_WS_URL: agent.url }
  await using named = await openSidecar({ env: { ...env, NODE_EXTRA_CA_CERTS: agent.certificate } })
  await named.waitFor("● live")
  await using unchecked = await openSidecar({ env: { ...env, NODE_TLS_REJECT_UNAUTHORIZED: "0" } })
  await unchecked.waitFor("● live")
  await unchecked.waitFor("The certificate of localhost isn't checked")
  expect((await named.screen()).join("\n")).not.toContain("checked")
})

/** A server with a certificate of its own making that accepts every socket and sends nothing. */
async function selfSigned(): Promise<AsyncDisposable & { readonly url: string; readonly certificate: string }> {
  const directory = fileScratch()
  const [key, certificate] = [join(directory, "key.pem"), join(directory, "certificate.pem")]
  const request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
  const made = Bun.spawn([...request, "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate], {
    stdio: ["ignore", "ignore", "ignore"],
  })
  expect(await made.exited).toBe(0)
  const server = Bun.serve({
    hostname: "localhost",
    port: 0,
    tls: { key: Bun.file(key), cert: Bun.file(certificate) },
    fetch: (message, own) => (own.upgrade(message) ? undefined : new Response(null, { status: 404 })),
    websocket: { message: () => undefined },
  })
  return {
    url: `wss://localhost:${server.port}/ws`,
    certificate,
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}
