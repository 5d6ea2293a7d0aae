// Tests what is read of a run's recording for a list: bounded, below its directory, and never a failure.
import { expect, test } from "bun:test"
import { chmod, mkdir, readFile, symlink, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { decodePrices } from "../../src/run/model/prices.ts"
import { findRuns, searchOrder } from "../../src/search/find-runs.ts"
import { readTail } from "../../src/search/run-tail.ts"
import { fixture } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"

const root = fileScratch()

const started = '{"event":"runner/started","seq":0,"ts":1000,"data":{"chart-id":":haiku/tournament"}}\n'
const done = '{"event":"runner/done","seq":9999,"ts":61000,"data":{}}\n'

async function put(name: string, text: string): Promise<string> {
  const directory = join(root, name)
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, "transcript.jsonl"), text)
  return directory
}

test("of a long recording the beginning and the end are read, and the list knows that the sums are not whole", async () => {
  const middle = Array.from({ length: 20_000 }, (_, i) =>
    JSON.stringify({ event: "runner/tick", seq: i + 1, ts: 1001 + i, data: {} }),
  ).join("\n")
  const facts = await readTail(await put("long", `${started}nonsense\n${middle}\n${done}`))
  expect(facts).toMatchObject({ chart: "haiku/tournament", end: "done", firstTs: 1000, lastTs: 61_000, isWhole: false })
})

test("a line that is being written, and bytes that are no text, spoil nothing", async () => {
  expect(await readTail(await put("torn", `${started}{"event":"runn`))).toMatchObject({ end: null, isWhole: true })
  expect(await readTail(await put("unended", started + done.trimEnd()))).toMatchObject({ end: "done" })
  expect(await readTail(await put("empty", ""))).toMatchObject({ end: null, chart: null, last: "" })
  const hostile = `\u0000\u001b[2J\ufeff\n${started.replace("haiku", "\\u001b[2Jhaiku\\u202e")}${done}`
  expect(await readTail(await put("hostile", hostile))).toMatchObject({ chart: "␛[2Jhaiku�/tournament", end: "done" })
})

test("a recording that leads out of its directory, or is none, is not read", async () => {
  const outside = join(root, "outside.jsonl")
  await writeFile(outside, started + done)
  await mkdir(join(root, "link"))
  await symlink(outside, join(root, "link/transcript.jsonl"))
  await mkdir(join(root, "folder/transcript.jsonl"), { recursive: true })
  for (const name of ["link", "folder", "nowhere"]) expect(await readTail(join(root, name))).toBeNull()
})

test("the runs below a directory are found, those that changed last first, and what is closed is named", async () => {
  const place = join(root, "many")
  for (let i = 0; i < 50; i++) await put(`many/group-${i % 5}/run-${i}`, started)
  await mkdir(join(place, "closed/inside"), { recursive: true })
  await symlink("/", join(place, "everything"))
  await chmod(join(place, "closed"), 0)
  const found = await findRuns(place)
  await chmod(join(place, "closed"), 0o700)
  if ("error" in found) throw new Error(found.error)
  expect(found.runs).toHaveLength(50)
  const times = found.runs.map(({ changedAt }) => changedAt)
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  // Root may look everywhere.
  if (process.getuid?.() !== 0) expect(found.closed).toEqual(["closed/transcript.jsonl: permission denied"])
  expect(await findRuns(join(root, "nowhere"))).toEqual({ error: "no such file" })
})

test("a run of a minute is read whole: its first session is there, and it lasts as long as it did", async () => {
  const facts = await readTail(await put("minute", await readFile(fixture("demo"), "utf8")))
  expect(facts).toMatchObject({ isWhole: true, end: "done" })
  expect(facts?.bars.map(({ name }) => name)).toContain("planner")
  expect((facts?.lastTs ?? 0) - (facts?.firstTs ?? 0)).toBe(60_997)
})

test("what a run has cost is told by the prices that are given", async () => {
  const usage = { "input-tokens": 10, "output-tokens": 1 }
  const data = { invokeid: "a", "session-id": "s", model: "m", usage }
  const reply = JSON.stringify({ event: "llm/response", seq: 1, ts: 1001, data })
  const directory = await put("paid", `${started}${reply}\n`)
  const prices = decodePrices('{"m": {"input_cost_per_token": 0.05, "output_cost_per_token": 0.5}}')
  const told = [await readTail(directory), await readTail(directory, prices ?? undefined)]
  expect(told.map(one => one?.cost ?? null)).toEqual([null, "$1.00"])
})

test("a run of 50 GB is searched after all others, which keep their order", () => {
  const run = (name: string, size: number) => ({ name, directory: name, recording: name, size, changedAt: 0 })
  const runs = [run("newest", 50 * 1024 ** 3), run("b", 4 * 1024 ** 3), run("a", 10)]
  expect(searchOrder(runs).map(({ name }) => name)).toEqual(["b", "a", "newest"])
})

test("runs are looked for three folders down, not in runs; of one time by name, and what can't be read is told", async () => {
  const names = ["deep/b/c", "deep/b/a", "deep/b/c/inside", "deep/b/d/e", "deep/b/a/d", "deep/b/f/g/h"]
  for (const name of names) await put(name, started)
  for (const name of names) await utimes(join(root, name, "transcript.jsonl"), 1000, 1000)
  for (const name of ["z", "y"]) await mkdir(join(root, `deep/${name}/transcript.jsonl`), { recursive: true })
  // One whose recording has gone is none.
  await mkdir(join(root, "deep/x"))
  await symlink("gone", join(root, "deep/x/transcript.jsonl"))
  const found = await findRuns(join(root, "deep"))
  if ("error" in found) throw new Error(found.error)
  expect(found.runs.map(({ name }) => name)).toEqual(["b/a", "b/c", "b/d/e"])
  expect(found.closed).toEqual(["y/transcript.jsonl: is a directory", "z/transcript.jsonl: is a directory"])
  expect(await findRuns(join(root, "deep/y"))).toEqual({ runs: [], closed: ["transcript.jsonl: is a directory"] })
})
