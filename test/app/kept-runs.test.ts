// Keeps what `run` showed, and only as much as is wanted.
import { expect, test } from "bun:test"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { forgetRun, keepRun, keptFacts, keptLines, keptRuns } from "../../src/app/kept-runs.ts"
import { fileScratch } from "../scratch.ts"

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
  const modes = [place, join(place, "transcript.jsonl")].map(path => statSync(path).mode & 0o777)
  expect(modes).toEqual([0o700, 0o600])
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
