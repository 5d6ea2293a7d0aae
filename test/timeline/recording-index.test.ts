// Checks that a recording opened again shows what its first opening showed, and that nothing else is ever believed.
import { expect, test } from "bun:test"
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { noMarkers } from "../../src/query/timeline-markers.ts"
import { fold } from "../../src/run/fold.ts"
import { withoutLines } from "../../src/run/memory/delta-snapshot.ts"
import { Snapshots } from "../../src/run/memory/snapshots.ts"
import { at } from "../../src/run/model/chunked-list.ts"
import { decodePrices, noPrices } from "../../src/run/model/prices.ts"
import { emptyRun, frameNumber, initialRun, type Run } from "../../src/run/model/run.ts"
import { Past } from "../../src/timeline/past.ts"
import { type IndexOptions, RecordingIndex } from "../../src/timeline/recording-index.ts"
import { RecordingLog } from "../../src/timeline/recording-log.ts"
import { resultOf } from "../../src/timeline/steps.ts"
import { decodeLine } from "../../src/transport/message.ts"
import { generate } from "../../tools/bench/generate.ts"
import { forAll } from "../for-all.ts"
import { eventText, runsOf } from "../run/lines.ts"
import { row } from "../run/rows.ts"
import { fileScratch } from "../scratch.ts"

const home = fileScratch()

const limits = { least: 0, most: 1e8, mostOfAll: 1e9, perLine: 1e6 }
const bounded = initialRun({ strategy: "api_tool_call", rowWindow: 64, textBudget: 4096 })
let made = 0

/** A recording of these lines in a directory of its own, and the options of its index. */
function recordingOf(lines: readonly string[], first: Run = emptyRun) {
  const directory = join(home, `${++made}`)
  const path = join(home, `${made}.jsonl`)
  writeFileSync(path, lines.map(line => `${line}\n`).join(""))
  return { path, lines, options: { directory, program: "this", first, limits } }
}

type Recorded = ReturnType<typeof recordingOf>

/** Opens the recording, reads what is new in it, and keeps its index, as the screen does. */
function read({ path, lines, options }: Recorded, changes: Partial<IndexOptions> = {}, every = 5) {
  const used = { ...options, ...changes }
  const index = RecordingIndex.open(path, used)
  if (index === null) throw new Error("expected an index")
  const { found } = index
  const log = new RecordingLog(path, found?.lines)
  const kept = new Snapshots(used.first, { every, store: index })
  const past = new Past(log, used.first, kept)
  let present = found?.present ?? used.first
  for (let from = present.frames.lines; from < lines.length; from += 3) {
    present = fold(present, lines.slice(from, from + 3).map(decodeLine))
    log.indexUpTo(present.frames.lines)
    past.setPresent(present)
  }
  past.setPresent(present)
  const finish = (): void => {
    if (log.indexed !== null) resultOf(index.finish(present, noMarkers, log.indexed))
  }
  const dispose = (): void => {
    index[Symbol.dispose]()
    log.close()
  }
  return { index, past, present, kept, found, log, finish, [Symbol.dispose]: dispose }
}

function readAndKeep(recorded: Recorded, changes: Partial<IndexOptions> = {}, every = 5): void {
  using opened = read(recorded, changes, every)
  opened.finish()
}

/** Checks that a past has at these frames what folding the lines up to them gives. */
function expectStates({ past }: { readonly past: Past }, lines: readonly string[], frames: readonly number[]): void {
  const states = runsOf(lines, bounded)
  for (const frame of frames) expect(plain(resultOf(past.runAtFrame(frame)))).toEqual(plain(states[frame] ?? bounded))
}

/** A run as plain data, without what its lines tell again: what was packed, when and how, is no difference. */
function plain(run: Run): unknown {
  const expand = (value: unknown): unknown => {
    if (value instanceof Map) return [...value].map(([key, one]) => [key, expand(one)])
    if (typeof value !== "object" || value === null) return value
    if (Array.isArray(value)) return value.map(expand)
    if ("full" in value && "tail" in value && "length" in value) {
      const list = value as Parameters<typeof at>[0]
      return Array.from({ length: list.length }, (_, index) => expand(at(list, index)))
    }
    const { hasSessionIds: _, ...fields } = { hasSessionIds: null, ...value }
    return Object.fromEntries(Object.entries(fields).map(([key, one]) => [key, expand(one)]))
  }
  return expand(withoutLines(run))
}

const indexesIn = ({ options }: Recorded): string[] => readdirSync(options.directory)
const indexPath = (recorded: Recorded): string => join(recorded.options.directory, indexesIn(recorded)[0] ?? "")

const lines = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: row.map(one => JSON.stringify(one)) },
    { weight: 1, arbitrary: fc.constantFrom("", "nonsense", "[]", '{"kind":"nobody"}') },
  ),
  { minLength: 6, maxLength: 60, size: "max" },
)

test("any moment after a second opening is that of a first opening (property)", () =>
  forAll([lines, fc.constantFrom(emptyRun, bounded), fc.integer({ min: 1, max: 9 })], 25, (all, first, every) => {
    const recorded = recordingOf(all, first)
    readAndKeep(recorded, {}, every)
    using again = read(recorded, {}, every)
    expect(again.found?.lines.lines).toBe(all.length)
    const states = runsOf(all, first)
    expect(again.kept.length).toBeGreaterThan(1)
    for (let frame = states.length - 1; frame >= 0; frame -= 3) {
      expect(plain(resultOf(again.past.runAtFrame(frame)))).toEqual(plain(states[frame] ?? first))
    }
    const folded = fold(first, all.map(decodeLine))
    expect(plain(again.present)).toEqual(plain(folded))
    expect(again.present.log.malformed).toEqual(folded.log.malformed)
  }))

const long = generate({ frames: 6000, sessions: 12, seed: 7 })

test("a long recording opened again has the same rows, entries, stages and replies at any moment", () => {
  const recorded = recordingOf(long, bounded)
  readAndKeep(recorded, {}, 300)
  using again = read(recorded, {}, 300)
  expect(again.kept.length).toBeGreaterThan(15)
  expectStates(again, long, [6000, 17, 3001, 4500, 2999, 300, 5999])
})

test("states that are kept in a file take no memory, and are found in the first opening too", () => {
  using opened = read(recordingOf(long, bounded), {}, 300)
  expect(opened.kept.weight).toBe(0)
  expectStates(opened, long, [4321])
  // A state is kept again after as many lines as its size allows, however little of it the file takes.
  const said = Array.from({ length: 60 }, (_, n) => eventText(n, "note", { text: "x".repeat(9000) }))
  using rare = read(recordingOf(said), { limits: { ...limits, perLine: 1000 } })
  expect(rare.kept.length).toBeLessThan(5)
})

test("a recording that has grown is read from where it ended, and its index grows with it", () => {
  const before = recordingOf(long.slice(0, 4000), bounded)
  const open = readdirSync("/proc/self/fd").length
  readAndKeep(before, {}, 300)
  appendFileSync(before.path, `${long.slice(4000).join("\n")}\n`)
  const grown = { ...before, lines: long }
  {
    using again = read(grown, {}, 300)
    expect(again.found?.lines.lines).toBe(4000)
    expectStates(again, long, [5500])
    again.finish()
  }
  expect(readdirSync("/proc/self/fd").length).toBe(open)
  using third = read(grown, {}, 300)
  expect(third.found?.lines.lines).toBe(6000)
  expect(third.found?.lines.bytes).toBe(statSync(grown.path).size)
  expectStates(third, long, [2000, 5500, 4100, 3990])
  expect(indexesIn(grown)).toHaveLength(1)
})

test("what is put once an index is kept leaves that index as it is, and goes when nobody keeps it", () => {
  const recorded = recordingOf(long.slice(0, 600), bounded)
  {
    using opened = read({ ...recorded, lines: recorded.lines.slice(0, 400) }, {}, 100)
    opened.finish()
    opened.log.indexUpTo(600)
    opened.past.setPresent(fold(opened.present, recorded.lines.slice(400).map(decodeLine)))
    expect(indexesIn(recorded)).toHaveLength(2)
  }
  using again = read(recorded, {}, 100)
  expect([again.found?.lines.lines, indexesIn(recorded).length]).toEqual([400, 2])
})

/** Replaces a part of a file's text. */
function edit(path: string, before: string, after: string, end = ""): void {
  writeFileSync(path, readFileSync(path, "utf8").replace(before, after) + end)
}

test.each<[string, (path: string) => void]>([
  [
    "was changed and has the same size and time",
    path => {
      edit(path, '"seq":5990', '"seq":5991')
      utimesSync(path, 1000, 1000)
    },
  ],
  ["was changed in its middle and has the same size", path => edit(path, '"seq":3000,', '"seq":3001,')],
  ["was cut", path => truncateSync(path, 400_000)],
  ["has grown after its end was changed", path => edit(path, '"seq":5990', '"seq":5991', `${long[0]}\n`)],
  ["has grown after its beginning was changed", path => edit(path, '"seq":2,', '"seq":9,', `${long[0]}\n`)],
  [
    "was replaced by another file of its name",
    path => {
      writeFileSync(`${path}.new`, readFileSync(path))
      renameSync(`${path}.new`, path)
    },
  ],
])("nothing is taken from the index of a recording that %s", (_, change) => {
  const recorded = recordingOf(long, bounded)
  utimesSync(recorded.path, 1000, 1000)
  readAndKeep(recorded, {}, 300)
  change(recorded.path)
  using index = RecordingIndex.open(recorded.path, recorded.options)
  expect(index?.found).toBeNull()
})

test("nothing is taken from the index of another build, or of a run that was folded otherwise", () => {
  const recorded = recordingOf(long.slice(0, 500), bounded)
  readAndKeep(recorded)
  const { options } = recorded
  const found = (changes: Partial<IndexOptions>): boolean => {
    using index = RecordingIndex.open(recorded.path, { ...options, ...changes })
    return index?.found != null
  }
  expect(found({})).toBe(true)
  expect(found({ program: "another" })).toBe(false)
  const limits = { ...bounded.options.limits, repeats: 9 }
  const prices = decodePrices('{"m":{"input_cost_per_token":1e-6,"output_cost_per_token":1e-6}}') ?? noPrices
  for (const changes of [{ rowWindow: 65 }, { textBudget: 1 }, { strategy: "xml" as const }, { limits }, { prices }])
    expect(found({ first: initialRun({ ...bounded.options, ...changes }) })).toBe(false)
})

test("an index that is cut anywhere, or has a wrong bit, is thrown away and made anew (property)", async () => {
  const recorded = recordingOf(long.slice(0, 600), bounded)
  readAndKeep(recorded, {}, 100)
  const path = indexPath(recorded)
  const whole = readFileSync(path)
  const place = fc.nat(whole.length - 1)
  const damaged = fc.oneof(
    place.map(length => whole.subarray(0, length)),
    fc.tuple(place, fc.nat(7)).map(([index, bit]) => {
      const bytes = Buffer.from(whole)
      bytes[index] = (bytes[index] ?? 0) ^ (1 << bit)
      return bytes
    }),
    fc.uint8Array({ maxLength: 64 }).map(rest => Buffer.concat([whole, rest.length === 0 ? Buffer.of(0) : rest])),
  )
  await forAll([damaged], 300, bytes => {
    writeFileSync(path, bytes)
    using index = RecordingIndex.open(recorded.path, recorded.options)
    expect(index).not.toBeNull()
    expect(index?.found).toBeNull()
  })
  readAndKeep(recorded, {}, 100)
  using again = read(recorded, {}, 100)
  expect(again.found?.lines.lines).toBe(600)
  // One that is cut while it is used is not used again.
  truncateSync(path, 10)
  expectStates(again, recorded.lines, [300])
  expect(indexesIn(recorded)).toEqual([])
})

test("two that read the same recording at once each see their own, and the last to end leaves its index", () => {
  const recorded = recordingOf(long.slice(0, 2000), bounded)
  {
    using one = read(recorded, {}, 100)
    using other = read(recorded, {}, 150)
    one.finish()
    for (const opened of [one, other]) expectStates(opened, recorded.lines, [1200])
    using third = read(recorded)
    expect(third.found?.lines.lines).toBe(2000)
    other.finish()
    expectStates(third, recorded.lines, [1200])
  }
  using last = read(recorded, {}, 150)
  expect(last.found?.lines.lines).toBe(2000)
  expect(indexesIn(recorded)).toHaveLength(1)
})

test.each([0, 3])("an opening that ends early leaves no file, after %p steps of finishing its index", most => {
  const recorded = recordingOf(long, bounded)
  let steps = 0
  {
    using opened = read(recorded, {}, 300)
    expect([opened.kept.length > 10, indexesIn(recorded).length]).toEqual([true, 1])
    if (opened.log.indexed === null) throw new Error("expected the lines to be indexed")
    const finishing = opened.index.finish(opened.present, noMarkers, opened.log.indexed)
    while (steps < most && finishing.next().done !== true) steps++
    opened.index[Symbol.dispose]()
    expect(finishing.next().done).toBe(true)
  }
  expect([steps, indexesIn(recorded)]).toEqual([most, []])
})

test("an index is private, leaves nothing open however it ends, and a short recording has none", () => {
  const recorded = recordingOf(long.slice(0, 500), bounded)
  const opened = () => readdirSync("/proc/self/fd").length
  const before = opened()
  readAndKeep(recorded)
  for (const changes of [{}, { program: "another" }, { limits: { ...limits, most: 1 } }]) readAndKeep(recorded, changes)
  const closed = RecordingIndex.open(recorded.path, { ...recorded.options, program: "another" })
  closed?.[Symbol.dispose]()
  expect([closed === null, closed?.found, opened()]).toEqual([false, null, before])
  expect(statSync(recorded.options.directory).mode & 0o777).toBe(0o700)
  expect(statSync(indexPath(recorded)).mode & 0o777).toBe(0o600)
  const least = statSync(recorded.path).size + 1
  expect(RecordingIndex.open(recorded.path, { ...recorded.options, limits: { ...limits, least } })).toBeNull()
  expect(opened()).toBe(before)
})

test("an index that grows too long is given up, and the run goes on with states in memory", () => {
  const recorded = recordingOf(long, bounded)
  using opened = read(recorded, { limits: { ...limits, most: 60_000 } }, 300)
  expect(opened.kept.weight).toBeGreaterThan(0)
  opened.finish()
  expect(indexesIn(recorded)).toEqual([])
  expectStates(opened, long, [500, 5000])
})

test("a pipe in the place of an index holds nothing up", () => {
  const recorded = recordingOf(long.slice(0, 500), bounded)
  readAndKeep(recorded)
  const path = indexPath(recorded)
  rmSync(path)
  expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0)
  expect(RecordingIndex.open(recorded.path, recorded.options)?.found ?? null).toBeNull()
})

test("an index whose directory can't be made fails nothing", () => {
  const recorded = recordingOf(long.slice(0, 500), bounded)
  using opened = read(recorded, { directory: "/dev/null/index" })
  opened.finish()
  expect(frameNumber(resultOf(opened.past.runAtFrame(250)))).toBe(250)
})

test("opening an index is its use, and finishing one leaves no more than fit", () => {
  const [first, second] = [1, 2].map(() => recordingOf(long.slice(0, 500), bounded))
  if (first === undefined || second === undefined) throw new Error("expected two")
  const directory = join(home, "shared")
  readAndKeep(first, { directory })
  const [name = ""] = readdirSync(directory)
  const { size } = statSync(join(directory, name))
  utimesSync(join(directory, name), 1000, 1000)
  RecordingIndex.open(first.path, { ...first.options, directory })?.[Symbol.dispose]()
  expect(statSync(join(directory, name)).mtimeMs).toBeGreaterThan(1_000_000)
  readAndKeep(second, { directory, limits: { ...limits, mostOfAll: 1.5 * size } })
  expect(readdirSync(directory)).toHaveLength(1)
  expect(readdirSync(directory)).not.toContain(name)
})
