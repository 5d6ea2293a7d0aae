// Tests which indexes stay in their directory: those used last, as far as they fit, and none that a crash left unfinished.
import { expect, test } from "bun:test"
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { sweep, touch } from "../../src/timeline/index-directory.ts"
import { fileScratch } from "../scratch.ts"

const HOUR = 3600

test.each([
  [300, ["1.index", "2.index", "3.index", "4.index.0a-b", "6.index.txt", "notes"]],
  [299, ["1.index", "2.index", "4.index.0a-b", "6.index.txt", "notes"]],
  [100, ["4.index.0a-b", "6.index.txt", "notes"]],
  [0, ["6.index.txt", "notes"]],
])("of indexes of 75 bytes each, %p bytes keep those used last and what is being written", (most, left) => {
  const directory = fileScratch()
  const now = Date.now() / 1000
  // The fourth is being written, the fifth was left by a crash; the others are not ours.
  for (const [name, ago] of [
    ["1.index", HOUR],
    ["2.index", 2 * HOUR],
    ["3.index", 5 * HOUR],
    ["4.index.0a-b", HOUR / 2],
    ["5.index.0a-b", HOUR + 60],
    ["6.index.txt", 9 * HOUR],
    ["notes", 9 * HOUR],
  ] as const) {
    writeFileSync(join(directory, name), "x".repeat(75))
    utimesSync(join(directory, name), now - ago, now - ago)
  }
  sweep(directory, most)
  expect(readdirSync(directory).sort()).toEqual([...left])
})

test("what can't be swept or touched stays, and fails nothing", () => {
  const directory = fileScratch()
  mkdirSync(join(directory, "1.index"))
  sweep(directory, 0)
  sweep(join(directory, "none"), 0)
  touch(join(directory, "none"))
  expect(readdirSync(directory)).toEqual(["1.index"])
  utimesSync(join(directory, "1.index"), 1000, 1000)
  touch(join(directory, "1.index"))
  expect(Date.now() - statSync(join(directory, "1.index")).mtimeMs).toBeLessThan(60_000)
})
