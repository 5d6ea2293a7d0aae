// Tests which files below a session directory are listed as artifacts.
import { expect, test } from "bun:test"
import { mkdir, symlink, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { listArtifacts } from "../../src/session-dir/artifacts.ts"
import { openedDirectory } from "../captured.ts"
import { scratch } from "../scratch.ts"

const listed = async (path: string) => (await listArtifacts(await openedDirectory(path))).value

test("artifacts are listed in six levels of folders at most, also where a folder links to its parent", async () => {
  using run = scratch()
  for (const name of ["a/b/c/d/e/f/deep.txt", "a/b/c/d/e/f/g/deeper.txt", "loop/x.txt"])
    await Bun.write(join(run.path, "artifacts", name), "x")
  await symlink("..", join(run.path, "artifacts/loop/up"))
  const value = await listed(run.path)
  const titles = (value?.artifacts ?? []).map(({ title }) => title)
  expect([value?.hasMore, titles.includes("a/b/c/d/e/f/deep.txt"), titles.includes("loop/x.txt")]).toEqual([
    true,
    true,
    true,
  ])
  expect(Math.max(...titles.map(title => title.split("/").length - 1))).toBe(6)
})

test("checkpoints are listed below the artifacts, latest first, without captures and history", async () => {
  using run = scratch()
  const files = ["artifacts/old.txt", "artifacts/new.txt", "artifacts/nodes/n/0/seed.edn", "checkpoints/session/x.edn"]
  for (const [age, name] of [...files, "checkpoints/history/session/x/0.edn"].entries()) {
    await Bun.write(join(run.path, name), "{}")
    await utimes(join(run.path, name), age + 1, age + 1)
  }
  await symlink("/etc/passwd", join(run.path, "artifacts/leak"))
  const value = await listed(run.path)
  expect(value?.artifacts.map(({ name, title, refused }) => `${name} ${title} ${refused}`)).toEqual([
    ...["artifacts/new.txt new.txt false", "artifacts/old.txt old.txt false", "artifacts/leak leak true"],
    "checkpoints/session/x.edn checkpoints/session/x.edn false",
  ])
  expect(value?.hasMore).toBe(false)
  await Bun.write(join(run.path, "checkpoints/a/b/c/d/e/f/g/deep.edn"), "{}")
  expect((await listed(run.path))?.hasMore).toBe(true)
})

test("of more artifacts than fit, the first 2,000 are listed, and the list says that there are more", async () => {
  using run = scratch()
  await mkdir(join(run.path, "artifacts/empty"), { recursive: true })
  const write = (n: number) => writeFile(join(run.path, `artifacts/${n}.txt`), "x")
  await Promise.all(Array.from({ length: 2000 }, (_, n) => write(n)))
  const full = await listed(run.path)
  expect([full?.artifacts.length, full?.hasMore]).toEqual([2000, false])
  await write(2000)
  const cut = await listed(run.path)
  expect([cut?.artifacts.length, cut?.hasMore]).toEqual([2000, true])
})
