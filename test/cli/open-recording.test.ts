// Tests which files commands refuse, and export, fold and search on the log of another agent CLI.
import { describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { openRecordingOrLog } from "../../src/cli/open-recording.ts"
import { guestFixture } from "../guest/reading.ts"
import { fileScratch } from "../scratch.ts"
import { sidecarHere as sidecar } from "./called.ts"

const LOG = guestFixture("hermes.log")
const PARSER = guestFixture("hermes-parser.cjs")

const scratch = fileScratch()

const run = (...args: readonly string[]) => sidecar(args, { cwd: scratch })

describe("the log of another agent CLI", () => {
  test("is exported through its parser", async () => {
    const { code, out, err } = await run("export", LOG, "--as", "md", "--parser", PARSER)
    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(out).toContain("hermes")
    expect(out).toContain("ls /home/user/project")
    expect(out).toContain("Thinking about how to approach this...")
    expect(out).not.toContain("┊")
  })
  test("exported as JSONL is a recording that folds to the same state and can be searched", async () => {
    expect((await run("export", LOG, "--as", "jsonl", "--parser", PARSER, "-o", "run.jsonl")).code).toBe(0)
    const folded = await run("fold", LOG, "--parser", PARSER)
    expect(folded.code).toBe(0)
    expect(JSON.parse(folded.out)).toEqual(JSON.parse((await run("fold", "run.jsonl")).out))
    expect(folded.out).toContain("hermes")
    const found = await run("search", "typescript", "run.jsonl")
    expect(found.code).toBe(0)
    expect(found.out).toContain("It uses TypeScript")
  })
  test("is complete even if it is new and its last line has no end", async () => {
    await Bun.write(join(scratch, "new.log"), "one\ntwo kettles")
    const { code, out } = await run("export", "new.log", "--as", "md")
    expect(code).toBe(0)
    expect(out).toContain("two kettles")
  })
  test("is not overwritten by its own export", async () => {
    await Bun.write(join(scratch, "same.log"), "one\n")
    const { code } = await run("export", "same.log", "--as", "jsonl", "-o", "same.log")
    expect(code).toBe(2)
    expect(await Bun.file(join(scratch, "same.log")).text()).toBe("one\n")
  })
  test("is searched through its parser, and hits give the log's own line numbers", async () => {
    const { code, out, err } = await run("search", "typescript", LOG, "--parser", PARSER)
    expect({ code, err }).toEqual({ code: 0, err: "" })
    // The reply begins in line 9 of the log, and is one block.
    expect(out).toMatch(/^hermes\.log:9 +hermes +turn 1 +reply +- It uses TypeScript\n$/)
    const thought = await run("search", "how to approach", LOG, "--parser", PARSER)
    expect(thought.out).toMatch(/^hermes\.log:2 .*thinking/)
    const tool = await run("search", "/home/user/project", LOG, "--parser", PARSER)
    expect(tool.out).toMatch(/^hermes\.log:3 .*tool call/m)
    expect((await run("search", "no such words", LOG, "--parser", PARSER)).code).toBe(1)
    expect((await run("search", "typescript", LOG, "--parser", PARSER, "--where", "tool=read")).code).toBe(1)
    const generic = await run("search", "┊ read", LOG)
    expect(generic.out).toContain("hermes.log:")
  })
  test("is searched in Paperclip's log format too, one row per line", async () => {
    const { code, out } = await run("search", "warning of the shell", guestFixture("run-log.ndjson"))
    expect(code).toBe(0)
    expect(out).toMatch(/^run-log\.ndjson:\d+ .*a warning of the shell\n$/)
  })
  test("is required by search --parser: a directory is refused", async () => {
    const { code, err } = await run("search", "typescript", ".", "--parser", PARSER)
    expect({ code, err }).toEqual({
      code: 2,
      err: "opentui-sidecar search: --parser: expected the log of an agent CLI, got .\n",
    })
  })
  test("is refused if its parser is missing", async () => {
    const { code, err } = await run("export", LOG, "--as", "md", "--parser", "nobody-made-this")
    expect(code).toBe(2)
    expect(err).toStartWith("opentui-sidecar export: --parser ")
    expect(err.trimEnd().split("\n")).toHaveLength(1)
  })
  test("leaves no temporary files", async () => {
    const recorded = await openRecordingOrLog(LOG, PARSER)
    const directory = dirname(recorded.path)
    expect(existsSync(recorded.path)).toBe(true)
    await recorded[Symbol.asyncDispose]()
    expect(existsSync(directory)).toBe(false)
  })
})

describe("a file that is no recording", () => {
  test.each([
    [["fold"], []],
    [["replay"], []],
    [["export"], ["--as", "md"]],
    [["compare"], []],
    [["search", "x"], []],
    [["agent"], []],
  ])("is refused by %p in one line", async (command, more) => {
    await Bun.write(join(scratch, "notes.md"), "# Notes\n\nNo frames.\n")
    const { code, out, err } = await run(...command, "notes.md", ...more)
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toMatch(/^opentui-sidecar( \w+)?: notes\.md: expected a recording, got a file without frames\n$/)
  })

  test("may be empty, since it may grow", async () => {
    await Bun.write(join(scratch, "empty.jsonl"), "")
    const { code, out, err } = await run("fold", "empty.jsonl")
    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(JSON.parse(out)).toMatchObject({ frames: { event: 0, unread: 0 } })
  })
})
