// Tests plain lines on a terminal: questions are asked and confirmed in order, and a person can look back and stop.
import { expect, test } from "bun:test"
import { event } from "../agent/ui.ts"
import { openLive } from "./sidecar.ts"

const asks = (id: string, type: string, opts: object) =>
  JSON.stringify({ kind: "prompt", "prompt-id": `${id}#1`, invokeid: id, type, opts })
const ids = { invokeid: "writer", "session-id": "s1" }
const run = [
  event("llm/start", { ...ids, model: "m" }),
  event("llm/response", { ...ids, content: [{ type: "text", text: "Three boats are in." }] }),
  event("llm/start", { ...ids, model: "m" }, 2000),
  event("llm/error", { ...ids, message: "connection reset" }),
]

test("an Enter too many answers nothing, an answer is confirmed before the next question, and each is read once", async () => {
  const baker = asks("baker", "confirm", { prompt: "Start it?" })
  // Escapement's start of a question is a row as well, if it comes a batch earlier.
  const agent = { debug: true, as: "scripted" } as const
  await using sidecar = await openLive([...run, baker], { env: { OPENTUI_PLAIN: "1" }, agent })
  await sidecar.waitFor("Start it?")
  await sidecar.type("\ryes\r").hears({ "prompt-id": "baker#1" })
  sidecar.agent.emit(asks("sign", "text", { prompt: "Who signs?" }))
  await sidecar.waitFor("Who signs?")
  const rows = (await sidecar.type("\r").waitFor(/Who signs\?[\s\S]*\/empty to answer with nothing/)).join("\n")
  expect(rows).toMatch(/question 1 answered: yes[\s\S]*question 2, sign asks/i)
  expect(rows.match(/Start it\?/g)).toHaveLength(1)
  expect(rows.match(/Who signs\?/g)).toHaveLength(1)
  expect(sidecar.agent.inbound()).toEqual([{ kind: "answer", "prompt-id": "baker#1", value: true }])
  expect(await sidecar.type("/empty\r").hears({ "prompt-id": "sign#1" })).toMatchObject({ value: "" })
})
