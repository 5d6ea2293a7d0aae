// Runs the types, the lint, the screen's bundle and every test, and ends with one line of counts.
import { closeSync, openSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { TSC } from "../../build/bundle.ts"
import { packed } from "../../test/packages/packed.ts"
import { scratch } from "../../test/scratch.ts"
import { readReport, type TestResult } from "./report.ts"

export interface Outcome {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** The skipped tests, each with the reason in its name. */
  readonly skips: readonly string[]
  /** Empty if all is well. */
  readonly output: string
}

const TEST_FILES = ["test/**/*.test.{ts,tsx}", "packages/*/test/**/*.test.ts"]
/** One more than there are cores: a test in a terminal often waits, and leaves its core to another. */
const WORKERS = availableParallelism() + 1
/** If more files than this fail, the load of the machine is not the cause. */
const MOST_AGAIN = 4

/**
 * Runs every test under `root`. A file that reports nothing, a crash and a run without tests each count as failed. A
 * few files that fail beside the others are run again alone, since load alone must fail no run; what failed is shown
 * all the same.
 */
export async function runTests(root: string): Promise<Outcome> {
  const files = TEST_FILES.flatMap(glob => [...new Bun.Glob(glob).scanSync({ cwd: root })]).sort()
  const all = await bunTest(root, files, `--parallel=${WORKERS}`)
  const broken = files.filter(file => all.problems.some(problem => problem.file === file))
  if (broken.length === 0 || broken.length > MOST_AGAIN) return outcomeOf(all)
  const alone = await bunTest(root, broken, "--isolate")
  const again = outcomeOf({
    results: [...all.results.filter(({ file }) => !broken.includes(file)), ...alone.results],
    problems: [...all.problems.filter(({ file }) => file === null || !broken.includes(file)), ...alone.problems],
    output: [all.output, alone.output].join("\n"),
  })
  const unsteady = broken.filter(file => !alone.problems.some(problem => problem.file === file))
  const told = unsteady.map(file => `${file}: failed beside the others, passed alone`)
  return { ...again, output: [again.output || all.output, ...told].join("\n") }
}

interface TestRun {
  readonly results: readonly TestResult[]
  /** What failed; `text` is null where the output shows it, `file` null where none is known. */
  readonly problems: readonly { readonly file: string | null; readonly text: string | null }[]
  readonly output: string
}

function outcomeOf({ results, problems, output }: TestRun): Outcome {
  const count = (...outcomes: readonly TestResult["outcome"][]) =>
    results.filter(({ outcome }) => outcomes.includes(outcome)).length
  const skips = results.filter(({ outcome }) => outcome === "skipped").map(({ group, name }) => group || name)
  const texts = problems.flatMap(({ text }) => (text === null ? [] : [text]))
  return {
    passed: count("passed", "unasserted"),
    failed: problems.length,
    skipped: count("skipped"),
    skips: [...new Set(skips)],
    output: problems.length === 0 ? "" : [output, ...texts].join("\n"),
  }
}

/** Runs these test files. `way` is Bun's flag for how files share a process. */
async function bunTest(
  root: string,
  files: readonly string[],
  way: `--parallel=${number}` | "--isolate",
): Promise<TestRun> {
  if (files.length === 0) return { results: [], problems: [{ file: null, text: "no test ran" }], output: "" }
  return inScratch(async scratch => {
    const path = join(scratch, "report.xml")
    const report = ["--reporter=junit", `--reporter-outfile=${path}`]
    const flags = [way, "--only-failures", ...report]
    const { code, output } = await run(root, scratch, ["test", ...flags, ...files.map(file => `./${file}`)])
    const file = Bun.file(path)
    const results = readReport((await file.exists()) ? await file.text() : "")
    const ran = new Set(results.map(result => result.file))
    const problems: TestRun["problems"][number][] = []
    for (const { outcome, ...test } of results) {
      const name = [test.file, test.group, test.name].filter(part => part !== "").join(" > ")
      if (outcome === "failed") problems.push({ file: test.file, text: null })
      if (outcome === "unasserted") problems.push({ file: test.file, text: `${name}: passed without an assertion` })
    }
    for (const file of files) if (!ran.has(file)) problems.push({ file, text: `${file}: no test of it ran` })
    if (code !== 0 && problems.length === 0) problems.push({ file: null, text: `bun test ended with ${code}` })
    return { results, problems, output }
  })
}

/** Runs one tool; it counts as one test. */
async function runTool(root: string, command: readonly string[]): Promise<Outcome> {
  const { code, output } = await inScratch(scratch => run(root, scratch, command))
  return code === 0
    ? { passed: 1, failed: 0, skipped: 0, skips: [], output: "" }
    : { passed: 0, failed: 1, skipped: 0, skips: [], output }
}

async function inScratch<T>(work: (directory: string) => Promise<T>): Promise<T> {
  using directory = scratch()
  return await work(directory.path)
}

/** Runs the current bun, regardless of PATH. stdout and stderr go to one file, to keep their order. */
async function run(
  root: string,
  scratch: string,
  command: readonly string[],
): Promise<{ code: number; output: string }> {
  const path = join(scratch, "output")
  const output = openSync(path, "w")
  try {
    // CI makes bun refuse `.only`, which would silently skip tests.
    const child = Bun.spawn([process.execPath, ...command], {
      cwd: root,
      env: { ...process.env, CI: "true" },
      stdio: ["ignore", output, output],
    })
    const code = await child.exited
    return { code, output: (await Bun.file(path).text()).trim() }
  } finally {
    closeSync(output)
  }
}

async function stage(name: string, work: Promise<Outcome>): Promise<Outcome> {
  const start = performance.now()
  const outcome = await work
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  say([
    ...(outcome.output === "" ? [] : ["", outcome.output, ""]),
    `${name} ${outcome.failed === 0 ? "ok" : "FAILED"} (${seconds} s)`,
    ...outcome.skips.map(skip => `  skipped: ${skip}`),
  ])
  return outcome
}

function say(lines: readonly string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`)
}

const PACKAGES = [
  ["screen", "opentui-sidecar"],
  ["executable", "opentui-sidecar-linux-x64"],
  ["parser", "llm-stream-segments"],
  ["adapter", "paperclip-adapter-escapement"],
] as const

/** Builds and packs the packages into a directory, once for all the tests that install them. */
async function packAll(directory: string): Promise<Outcome> {
  try {
    for (const [part, name] of PACKAGES) await packed(part, name, directory)
    return { passed: 1, failed: 0, skipped: 0, skips: [], output: "" }
  } catch (error) {
    return { passed: 0, failed: 1, skipped: 0, skips: [], output: String(error) }
  }
}

async function main(): Promise<number> {
  const root = join(import.meta.dir, "../..")
  using tarballs = scratch()
  const checks = await Promise.all([
    stage("types", runTool(root, [TSC, "--noEmit"])),
    stage("lint", runTool(root, ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."])),
    // Built here, so that no terminal test starts a build in the background.
    stage("screen", runTool(root, ["build.ts", "app"])),
    stage("packages", packAll(tarballs.path)),
  ])
  process.env.TARBALLS = tarballs.path
  const outcomes = [...checks, await stage("tests", runTests(root))]
  const sum = (key: "passed" | "failed" | "skipped") => outcomes.reduce((total, outcome) => total + outcome[key], 0)
  const failed = sum("failed")
  const skipped = sum("skipped")
  say([`${sum("passed")} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`])
  return failed === 0 ? 0 : 1
}

if (import.meta.main) process.exitCode = await main()
