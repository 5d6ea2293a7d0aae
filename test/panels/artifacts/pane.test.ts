// Tests the tabs on the session directory: artifacts, an open file, and the agent's log.
import { expect, test } from "bun:test"
import { appendFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { DirectoryInspection } from "../../../src/app/handlers/run-directory.ts"
import { diskReads } from "../../../src/panels/disk-reads.ts"
import { SessionDirectory } from "../../../src/session-dir/session-directory.ts"
import type { DirectoryFiles } from "../../../src/view/directory-files.ts"
import { capturedRun } from "../../captured.ts"
import { replay, type Shown, show } from "../../screen/screen.tsx"
import { untilShown } from "../../until.ts"
import { type Step, walked } from "../steps.ts"

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

test("the files are told with their sizes and ages, or why there are none, and how many of more are listed", async () => {
  const screen = await show({ columns: 60, rows: 24 })
  const { dispatch } = screen.store
  const directory = (error: string | null): Step => [
    `directory: ${error}`,
    () => dispatch({ type: "directory", directory: { path: "/run", error } }),
  ]
  const files = (name: string, change: Partial<DirectoryFiles>): Step => [
    name,
    () => dispatch({ type: "files", change }),
  ]
  const HOUR = 3_600_000
  const some = [0, 1, 47.9, 48, 286].map((hours, n) => {
    const [title, refused] = [sanitizeLine(`${n}.txt`), n === 1]
    return { name: `artifacts/${n}.txt`, title, size: 900 * n, changedAt: 500 * HOUR - hours * HOUR, refused }
  })
  const all = Array.from({ length: 2000 }, (_, n) => ({ ...some[0], name: `${n}` }) as (typeof some)[0] & object)
  const steps = [
    ": 'agent-log' enter",
    "escape : 'files' enter",
    directory("gone"),
    directory(null),
    files("why", { artifactsWhy: "no such directory" }),
    files("none", { artifactsWhy: null, artifacts: [] }),
    files("some, at an unknown time", { artifacts: some }),
    files("and known, of more", { artifactsAt: 500 * HOUR, hasMoreArtifacts: true }),
    files("2,000", { artifacts: all, hasMoreArtifacts: false }),
    "pagedown",
    files("some", { artifacts: some }),
    ..."j j o|escape|: 'agent-log' enter|: 'files' enter|enter".split("|"),
  ]
  expect(await walked(screen, ...steps)).toMatchSnapshot()
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

async function seen(screen: Shown, text: string): Promise<void> {
  await untilShown({ screen: () => screen.rows() }, text)
}
