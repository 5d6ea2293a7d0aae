// Tests which files below a session directory are listed as artifacts.
import { expect, test } from "bun:test"
import { mkdir, symlink, writeFile } from "node:fs/promises"
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

test("checkpoints are listed below the artifacts, without their history", async () => {
  using run = scratch()
  for (const name of ["artifacts/a.txt", "checkpoints/session/x.edn", "checkpoints/history/session/x/0.edn"]) {
    await Bun.write(join(run.path, name), "{}")
  }
  const value = await listed(run.path)
  expect(value?.artifacts.map(({ name, title }) => [name, title])).toEqual([
    ["artifacts/a.txt", "a.txt"],
    ["checkpoints/session/x.edn", "checkpoints/session/x.edn"],
  ])
})

test("of more artifacts than fit, the first 2,000 are listed, and the list says that there are more", async () => {
  using run = scratch()
  await mkdir(join(run.path, "artifacts"))
  const write = (n: number) => writeFile(join(run.path, `artifacts/${n}.txt`), "x")
  await Promise.all(Array.from({ length: 2000 }, (_, n) => write(n)))
  const full = await listed(run.path)
  expect([full?.artifacts.length, full?.hasMore]).toEqual([2000, false])
  await write(2000)
  const cut = await listed(run.path)
  expect([cut?.artifacts.length, cut?.hasMore]).toEqual([2000, true])
})
