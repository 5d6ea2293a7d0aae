// Tests that a recording is read as a source, also while it changes.
import { expect, test } from "bun:test"
import { appendFile, mkdir, rename, rm, symlink, truncate, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type Clock, systemClock } from "../../src/transport/clock.ts"
import { type ReplayOptions, replaySource } from "../../src/transport/replay.ts"
import type { Sink, Source } from "../../src/transport/source.ts"
import { fileScratch } from "../scratch.ts"
import { opened } from "../screen/open-screens.ts"
import { until } from "../until.ts"
import { Collector } from "./collector.ts"

const dir = fileScratch()

const row = (seq: number, ts = seq) => JSON.stringify({ event: "llm/start", seq, ts, data: {} })
const rows = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `${row(from + n)}\n`).join("")

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(dir, name)
  await writeFile(path, content)
  return path
}

/** A started source that is stopped with the test and polls its file often. */
function play(path: string, sink: Sink, options: Partial<ReplayOptions> = {}): Source & Disposable {
  const source = replaySource({ path, pollMs: 2, ...options })
  source.start(sink)
  return Object.assign(source, { [Symbol.dispose]: () => source.stop() })
}

const ended = (sink: Collector) => sink.last?.state === "ended"

/** What a source of a file with this content tells up to its end; it goes on until the test is over. */
async function played(name: string, content: string | Uint8Array) {
  const path = await write(name, content)
  const sink = new Collector()
  const source = play(path, sink)
  opened(() => source.stop())
  await sink.until(ended)
  return { path, sink }
}

test("a recording is delivered in order, in batches between which the event loop has a turn, and its end is reported", async () => {
  const path = await write("many", rows(1, 5000))
  const sink = new Collector()
  using source = play(path, sink, { shownAs: "log" })
  source.start(sink)
  expect(sink.links).toEqual([])
  let turns = 0
  const count = () => {
    turns++
    if (!ended(sink)) setImmediate(count)
  }
  setImmediate(count)
  await sink.until(ended)
  expect(sink.seqs).toEqual(Array.from({ length: 5000 }, (_, n) => n + 1))
  expect(Math.max(...sink.batches.map(batch => batch.length))).toBeLessThanOrEqual(1000)
  expect(sink.batches.every(batch => batch.length > 0)).toBe(true)
  expect(sink.batches.length).toBeLessThan(100)
  expect(turns).toBeGreaterThanOrEqual(sink.batches.length)
  expect(sink.links).toEqual([
    { state: "replaying", path: "log", incompleteLength: 0 },
    { state: "ended", path: "log", incompleteLength: 0 },
  ])
  expect(source.send({ command: { type: "pause" }, text: "x" })).toBe(false)
})

test("a recording keeps empty and malformed lines in place", async () => {
  const { sink } = await played("odd", `${row(1)}\n\nnonsense\n${row(2)}\r\n`)
  expect(sink.all.map(({ kind }) => kind)).toEqual(["event", "blank", "malformed", "event"])
})

test("a recording that does not exist is reported with the reason, and is read once it appears", async () => {
  const path = join(dir, "late")
  const sink = new Collector()
  using _ = play(path, sink)
  await sink.until(ended)
  expect(sink.all).toEqual([])
  expect(sink.last).toEqual({
    state: "ended",
    path,
    incompleteLength: 0,
    why: "can't read the recording: no such file",
  })
  await write("late", rows(1, 2))
  await sink.until(({ seqs, last }) => seqs.length === 2 && last?.state === "ended")
  expect(sink.last).toEqual({ state: "ended", path, incompleteLength: 0 })
})

test("a file that grows continues with appended lines, and completes an incomplete line", async () => {
  const { path, sink } = await played("growing", `${row(1)}\n${row(2).slice(0, 10)}`)
  expect(sink.last).toEqual({ state: "ended", path, incompleteLength: 10 })
  expect(sink.seqs).toEqual([1])
  await appendFile(path, `${row(2).slice(10)}\n${row(3)}\n`)
  await sink.until(({ seqs }) => seqs.length === 3)
  await sink.until(ended)
  expect(sink.seqs).toEqual([1, 2, 3])
  expect(sink.last).toEqual({ state: "ended", path, incompleteLength: 0 })
  expect(sink.restarts).toBe(0)
})

test("a file that grows reads a last line that lacks only its line end, exactly once", async () => {
  const { path, sink } = await played("whole", `${row(1)}\n${row(2)}`)
  expect(sink.seqs).toEqual([1, 2])
  expect(sink.last).toMatchObject({ incompleteLength: 0 })
  await appendFile(path, `\n${row(3)}\n`)
  await sink.until(({ seqs }) => seqs.length === 3)
  expect(sink.all.map(({ kind }) => kind)).toEqual(["event", "event", "event"])
})

test("a file that is cut, or replaced by one of its length and time, is read from its start", async () => {
  const { path, sink } = await played("shrinking", rows(1, 50))
  await truncate(path, 0)
  await sink.until(({ restarts }) => restarts === 1)
  await appendFile(path, rows(7, 8))
  await sink.until(({ seqs }) => seqs.length === 52)
  await utimes(path, 1, 1)
  await sink.until(ended)
  const other = await write("other", rows(5, 6))
  await utimes(other, 1, 1)
  await rename(other, path)
  await sink.until(({ seqs }) => seqs.length === 54)
  expect(`${sink.restarts} ${sink.seqs.slice(50)} ${sink.batches.some(one => one.length < 1)}`).toBe("2 7,8,5,6 false")
})

test.each([
  ["/dev/zero", (path: string) => symlink("/dev/zero", path)],
  ["a pipe that nobody writes", (path: string) => Bun.spawn(["mkfifo", path]).exited],
  ["a directory", (path: string) => mkdir(path)],
] as const)(
  "a path that now leads to %s is checked again but not read, until a recording replaces it",
  async (what, make) => {
    const path = await write(what.replaceAll(/\W/g, "-"), rows(1, 2))
    const sink = new Collector()
    let [looks, keepsAlive] = [0, true]
    const clock: Clock = {
      ...systemClock,
      after(ms, run, keepAlive = true) {
        looks++
        keepsAlive = keepAlive
        return systemClock.after(ms, run, keepAlive)
      },
    }
    using _ = play(path, sink, { clock })
    await sink.until(ended)
    await rm(path)
    await make(path)
    const before = looks
    await until(() => looks >= before + 5)
    expect(keepsAlive).toBe(false)
    expect([sink.restarts, sink.seqs]).toEqual([0, [1, 2]])
    await rm(path, { recursive: true })
    await write(what.replaceAll(/\W/g, "-"), rows(5, 6))
    await sink.until(({ seqs }) => seqs.length === 4)
    expect([sink.seqs.slice(2), sink.links.filter(link => "why" in link)]).toEqual([[5, 6], []])
  },
)

test("stop from inside a batch is the last call", async () => {
  const path = await write("stopped", rows(1, 5000))
  const sink = new Collector({ frames: () => source.stop() })
  const source = play(path, sink)
  await sink.until(({ batches }) => batches.length === 1)
  for (let turn = 0; turn < 50; turn += 1) await new Promise(resolve => setImmediate(resolve))
  expect(sink.batches).toHaveLength(1)
  expect(sink.states).toEqual(["replaying"])
  const files = () => Bun.spawnSync(["ls", "-l", `/proc/${process.pid}/fd`]).stdout.toString()
  await until(() => !files().includes(path))
  const early = replaySource({ path })
  early.stop()
  early.start(sink)
  for (let turn = 0; turn < 50; turn += 1) await new Promise(resolve => setImmediate(resolve))
  expect(sink.states).toEqual(["replaying"])
})
