// Tests the files that the program keeps of its own: crashes, bug reports, exports, and what `run` showed.
import { expect, test } from "bun:test"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { mkdir, readdir, symlink } from "node:fs/promises"
import { homedir } from "node:os"
import { basename, join } from "node:path"
import { writeCrash } from "../../src/app/crash.ts"
import { forgetRun, keepRun, keptFacts, keptLines, keptRuns } from "../../src/app/kept-runs.ts"
import { writeNewFile } from "../../src/app/state-files.ts"
import { fixture } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { until } from "../until.ts"
import { notPrivate, open, REPLAY, screenOptions, stateDirectory } from "./open-run.ts"

/** The number kept of each kind (docs/trust.md). */
const KEPT = 20

const scratch = fileScratch()

/** File names as the program gives them, for so many days of another year and process. */
const earlier = (count: number, ending: string): readonly string[] =>
  Array.from(
    { length: count },
    (_, day) => `2020-01-${String(day + 1).padStart(2, "0")}T10-20-30.123Z-${4000 - day}${ending}`,
  )

test("the latest 20 crash files stay, whichever process wrote them, and other files stay too", async () => {
  const crash = join(scratch, "crash")
  await mkdir(crash)
  const old = earlier(25, ".jsonl")
  const others = ["notes.txt", "2020-01-01T10-20-30.123Z-1.jsonl.bak", "2019"]
  for (const name of [...old, ...others]) await Bun.write(join(crash, name), "x")
  await symlink(scratch, join(crash, "2018-01-01T10-20-30.123Z-7"))

  const now = Date.UTC(2026, 0, 1)
  const paths = [0, 1, 2].map(later => writeCrash(scratch, new Error("a fault"), now + later, () => null))
  const left = (await readdir(crash)).toSorted()
  const written = paths.map(path => basename(path ?? ""))
  expect(left).toEqual([...others, ...old.slice(-(KEPT - written.length)), ...written].toSorted())
  // The link was removed, and not its target.
  expect(await readdir(scratch)).toContain("crash")
})

test("the latest 20 bug reports stay, with their contents", async () => {
  const run = await open({ ...REPLAY, path: fixture("prompts") }, { screen: screenOptions(scratch) })
  const bugs = join(stateDirectory(scratch), "bugs")
  const old = earlier(KEPT, "")
  for (const name of [...old, "mine"]) await Bun.write(join(bugs, name, "transcript.jsonl"), "x")
  run.perform([{ type: "bug-report/write" }])
  await until(() => run.store.get().view.notice !== null)
  expect(run.store.get().view.notice?.level).toBe("info")
  run.close()
  const left = (await readdir(bugs)).toSorted()
  expect(left).toHaveLength(KEPT + 1)
  expect(left).toEqual(expect.arrayContaining([...old.slice(1), "mine"]))
  const [own = ""] = left.filter(name => name !== "mine" && !old.includes(name))
  expect([await readdir(join(bugs, own)), notPrivate(join(bugs, own))]).toEqual([["bug.json", "transcript.jsonl"], []])
})

test("a new file leaves one of its name as it is, and nothing of one that failed", async () => {
  const directory = join(scratch, "new")
  const paths = [
    await writeNewFile(directory, "a run", "md", ["one"]),
    await writeNewFile(directory, "a run", "md", ["two"]),
  ]
  const texts = await Promise.all(paths.map(path => Bun.file(path).text()))
  expect(notPrivate(directory)).toEqual([])
  expect([texts, new Set(paths).size]).toEqual([["one", "two"], 2])
  for (const name of ["..x y: ", "é", "x".repeat(99)]) paths.push(await writeNewFile(directory, name, "txt", []))
  const time = /-\d{8}T\d{6}Z/
  expect(paths.map(path => basename(path).replace(time, "-TIME").replace("TIME-2", "TIME"))).toEqual([
    ...["a-run-TIME.md", "a-run-TIME.md", "x-y-TIME.txt", "run-TIME.txt", `${"x".repeat(60)}-TIME.txt`],
  ])
  const failing = function* () {
    yield "half"
    throw new Error("no tea")
  }
  await expect(writeNewFile(directory, "other", "md", failing())).rejects.toThrow("no tea")
  expect(await readdir(directory)).toHaveLength(5)
})

const RUN = { type: "run", command: ["/opt/bin/claude", "-p", "why?"], parser: { type: "own" } } as const
const MB = 1024 * 1024

/** A state directory, and what keeps a run that began then, epoch ms. */
function inState() {
  const stateDir = fileScratch()
  const keep = (at: number, text: string): readonly string[] => {
    const spool = join(stateDir, `spool-${at}.jsonl`)
    writeFileSync(spool, text, { mode: 0o600 })
    return keepRun(RUN, { stateDir, keeps: { runs: 2, bytes: MB } }, spool, at)
  }
  return { stateDir, keep }
}

/** The seconds at which the kept runs began. */
function seconds(stateDir: string): readonly string[] {
  return readdirSync(keptRuns(stateDir))
    .map(name => name.slice(17, 19))
    .sort()
}

test("a run of a command is kept with its command, its directory and its prompt, for nobody else to read", () => {
  const { stateDir, keep } = inState()
  expect(keepRun(RUN, { stateDir, keeps: null }, join(stateDir, "spool"), 0)).toEqual([])
  expect(existsSync(keptRuns(stateDir))).toBe(false)
  expect(keep(0, '{"kind":"event"}\n')).toEqual([])
  const [name = ""] = readdirSync(keptRuns(stateDir))
  expect(name).toMatch(/^1970-01-01T00-00-00\.000Z-\d+-claude$/)
  const place = join(keptRuns(stateDir), name)
  rmSync(join(stateDir, "spool-0.jsonl"))
  expect(readFileSync(join(place, "transcript.jsonl"), "utf8")).toBe('{"kind":"event"}\n')
  const facts = { command: RUN.command, directory: process.cwd(), prompt: "why?" }
  expect(JSON.parse(readFileSync(join(place, "run.json"), "utf8"))).toEqual(facts)
  expect(notPrivate(keptRuns(stateDir))).toEqual([])
})

test("a kept run goes when there are newer ones, by number and by size, but never the newest", () => {
  const { stateDir, keep } = inState()
  for (const second of [1, 2, 3]) keep(second * 1000, "x\n")
  expect(seconds(stateDir)).toEqual(["02", "03"])
  keep(4000, "x".repeat(MB - 2))
  expect(seconds(stateDir)).toEqual(["03", "04"])
  keep(5000, "x".repeat(2 * MB))
  expect(seconds(stateDir)).toEqual(["05"])
})

test("nothing is removed but what was kept", () => {
  const { stateDir, keep } = inState()
  keep(0, "x\n")
  const directory = keptRuns(stateDir)
  const own = "1970-01-01T00-00-09.000Z-1-mine"
  const link = "1970-01-01T00-00-08.000Z-1-link"
  symlinkSync(readdirSync(directory)[0] ?? "", join(directory, link))
  mkdirSync(join(directory, own))
  for (const name of [own, link, "..", "", "../spool-0.jsonl"]) expect(forgetRun(directory, name)).toBe("no kept run")
  const kept = readdirSync(directory).find(name => name !== own && name !== link) ?? ""
  expect(forgetRun(directory, kept)).toBeNull()
  expect(readdirSync(directory).sort()).toEqual([link, own])
})

test("what an editor and its agent say is kept from their first lines on, unless it is not to be", () => {
  const { stateDir, keep: keepEarlier } = inState()
  for (const second of [1, 2]) keepEarlier(second * 1000, "x\n")
  const asked: number[] = []
  const limits = [null, { runs: 2, bytes: MB }, null]
  const keep = keptLines(stateDir, ["/opt/bin/te a"], () => limits[asked.push(1) - 1] ?? null)
  keep(["not kept"])
  expect(seconds(stateDir)).toEqual(["01", "02"])
  keep(["one", "two"])
  keep(["three"])
  const [earlier = "", name = "", ...others] = readdirSync(keptRuns(stateDir)).sort()
  expect([earlier.slice(17, 19), name.endsWith("-te_a"), others, asked.length]).toEqual(["02", true, [], 2])
  expect(notPrivate(keptRuns(stateDir))).toEqual([])
  const [text, facts] = ["transcript.jsonl", "run.json"].map(file =>
    readFileSync(join(keptRuns(stateDir), name, file), "utf8"),
  )
  expect([text, facts]).toEqual([
    "one\ntwo\nthree\n",
    `${JSON.stringify({ command: ["/opt/bin/te a"], directory: process.cwd(), prompt: null })}\n`,
  ])
})

test("home is told where a kept run ran and what it was asked, as far as its file says", async () => {
  const place = join(homedir(), "shop")
  const files = [JSON.stringify({ directory: place, prompt: " Why\x07? " }), '{"directory":3}', "[]", "{", null]
  const facts = files.map(async text => {
    const directory = fileScratch()
    if (text !== null) writeFileSync(join(directory, "run.json"), text)
    return (await keptFacts(directory)).kept
  })
  const empty = [{ place: "", prompt: "" }, undefined, undefined, undefined]
  expect(await Promise.all(facts)).toEqual([{ place: "~/shop", prompt: "Why␇?" }, ...empty])
})

test("a run that can't be kept is a warning; the prompt that was typed is kept before that of the command", () => {
  const stateDir = fileScratch()
  const limits = { stateDir, keeps: { runs: 2, bytes: MB } }
  const gone = join(stateDir, "gone.jsonl")
  expect(keepRun(RUN, limits, gone, 0)).toEqual(["This run can't be kept: no such file"])
  expect([keepRun(RUN, limits, null, 0), keepRun({ ...RUN, type: "live" } as never, limits, gone, 0)]).toEqual([[], []])
  writeFileSync(join(stateDir, "spool"), "")
  const talk = { prompt: "typed" } as never
  expect(keepRun({ ...RUN, talk }, limits, join(stateDir, "spool"), 1000)).toEqual([])
  const name = readdirSync(keptRuns(stateDir)).find(one => one.includes("00-00-01")) ?? ""
  expect(readFileSync(join(keptRuns(stateDir), name, "run.json"), "utf8")).toContain('"prompt":"typed"')
})
