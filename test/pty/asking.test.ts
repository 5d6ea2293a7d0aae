// Tests questions in a terminal: several at once, secret, pasted, taken back, and one on a slow line.
import { describe, expect, test } from "bun:test"
import { event } from "../agent/ui.ts"
import { onEachAgent, openLive } from "./sidecar.ts"

const asks = (id: string, type: string, opts: object, invokeid = id) =>
  JSON.stringify({ kind: "prompt", "prompt-id": `${id}#1`, invokeid, type, opts })
const start = [event("runner/started", { "session-id": "s", "chart-id": ":haiku/chart" })]
/** A closed gate holds the run, so that only what a test emits arrives. */
const paused = { debug: "paused" } as const

describe("several questions at once", () => {
  const three = [
    asks("poet", "text", { prompt: "Whose snow?" }),
    asks("judge", "select", { prompt: "Which haiku?", options: [{ label: "First", value: { n: 1 } }, "Second"] }),
    asks("baker", "confirm", { prompt: "Start the oven?" }),
  ]

  onEachAgent("case 4: are answered out of order, each under its own id, and no draft is lost", async open => {
    await using sidecar = await open(start, { agent: paused })
    await sidecar.waitFor("PAUSED")
    for (const one of three) sidecar.agent.emit(one)
    await sidecar.waitFor(/poet asks.* 1 of 3/)
    await sidecar.type("half an ans").waitFor("│ half an ans")
    await sidecar.press("\t\t").waitFor(/baker asks.* 3 of 3/)
    expect(await sidecar.answers("n", { "prompt-id": "baker#1" })).toMatchObject({ value: false })
    await sidecar.waitFor(/poet asks.* 1 of 2/)
    await sidecar.press("\t").waitFor(/judge asks.* 2 of 2/)
    expect(await sidecar.answers("1", { "prompt-id": "judge#1" })).toMatchObject({ value: { n: 1 } })
    await sidecar.waitFor("│ half an ans")
    sidecar.type("wer\r")
    expect(await sidecar.hears({ "prompt-id": "poet#1" })).toMatchObject({ value: "half an answer" })
    expect(sidecar.agent.inbound()).toHaveLength(3)
  })
})

test("no character of a secret answer is written to a narrow terminal, however long it is", async () => {
  await using sidecar = await openLive(start, { agent: paused, cols: 40, rows: 10 })
  await sidecar.waitFor("PAUSED")
  sidecar.agent.emit(asks("vault", "text", { prompt: "Password?", secret: true }))
  await sidecar.waitFor("Type a secret answer")
  const secret = "ЖΩ猫ß".repeat(40)
  for (const part of secret.match(/.{1,9}/gu) ?? []) {
    await sidecar.type(part).waitFor("•••••")
  }
  sidecar.press("\u001b[D")
  sidecar.press("\u007f")
  const heard = await sidecar.press("\r").hears({ "prompt-id": "vault#1" })
  expect(String(heard.value).length).toBe([...secret].length - 1)
  await sidecar.waitFor("Answered")
  expect(sidecar.raw).not.toMatch(/[ЖΩ猫ß]/)
})

test("case 5: a text answer is verbatim pasted in 20 lines", async () => {
  const lines = Array.from({ length: 20 }, (_, i) => `line ${i + 1}\t?Qé🎉 ; rm -rf "$HOME"`).join("\n")
  await using sidecar = await openLive([...start, asks("poet", "text", { prompt: "Whose snow?" })])
  await sidecar.waitFor(/─ .* asks[\s\S]*Whose snow\?/)
  await sidecar.type(`\x1b[200~${lines}\x1b[201~`).waitFor("line 20")
  expect(sidecar.agent.inbound()).toEqual([])
  expect(await sidecar.press("\r").hears({ kind: "answer" })).toMatchObject({ value: lines })
})

describe("an answer of one key", () => {
  const baker = asks("baker", "confirm", { prompt: "Start the oven?" })
  const back = "· Backspace takes it back"

  test("is taken back by Backspace, and sent 2 s after it was given", async () => {
    await using sidecar = await openLive([...start, baker])
    await sidecar.waitFor(/─ .* asks[\s\S]*Start the oven\?/)
    await sidecar.press("y").waitFor(`Yes ${back}`)
    await sidecar.press("\x7f").waitFor(rows => !rows.join("\n").includes(back))
    expect(await sidecar.answers("n", { kind: "answer" })).toMatchObject({ value: false })
    await sidecar.waitFor("Answered: No")
    expect(sidecar.agent.inbound()).toHaveLength(1)
  })

  test.each(["SIGTERM", "SIGHUP"] as const)("is sent when %s ends the screen", async signal => {
    await using sidecar = await openLive([...start, baker])
    await sidecar.waitFor(/─ .* asks[\s\S]*Start the oven\?/)
    await sidecar.press("\x1b").waitFor(`Cancelled ${back}`, { early: true })
    sidecar.kill(signal)
    expect(await sidecar.hears({ kind: "answer" })).toMatchObject({ cancelled: true })
    await sidecar.exited
  })
})

test("what the terminal answers late, as over a slow ssh, is not typed into a question", async () => {
  await using sidecar = await openLive([...start, asks("poet", "text", { prompt: "Whose snow?" })], { replyMs: 1000 })
  await sidecar.waitFor(/─ .* asks[\s\S]*Whose snow\?/)
  await sidecar.type("mi").waitFor("│ mi")
  // The answer to the last query of the start has come.
  await sidecar.waitFor(() => sidecar.replies > 0)
  expect(await sidecar.type("ne\r").hears({ "prompt-id": "poet#1" })).toMatchObject({ value: "mine" })
})
