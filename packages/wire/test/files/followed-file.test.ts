// Tests that a file is followed through everything that may happen to it between two looks.
import { expect, test } from "bun:test"
import { appendFile, type FileHandle, rename, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileScratch } from "../../../../test/scratch.ts"
import { FollowedFile } from "../../src/files/followed-file.ts"
import { isBelow, isOpenedBelow, openedPath } from "../../src/files/opened-path.ts"
import { openRecording } from "../../src/files/recording-path.ts"

const dir = fileScratch()
const path = join(dir, "log")

const long = "x".repeat(300)

const cases: readonly (readonly [name: string, does: () => Promise<void>, change: string, lines: readonly string[]])[] =
  [
    ["that did not change has no lines", async () => undefined, "same", []],
    ["that grew has what came, a cut line whole", () => appendFile(path, "ee\nfour\n"), "grown", ["three", "four"]],
    ["that was cut is read from its start", () => truncate(path, 4), "replaced", ["one"]],
    [
      "that was emptied and written again, longer than before, is read from its start",
      () => writeFile(path, `un\ndeux\ntrois\n${long}\n`),
      "replaced",
      ["un", "deux", "trois", long],
    ],
    [
      "that was written again at the same length is read from its start",
      () => writeFile(path, "eno\ntwo\nthr"),
      "replaced",
      ["eno", "two"],
    ],
    [
      "that was rotated is read from the start of the new one",
      async () => {
        await rename(path, `${path}.1`)
        await writeFile(path, "one\ntwo\nthree\nnew\n")
      },
      "replaced",
      ["one", "two", "three", "new"],
    ],
  ]

test.each(cases)("a file %s", async (_, does, change, expected) => {
  await writeFile(path, "one\ntwo\nthr")
  const opened: FileHandle[] = []
  const file = new FollowedFile(async () => {
    const handle = await openRecording(path)
    opened.push(handle)
    return handle
  })
  expect(await file.look()).toBe("grown")
  expect(await linesOf(file)).toEqual(["one", "two"])
  await does()
  // What came between a look and reading is for the next look to tell.
  if (change === "replaced") expect(await linesOf(file)).toEqual([])
  // Where reading begins counts for the first look alone.
  expect(String(await file.look(size => size))).toBe(change)
  expect(await linesOf(file)).toEqual(expected)
  expect(await file.look()).toBe("same")
  await file.close()
  expect(opened.map(({ fd }) => fd)).toEqual(opened.map(() => -1))
  expect([file.offset, await file.look()]).toEqual([0, "grown"])
  await file.close()
})

test("a file that is missing for a while is read on if it comes back as it was", async () => {
  await writeFile(path, `${long}\n`)
  const file = new FollowedFile(() => openRecording(path))
  await file.look()
  await linesOf(file)
  await rename(path, `${path}.away`)
  await expect(file.look()).rejects.toMatchObject({ code: "ENOENT" })
  await rename(`${path}.away`, path)
  // It is known by more than the lines that came last.
  for (const line of ["more", "and more", ""]) {
    await appendFile(path, `${line}\n`)
    expect([await file.look(), await linesOf(file)]).toEqual(["grown", [line]])
  }
  await file.close()
})

test("reading begins at the first line that begins where it should, or at the end", async () => {
  for (const [from, rest, expected] of [
    [4, "two", ["two", "next"]],
    [5, "", ["next"]],
    [7, "", ["", "next"]],
    [-3, "two", ["one", "two", "next"]],
  ] as const) {
    await writeFile(path, "one\ntwo")
    const file = new FollowedFile(() => openRecording(path))
    await file.look(() => from)
    const before = await linesOf(file)
    expect<unknown>(file.remainder()).toBe(rest)
    await appendFile(path, "\nnext\n")
    await file.look()
    expect([...before, ...(await linesOf(file))]).toEqual([...expected])
    await file.close()
  }
})

test("a path is below a folder if it is that folder, or in it", () => {
  const paths = ["/a", "/a/b", "/ab", "/"].map(path => `${isBelow("/a", path)} ${isBelow("/", path)}`)
  expect(paths).toEqual(["true true", "true true", "false true", "false true"])
})

test("where an open file is, and its text, are found whatever becomes of its name", async () => {
  await writeFile(path, "kept")
  const handle = await openRecording(path)
  await rename(path, `${path}.moved`)
  const roots = [dir, path, "/"].map(root => isOpenedBelow(root, handle))
  expect(await Promise.all(roots)).toEqual([true, false, true])
  expect(await Bun.file(openedPath(handle, "/nowhere")).text()).toBe("kept")
  await handle.close()
})

async function linesOf(file: FollowedFile): Promise<readonly unknown[]> {
  const all: unknown[] = []
  for await (const lines of file.lines()) all.push(...lines)
  return all
}
