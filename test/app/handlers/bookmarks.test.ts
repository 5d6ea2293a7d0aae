// Tests where bookmarks are kept: in one private file for each run.
import { expect, test } from "bun:test"
import { readdir, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { BookmarkFile } from "../../../src/app/handlers/bookmarks.ts"
import { fileScratch } from "../../scratch.ts"

const scratch = fileScratch()

const marks = [{ epoch: 0, seq: 5, note: "here" }]

test("the bookmarks of a run are read back for that run and for no other", async () => {
  const directory = join(scratch, "a", "b")
  const complaints: string[] = []
  const file = new BookmarkFile(directory, why => complaints.push(why))
  expect(await file.open("session/../x")).toEqual([])
  await Promise.all([file.write([]), file.write(marks)])
  expect(await new BookmarkFile(directory, () => undefined).open("session/../x")).toEqual(marks)
  expect(await new BookmarkFile(directory, () => undefined).open("other")).toEqual([])
  const names = await readdir(directory)
  expect(names).toHaveLength(1)
  expect((await stat(join(directory, names[0] ?? ""))).mode & 0o777).toBe(0o600)
  expect(complaints).toEqual([])
})

test("two screens of one run keep each other's bookmarks, and a deletion in one holds in both", async () => {
  const directory = join(scratch, "two")
  const [one, other] = [new BookmarkFile(directory, () => undefined), new BookmarkFile(directory, () => undefined)]
  const mark = (seq: number, note = "") => ({ epoch: 0, seq, note })
  expect([await one.open("run"), await other.open("run")]).toEqual([[], []])
  await one.write([mark(1), mark(2)])
  await other.write([mark(3)])
  await one.write([mark(1), mark(2, "noted")])
  await other.write([mark(3), mark(4)])
  await one.write([mark(2, "noted")])
  const kept = await new BookmarkFile(directory, () => undefined).open("run")
  expect(kept).toEqual([mark(2, "noted"), mark(3), mark(4)])
})

test("a recording has the bookmarks that were made while its run was live", async () => {
  const directory = join(scratch, "live")
  const live = new BookmarkFile(directory, () => undefined)
  await live.open(":session/1")
  await live.write(marks)
  const recorded = new BookmarkFile(directory, () => undefined)
  await recorded.open('{"kind":"event"}')
  recorded.readOther(null, () => undefined)
  expect(await new Promise(done => recorded.readOther(":session/1", done))).toEqual(marks)
})

test("a directory that cannot be written is reported without a throw", async () => {
  const complaints: string[] = []
  await writeFile(join(scratch, "file"), "")
  const file = new BookmarkFile(join(scratch, "file/below"), why => complaints.push(why))
  const before = await file.open("x")
  await file.write(marks)
  expect([before, complaints.length]).toEqual([[], 1])
})
