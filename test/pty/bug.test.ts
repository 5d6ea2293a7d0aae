// Tests that Ctrl-G writes a bug report without secrets, and that `replay` opens it at the same place.
import { expect, test } from "bun:test"
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { event, prompt } from "../agent/ui.ts"
import { SECRETS } from "../export/secrets.ts"
import { fileScratch } from "../scratch.ts"
import { openLive, openSidecar, spawned } from "./sidecar.ts"
import type { Terminal } from "./terminal.ts"

const REF = "nodes/poet/0/turns/0/request.edn"
const who = { invokeid: "poet", "session-id": "s1" }

/** The directory that the footer names. */
async function reported(terminal: Terminal): Promise<string> {
  await terminal.waitFor("Check it before you share it")
  const bugs = join(terminal.home, "state/opentui-sidecar/bugs")
  const [name = ""] = await readdir(bugs)
  return join(bugs, name)
}

test("a live run's bug report is readable by its owner only, and has nothing of the answer that is typed meanwhile", async () => {
  await using live = await openLive([event("llm/start", who), prompt("ask#1")])
  await live.waitFor(/─ .* asks[\s\S]*ask#1\?/)
  await live.type("half an answer").waitFor("half an answer")
  const path = await reported(live.press("\x07"))
  for (const file of ["bug.json", "transcript.jsonl"]) {
    expect((await stat(join(path, file))).mode & 0o777).toBe(0o600)
    expect(await Bun.file(join(path, file)).text()).not.toContain("half an answer")
  }
  // The run goes on unaffected.
  expect(await live.press("\r").hears({ "prompt-id": "ask#1" })).toMatchObject({ value: "half an answer" })
})

test("a recording's bug report has no secret of a known shape, in frames or in captures, and is replayed at its frame", async () => {
  const path = fileScratch()
  const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`
  const nested = (text: string): string => JSON.stringify({ out: JSON.stringify({ at: text }) })
  const messages = SECRETS.flatMap(({ text }) => [quoted(text), quoted(nested(text))])
  await Bun.write(join(path, REF), `{:messages [${messages.join(" ")}]}`)
  const said = SECRETS.flatMap(({ text }) => [
    event("llm/delta", { ...who, type: "text-delta", text: text.slice(0, 9) }, 3),
    event("llm/delta", { ...who, type: "text-delta", text: text.slice(9) }, 3),
    event("llm/response", { ...who, content: [{ type: "tool_use", id: "t", name: "run", input: { text } }] }, 4),
    event("llm/error", { ...who, message: nested(text) }, 5),
  ])
  const rows = [
    event("llm/request", { ...who, "io/ref": REF }, 2),
    ...said,
    event("llm/error", { ...who, message: "no tea" }, 6),
    event("llm/error", { ...who, message: "no coffee" }, 7),
  ].map((row, seq) => JSON.stringify({ ...JSON.parse(row), seq }))
  await Bun.write(join(path, "transcript.jsonl"), `${rows.join("\n")}\n`)
  await using seen = await openSidecar({ cmd: [...spawned, "replay", path, "--at", `#${rows.length - 1}`] })
  await seen.waitFor("no tea")
  const report = await reported(seen.press("\x07"))
  for (const file of ["transcript.jsonl", REF]) {
    const [before, after] = [await Bun.file(join(path, file)).text(), await Bun.file(join(report, file)).text()]
    const left = SECRETS.filter(({ secrets }) => secrets.some(secret => after.includes(secret.slice(0, 20))))
    expect(left.map(({ name }) => name)).toEqual([])
    expect(SECRETS.filter(({ secrets }) => !secrets.every(secret => before.includes(secret)))).toEqual([])
  }

  await using again = await openSidecar({ cmd: [...spawned, "replay", report] })
  await again.waitFor(` ${rows.length - 1}/${rows.length} `)
  await again.waitFor("no tea")
  // With a damaged bug.json it is a recording like any other.
  await Bun.write(join(report, "bug.json"), "{")
  await using damaged = await openSidecar({ cmd: [...spawned, "replay", report, "--timing", "instant"] })
  await damaged.waitFor(` ${rows.length}/${rows.length} `)
})
