// Tests questions in a terminal: several at once, secret, pasted, taken back, and one on a slow line.
import { describe, expect, test } from "bun:test"
import { event } from "../agent/ui.ts"
import { openLive } from "./sidecar.ts"

const asks = (id: string, type: string, opts: object, invokeid = id) =>
  JSON.stringify({ kind: "prompt", "prompt-id": `${id}#1`, invokeid, type, opts })
const start = [event("runner/started", { "session-id": "s", "chart-id": ":haiku/chart" })]
/** A closed gate holds the run, so that only what a test emits arrives. */
const paused = { debug: "paused" } as const

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

describe("an answer of one key", () => {
  const baker = asks("baker", "confirm", { prompt: "Start the oven?" })
  const back = "· Backspace takes it back"

  test("is sent when a signal ends the screen", async () => {
    await using sidecar = await openLive([...start, baker])
    await sidecar.waitFor(/─ .* asks[\s\S]*Start the oven\?/)
    await sidecar.press("\x1b").waitFor(`Cancelled ${back}`, { early: true })
    sidecar.kill("SIGTERM")
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
