// Tests which files below a session directory are artifacts, and that a transcript is read piece by piece.
import { expect, test } from "bun:test"
import { appendFile, mkdir, rename, symlink, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { listArtifacts } from "../../src/session-dir/artifacts.ts"
import { TranscriptFile } from "../../src/session-dir/transcript-file.ts"
import { openedDirectory } from "../captured.ts"
import { eventText } from "../run/lines.ts"
import { fileScratch, scratch } from "../scratch.ts"

const listed = async (path: string) => (await listArtifacts(await openedDirectory(path))).value

test("artifacts are listed in six levels of folders at most, also where a folder links to its parent", async () => {
  using run = scratch()
  for (const name of ["a/b/c/d/e/f/deep.txt", "a/b/c/d/e/f/g/deeper.txt", "loop/x.txt"])
    await Bun.write(join(run.path, "artifacts", name), "x")
  await symlink("..", join(run.path, "artifacts/loop/up"))
  const value = await listed(run.path)
  const titles = (value?.artifacts ?? []).map(({ title }) => title)
  expect(titles).toEqual(expect.arrayContaining(["a/b/c/d/e/f/deep.txt", "loop/x.txt"]))
  expect([value?.hasMore, Math.max(...titles.map(title => title.split("/").length - 1))]).toEqual([true, 6])
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
  await Bun.write(join(run.path, "checkpoints/a/b/c/d/e/f/g/deep.edn"), "{}")
  expect([value?.hasMore, (await listed(run.path))?.hasMore]).toEqual([false, true])
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
  const endless = { list: async () => ({ value: { entries: [], truncated: true } }) }
  expect((await listArtifacts(endless as never)).value?.hasMore).toBe(true)
})

const root = fileScratch()
const path = join(root, "transcript.jsonl")
const rows = Array.from({ length: 300 }, (_, i) => eventText(i, "app/note"))

test("a transcript comes in pieces, each once the one before it was taken, until no more is wanted", async () => {
  await writeFile(path, `${rows.join("\n")}\n${eventText(300, "app/note")}`)
  const file = new TranscriptFile(await openedDirectory(root))
  const taken = async (most: number) => {
    const sizes: number[] = []
    let waiting = 0
    const { value } = await file.read(1e6, async ({ length }) => {
      expect(waiting++).toBe(0)
      await new Promise(setImmediate)
      waiting--
      return sizes.push(length) < most
    })
    return [sizes, value]
  }
  expect(await taken(9)).toEqual([[128, 128, 44, 1], { isComplete: true, restarted: false }])
  expect(await taken(2)).toEqual([[128, 128], { isComplete: true, restarted: false }])
})

test("of the end of a transcript no torn row is read, and one that was written anew begins again", async () => {
  await writeFile(path, `${rows.join("\n")}\n{"event":"torn`)
  const file = new TranscriptFile(await openedDirectory(root))
  const texts: string[] = []
  const read = (bytes: number) =>
    file.read(bytes, async all => {
      texts.push(...all.map(({ text }) => text))
      return true
    })
  expect((await read(200)).value).toEqual({ isComplete: false, restarted: false })
  expect(texts.at(-1)).toBe(rows[299] ?? "")
  expect(texts.length).toBeLessThan(4)
  await appendFile(path, '"}\n')
  expect((await read(20)).value?.restarted).toBe(false)
  await writeFile(path, `${rows[0]}\n`)
  expect((await read(1e6)).value).toEqual({ isComplete: true, restarted: true })
  await writeFile(join(root, "next"), `${rows[0]}\n${rows[1]}\n`)
  await rename(join(root, "next"), path)
  const size = `${rows[0]}\n${rows[1]}\n`.length
  expect((await read(size - 1)).value).toEqual({ isComplete: false, restarted: true })
  expect((await read(size)).value).toEqual({ isComplete: true, restarted: false })
})
