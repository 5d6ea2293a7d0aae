// Tests questions in a terminal: several at once, secret, pasted, unsent at the end, and one on a slow line.
import { expect, test } from "bun:test"
import { event } from "../agent/ui.ts"
import { onEachAgent, openLive } from "./sidecar.ts"

const asks = (id: string, type: string, opts: object) =>
  JSON.stringify({ kind: "prompt", "prompt-id": `${id}#1`, invokeid: id, type, opts })
const start = [event("runner/started", { "session-id": "s", "chart-id": ":haiku/chart" })]
/** A closed gate holds the run, so that only what a test emits arrives. */
const paused = { debug: "paused" } as const

onEachAgent(
  "cases 4 and 5: questions are answered out of order, each under its own id, a paste verbatim",
  async open => {
    const lines = Array.from({ length: 20 }, (_, i) => `line ${i + 1}\t?Qé🎉 ; rm -rf "$HOME"`).join("\n")
    await using sidecar = await open(start, { agent: paused })
    await sidecar.waitFor("PAUSED")
    sidecar.agent.emit(asks("poet", "text", { prompt: "Whose snow?" }))
    sidecar.agent.emit(
      asks("judge", "select", { prompt: "Which?", options: [{ label: "First", value: { n: 1 } }, "2"] }),
    )
    sidecar.agent.emit(asks("baker", "confirm", { prompt: "Start the oven?" }))
    await sidecar.waitFor(/poet asks.* 1 of 3/)
    await sidecar.type(`\x1b[200~${lines}\x1b[201~`).waitFor("line 20")
    await sidecar.press("\t\t").waitFor(/baker asks.* 3 of 3/)
    expect(await sidecar.answers("n", { "prompt-id": "baker#1" })).toMatchObject({ value: false })
    await sidecar.waitFor(/poet asks.* 1 of 2/)
    await sidecar.press("\t").waitFor(/judge asks.* 2 of 2/)
    expect(await sidecar.answers("1", { "prompt-id": "judge#1" })).toMatchObject({ value: { n: 1 } })
    await sidecar.waitFor("line 20")
    expect(await sidecar.press("\r").hears({ "prompt-id": "poet#1" })).toMatchObject({ value: lines })
    expect(sidecar.agent.inbound()).toHaveLength(3)
  },
)

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

test("an answer that could still be taken back is sent when a signal ends the screen", async () => {
  await using sidecar = await openLive([...start, asks("baker", "confirm", { prompt: "Start the oven?" })])
  await sidecar.waitFor(/─ .* asks[\s\S]*Start the oven\?/)
  await sidecar.press("\x1b").waitFor("Cancelled · Backspace takes it back", { early: true })
  sidecar.kill("SIGHUP")
  expect(await sidecar.hears({ kind: "answer" })).toMatchObject({ cancelled: true })
  await sidecar.exited
})

test("what the terminal answers late, as over a slow ssh, is not typed into a question", async () => {
  await using sidecar = await openLive([...start, asks("poet", "text", { prompt: "Whose snow?" })], { replyMs: 1000 })
  await sidecar.waitFor(/─ .* asks[\s\S]*Whose snow\?/)
  await sidecar.type("mi").waitFor("│ mi")
  // The answer to the last query of the start has come.
  await sidecar.waitFor(() => sidecar.replies > 0)
  expect(await sidecar.type("ne\r").hears({ "prompt-id": "poet#1" })).toMatchObject({ value: "mine" })
})
