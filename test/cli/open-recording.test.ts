// Tests which files commands refuse, and export, fold and search on the log of another agent CLI.
import { describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { openRecordingOrLog } from "../../src/cli/open-recording.ts"
import { guestFixture } from "../guest/reading.ts"
import { fileScratch } from "../scratch.ts"
import { called } from "./called.ts"

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
