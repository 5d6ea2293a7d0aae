// Tests that the screen says which file it can't write, at once, and leaves no part of it.
import { beforeAll, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { appendFile, mkdir, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fixture } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { openLive, openSidecar, spawned } from "./sidecar.ts"
import type { Terminal } from "./terminal.ts"

/** The program may write files of so many blocks of 512 bytes. */
const limited = (blocks: number, ...words: readonly string[]) => [
  ...["sh", "-c", `ulimit -f ${blocks}; exec "$@"`, "sh"],
  ...spawned,
  ...words,
]

const rows = [
  { event: "llm/start", seq: 0, ts: 1, data: { invokeid: "poet", "session-id": "s" } },
  {
    event: "llm/response",
    seq: 1,
    ts: 2,
    data: { invokeid: "poet", "session-id": "s", content: [{ type: "text", text: "x".repeat(80_000) }] },
  },
]

const scratch = fileScratch()
beforeAll(async () => {
  await mkdir(join(scratch, "run"))
  await writeFile(join(scratch, "run/transcript.jsonl"), rows.map(row => `${JSON.stringify(row)}\n`).join(""))
})

/** The files below a directory of the program; none if it does not exist. */
async function left(terminal: Terminal, name: string): Promise<readonly string[]> {
  const directory = join(terminal.home, "state/opentui-sidecar", name)
  return existsSync(directory) ? await readdir(directory) : []
}

test.each([
  ["an export", "exports", "x\r", "Can't export: file size limit reached"],
  ["a copy", "copies", "y\r", "Can't copy: file size limit reached"],
  ["a bug report", "bugs", "\x07", "Can't save the bug report: file size limit reached"],
  ["a bookmark", "bookmarks", "M\r", "Bookmarks are not saved: file size limit reached"],
])("%s that can't be written is reported, and no part of it stays", async (_, name, keys, words) => {
  await using terminal = await openSidecar({ cmd: limited(0, "replay", join(scratch, "run"), "--timing", "instant") })
  await terminal.waitFor(" said ")
  await terminal.press(keys).waitFor(words)
  expect(await left(terminal, name)).toEqual([])
})

test("a recording that can't be written is reported at once, and the header never says rec", async () => {
  await using live = await openLive(fixture("parallel-60"), { cmd: [...spawned, "--record", "/dev/full"] })
  const shown = await live.waitFor("Can't record to /dev/full: disk full")
  expect(shown[0]).not.toContain("rec")
})

test("a log whose conversion finds no more room is shown up to there, and the screen says so", async () => {
  const log = join(scratch, "agent.log")
  await writeFile(log, "the first line\n")
  await using terminal = await openSidecar({ cmd: limited(16, "replay", log, "--parser", "escapement") })
  await terminal.waitFor("the first line")
  await appendFile(log, "another line of many\n".repeat(2000))
  const shown = await terminal.waitFor("What the log gets from now on is not shown: file size limit reached")
  expect(shown.join("\n")).not.toMatch(/not understood|incomplete/)
})

test("a recording of which nothing could be written leaves no empty file", async () => {
  const path = join(scratch, "nothing.jsonl")
  await using live = await openLive(fixture("parallel-60"), { cmd: limited(0, "--record", path) })
  await live.waitFor("Can't record to")
  expect(existsSync(path)).toBe(false)
})
