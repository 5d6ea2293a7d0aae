// Tests a recording that changes while it is shown: it grows, shrinks, or is replaced.
import { expect, test } from "bun:test"
import { appendFile, copyFile, rename, rm, symlink, truncate } from "node:fs/promises"
import { join } from "node:path"
import { event } from "../agent/ui.ts"
import { openSidecar, spawned } from "../pty/sidecar.ts"
import type { Terminal } from "../pty/terminal.ts"
import { fileScratch } from "../scratch.ts"

const rows = (names: readonly string[]): string =>
  names
    .map((name, index) => `${event("llm/start", { invokeid: name, "session-id": name, model: "m" }, index + 1)}\n`)
    .join("")
const FEW = ["poet-1", "poet-2", "poet-3"]

const scratch = fileScratch()

async function shown(name: string): Promise<{ readonly path: string; readonly screen: Terminal }> {
  const path = join(scratch, `${name}.jsonl`)
  await Bun.write(path, rows(FEW))
  const screen = await openSidecar({ cmd: [...spawned, "replay", path, "--timing", "instant"] })
  await screen.waitFor("poet-3")
  return { path, screen }
}

/** It takes keys, goes back and forth in time, and draws. */
async function expectAnswers(screen: Terminal): Promise<void> {
  screen.press("g")
  screen.press(".,9.")
  screen.press("\x1b[F")
  await screen.press("?").waitFor("─ KEYS")
  await screen.press("?").waitFor(rows => !rows.some(row => row.includes("─ KEYS")))
  expect(screen.raw).not.toContain("screen has failed")
}

test("a recording that grows is shown as it grows, also where its last line was incomplete", async () => {
  const { path, screen } = await shown("grows")
  await using terminal = screen
  const more = rows([...FEW, "poet-4", "poet-5"]).slice(rows(FEW).length)
  await appendFile(path, more.slice(0, 30))
  await terminal.waitFor(/incomplete/)
  await appendFile(path, more.slice(30))
  await terminal.waitFor("poet-5")
  await expectAnswers(terminal)
  await terminal.waitFor("poet-5")
})

test("a recording that shrinks is read again from its start, and so is another that takes its path", async () => {
  const { path, screen } = await shown("shrinks")
  await using terminal = screen
  await truncate(path, rows(FEW.slice(0, 1)).length)
  await terminal.waitFor(text => !text.join("\n").includes("poet-3") && text.join("\n").includes("poet-1"))
  await truncate(path, 0)
  await terminal.waitFor(text => !text.join("\n").includes("poet-1"))
  await expectAnswers(terminal)
  await Bun.write(`${path}.new`, rows(["judge"]))
  await rename(`${path}.new`, path)
  await terminal.waitFor("judge")
  await expectAnswers(terminal)
})

const ways: readonly (readonly [string, (path: string) => Promise<unknown>, string])[] = [
  ["gone", async () => undefined, "no such file"],
  ["a pipe that nobody writes", path => Bun.spawn(["mkfifo", path]).exited, "not a regular file"],
  ["a link to itself", path => symlink(path, path), "too many symbolic links"],
]
test.each(ways)(
  "a recording whose path becomes %s stays shown, and the next recording at that path is read",
  async (what, make, words) => {
    const { path, screen } = await shown(what.replaceAll(/\W/g, "-"))
    await using terminal = screen
    const away = `${path}.away`
    await copyFile(path, away)
    await rm(path)
    await make(path)
    // Two looks at the file and more: each takes half a second.
    terminal.press("\t\tg\r")
    await terminal.waitFor("DATA")
    terminal.press("\x1b")
    await terminal.waitFor(text => !text.some(row => row.includes("DATA")))
    // Its past is in the file that was, or cannot be had, and the footer says why.
    terminal.press(",")
    await terminal.waitFor(text => text.some(row => / [12]\/3 /.test(row) || row.includes(words)))
    await expectAnswers(terminal)
    await terminal.waitFor("poet-3")
    await Bun.write(away, rows(["judge"]))
    await rm(path, { recursive: true, force: true })
    await rename(away, path)
    await terminal.waitFor("judge")
    await expectAnswers(terminal)
  },
)
