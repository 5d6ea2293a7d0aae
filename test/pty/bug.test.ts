// Tests that Ctrl-G writes a bug report, and that `replay` opens it at the same place.
import { beforeAll, expect, test } from "bun:test"
import { mkdir, readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { event, prompt } from "../agent/ui.ts"
import { SECRETS } from "../export/secrets.ts"
import { fileScratch } from "../scratch.ts"
import { openLive, openSidecar, spawned } from "./sidecar.ts"
import type { Terminal } from "./terminal.ts"

const KEY = "sk-0123456789abcdefghij"
const REF = "nodes/poet/0/turns/0/request.edn"

const scratch = fileScratch()
beforeAll(async () => {
  await mkdir(join(scratch, "nodes/poet/0/turns/0"), { recursive: true })
  await Bun.write(join(scratch, REF), `{:system "Keep ${KEY} to yourself" :messages []}`)
  await Bun.write(join(scratch, "outside.edn"), "{}")
})

const who = { invokeid: "poet", "session-id": "s1" }
const recording = [
  event("runner/started", { "session-id": "run", "chart-id": ":c" }, 1),
  event("llm/start", who, 2),
  event("llm/request", { ...who, "io/ref": REF }, 3),
  event("llm/request", { ...who, "io/ref": "../outside.edn" }, 4),
  event("llm/delta", { ...who, type: "text-delta", text: "The key is sk-01234567" }, 5),
  event("llm/delta", { ...who, type: "text-delta", text: "89abcdefghij, they say." }, 6),
  event("llm/error", { ...who, message: "no more tea" }, 7),
  prompt("ask#1"),
]

/** The directory that the footer names. */
async function reported(terminal: Terminal): Promise<string> {
  await terminal.waitFor("Check it before you share it")
  const bugs = join(terminal.home, "state/opentui-sidecar/bugs")
  const [name = ""] = await readdir(bugs)
  return join(bugs, name)
}

test("the bug report of a live run has frames and captures without likely secrets, readable by its owner only, also while an answer is typed", async () => {
  await using live = await openLive(recording, { env: { ESCAPEMENT_SESSION_DIR: scratch } })
  await live.waitFor(/─ .* asks[\s\S]*ask#1\?/)
  await live.type("half an answer").waitFor("half an answer")
  const path = await reported(live.press("\x07"))
  const files = await readdir(path, { recursive: true })
  expect(files.toSorted()).toEqual(
    [
      "bug.json",
      "nodes",
      "nodes/poet",
      "nodes/poet/0",
      "nodes/poet/0/turns",
      "nodes/poet/0/turns/0",
      REF,
      "transcript.jsonl",
    ].toSorted(),
  )
  for (const file of ["bug.json", REF, "transcript.jsonl"]) {
    expect((await stat(join(path, file))).mode & 0o777).toBe(0o600)
    const text = await Bun.file(join(path, file)).text()
    for (const secret of [KEY, "sk-01234567", "89abcdefghij", "half an answer"]) expect(text).not.toContain(secret)
  }
  const about = await Bun.file(join(path, "bug.json")).json()
  expect(about).toMatchObject({ kind: "bug", at: 9, captures: 1, link: "open" })
  expect(Object.keys(about.versions)).toEqual(["opentui-sidecar", "core", "bun"])
  // The run goes on unaffected.
  expect(await live.press("\r").hears({ "prompt-id": "ask#1" })).toMatchObject({ value: "half an answer" })
})

test("the bug report of a recording is replayed at the same frame", async () => {
  const file = join(scratch, "run.jsonl")
  await Bun.write(file, recording.map((line, seq) => `${JSON.stringify({ ...JSON.parse(line), seq })}\n`).join(""))
  await using seen = await openSidecar({ cmd: [...spawned, "replay", file, "--at", "#7"] })
  await seen.waitFor("no more tea")
  const path = await reported(seen.press("\x07"))

  await using again = await openSidecar({ cmd: [...spawned, "replay", path] })
  // Paused at frame 7 of 8.
  expect((await again.waitFor(/7\/8|#7/)).join("\n")).toContain("no more tea")
})

test("a bug report has no secret of a known shape, in frames or in captures with JSON in JSON", async () => {
  const path = join(scratch, "secrets")
  const texts = SECRETS.map(({ text }) => text)
  const ref = "nodes/poet/0/turns/0/request.edn"
  const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`
  const nested = (text: string): string => JSON.stringify({ out: JSON.stringify({ at: text }) })
  await mkdir(join(path, "nodes/poet/0/turns/0"), { recursive: true })
  await Bun.write(
    join(path, ref),
    `{:messages [${texts.flatMap(text => [quoted(text), quoted(nested(text))]).join(" ")}]}`,
  )
  const said = texts.flatMap(text => [
    event("llm/delta", { ...who, type: "text-delta", text: text.slice(0, 9) }, 3),
    event("llm/delta", { ...who, type: "text-delta", text: text.slice(9) }, 3),
    event("llm/response", { ...who, content: [{ type: "tool_use", id: "t", name: "run", input: { text } }] }, 4),
    event("llm/error", { ...who, message: nested(text) }, 5),
  ])
  const rows = [
    event("llm/request", { ...who, "io/ref": ref }, 2),
    ...said,
    event("llm/error", { ...who, message: "no tea" }, 6),
  ]
  await Bun.write(join(path, "transcript.jsonl"), `${rows.join("\n")}\n`)
  await using seen = await openSidecar({ cmd: [...spawned, "replay", path, "--timing", "instant"] })
  await seen.waitFor("no tea")
  const report = await reported(seen.press("\x07"))
  for (const file of ["transcript.jsonl", ref]) {
    const [before, after] = [await Bun.file(join(path, file)).text(), await Bun.file(join(report, file)).text()]
    const left = SECRETS.filter(({ secrets }) => secrets.some(secret => after.includes(secret.slice(0, 20))))
    expect(left.map(({ name }) => name)).toEqual([])
    expect(SECRETS.filter(({ secrets }) => !secrets.every(secret => before.includes(secret)))).toEqual([])
  }
})

test("a malformed bug.json is ignored, and so is a malformed view in one that names a frame", async () => {
  const path = join(scratch, "odd")
  await mkdir(path)
  await Bun.write(join(path, "transcript.jsonl"), recording.join("\n"))
  for (const [about, place] of [
    ["{", "8/8"],
    ['{"kind":"bug","at":-1}', "8/8"],
    ['{"kind":"bug","at":3,"view":[7,{}]}', "3/8"],
  ] as const) {
    await Bun.write(join(path, "bug.json"), about)
    await using shown = await openSidecar({ cmd: [...spawned, "replay", path, "--timing", "instant"] })
    await shown.waitFor("─ LOG")
    await shown.waitFor("poet")
    const rows = await shown.waitFor(` ${place} `)
    expect(rows.at(-2)).toStartWith(" paused")
  }
})
