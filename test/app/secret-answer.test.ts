// Tests every way out of a run for the answer to a secret question: it reaches the agent that asked, and nothing else.
import { beforeAll, expect, test } from "bun:test"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { createAgent } from "../../src/agent/index.ts"
import { EXPORT_FORMATS } from "../../src/run/select/export-format.ts"
import { sidecar } from "../cli/ran.ts"
import { fileScratch } from "../scratch.ts"
import { until } from "../until.ts"
import { live, open, PlainFake, screenOptions } from "./open-run.ts"

const SECRET = "zebra quartz ninety"

const home = fileScratch()
let recording = ""
let received: unknown = null
beforeAll(async () => {
  recording = join(home, "run.jsonl")
  received = await liveRun()
})

/** Every file below a directory, as its path and its text. */
function files(directory: string): readonly (readonly [path: string, text: string])[] {
  const paths = readdirSync(directory, { recursive: true, encoding: "utf8" }).map(name => join(directory, name))
  return paths.filter(path => statSync(path).isFile()).map(path => [path, readFileSync(path, "utf8")] as const)
}

/** Answers a secret question, and writes all that a person can have written; returns what the agent got. */
async function liveRun(): Promise<unknown> {
  const agent = await createAgent({ chart: "vault", sessionDir: join(home, "session"), token: null })
  const run = await open(live(agent.url), { screen: screenOptions(home), record: recording, surface: new PlainFake() })
  const { store } = run
  const ask = (intent: Parameters<typeof store.ask>[0]) =>
    run.perform(store.ask(intent, { now: Date.now(), page: 0, lines: 0 }))
  const asked = agent.ask({ prompt: "Password?", secret: true })
  await until(() => store.get().run.prompts.length > 0)
  const prompt = store.get().run.prompts[0]
  if (prompt === undefined) throw new Error("no question")
  ask({ type: "prompt/text", key: prompt.key, text: SECRET })
  ask({ type: "prompt/answer" })
  const value = await asked
  await until(() => store.get().run.prompts[0]?.confirmed === true)
  const { view, run: folded } = store.get()
  expect(view.questions.drafts).toEqual([])
  expect(JSON.stringify([view, folded])).not.toContain(SECRET)
  run.perform(EXPORT_FORMATS.map(format => ({ type: "run/export", format, session: null })))
  run.perform([{ type: "bug-report/write" }])
  const written = () => files(join(home, "state")).map(([path]) => path)
  await until(() =>
    EXPORT_FORMATS.every(format => written().some(path => path.includes(`/exports/`) && path.includes(format))),
  )
  await until(() => written().some(path => path.includes("/bugs/") && path.endsWith("bug.json")))
  for (const [path, text] of files(home)) expect([path, text.includes(SECRET)]).toEqual([path, false])
  await agent.finish()
  await run.close()
  await agent.close()
  return value
}

test("a secret answer reaches the agent as it was typed", () => expect(received).toBe(SECRET))

test("no file of a run has a secret answer, and its recording says that there was one", () => {
  for (const [path, text] of files(home)) expect([path, text.includes(SECRET)]).toEqual([path, false])
  const lines = readFileSync(recording, "utf8")
    .trim()
    .split("\n")
    .map(line => JSON.parse(line))
  expect(lines.filter(({ kind }) => kind === "prompt")).toMatchObject([{ opts: { secret: true } }])
  expect(lines.filter(({ kind }) => kind === "answer")).toMatchObject([{ value: null, secret: true }])
})

test.each([
  ["the report of fold", "fold RUN", '"value": null'],
  ["an export as Markdown", "export RUN --as md", "Password?"],
  ["an export as HTML", "export RUN --as html", "Password?"],
  ["an export as JSONL", "export RUN --no-redact --as jsonl", '"secret":true'],
  ["plain lines", "replay RUN --plain", "Password?"],
  ["a search", "search quartz .", ""],
] as const)("%s has the question, not its secret answer", async (_way, line, seen) => {
  const { out, err } = await sidecar(line.replace("RUN", recording).split(" "), { cwd: home })
  expect(out).toContain(seen)
  expect(out + err).not.toContain("zebra")
})
