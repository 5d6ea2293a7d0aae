// Writes and reads the spool of a live run.
import { beforeEach, expect, test } from "bun:test"
import { appendFileSync, linkSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { emptyFrameLog, readFrames } from "../../src/timeline/frame-log.ts"
import { RecordingLog } from "../../src/timeline/recording-log.ts"
import { removeStaleSpools, Spool } from "../../src/timeline/spool.ts"
import { forAll } from "../for-all.ts"
import { fileScratch } from "../scratch.ts"

let home = ""
beforeEach(() => {
  home = fileScratch()
})

/** A spool that must not fail. */
function open(): Spool & Disposable {
  const spool = new Spool(join(home, "spool"))
  spool.onFailure(why => {
    throw new Error(why)
  })
  return Object.assign(spool, { [Symbol.dispose]: () => spool.close() })
}

const files = (): string[] => readdirSync(join(home, "spool"))

test("of a line that is too long the head is read, as JSON", () => {
  const log = { ...emptyFrameLog, length: 2, lines: () => ["{}", { head: 'a"', length: 17_000_000 }] }
  expect(readFrames(log, 0, 2).map(({ text }) => text)).toEqual(["{}", '"a\\""'])
})

test("a spool contains what was appended, whatever was read and cut in between (property)", async () => {
  const short = fc.string({ unit: "grapheme", maxLength: 30 }).map(text => text.replaceAll(/[\n\r]/g, ""))
  const long = fc.integer({ min: 1, max: 90_000 }).map(length => "\ufeffx".padEnd(length, "é"))
  const line = fc.oneof({ weight: 9, arbitrary: short }, { weight: 1, arbitrary: long })
  const from = fc.integer({ min: -20, max: 200 })
  const batch = fc.tuple(fc.array(line, { maxLength: 40 }), from, fc.nat(50), fc.nat(400))
  const batches = fc.array(batch, { maxLength: 12 })
  await forAll([batches], 40, batches => {
    using spool = open()
    const all = ["first"]
    spool.append(all)
    for (const [batch, from, count, cut] of batches) {
      spool.append(batch)
      all.push(...batch)
      expect(spool.length).toBe(all.length)
      expect(spool.lines(from, from + count)).toEqual(all.slice(Math.max(0, from), Math.max(0, from + count)))
      spool.truncate(cut)
      all.splice(cut)
    }
  })
})

test("a spool has a line whose end just fits into what is written at once", () => {
  using spool = open()
  const lines = ["", "あ".repeat(21_845), "b"]
  spool.append(lines)
  expect(spool.lines(0, 9)).toEqual(lines)
})

test("a spool that is cut has what is left and what comes then, however far back it was cut", () => {
  using spool = open()
  const all = Array.from({ length: 9000 }, (_, n) => (n === 0 ? "" : `{"n":${n}}`))
  for (let at = 0; at < all.length; at += 100) spool.append(all.slice(at, at + 100))
  expect(spool.lines(4444, 4446)).toEqual(all.slice(4444, 4446))
  spool.append(["more"])
  spool.truncate(9000)
  for (const length of [9999, 9000, 8999, 4001, 1, 0]) {
    spool.truncate(length)
    spool.append(["b"])
    const left = [...all.splice(0, length), ...(length > 9000 ? all.splice(0) : [])]
    all.splice(0, Number.POSITIVE_INFINITY, ...left, "b")
    expect([spool.length, spool.lines(0, 10_000).length]).toEqual([all.length, all.length])
    expect(spool.lines(all.length - 3, all.length)).toEqual(all.slice(-3))
  }
  const more = Array.from({ length: 30_000 }, (_, n) => `{"more":${n}}`)
  for (let at = 0; at < more.length; at += 100) spool.append(more.slice(at, at + 100))
  expect(spool.lines(7000, 7002)).toEqual(more.slice(6999, 7001))
  expect(statSync(spool.path ?? "none").size).toBe(spool.size)
  // Far lines are found without those before them.
  writeFileSync(spool.path ?? "none", "x".repeat(64 * 1024), { flag: "r+" })
  expect(spool.lines(29_001, 29_003)).toEqual(more.slice(29_000, 29_002))
})

test("a spool that takes over another has its lines alone, in its file alone, whatever becomes of the other", () => {
  using spool = open()
  spool.append(["a".repeat(80_000), "b"])
  const other = spool.successor()
  other.append(["c".repeat(70_000), "d"])
  spool.takeOver(other)
  other.close()
  spool.append(["e"])
  expect([spool.lines(0, 1), spool.lines(1, 9)]).toEqual([["c".repeat(70_000)], ["d", "e"]])
  expect([spool.length, spool.size, files().length]).toEqual([3, 70_005, 1])
  expect(spool.path?.endsWith(files()[0] ?? "none")).toBe(true)
  const chunk = new Uint8Array(9)
  expect([spool.readBytes(chunk, 70_001), chunk.subarray(0, 4)]).toEqual([4, Buffer.from("d\ne\n")])
  // One that is closed has nothing to give, nor to take over.
  spool.takeOver(other)
  expect(spool.length).toBe(3)
  const late = spool.successor()
  spool.close()
  spool.takeOver(late)
  expect([spool.path, late.path === null]).toEqual([null, false])
  late.close()
})

test("a spool's file is private, and is removed when it is closed; by another name it has all lines", () => {
  const spool = open()
  spool.append(["secret"])
  expect(spool.lines(0, 1)).toEqual(["secret"])
  const [name = ""] = files()
  expect(statSync(join(home, "spool", name)).mode & 0o777).toBe(0o600)
  expect(statSync(join(home, "spool")).mode & 0o777).toBe(0o700)
  linkSync(join(home, "spool", name), join(home, "kept.jsonl"))
  spool.append(["b"])
  spool.close()
  spool.close()
  expect([files(), readFileSync(join(home, "kept.jsonl"), "utf8")]).toEqual([[], "secret\nb\n"])
  spool.append(["late"])
  expect(spool.lines(0, 9)).toEqual([])
})

test("what a killed run left of a spool is removed, and nothing else", () => {
  const id = "00000000-0000-4000-8000-000000000000"
  const gone = Bun.spawnSync(["true"]).pid
  open()[Symbol.dispose]()
  const kept = [...[process.pid, process.ppid].map(pid => `run-${pid}-${id}.jsonl`), "notes.jsonl"].sort()
  for (const name of [`run-${gone}-${id}.jsonl`, ...kept]) writeFileSync(join(home, "spool", name), "x")
  removeStaleSpools(join(home, "spool"))
  removeStaleSpools(join(home, "none"))
  expect(files().sort()).toEqual(kept)
})

test("a spool that can't be created reports it once and stores nothing", () => {
  const said: string[] = []
  writeFileSync(join(home, "file"), "")
  const spool = new Spool(join(home, "file", "spool"))
  spool.onFailure(why => said.push(why))
  spool.append(["a".repeat(200_000)])
  expect([spool.length, spool.lines(0, 1)]).toEqual([0, []])
  spool.close()
  expect(said).toEqual(["no such file"])
})

test("the last line of a file is read though its end is not written yet", () => {
  const path = join(home, "lines")
  for (const text of ["x", "one\ntwo"]) {
    writeFileSync(path, text)
    using short = new RecordingLog(path)
    short.indexUpTo(2)
    expect([short.lines(0, 2), short.readFraction]).toEqual([text.split("\n"), 1])
  }
  expect(Bun.spawnSync(["ls", "-l", `/proc/${process.pid}/fd`]).stdout.toString()).not.toContain(path)
  using log = new RecordingLog(path)
  // Where the lines are is kept only of a file in which none can go on.
  const told = () => [log.length, log.readFraction, log.indexed && { ...log.indexed, blocks: null }, log.lines(1, 9)]
  expect(told()).toEqual([0, 0, { lines: 0, bytes: 0, blocks: null }, []])
  log.indexUpTo(2)
  expect(told()).toEqual([2, 1, null, ["two"]])
  appendFileSync(path, " and a half\nthree\n")
  log.indexUpTo(2)
  expect(told()).toEqual([2, 19 / 25, { lines: 2, bytes: 19, blocks: null }, ["two and a half"]])
  // A line is noted in each 32 KB alone.
  writeFileSync(path, `${"x".repeat(1023)}\n`.repeat(100))
  using long = new RecordingLog(path)
  long.indexUpTo(100)
  expect(long.indexed?.blocks).toEqual({ lines: [0, 32, 64, 96], offsets: [0, 32_768, 65_536, 98_304] })
})
