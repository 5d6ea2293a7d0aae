// Tests what commands refuse and read: the log of another agent CLI, texts that could steer, all that counts as garbage.
import { describe, expect, spyOn, test } from "bun:test"
import { existsSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { readFrameBatches } from "../../src/cli/fold-command.ts"
import { openRecordingOrLog } from "../../src/cli/open-recording.ts"
import { Collector } from "../../src/transport/collector.ts"
import { guestFixture } from "../guest/reading.ts"
import { fileScratch } from "../scratch.ts"
import { called, sidecarHere as sidecar } from "./called.ts"

const LOG = guestFixture("hermes.log")
const PARSER = guestFixture("hermes-parser.cjs")

const scratch = fileScratch()

const told = (line: string) => called(line.replace("LOG", LOG).replace("PARSER", PARSER), scratch)

describe("the log of another agent CLI", () => {
  test("exported as JSONL is a recording that folds to the same state and can be searched", async () => {
    expect(await told("export LOG --as jsonl --parser PARSER -o run.jsonl")).toBe("")
    const folded = await told("fold LOG --parser PARSER")
    expect(folded).toBe(await told("fold run.jsonl"))
    expect(folded).toContain("hermes")
    expect(await told("search typescript run.jsonl")).toContain("It uses TypeScript")
  })
  test("is exported whole, though it is new and its last line has no end, and not over itself", async () => {
    await Bun.write(join(scratch, "new.log"), "one\ntwo kettles")
    expect(await told("export new.log --as md")).toContain("two kettles")
    expect(await told("export new.log --as jsonl -o new.log")).toEndWith("new.log: is the recording itself\nexit 2\n")
    expect(await Bun.file(join(scratch, "new.log")).text()).toBe("one\ntwo kettles")
  })
  test("leaves no temporary files, and none open", async () => {
    const recorded = await openRecordingOrLog(LOG, PARSER)
    const directory = dirname(recorded.path)
    expect(existsSync(recorded.path)).toBe(true)
    await recorded[Symbol.asyncDispose]()
    const open = Bun.spawnSync(["ls", "-l", `/proc/${process.pid}/fd`]).stdout.toString()
    expect([existsSync(directory), open.includes(directory)]).toEqual([false, false])
  })
})

const directory = fileScratch()

const folded = (path: string) => sidecar(["fold", path], { cwd: directory })

function written(name: string, text: string): string {
  const path = join(directory, name)
  writeFileSync(path, text)
  return path
}

const delta = (seq: number, text: string) => {
  const data = { type: "text-delta", text, invokeid: "a", "session-id": "s" }
  return JSON.stringify({ event: "llm/delta", seq, ts: seq, data })
}

test("fold prints no control characters that could steer the terminal", async () => {
  const hostile = "\u001b]0;x\u0007\u009b31m\u202e\u2028"
  const row = { event: hostile, data: { invokeid: hostile, "session-id": hostile } }
  const start = { ...row, event: "llm/start", seq: 2 }
  const lines = `${JSON.stringify(row)}\n${JSON.stringify(start)}\n${hostile}\n`
  const { out } = await folded(written("hostile.jsonl", lines))
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/)
  expect(JSON.parse(out)).toMatchObject({ invocations: [{ invokeid: hostile }] })
})

test("fold prints the long runs of a list one after the other", async () => {
  const lines = Array.from({ length: 300 }, (_, i) => `${delta(i, "x").replace('"a"', `"a${i}"`)}\n`)
  const paths = ["one.jsonl", "other.jsonl"].map(name => written(name, lines.join("")))
  const { out } = await sidecar(["fold", ...paths], { cwd: directory })
  expect(out.length).toBeGreaterThan(4 * 65_536)
  expect(JSON.parse(out).map(({ name }: { name: string }) => name)).toEqual(paths)
})

test("all that the commands read of a recording counts for the next collection of garbage", async () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `${delta(i, "of a line ")}\n`)
  const path = written("counted.jsonl", lines.join(""))
  const counted = spyOn(Collector.prototype, "add")
  try {
    let frames = 0
    for await (const batch of readFrameBatches(path)) frames += batch.length
    const units = counted.mock.calls.reduce((sum, [units]) => sum + units, 0)
    // Without the line ends.
    expect([frames, units]).toEqual([20_000, statSync(path).size - 20_000])
  } finally {
    counted.mockRestore()
  }
})
