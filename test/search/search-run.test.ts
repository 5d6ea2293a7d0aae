// Tests what is found in a run's files beside its recording, on which lines, and whose it is.
import { expect, test } from "bun:test"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { SearchHit } from "../../src/search/search-hit.ts"
import { searchRun } from "../../src/search/search-run.ts"
import { read } from "../query/filter/parsed.ts"
import { eventText, ids } from "../run/lines.ts"
import { fileScratch } from "../scratch.ts"

const scratch = fileScratch()
let made = 0

const event = (seq: number, name: string, data: object) => eventText(seq, name, { ...ids, ...data })

interface Searched {
  readonly files?: Readonly<Record<string, string>>
  readonly events?: readonly string[]
  readonly where?: string
  readonly log?: string
}

/** Searches a session directory with these events and files, whose names are below it. */
async function searched(text: string, { files = {}, events = [], where = "", log }: Searched) {
  const directory = join(scratch, `${++made}`)
  for (const [name, content] of Object.entries({ ...files, "transcript.jsonl": `${events.join("\n")}\n` })) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), content)
  }
  const warnings: string[] = []
  const place = { directory, recording: join(directory, "transcript.jsonl"), ...(log !== undefined && { log }) }
  const warn = (why: string) => void warnings.push(why)
  const filter = where === "" ? null : read(where)
  const hits = await Array.fromAsync(searchRun(place, { text, filter, zone: 0, warn }))
  return { hits, warnings, lines: hits.map(({ file, line, what, excerpt }) => `${file}:${line} ${what} ${excerpt}`) }
}

const marked = ({ excerpt, from, to }: SearchHit) => excerpt.slice(from, to)

test("an artifact of several pieces is searched on its own lines, also where a line spans two pieces", async () => {
  const filler = `${"-".repeat(99)}\n`
  const lines = 41_943
  // The pieces have 4 MB, so the first ends within the second kettle.
  const long = `kettle 1\n${filler.repeat(lines).slice(9)}kettle 2\n${filler.repeat(10)}kettle 3`
  expect(long.indexOf("kettle 2")).toBeLessThan(4 * 1024 * 1024)
  expect(long.indexOf("kettle 2") + 6).toBeGreaterThan(4 * 1024 * 1024 - 100)
  const { lines: told } = await searched("kettle", {
    files: { "artifacts/long.txt": long, "artifacts/b.bin": "kettle\0" },
  })
  const [, second] = long.split("\n").flatMap((one, at) => (one.includes("kettle") ? [at + 1] : []))
  expect(told).toEqual([
    "artifacts/long.txt:1 artifact kettle 1",
    expect.stringContaining(`artifacts/long.txt:${second} artifact`),
    `artifacts/long.txt:${(second ?? 0) + 11} artifact kettle 3`,
  ])
})

test("captures tell whose they are, and with a filter only those that a row names are searched", async () => {
  const events = [event(1, "llm/start", {}), event(2, "llm/request", { "io/ref": "nodes/n/2/turns/1/request.edn" })]
  const files = {
    "nodes/n/2/turns/1/request.edn": '{:a "one"\n :b "a kettle"}',
    "nodes/n/2/turns/1/response.edn": '{:a "a kettle"}',
    "nodes/other/1/seed.edn": '{:a "no kettle"}',
    "artifacts/a.md": "kettle",
  }
  const all = await searched("kettle", { files, events })
  expect(all.lines).toEqual([
    "nodes/n/2/turns/1/request.edn:2 prompt a kettle",
    "nodes/other/1/seed.edn:1 prompt no kettle",
    "artifacts/a.md:1 artifact kettle",
  ])
  expect(all.hits.map(({ who, sessionId, turn }) => [who, sessionId, turn])).toEqual([
    ["a", "s", 1],
    ["other", null, null],
    ["", null, null],
  ])
  const some = await searched("kettle", { files, events, where: "session=s" })
  expect(some.lines).toEqual(all.lines.slice(0, 1))
})

test("a regular expression with alternatives finds each of them, and says how much of a line matched", async () => {
  const events = ["a kettle", "the pot", "tea"].map((text, at) => event(at + 1, "llm/error", { message: text }))
  const { hits, lines } = await searched("/ke[t]+le|po./", { events })
  expect(lines).toEqual(["transcript.jsonl:1 error a kettle", "transcript.jsonl:2 error the pot"])
  expect(hits.map(marked)).toEqual(["kettle", "pot"])
})

test("a pattern that can't be read is searched for as it stands, with a warning", async () => {
  const { lines, warnings } = await searched("/a(/", { events: [event(1, "llm/error", { message: "no /a(/ here" })] })
  expect(lines).toEqual(["transcript.jsonl:1 error no /a(/ here"])
  expect(warnings).toEqual([expect.stringMatching(/^Searched for as it stands: /)])
})

test("hits in a log of another program name its lines: a text where its reply begins, a call where it ends", async () => {
  const content = [
    { type: "text", text: "a kettle" },
    { type: "tool_use", id: "c", name: "boil", input: { what: "kettle" } },
  ]
  const events = [event(1, "llm/start", {}), event(2, "llm/response", { content, "log/line": [7, 9] })]
  const { hits } = await searched("kettle", { events, log: "/elsewhere/claude.jsonl" })
  expect(hits.map(({ file, line, what }) => `${file}:${line} ${what}`)).toEqual([
    "claude.jsonl:7 reply",
    "claude.jsonl:9 tool call",
  ])
})

test("an excerpt begins shortly before the hit, and says where it is cut", async () => {
  const message = `${"a".repeat(100)} ${"b".repeat(38)} kettle ${"c".repeat(300)}`
  const { hits } = await searched("kettle", { events: [event(1, "llm/error", { message })] })
  const [hit] = hits
  expect(hits).toHaveLength(1)
  expect(hit?.excerpt).toBe(`…${"b".repeat(38)} kettle ${"c".repeat(193)}…`)
  expect(hit && marked(hit)).toBe("kettle")
})

test("a session with siblings is named by what its agent calls it, as on the screen", async () => {
  const started = (seq: number, id: string, label: string) =>
    event(seq, "llm/start", { "session-id": id, "session-label": label })
  const said = (seq: number, id: string) =>
    event(seq, "llm/response", { "session-id": id, content: [{ type: "text", text: "kettle" }] })
  const events = [started(1, "s", "finds"), started(2, "t", "mends"), said(3, "s"), said(4, "t")]
  expect((await searched("kettle", { events })).hits.map(({ who }) => who)).toEqual(["a finds", "a mends"])
})

test("the prompt that two sessions of a name share is found in both, and once in each", async () => {
  const asks = (seq: number, id: string, turn: number) =>
    event(seq, "llm/request", { "session-id": id, "io/ref": `nodes/${id}/1/turns/${turn}/request.edn` })
  const starts = ["s", "t"].map((id, at) => event(at + 1, "llm/start", { "session-id": id, "session-label": "finds" }))
  const events = [...starts, asks(3, "s", 1), asks(4, "s", 2), asks(5, "t", 1)]
  const turns = ["nodes/s/1/turns/1", "nodes/s/1/turns/2", "nodes/t/1/turns/1"]
  const files = Object.fromEntries(turns.map(turn => [`${turn}/request.edn`, '{:a "a kettle"}']))
  const { hits } = await searched("kettle", { files, events })
  expect(hits.map(({ who, sessionId }) => [who, sessionId])).toEqual([
    ["a finds", "s"],
    ["a finds", "t"],
  ])
})
