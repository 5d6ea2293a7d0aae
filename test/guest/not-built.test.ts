// Tests a checkout in which nobody has built the parsers in the box: it says which command builds them.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root } from "../fixtures.ts"

const copy = mkdtempSync(join(tmpdir(), "not-built-"))

beforeAll(() => {
  for (const name of ["src", "package.json", "tsconfig.json", "bunfig.toml"])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"))
})

afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** What the program in that checkout prints into a pipe, and its exit code. */
async function run(...args: readonly string[]) {
  const command = [process.execPath, "run", "src/main.tsx", ...args]
  const child = Bun.spawn({ cmd: command, cwd: copy, stdin: "ignore", stdout: "pipe", stderr: "pipe" })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { out, err, code }
}

const COMMAND = "not built in this checkout: bun run parsers builds it"
const log = join(root, "fixtures/cli/claude.jsonl")

test("--parser of a CLI is refused in one line that names the command", async () => {
  const { err, code } = await run("replay", "--plain", "--parser", "claude", log)
  expect(err.trimEnd().split("\n")).toEqual([expect.stringContaining(`--parser claude: ${COMMAND}`)])
  expect(code).toBe(2)
})

test("a log that a CLI printed is shown line by line, with a warning that names the command", async () => {
  const { out, code } = await run("replay", "--plain", log)
  expect(out).toContain(COMMAND)
  expect(out).toContain("I'll read the code and run its test.")
  expect(code).toBe(0)
})

test("a CLI that is run is read as text, with the same warning", async () => {
  const { out, code } = await run("run", "--plain", "--", "sh", "-c", `cat '${log}'`)
  expect(out).toContain(COMMAND)
  expect(code).toBe(0)
})
