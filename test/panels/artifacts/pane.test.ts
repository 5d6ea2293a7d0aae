// Tests the tabs on the session directory: artifacts, an open file, and the agent's log.
import { expect, test } from "bun:test"
import { appendFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { DirectoryInspection } from "../../../src/app/handlers/run-directory.ts"
import { diskReads } from "../../../src/panels/disk-reads.ts"
import { SessionDirectory } from "../../../src/session-dir/session-directory.ts"
import { capturedRun } from "../../captured.ts"
import { replay, type Shown, show } from "../../screen/screen.tsx"
import { untilShown } from "../../until.ts"

/** A screen whose requests for the directory are performed as by the program. */
async function open(path: string, columns: number, rows: number): Promise<Shown> {
  const screen = await show({ columns, rows, link: replay })
  const { value: directory } = await SessionDirectory.open(path)
  if (directory === undefined) throw new Error("no directory")
  screen.store.dispatch({ type: "directory", directory: { path: directory.path, error: null } })
  const inspection = new DirectoryInspection(directory, screen.store.dispatch)
  let seen = screen.store.shown()
  screen.store.subscribe(() => {
    const before = seen
    seen = screen.store.shown()
    for (const effect of diskReads(before, seen, null))
      if (effect.type === "directory/read") inspection.read(effect.request)
  })
  return screen
}

test("the artifacts tab shows new files while it is open, and keeps its cursor on the same artifact", async () => {
  await using run = await capturedRun()
  const screen = await open(run.path, 80, 24)
  await seen(screen.press(":", ..."files", "enter"), "judge.verdict.md")
  while (!(await screen.row("│ ▸ ")).includes("verdict")) screen.press("j")
  await writeFile(join(run.path, "artifacts/late.txt"), "here")
  await seen(screen, "late.txt")
  expect(await screen.row("│ ▸ ")).toContain("verdict")
  screen.press("escape")
})

test("the title of the artifacts tab says that only the first 2,000 are listed, where there are more", async () => {
  const screen = await show({ columns: 80, rows: 24 })
  screen.store.dispatch({ type: "directory", directory: { path: "/run", error: null } })
  screen.press(":", ..."files", "enter")
  const artifacts = Array.from({ length: 2000 }, (_, n) => {
    const title = sanitizeLine(`${n}.txt`)
    return { name: `artifacts/${n}.txt`, title, size: 1, changedAt: 0, refused: false }
  })
  screen.store.dispatch({ type: "files", change: { artifacts, hasMoreArtifacts: true } })
  expect(await screen.row("FILES")).toContain("FILES  first 2,000 ")
  screen.store.dispatch({ type: "files", change: { hasMoreArtifacts: false } })
  expect(await screen.row("FILES")).toContain("FILES  2,000 ")
})

test("a file of the session directory that is not text, or leads outside the session directory, is refused with the reason", async () => {
  await using run = await capturedRun()
  await writeFile(join(run.path, "artifacts/picture"), new Uint8Array([1, 0, 2]))
  await symlink("/etc/passwd", join(run.path, "artifacts/link"))
  const screen = await open(run.path, 80, 24)
  await seen(screen.press(":", ..."files", "enter"), "picture")
  expect(await screen.row("link")).toMatch(/link +refused *│/)
  while (!(await screen.row("│ ▸ ")).includes("picture")) screen.press("j")
  await seen(screen.press("enter"), "picture is binary")
  expect(await screen.press("escape", "G").row("│ ▸ ")).toContain("link")
  await seen(screen.press("enter"), "a link that leads outside the session directory")
})

test("the agent's log is a file that is followed at its end", async () => {
  await using run = await capturedRun()
  const screen = await open(run.path, 80, 24)
  await seen(screen.press(":", ..."agent-log", "enter"), "WARN slow model")
  await appendFile(join(run.path, "escapement.log"), "one more\u001b[2J\n")
  await seen(screen, "one more␛[2J")
  expect(await screen.text()).toContain("FILE  escapement.log")
})

test("files and the agent's log without a session directory say which option would name one", async () => {
  const screen = await show({ columns: 80, rows: 24 })
  screen.press(":", ..."files", "enter")
  expect(await screen.text()).toContain("No session directory. Start with --session-dir DIR")
  screen.press("escape", ":", ..."agent-log", "enter")
  expect(await screen.text()).toContain("No session directory. Start with --session-dir DIR")
})

async function seen(screen: Shown, text: string): Promise<void> {
  await untilShown({ screen: () => screen.rows() }, text)
}
