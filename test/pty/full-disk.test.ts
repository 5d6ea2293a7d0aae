// Tests that the screen says which file it can't write, at once, and leaves no part of it.
import { beforeAll, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { appendFile, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { event } from "../agent/ui.ts"
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

const scratch = fileScratch()
beforeAll(async () => {
  const who = { invokeid: "poet", "session-id": "s" }
  const content = [{ type: "text", text: "x".repeat(80_000) }]
  const rows = [event("llm/start", who), event("llm/response", { ...who, content })]
  await Bun.write(join(scratch, "run/transcript.jsonl"), `${rows.join("\n")}\n`)
})

/** The files below a directory of the program; none if it does not exist. */
async function left(terminal: Terminal, name: string): Promise<readonly string[]> {
  const directory = join(terminal.home, "state/opentui-sidecar", name)
  return existsSync(directory) ? await readdir(directory) : []
}

test("an export, a copy, a bug report or a bookmark that can't be written is reported, and no part of it stays", async () => {
  await using terminal = await openSidecar({ cmd: limited(0, "replay", join(scratch, "run"), "--timing", "instant") })
  await terminal.waitFor(" said ")
  for (const [keys, words] of [
    ["x\r", "Can't export: file size limit reached"],
    ["y\r", "Can't copy: file size limit reached"],
    ["\x07", "Can't save the bug report: file size limit reached"],
    ["M\r", "Bookmarks are not saved: file size limit reached"],
  ] as const) {
    await terminal.press(keys).waitFor(words)
  }
  for (const name of ["exports", "copies", "bugs", "bookmarks"]) expect(await left(terminal, name)).toEqual([])
})

test("a recording that can't be written is reported at once, the header never says rec, and no empty file is left", async () => {
  const path = join(scratch, "nothing.jsonl")
  await using live = await openLive(fixture("parallel-60"), { cmd: limited(0, "--record", path) })
  const shown = await live.waitFor("Can't record to")
  expect(shown[0]).not.toContain("rec")
  expect(existsSync(path)).toBe(false)
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
