// Plays the demo with answers that nobody recorded, and checks what it tells and writes, and the hand-made recordings.
import { expect, test } from "bun:test"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import * as say from "../../fixtures/demo-texts.ts"
import { decode } from "../../packages/wire/src/decode.ts"
import { isObject } from "../../packages/wire/src/json.ts"
import { demoAgent } from "../../src/cli/agent-command.ts"
import { DemoRun } from "../../src/scripted-agent/demo.ts"
import { Ui } from "../agent/ui.ts"
import { fixture } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"

/** Looks only at what came last: the run has thousands of messages. */
const heard = (text: string) => (ui: Ui) => ui.heard.slice(-8).some(line => line.includes(text))

async function playedWith(title: string | null, ownsUp: boolean | null, signature: string | null) {
  const { agent, sessionDir, close } = await demoAgent(0)
  try {
    const ui = await Ui.attach(agent.url)
    for (const [id, value] of [
      ["pick-title#1", title],
      ["own-up#2", ownsUp],
      ["sign#3", signature],
    ] as const) {
      await ui.until(heard(`"prompt-id":"${id}"`))
      ui.send({ kind: "answer", "prompt-id": id, ...(value === null ? { cancelled: true } : { value }) })
      ui.send({ kind: "answer", "prompt-id": id, value: "too late" })
    }
    await ui.until(heard(`"run-finished"`))
    const file = (name: string) => Bun.file(join(sessionDir, name)).text()
    const streamed = ui
      .events()
      .flatMap(({ event, data }) =>
        event === "llm/delta" && isObject(data) && data.invokeid === "scribe" ? [data.text] : [],
      )
    const artifacts = (await readdir(join(sessionDir, "artifacts"))).sort()
    const [report, letter] = [await file("artifacts/report.md"), await file("artifacts/letter.md")]
    const log = await file("escapement.log")
    return { report, letter, log, artifacts, streamed: streamed.join("") }
  } finally {
    await close()
  }
}

test("the demo's report has the title and the signer that were chosen, and is the file it says it wrote", async () => {
  const signer = 'Eleven "minutes" \\ $& own-up'
  const { report, letter, log, artifacts, streamed } = await playedWith("no-pier", false, signer)
  expect(report).toBe(streamed)
  expect(report.split("\n")[0]).toBe("# The ferry without a pier")
  expect(report).toEndWith(`\n*${signer}*\n`)
  expect(report).not.toContain("no test")
  expect(report).not.toContain(say.title)
  expect(letter).toBe(say.letter)
  expect(artifacts).toEqual(["letter.md", "report.md"])
  // The first line of each event, without its time.
  const lines = log.replaceAll(/^\S+ /gm, "").split("\n")
  const names = lines.map(line => line.split(" ")[1])
  expect(lines.filter((_, i) => names.indexOf(names[i]) === i).join("\n")).toMatchSnapshot()
})

test("the demo tells what has no test only where it owned up, and what was asked as it was", () => {
  const text = "It has no test yet; that is being written as you read this."
  const promptId = "own-up#2"
  const told = ([true, false, null] as const).flatMap(value => {
    const demo = new DemoRun(fileScratch())
    demo.answered(value === null ? { type: "cancel", promptId } : { type: "answer", promptId, value })
    return ["llm/delta", "human-input/start"].map(event => demo.tell({ kind: "event", event, data: { text } }))
  })
  const texts = [text, text, "", text, "", text].map(text => ({ text }))
  expect(told.map(one => typeof one === "object" && one.data)).toEqual(texts)
})

test("the demo whose questions are cancelled or left empty keeps its title, owns up, and is signed by nobody", async () => {
  const { report, streamed } = await playedWith(null, true, "  ")
  expect(report).toBe(streamed)
  expect(report.split("\n")[0]).toBe(`# ${say.title}`)
  expect(report).toContain("It has no test yet; that is being written as you read this.")
  expect(report).toEndWith("\n*unsigned*\n")
})

const NAMES = ["demo", "prompts", "parallel-60", "debugger"]

test.each(NAMES)("every line of %s is a frame without a fault, and seq counts from 0", async name => {
  const text = await Bun.file(fixture(name)).text()
  const frames = text.trimEnd().split("\n").map(decode)
  const events = frames.flatMap(frame => (frame.kind === "event" || frame.kind === "delta" ? [frame] : []))
  expect(frames.filter(frame => frame.kind === "malformed" || frame.kind === "blank")).toEqual([])
  expect(events.flatMap(frame => frame.faults ?? [])).toEqual([])
  expect(events.map(frame => frame.seq)).toEqual(events.map((_, index) => index))
})
