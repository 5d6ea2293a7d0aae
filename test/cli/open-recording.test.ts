// Tests which files commands refuse, and export, fold and search on the log of another agent CLI.
import { beforeAll, describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { openRecordingOrLog } from "../../src/cli/open-recording.ts"
import { guestFixture } from "../guest/reading.ts"
import { fileScratch } from "../scratch.ts"
import { called } from "./called.ts"

const LOG = guestFixture("hermes.log")
const PARSER = guestFixture("hermes-parser.cjs")

const scratch = fileScratch()

const told = async (line: string) =>
  (await called(line.replace("LOG", LOG).replace("PARSER", PARSER), scratch)).replace(/ {2,}/g, "  ")

beforeAll(async () => {
  for (const [name, text] of [
    ["new.log", "one\ntwo kettles"],
    ["same.log", "one\n"],
    ["notes.md", "# Notes\n\nNo frames.\n"],
    ["empty.jsonl", ""],
  ] as const)
    await Bun.write(join(scratch, name), text)
})

describe("the log of another agent CLI", () => {
  test.each([
    ["is exported through its parser", "export LOG --as md --parser PARSER"],
    ["is exported whole, though it is new and its last line has no end", "export new.log --as md"],
    [
      "is searched, and hits give its own line numbers, at the beginning of a block",
      "search typescript LOG --parser PARSER",
    ],
    ["has its thoughts in a search", 'search "how to approach" LOG --parser PARSER'],
    ["has its tool calls in a search", "search /home/user/project LOG --parser PARSER"],
    ["has no hit for other words", 'search "no such words" LOG --parser PARSER'],
    ["has no hit that a filter leaves out", "search typescript LOG --parser PARSER --where tool=read"],
    ["is searched as lines by the general parser", 'search "┊ read" LOG'],
    [
      "is searched in Paperclip's log format, one row per line",
      `search "warning of the shell" ${guestFixture("run-log.ndjson")}`,
    ],
    ["is required by --parser: a directory is refused", "search typescript . --parser PARSER"],
    ["is refused if its parser is missing", "export LOG --as md --parser nobody-made-this"],
    ["is not overwritten by its own export", "export same.log --as jsonl -o same.log"],
    ["is not needed: an empty recording may grow", "check empty.jsonl"],
  ])("%s", async (_, line) => expect(await told(line)).toMatchSnapshot())

  test("exported as JSONL is a recording that folds to the same state and can be searched", async () => {
    expect(await told("export LOG --as jsonl --parser PARSER -o run.jsonl")).toBe("")
    const folded = await told("fold LOG --parser PARSER")
    expect(folded).toBe(await told("fold run.jsonl"))
    expect(folded).toContain("hermes")
    expect(await told("search typescript run.jsonl")).toContain("It uses TypeScript")
    expect(await Bun.file(join(scratch, "same.log")).text()).toBe("one\n")
  })
  test("leaves no temporary files", async () => {
    const recorded = await openRecordingOrLog(LOG, PARSER)
    const directory = dirname(recorded.path)
    expect(existsSync(recorded.path)).toBe(true)
    await recorded[Symbol.asyncDispose]()
    expect(existsSync(directory)).toBe(false)
  })
})

test.each(["fold", "replay", "export --as md", "compare", "search x", "agent", "check", "ledger"])(
  "a file that is no recording is refused by %s in one line",
  async command => expect(await told(`${command} notes.md`)).toMatchSnapshot(),
)
