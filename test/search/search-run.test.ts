// Tests what is found in a run's files beside its recording, on which lines, and whose it is.
import { expect, test } from "bun:test"
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { NOBODY } from "../../src/search/place-map.ts"
import { type SearchHit, TextFinder } from "../../src/search/search-hit.ts"
import { searchRun } from "../../src/search/search-run.ts"
import { root } from "../fixtures.ts"
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
  return {
    hits,
    place,
    warnings,
    lines: hits.map(({ file, line, what, excerpt }) => `${file}:${line} ${what} ${excerpt}`),
  }
}

/** Where a hit is, what of whom, and its excerpt with the hit in «». */
function pictured({ file, line, seq, what, who, turn, excerpt, from, to }: SearchHit): string {
  const told = `${excerpt.slice(0, from)}«${excerpt.slice(from, to)}»${excerpt.slice(to)}`
  return `${file}:${line} ${what} of ${who || "nobody"}, turn ${turn}, seq ${seq}: ${told}`
}

const fixtures = join(root, "fixtures")

/** Searches in made-up runs, one of which has files: a text, and a filter behind `where`. */
const SEARCHES: { readonly [run: string]: readonly string[] } = {
  "frames/tea.jsonl": [
    ...["kettle", "茶", "/^Pour|too sweet/", "/a(/", "100 °C", "boil", "done", "sk-", "tea is over"],
    ...["kettle where invokeid=cook", "kettle where turn=2", "boil where error", "e where cost>0", "pour where prompt"],
    ...["boil where tool=heat", "no such word", "Pour where ts>+9s", "kettle where not kind=event"],
  ],
  "frames/odd.jsonl": ["one", "again where session=multiplex.a.1", "of two", "odd"],
  "failing-run": [
    "coverage",
    "/off.by.one/i",
    "coverage where invokeid=coder",
    "tests where event=llm/tool-result turn=2",
  ],
}

test.each(Object.entries(SEARCHES))("what is found in %s", async (name, texts) => {
  const place = { directory: name.endsWith("jsonl") ? null : join(fixtures, name), recording: join(fixtures, name) }
  if (place.directory !== null) place.recording = join(place.directory, "transcript.jsonl")
  const told: string[] = []
  for (const one of texts) {
    const [text = "", where] = one.split(" where ")
    const filter = where === undefined ? null : read(where)
    const warn = (why: string) => void told.push(`warned: ${why}`)
    const options = { text, filter, zone: 0, warn, onShare: (share: number) => void told.push(`read ${share}`) }
    const hits = await Array.fromAsync(searchRun(place, options))
    told.push(`── ${one}: ${hits.length}`, ...hits.slice(0, 12).map(pictured))
  }
  expect(`\n${told.join("\n")}\n`).toMatchSnapshot()
})

test("a search that is given up ends there, in the recording and in the files", async () => {
  const files = {
    "nodes/a/1/request.edn": '"kettle"',
    "nodes/b/1/request.edn": '"kettle b"',
    "artifacts/a.md": "kettle c",
  }
  const all = await searched("kettle", { files, events: [event(1, "llm/error", { message: "a kettle" })] })
  expect(all.hits).toHaveLength(4)
  for (let most = 1; most < 4; most++) {
    const stop = new AbortController()
    const hits: SearchHit[] = []
    const options = { text: "kettle", filter: null, zone: 0, warn: () => undefined, signal: stop.signal }
    for await (const hit of searchRun(all.place, options)) if (hits.push(hit) === most) stop.abort()
    expect(hits).toEqual(all.hits.slice(0, most))
  }
})

test("a file that leads elsewhere, or is cut, is told and the others are searched", async () => {
  const files = { "nodes/a/1/request.edn": '"kettle"', "nodes/long.edn": `"${"-".repeat(17_000_000)}"` }
  const { place } = await searched("kettle", { files })
  symlinkSync("/etc/hostname", join(place.directory, "nodes/a/1/out.edn"))
  const warnings: string[] = []
  const options = { text: "kettle", filter: null, zone: 0, warn: (why: string) => void warnings.push(why) }
  expect((await Array.fromAsync(searchRun(place, options))).map(({ file }) => file)).toEqual(["nodes/a/1/request.edn"])
  expect(warnings).toEqual([
    "out.edn: skipped: outside the session directory, or not a file",
    "nodes/long.edn: searched only the first 16 MB",
  ])
})

test("a file that goes while others are searched is told", async () => {
  const names = ["nodes/a/1", "artifacts"].flatMap(folder => ["a", "b", "c"].map(name => `${folder}/${name}.edn`))
  const { place } = await searched("kettle", {
    files: Object.fromEntries(names.map(name => [name, `"kettle ${name}"`])),
  })
  const told: string[] = []
  const options = { text: "kettle", filter: null, zone: 0, warn: (why: string) => void told.push(why) }
  for await (const { file } of searchRun(place, options)) {
    told.push(file)
    rmSync(join(place.directory, file.replace("/a.edn", "/b.edn")))
  }
  expect(told).toEqual(names.map(name => (name.endsWith("/b.edn") ? `${name}: no such file` : name)))
})

test("an artifact of several pieces is searched on its own lines, also where a line spans two pieces", async () => {
  const filler = `${"-".repeat(99)}\n`
  const lines = 41_943
  // The pieces have 4 MB, so the first ends within the second kettle.
  const long = `kettle 1\n${filler.repeat(lines).slice(9)}kettle 2\n${filler.repeat(10)}kettle 3`
  expect(long.indexOf("kettle 2")).toBeLessThan(4 * 1024 * 1024)
  expect(long.indexOf("kettle 2") + 6).toBeGreaterThan(4 * 1024 * 1024 - 100)
  const { lines: told, place } = await searched("kettle", {
    files: { "artifacts/long.txt": long, "artifacts/b.bin": "kettle\0" },
  })
  const stop = new AbortController()
  const options = { text: "kettle", filter: null, zone: 0, warn: () => undefined, signal: stop.signal }
  let hits = 0
  for await (const _ of searchRun(place, options)) if (++hits > 0) stop.abort()
  expect(hits).toBe(1)
  const [, second] = long.split("\n").flatMap((one, at) => (one.includes("kettle") ? [at + 1] : []))
  expect(told).toEqual([
    "artifacts/long.txt:1 artifact kettle 1",
    expect.stringContaining(`artifacts/long.txt:${second} artifact`),
    `artifacts/long.txt:${(second ?? 0) + 11} artifact kettle 3`,
  ])
})

const FOUND = `
  a in a⏎b⏎a | ⏎b in ⏎b⏎b | ⏎b in a⏎b | a⏎a in a⏎a⏎a | a⏎b in a⏎b a⏎b | KETTLE in a kettle⏎⏎two kettles, kettle
  /ke.*le/ in one kettle, a kite | /^b$/ in a⏎b⏎bb | /KETTLE/ii in kettle | /a(/ in a /a(/ | /x*/ in b | /b/ in a⏎a
  b in ⏎b | a in a⏎a⏎a⏎a | x in ⏎⏎x⏎⏎x | /x*/ in b⏎ | /^$/ in b⏎
`

test("each line of a text is found once, at its first hit", () => {
  const told = FOUND.trim()
    .split(/[|\n]/)
    .map(one => {
      const [sought = "", text = ""] = one.trim().split(" in ")
      const raw = (all: string) => all.replaceAll("⏎", "\n")
      const at = { file: "f", line: 7, seq: null }
      const hits = [...new TextFinder(raw(sought)).in(raw(text), "artifact", at, NOBODY)]
      const marked = hits.map(({ line, excerpt, from, to }) => {
        return `${line} ${excerpt.slice(0, from)}«${excerpt.slice(from, to)}»${excerpt.slice(to)}`
      })
      return `${one.trim()}: ${marked.join(", ")}`
    })
  expect(`\n${told.join("\n")}\n`).toMatchSnapshot()
})

/** Events and files of session directories, by what is special about them. */
const lines = (await Bun.file(join(fixtures, "scripts/directories.jsonl")).text()).trimEnd().split("\n")
const DIRECTORIES: readonly (Searched & { readonly what: string })[] = lines.map(line => JSON.parse(line))

test.each(DIRECTORIES)("what is found in a directory with $what", async told => {
  const { hits, warnings } = await searched("kettle", told)
  expect(`\n${[...hits.map(pictured), ...warnings].join("\n")}\n`).toMatchSnapshot()
})

test("a session directory that has gone, and a folder that leads out of it, are told", async () => {
  const warnings: string[] = []
  const options = { text: "kettle", filter: null, zone: 0, warn: (why: string) => void warnings.push(why) }
  const { place } = await searched("kettle", {})
  symlinkSync("/etc", join(place.directory, "nodes"))
  for (const directory of [`${place.directory}/gone`, place.directory])
    expect(await Array.fromAsync(searchRun({ ...place, directory }, options))).toEqual([])
  expect(warnings).toEqual([
    `${place.directory}/gone: no such file`,
    "nodes: a link that leads outside the session directory",
  ])
})

test("an excerpt begins shortly before the hit, and says where it is cut", async () => {
  const all = "c".repeat(300)
  const whole = await searched(all, { events: [event(1, "llm/error", { message: all })] })
  expect(whole.hits.map(({ excerpt }) => excerpt)).toEqual([all])
  const message = `${"a".repeat(100)} ${"b".repeat(38)} kettle ${"c".repeat(300)}`
  const { hits } = await searched("kettle", { events: [event(1, "llm/error", { message })] })
  expect(hits.map(pictured)).toEqual([
    `transcript.jsonl:1 error of a, turn null, seq 1: …${"b".repeat(38)} «kettle» ${"c".repeat(193)}…`,
  ])
})

test("lines that are too long are counted, and the others are searched", async () => {
  const long = `"${"-".repeat(17_000_000)}"`
  const last = event(2, "llm/error", { message: "kettle" })
  for (const [lines, words] of [
    [[long, last], "1 line"],
    [[long, event(1, "llm/start", {}), long, last], "2 lines"],
  ] as const) {
    const { hits, warnings } = await searched("kettle", { events: lines })
    expect([hits.length, warnings]).toEqual([1, [`transcript.jsonl: skipped ${words} longer than 16 MB`]])
  }
})
