// Tests the runner of the tests: what it counts, prints and refuses.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { readReport } from "./report.ts"
import { type Outcome, runTests } from "./run.ts"
import { scratch } from "./scratch.ts"

const GOOD =
  'import { expect, test } from "bun:test"; test("a", () => expect(1).toBe(1)); test("b", () => expect(1).toBe(1))'

describe("a run of the tests", () => {
  test("counts what passed, failed and was skipped, and shows what failed", async () => {
    const outcome = await runFiles({
      "test/good.test.ts": GOOD,
      "test/deep/mixed.test.tsx": `
        import { describe, expect, test } from "bun:test"
        test("says <failure> & \\"no\\"", () => { expect("<testcase ").toBe("<skipped />") })
        describe.skip("a pane (not run: \\"x\\" is missing)", () => { test("one", () => {}); test("two", () => {}) })
        test.todo("later")
        test("hangs", async () => { await new Promise(() => {}) }, 20)
      `,
    })
    expect(outcome).toMatchObject({ passed: 2, failed: 2, skipped: 3 })
    expect([...outcome.skips].sort()).toEqual(['a pane (not run: "x" is missing)', "later"])
    expect(outcome.output).toContain('says <failure> & "no"')
    expect(outcome.output).toContain("timed out")
  })

  test("prints nothing if all tests pass", async () => {
    expect(await runFiles({ "test/good.test.ts": GOOD })).toEqual({
      passed: 2,
      failed: 0,
      skipped: 0,
      skips: [],
      output: "",
    })
  })

  test("counts a file that fails to load as failed", async () => {
    const outcome = await runFiles({ "test/good.test.ts": GOOD, "test/broken.test.ts": 'throw new Error("on load")' })
    expect(outcome).toMatchObject({ passed: 2, failed: 1 })
    expect(outcome.output).toContain("on load")
    expect(outcome.output).toEndWith("test/broken.test.ts: no test of it ran")
  })

  test("counts a file without tests as failed", async () => {
    const outcome = await runFiles({ "test/good.test.ts": GOOD, "test/empty.test.ts": "export {}" })
    expect(outcome).toMatchObject({
      passed: 2,
      failed: 1,
      output: expect.stringContaining("empty.test.ts: no test of it ran"),
    })
  })

  test("counts a test process that exits early or is killed as failed", async () => {
    const leave =
      'import { expect, test } from "bun:test"; test("a", () => expect(1).toBe(1)); test("b", () => process.exit(0))'
    const killed = 'import { test } from "bun:test"; test("a", () => { process.kill(process.pid, "SIGKILL") })'
    expect(await runFiles({ "test/alone.test.ts": leave })).toMatchObject({ passed: 0, failed: 1 })
    expect(await runFiles({ "test/alone.test.ts": killed })).toMatchObject({ passed: 0, failed: 1 })
    const both = await runFiles({
      "test/good.test.ts": GOOD,
      "test/leave.test.ts": leave,
      "test/killed.test.ts": killed,
    })
    expect(both.passed).toBeGreaterThanOrEqual(2)
    expect(both.failed).toBe(2)
  })

  test("runs a file that failed beside the others again alone, and says so", async () => {
    const unsteady = `
      import { expect, test } from "bun:test"
      import { existsSync, writeFileSync } from "node:fs"
      const ranBefore = existsSync("ran")
      writeFileSync("ran", "")
      test("needs a quiet machine", () => { expect(ranBefore).toBe(true) })
      test("is steady", () => { expect(1).toBe(1) })
    `
    const outcome = await runFiles({ "test/good.test.ts": GOOD, "test/unsteady.test.ts": unsteady })
    expect(outcome).toMatchObject({ passed: 4, failed: 0 })
    expect(outcome.output).toContain("needs a quiet machine")
    expect(outcome.output).toEndWith("test/unsteady.test.ts: failed beside the others, passed alone")
  })

  test("runs no file again if many fail", async () => {
    const bad = 'import { expect, test } from "bun:test"; test("bad", () => expect(1).toBe(2))'
    const names = ["a", "b", "c", "d", "e"].map(name => [`test/${name}.test.ts`, bad])
    const outcome = await runFiles(Object.fromEntries(names))
    expect(outcome).toMatchObject({ passed: 0, failed: 5 })
    expect(outcome.output.match(/expect\(received\)/g)).toHaveLength(5)
  })

  test("counts a test that passes without an assertion as failed", async () => {
    const silent =
      'import { expect, test } from "bun:test"; test("loop", () => { for (const one of []) expect(one).toBe(1) })'
    const outcome = await runFiles({ "test/good.test.ts": GOOD, "test/deep/silent.test.ts": silent })
    expect(outcome).toMatchObject({ passed: 3, failed: 1 })
    expect(outcome.output).toEndWith("test/deep/silent.test.ts > loop: passed without an assertion")
  })

  test("counts an error after the last test as failed", async () => {
    const late =
      'import { afterAll, expect, test } from "bun:test"; test("a", () => expect(1).toBe(1)); afterAll(() => { throw new Error("late") })'
    const outcome = await runFiles({ "test/late.test.ts": late })
    expect(outcome.failed).toBe(1)
    expect(outcome.output).toContain("late")
  })

  test("fails if there are no tests, or one is focused", async () => {
    expect(await runFiles({ "test/notes.ts": "" })).toMatchObject({ passed: 0, failed: 1 })
    const focused = 'import { test } from "bun:test"; test.only("a", () => {}); test("b", () => {})'
    expect(await runFiles({ "test/focused.test.ts": focused })).toMatchObject({ passed: 0, failed: 1 })
  })
})

describe("a JUnit report", () => {
  test("that is not one has no tests", () => {
    for (const text of ["", "killed", '<?xml version="1.0"?><testsuites tests="3"></testsuites>']) {
      expect(readReport(text)).toEqual([])
    }
  })
})

/** Writes the files into a directory of their own, runs them there, and removes it. */
async function runFiles(files: Readonly<Record<string, string>>): Promise<Outcome> {
  using root = scratch()

  for (const [path, text] of Object.entries(files)) await Bun.write(join(root.path, path), text)
  return await runTests(root.path)
}
