// Tests in a terminal that keys meant for one thing never do another: questions, Esc, letters and digits.
import { describe, expect, test } from "bun:test"
import { event, phase } from "../agent/ui.ts"
import { type Live, onEachAgent, openLive } from "./sidecar.ts"

const running = [
  event("runner/started", { "session-id": ":session/1", "chart-id": ":haiku/chart" }),
  phase("run", "writing"),
  event("llm/start", { invokeid: "poet", "session-id": "s1", model: "m" }),
]
const asks = (id: string, type: string, opts: object) =>
  JSON.stringify({ kind: "prompt", "prompt-id": `${id}#1`, invokeid: id, type, opts })
/** Esc as one sequence, so that several presses are never one key with Alt. */
const ESC = "\x1b[27u"

/** A run with a debugger that a question nobody answers keeps alive; its question is hidden. */
async function openRunning(): Promise<Live> {
  const sidecar = await openLive([...running, asks("never", "text", { prompt: "Well?" })], { agent: { debug: true } })
  await sidecar.waitFor(/─ .* asks[\s\S]*Well\?/)
  await sidecar.press("\x1bh").waitFor("a answer")
  return sidecar
}

describe("a question that comes meanwhile", () => {
  const deletion = asks("deploy", "confirm", { prompt: "Delete the production database?", default: true })

  onEachAgent("leaves y, n, Enter, Esc and digits to the list they were meant for", async open => {
    await using sidecar = await open(running, { agent: { debug: "paused" } })
    await sidecar.waitFor("PAUSED")
    for (const line of running) sidecar.agent.emit(line)
    await sidecar.waitFor("poet")
    await sidecar.press("Q").waitFor("Q does nothing here")
    sidecar.agent.emit(deletion)
    await sidecar.waitFor("? deploy asks: Delete the production database? · a answers")
    await sidecar.press("y").waitFor("COPY")
    await sidecar.press(ESC).waitFor(rows => !rows.join("\n").includes("COPY"))
    await sidecar.press("n7k").waitFor("? deploy asks")
    await sidecar.press("\r").waitFor("/ search")
    expect(sidecar.agent.inbound()).toEqual([])
  })

  onEachAgent("leaves letters to the filter that is being typed, and Esc to the search it drops", async open => {
    await using sidecar = await open(running, { agent: { debug: "paused" } })
    await sidecar.waitFor("PAUSED")
    for (const line of running) sidecar.agent.emit(line)
    await sidecar.waitFor("poet")
    sidecar.press("f")
    await sidecar.type("in").waitFor(/f +in/)
    sidecar.agent.emit(deletion)
    await sidecar.waitFor(/\?1/)
    await sidecar.type("vokeid=poet\r").waitFor("f invokeid=poet")
    sidecar.press("\t\t/")
    await sidecar.type("winter\r").waitFor("/winter not found")
    await sidecar.press(ESC).waitFor(rows => !rows.join("\n").includes("winter"))
    expect(sidecar.agent.inbound()).toEqual([])
  })
})

describe("letters and Esc in a live run", () => {
  test("typed as /status and /pier while reading search the text, and nothing is sent", async () => {
    await using sidecar = await openRunning()
    await sidecar.press("\r").waitFor("/ search")
    for (const word of ["status", "pier"]) {
      await sidecar.type(`/${word}\r`).waitFor(`No match for ${word}`)
    }
    await sidecar.type("sspcb").waitFor("b does nothing here · ? shows the keys")
    // The first ends the search, the second leaves the text.
    await sidecar.press("\x1b[27u\x1b[27u").waitFor("p pause ")
    await sidecar.press("s").waitFor("p pauses first")
    expect(sidecar.agent.inbound()).toEqual([])
  })

  test("Esc pressed four times to leave the view of times closes it and does not interrupt the agent", async () => {
    await using sidecar = await openRunning()
    await sidecar.press("T").waitFor("TIME")
    await sidecar.press("\r").waitFor("/ search")
    await sidecar.press(ESC.repeat(4)).waitFor("─ SESSIONS")
    await sidecar.press("p").hears({ op: "pause" })
    expect(sidecar.agent.inbound()).toEqual([{ kind: "control", op: "pause" }])
  })
})
