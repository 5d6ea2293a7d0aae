// Tests that a benchmark that fails or hangs ends, says why, and leaves nothing behind.
import { afterEach, expect, test } from "bun:test"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { outcomeOf } from "../../tools/bench/one-bench.ts"
import { isRunning } from "../running.ts"
import { fileScratch } from "../scratch.ts"
import { until } from "../until.ts"

const home = fileScratch()
const file = join(home, "bench.ts")
const told = join(home, "told")

afterEach(() => rmSync(told, { force: true }))

const run = (source: string, signal = new AbortController().signal) => {
  writeFileSync(file, `export {}\n${source}`)
  return outcomeOf(file, signal)
}

test("the last line that a bench prints is what it found", async () => {
  expect(await run(`console.log("warming up"); console.log("[]")`)).toEqual({ results: [] })
})

test("a bench that throws, and one that prints no results, say so and have no directory left", async () => {
  const leave = `const { mkdtempSync } = await import("node:fs"), { tmpdir } = await import("node:os")
    await Bun.write(${JSON.stringify(told)}, mkdtempSync(tmpdir() + "/left-"))\n`
  expect(await run(`${leave}process.exit(3)`)).toEqual({ failure: "exit code 3" })
  expect(existsSync(readFileSync(told, "utf8"))).toBe(false)
  expect(await run(`${leave}console.log("oh")`)).toMatchObject({ failure: expect.stringContaining("no results") })
  expect(existsSync(readFileSync(told, "utf8"))).toBe(false)
})

test("a bench that hangs is stopped, with the program in its terminal", async () => {
  const hang = `const program = Bun.spawn(["sleep", "1000"], { terminal: { cols: 80, rows: 24 } })
    await Bun.write(${JSON.stringify(told)}, String(program.pid))
    for (;;) {}`
  const limit = new AbortController()
  const outcome = run(hang, limit.signal)
  await until(() => existsSync(told) && readFileSync(told, "utf8") !== "")
  limit.abort()
  expect(await outcome).toEqual({ failure: "it was not done in time" })
  const pid = Number(readFileSync(told, "utf8"))
  await until(async () => !(await isRunning(pid)))
  expect(await isRunning(pid)).toBe(false)
})
