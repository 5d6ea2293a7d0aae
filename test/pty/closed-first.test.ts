// Tests in a terminal that a question which another viewer answers takes no key with it, and no text.
import { expect } from "bun:test"
import { event, phase, Ui } from "../agent/ui.ts"
import { type Live, type OpenLive, onEachAgent } from "./sidecar.ts"

const asks = (id: string) =>
  JSON.stringify({
    kind: "prompt",
    "prompt-id": `${id}#1`,
    invokeid: id,
    type: "text",
    opts: { prompt: `${id}, what?` },
  })
const answer = { kind: "answer", "prompt-id": "poet#1", value: "from another viewer" }

/** A paused run with two questions, of which the first has this text when another viewer answers it. */
async function openAnswered(open: OpenLive, text: string): Promise<Live> {
  const started = event("runner/started", { "session-id": ":session/1", "chart-id": ":haiku/chart" })
  const sidecar = await open([started, phase("run", "writing"), asks("poet"), asks("judge")], {
    agent: { debug: true },
  })
  await sidecar.waitFor(/─ .* asks[\s\S]*poet, what\?/)
  sidecar.agent.emit(JSON.stringify({ kind: "debug", paused: true, "step-budget": 0 }))
  await sidecar.waitFor("PAUSED")
  await sidecar.type(text).waitFor(`│ ${text}`)
  const viewer = await Ui.attach(sidecar.agent.url)
  viewer.send(answer)
  return sidecar
}

onEachAgent(
  "letters and Escs that go on are no commands, and what was typed is pasted into the next question",
  async open => {
    await using sidecar = await openAnswered(open, "stop sp")
    await sidecar.waitFor("The question closed. Ctrl-Y pastes your text, y copies it", { early: true })
    sidecar.type("ecs pcs csp scp")
    await sidecar.press("\x1b[27u".repeat(2)).waitFor("Keys are ignored until you pause", { early: true })
    await sidecar.waitFor(rows => !rows.join("\n").includes("Keys are ignored"))
    await sidecar.press("Q").waitFor("Q does nothing here")
    expect(sidecar.agent.inbound()).toEqual([answer])
    await sidecar.press("a").waitFor("Type an answer")
    await sidecar.press("\x19").waitFor("│ stop sp")
    expect(await sidecar.press("\r").hears({ "prompt-id": "judge#1" })).toMatchObject({ value: "stop sp" })
  },
)

onEachAgent("the rest of a text and its Enter do not answer the next question, which waits on its line", async open => {
  await using sidecar = await openAnswered(open, "delete n")
  await sidecar.waitFor("? judge asks: judge, what? · a answers", { early: true })
  await sidecar.type("othing please\r").waitFor("Keys are ignored until you pause", { early: true })
  await sidecar.waitFor(rows => !rows.join("\n").includes("Keys are ignored"))
  await sidecar.press("a").waitFor("Type an answer")
  expect(sidecar.agent.inbound()).toEqual([answer])
})
