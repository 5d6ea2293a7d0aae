// Tests that a file is followed through everything that may happen to it between two looks.
import { expect, test } from "bun:test"
import { appendFile, rename, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileScratch } from "../../../../test/scratch.ts"
import { FollowedFile } from "../../src/files/followed-file.ts"
import { openRecording } from "../../src/files/recording-path.ts"

const dir = fileScratch()
const path = join(dir, "log")

const long = "x".repeat(300)

const cases: readonly (readonly [name: string, does: () => Promise<void>, change: string, lines: readonly string[]])[] =
  [
    ["that did not change has no lines", async () => undefined, "same", []],
    [
      "that grew has the appended lines, and completes a cut one",
      () => appendFile(path, "ee\nfour\n"),
      "grown",
      ["three", "four"],
    ],
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
  const file = new FollowedFile(() => openRecording(path))
  expect(await file.look()).toBe("grown")
  expect(await linesOf(file)).toEqual(["one", "two"])
  await does()
  expect(String(await file.look())).toBe(change)
  expect(await linesOf(file)).toEqual(expected)
  expect(await file.look()).toBe("same")
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
  await appendFile(path, "more\n")
  expect([await file.look(), await linesOf(file)]).toEqual(["grown", ["more"]])
  await file.close()
})

test("reading begins at the first line that begins where it should, or at the end", async () => {
  for (const [from, expected] of [
    [4, ["two", "next"]],
    [5, ["next"]],
    [8, ["next"]],
    [-3, ["one", "two", "next"]],
  ] as const) {
    await writeFile(path, "one\ntwo\n")
    const file = new FollowedFile(() => openRecording(path))
    await file.look(() => from)
    const before = await linesOf(file)
    await appendFile(path, "next\n")
    await file.look()
    expect([...before, ...(await linesOf(file))]).toEqual([...expected])
    await file.close()
  }
})

async function linesOf(file: FollowedFile): Promise<readonly unknown[]> {
  const all: unknown[] = []
  for await (const lines of file.lines()) all.push(...lines)
  return all
}
