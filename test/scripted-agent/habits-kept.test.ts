// Keeps how the habits of Escapement change frames and commands, tests the screen against them, and the log of what is heard.
import { afterEach, expect, test } from "bun:test"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Command } from "../../packages/wire/src/command.ts"
import type { Outgoing } from "../../src/agent/greeting.ts"
import { EscapementHabits } from "../../src/scripted-agent/escapement-habits.ts"
import { InboundLog } from "../../src/scripted-agent/inbound-log.ts"
import { type ScriptedAgent, startAgent } from "../../src/scripted-agent/scripted-agent.ts"
import type { presentOf } from "../../src/view/state.ts"
import { event, jsonl } from "../agent/ui.ts"
import { type Attached, attach } from "../app/attached.ts"
import { fileScratch } from "../scratch.ts"

const scratch = fileScratch()

test("with the habits of Escapement, frames tell less, each in its own way", async () => {
  const habits = new EscapementHabits()
  const frames = await jsonl<Outgoing>("habits")
  const out = frames.map(
    frame =>
      habits
        .outgoing(frame)
        .map(one => JSON.stringify(one))
        .join("\n") || "nothing",
  )
  const place = { invokeid: "a", nodeId: ":n", visit: 0 }
  const commands: readonly Command[] = [
    { type: "rerun-from", sessionId: "s", turn: 0, overrides: {}, ...place },
    ...[{ type: "request-conversation", ...place } as const, { type: "request-conversation", invokeid: "a" } as const],
    { type: "ui-quit" },
  ]
  const heard = commands.map(one => JSON.stringify(habits.incoming(one)))
  expect([...out, ...heard].join("\n")).toMatchSnapshot()
})

test("the log of what was heard is its owner's alone, a line for each message, and closed at the end", () => {
  const path = join(scratch, "heard.jsonl")
  writeFileSync(path, "before\n", { mode: 0o666 })
  const log = new InboundLog(path)
  const messages = ['{"a": 1}', '{"a":\n2}', "no json", '"text"', "null"].map(text => log.add(text))
  expect(messages).toEqual([{ a: 1 }, { a: 2 }, "no json", "text", null])
  expect(log.messages).toEqual(messages)
  expect(readFileSync(path, "utf8")).toBe('before\n{"a": 1}\n"{\\"a\\":\\n2}"\n"no json"\n"text"\nnull\n')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  log.close()
  expect(() => log.add("more")).toThrow("EBADF")
})

let agent: ScriptedAgent | null = null
const viewers: Attached[] = []
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
