// Tests that only the latest crash files and bug reports are kept, and other files are left alone.
import { expect, test } from "bun:test"
import { mkdir, readdir, symlink } from "node:fs/promises"
import { basename, join } from "node:path"
import { writeCrash } from "../../src/app/crash.ts"
import { writeNewFile } from "../../src/app/state-files.ts"
import { fixture } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { until } from "../until.ts"
import { open, REPLAY, screenOptions, stateDirectory } from "./open-run.ts"

/** The number kept of each kind (docs/trust.md). */
const KEPT = 20

const scratch = fileScratch()

/** File names as the program gives them, for so many days of another year and process. */
const earlier = (count: number, ending: string): readonly string[] =>
  Array.from(
    { length: count },
    (_, day) => `2020-01-${String(day + 1).padStart(2, "0")}T10-20-30.123Z-${4000 - day}${ending}`,
  )

test("the latest 20 crash files stay, whichever process wrote them, and other files stay too", async () => {
  const crash = join(scratch, "crash")
  await mkdir(crash)
  const old = earlier(25, ".jsonl")
  const others = ["notes.txt", "2020-01-01T10-20-30.123Z-1.jsonl.bak", "2019"]
  for (const name of [...old, ...others]) await Bun.write(join(crash, name), "x")
  await symlink(scratch, join(crash, "2018-01-01T10-20-30.123Z-7"))

  const now = Date.UTC(2026, 0, 1)
  const paths = [0, 1, 2].map(later => writeCrash(scratch, new Error("a fault"), now + later, () => null))
  const left = (await readdir(crash)).toSorted()
  const written = paths.map(path => basename(path ?? ""))
  expect(left).toEqual([...others, ...old.slice(-(KEPT - written.length)), ...written].toSorted())
  // The link was removed, and not its target.
  expect(await readdir(scratch)).toContain("crash")
})

test("the latest 20 bug reports stay, with their contents", async () => {
  const run = await open({ ...REPLAY, path: fixture("prompts") }, { screen: screenOptions(scratch) })
  const bugs = join(stateDirectory(scratch), "bugs")
  const old = earlier(KEPT, "")
  for (const name of [...old, "mine"]) await Bun.write(join(bugs, name, "transcript.jsonl"), "x")
  run.perform([{ type: "bug-report/write" }])
  await until(() => run.store.get().view.notice !== null)
  run.close()
  const left = (await readdir(bugs)).toSorted()
  expect(left).toHaveLength(KEPT + 1)
  expect(left).toEqual(expect.arrayContaining([...old.slice(1), "mine"]))
  const [own = ""] = left.filter(name => name !== "mine" && !old.includes(name))
  expect(await readdir(join(bugs, own))).toContain("bug.json")
})

test("a new file leaves one of its name as it is, and nothing of one that failed", async () => {
  const directory = join(scratch, "new")
  const paths = [
    await writeNewFile(directory, "a run", "md", ["one"]),
    await writeNewFile(directory, "a run", "md", ["two"]),
  ]
  const texts = await Promise.all(paths.map(path => Bun.file(path).text()))
  expect([texts, new Set(paths).size]).toEqual([["one", "two"], 2])
  for (const name of ["..x y: ", "é", "x".repeat(99)]) paths.push(await writeNewFile(directory, name, "txt", []))
  const time = /-\d{8}T\d{6}Z/
  expect(paths.map(path => basename(path).replace(time, "-TIME").replace("TIME-2", "TIME"))).toEqual([
    ...["a-run-TIME.md", "a-run-TIME.md", "x-y-TIME.txt", "run-TIME.txt", `${"x".repeat(60)}-TIME.txt`],
  ])
  const failing = function* () {
    yield "half"
    throw new Error("no tea")
  }
  await expect(writeNewFile(directory, "other", "md", failing())).rejects.toThrow("no tea")
  expect(await readdir(directory)).toHaveLength(5)
})
