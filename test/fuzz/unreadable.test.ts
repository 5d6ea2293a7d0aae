// Tests that every command reports unreadable files and still shows the others.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { chmod, mkdir } from "node:fs/promises"
import { join } from "node:path"
import { bound } from "../bound.ts"
import type { Ran } from "../cli/ran.ts"
import { sidecar } from "../cli/ran.ts"
import { root } from "../fixtures.ts"
import { named } from "../pty/corpus.ts"
import { STEERING } from "../pty/sequences.ts"
import { openTerminal } from "../pty/terminal.ts"
import { fileScratch } from "../scratch.ts"

const rows = [
  '{"event":"runner/started","seq":0,"ts":1,"data":{"session-id":"s"}}',
  '{"event":"llm/start","seq":1,"ts":2,"data":{"invokeid":"poet","session-id":"s1"}}',
  '{"event":"llm/request","seq":2,"ts":3,"data":{"invokeid":"poet","session-id":"s1","user-blocks":[{"type":"text","text":"brew"}],"io/ref":"nodes/poet/0/turns/0/request.edn"}}',
  '{"event":"llm/response","seq":3,"ts":4,"data":{"invokeid":"poet","session-id":"s1","content":[{"type":"text","text":"green tea"}]}}',
]
const recording = `${rows.join("\n")}\n`

const scratch = fileScratch()
/** A run whose artifacts and captures nobody may read, beside a run and a folder that nobody may read at all. */
let runs = ""
let shut = ""
beforeAll(async () => {
  runs = join(scratch, "runs")
  const open = join(runs, "open")
  await mkdir(join(open, "nodes/poet/0/turns/0"), { recursive: true })
  await mkdir(join(open, "artifacts"), { recursive: true })
  await Bun.write(join(open, "transcript.jsonl"), recording)
  await Bun.write(join(open, "nodes/poet/0/turns/0/request.edn"), '{:system "tea"}')
  await Bun.write(join(open, "artifacts/poem.txt"), "tea")
  await Bun.write(join(open, "escapement.log"), "tea\n")
  shut = join(runs, `shut ${named}`)
  await mkdir(shut)
  await Bun.write(join(shut, "transcript.jsonl"), recording)
  await mkdir(join(runs, "dark/run"), { recursive: true })
  await Bun.write(join(runs, "dark/run/transcript.jsonl"), recording)
  for (const path of [
    join(open, "nodes"),
    join(open, "artifacts/poem.txt"),
    join(open, "escapement.log"),
    join(shut, "transcript.jsonl"),
    join(runs, "dark"),
  ]) {
    await chmod(path, 0)
  }
})
afterAll(async () => {
  for (const name of ["open/nodes", "dark"]) await chmod(join(runs, name), 0o700)
})

const ran = async (...args: readonly string[]): Promise<Ran> => {
  const result = await sidecar(args, { cwd: scratch, before: bound })
  for (const text of [result.out, result.err]) expect(STEERING.exec(text)).toBeNull()
  return result
}

test("file modes bind these tests, also under root", async () => {
  const path = join(scratch, "closed")
  await Bun.write(path, "")
  await chmod(path, 0)
  expect(await Bun.spawn([...bound, "cat", path], { stderr: "ignore" }).exited).toBe(1)
})

describe("a recording without read permission is refused in one line by", () => {
  for (const command of [
    ["fold"],
    ["replay"],
    ["replay", "--plain"],
    ["export", "--as", "md"],
    ["compare"],
    ["agent"],
  ]) {
    test(command.join(" "), async () => {
      for (const path of [shut, join(shut, "transcript.jsonl")]) {
        const { code, out, err } = await ran(...command, path)
        expect(code).toBe(2)
        expect(out).toBe("")
        expect(err).toMatch(/^opentui-sidecar[^\n]*permission denied\n$/)
      }
    })
  }
})

test("the list of runs shows the readable ones, and says which it could not read", async () => {
  const { code, out, err } = await ran("sessions", runs)
  expect(code).toBe(0)
  expect(out).toMatch(/^running .* open .*poet: green tea$/m)
  expect(out).toMatch(/^unreadable +\S+ \S+ +shut /m)
  expect(err.trimEnd()).toMatch(/: dark\/transcript\.jsonl: permission denied$/)
})

test('a search reports hits in readable files and names the unreadable ones, never "no hit"', async () => {
  const found = await ran("search", "tea", runs)
  expect(found.code).toBe(0)
  expect(found.out).toMatch(/^open\/transcript\.jsonl:4 .*green tea\n$/)
  for (const what of [
    "dark/transcript.jsonl: permission",
    "transcript.jsonl: permission",
    "nodes: permission",
    "poem.txt: permission",
  ]) {
    expect(found.err).toContain(what)
  }
  const none = await ran("search", "coffee", runs)
  expect([none.code, none.out]).toEqual([2, ""])
})

test("the screen shows the run, and says why its captures, artifacts and log cannot be read", async () => {
  const cmd = [...bound, join(root, "bin/opentui-sidecar"), "replay", join(runs, "open"), "--timing", "instant"]
  await using terminal = await openTerminal({ cmd, cols: 120, rows: 36 })
  await terminal.waitFor("green tea")
  await terminal.press(":files\r").waitFor("poem.txt")
  await terminal.press("\r").waitFor("permission denied")
  await terminal.press("\x1b").waitFor("o open")
  await terminal.press("\x1b").waitFor(/─ SESSIONS {2}/)
  await terminal.press(":agent-log\r").waitFor(/escapement\.log: permission denied/)
  await terminal.press("\x1b\x1b").waitFor("─ poet")
  await terminal.press("\r\r").waitFor(/request\.edn: permission denied/)
  expect(await terminal.press("\x03").exited).toBe(0)
})
