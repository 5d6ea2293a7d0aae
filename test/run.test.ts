// Tests the runner of the tests: what it counts, prints and refuses.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { readReport } from "../tools/test/report.ts"
import { type Outcome, runTests } from "../tools/test/run.ts"
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
    const outcome = await runFiles({ "test/good.test.ts": GOOD })
    expect(outcome).toEqual({ passed: 2, failed: 0, skipped: 0, skips: [], output: "" })
  })

  const passes = 'import { expect, test } from "bun:test"; test("a", () => expect(1).toBe(1)); '
  test.each([
    ["fails to load", 'throw new Error("on load")', 1, "on load"],
    ["has no tests", "export {}", 1, "test/bad.test.ts: no test of it ran"],
    ["exits early", `${passes}test("b", () => process.exit(0))`, 1, ""],
    ["is killed", 'import { test } from "bun:test"; test("a", () => process.kill(process.pid, "SIGKILL"))', 1, ""],
    ["passes without an assertion", `${passes}test("loop", () => {})`, 1, "> loop: passed without an assertion"],
    ["fails after its last test", `${passes}import { afterAll } from "bun:test"; afterAll(() => { throw 1 })`, 1, ""],
    ["is focused", 'import { test } from "bun:test"; test.only("a", () => {}); test("b", () => {})', 1, ""],
  ])("counts a file that %s as failed", async (_, text, failed, output) => {
    const outcome = await runFiles({ "test/good.test.ts": GOOD, "test/bad.test.ts": text })
    expect(outcome.passed).toBeGreaterThanOrEqual(2)
    expect(outcome).toMatchObject({ failed, output: expect.stringContaining(output) })
  })

  test("fails if there are no tests", async () => {
    expect(await runFiles({ "test/notes.ts": "" })).toMatchObject({ passed: 0, failed: 1 })
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
})

test("a JUnit report that is not one has no tests", () => {
  for (const text of ["", "killed", '<?xml version="1.0"?><testsuites tests="3"></testsuites>']) {
    expect(readReport(text)).toEqual([])
  }
})

/** Writes the files into a directory of their own, runs them there, and removes it. */
async function runFiles(files: Readonly<Record<string, string>>): Promise<Outcome> {
  using root = scratch()
  for (const [path, text] of Object.entries(files)) await Bun.write(join(root.path, path), text)
  return await runTests(root.path)
}
