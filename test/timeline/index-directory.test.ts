// Tests which indexes stay in their directory: those used last, as far as they fit, and none that a crash left unfinished.
import { expect, test } from "bun:test"
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { identityOf, stillBeginsWith, sweep, touch } from "../../src/timeline/index-directory.ts"
import { fileScratch } from "../scratch.ts"

test.each([
  [300, ["1.index", "2.index", "3.index", "4.index.0a-b", "6.index.txt", "notes"]],
  [299, ["1.index", "2.index", "4.index.0a-b", "6.index.txt", "notes"]],
  [100, ["4.index.0a-b", "6.index.txt", "notes"]],
  [0, ["6.index.txt", "notes"]],
])("of indexes of 75 bytes each, %p bytes keep those used last and what is being written", (most, left) => {
  const directory = fileScratch()
  const now = Date.now() / 1000
  // The fourth is being written, the fifth was left by a crash; the others are not ours.
  const hours = "1.index=1 2.index=2 3.index=5 4.index.0a-b=0.5 5.index.0a-b=1.02 6.index.txt=9 notes=9"
  for (const [name = "", ago] of hours.split(" ").map(one => one.split("="))) {
    writeFileSync(join(directory, name), "x".repeat(75))
    utimesSync(join(directory, name), now - Number(ago) * 3600, now - Number(ago) * 3600)
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

test("by its first 64 KB and its last a recording is known again, though it has grown", async () => {
  await using file = await open(join(fileScratch(), "run.jsonl"), "wx+")
  await file.write(Buffer.alloc(200_009))
  const known = identityOf(file.fd, 200_000)
  const same: number[] = []
  for (const place of [0, 65_535, 65_536, 134_463, 134_464, 199_999, 200_000]) {
    await file.write("x", place)
    if (stillBeginsWith(file.fd, known)) same.push(place)
    await file.write("\0", place)
  }
  expect(same).toEqual([65_536, 134_463, 200_000])
})
