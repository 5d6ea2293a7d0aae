// Tests the screen against the habits of Escapement: prompts without a name, partial debug frames, colon node ids.
import { afterEach, expect, test } from "bun:test"
import { join } from "node:path"
import { type ScriptedAgent, startAgent } from "../../src/scripted-agent/scripted-agent.ts"
import type { presentOf } from "../../src/view/state.ts"
import { event } from "../agent/ui.ts"
import { type Attached, attach } from "../app/attached.ts"
import { fileScratch } from "../scratch.ts"

let agent: ScriptedAgent | null = null
const viewers: Attached[] = []
const scratch = fileScratch()
afterEach(async () => {
  for (const viewer of viewers.splice(0)) viewer.stop()
  await agent?.stop()
})

const prompt = (n: number, words: string) =>
  JSON.stringify({ kind: "prompt", "prompt-id": `prompt#${n}`, invokeid: "ask", type: "text", opts: { prompt: words } })
const start = (words: string) => event("human-input/start", { kind: "text", invokeid: "ask", prompt: words })

async function viewer(): Promise<Attached> {
  const one = await attach({ url: agent?.url ?? "", sessionDir: null, scratch: join(scratch, `${viewers.length}`) })
  viewers.push(one)
  return one
}

test("an answer closes the question on the other viewer, and the next one stays for who attaches later", async () => {
  const lines = [event("runner/started", { "session-id": "s" }), start("One?"), prompt(1, "One?")]
  agent = await startAgent({ recording: lines, speed: 0, hold: true, as: "escapement" })
  const [first, second] = [await viewer(), await viewer()]
  const asked = (run: ReturnType<typeof presentOf>) => run.prompts.some(({ state }) => state === "open")
  const [{ prompts }] = await Promise.all([first.until(asked), second.until(asked)])
  expect(prompts[0]?.frame.invokeid).toBeNull()
  first.ask({ type: "prompt/settle", key: prompts[0]?.key ?? ("" as never), answer: { value: "yes" } })
  const closed = await second.until(run => run.prompts[0]?.state === "answered")
  expect(closed.prompts[0]).toMatchObject({ answer: null, reportedAnswer: "yes", confirmed: true })
  await first.until(run => run.prompts[0]?.confirmed === true)
  for (const line of [start("Two?"), prompt(2, "Two?")]) agent.emit(line)
  const third = await viewer()
  const late = await third.until(run => run.attachment.greeting === 0 && run.prompts.length > 0)
  expect(late.prompts.map(({ frame, state }) => [frame.promptId, state])).toEqual([["prompt#2", "open"]])
})

test("a refused question is over, and the answer goes to the one that is asked in its place", async () => {
  const refusal = event("human-input/validation-failed", { invokeid: "ask", errors: "too short" })
  const recorded = JSON.stringify({ kind: "answer", "prompt-id": "prompt#1", value: "no" })
  const lines = [
    event("runner/started", { "session-id": "s" }),
    prompt(1, "Name?"),
    recorded,
    refusal,
    prompt(2, "Name?"),
  ]
  agent = await startAgent({ recording: lines, speed: 0, hold: true, as: "escapement" })
  const one = await viewer()
  const [first] = (await one.until(run => run.prompts.length === 1)).prompts
  one.ask({ type: "prompt/settle", key: first?.key ?? ("" as never), answer: { value: "x" } })
  const asked = await one.until(run => run.prompts.length === 2)
  expect(asked.prompts).toMatchObject([
    { state: "closed", asker: "ask" },
    { state: "open", asker: "ask", errors: ["too short"] },
  ])
  one.ask({ type: "prompt/settle", key: asked.prompts[1]?.key ?? ("" as never), answer: { value: "longer" } })
  const { prompts } = await one.until(run => run.prompts[1]?.confirmed === true)
  expect(prompts[1]).toMatchObject({ state: "answered", answer: { value: "longer" } })
})
