// Puts plausible bugs into a copy of the repository, one at a time, and prints those that the nearest tests don't see.
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { setPriority } from "node:os"
import { dirname, join, posix } from "node:path"
import { parseArgs } from "node:util"
import ts from "typescript"
import { type Random, randomOf } from "../../test/chaos/random.ts"
import { scratch } from "../../test/scratch.ts"
import { equalsOf, lineOf, type Mutant, mutantsOf, withMutant } from "./mutants.ts"

const USAGE = "bun tools/mutate/mutate.ts [--seed N] [--count N] [--minutes N] [FOLDER OR FILE OF src…]"
/** How much longer than without a bug the tests may take, and at least, ms: some bugs make them hang. */
const PATIENCE = { times: 4, ms: 20_000 }
/** Codes of the compiler for what is declared and not used, which a bug may well leave behind. */
const UNUSED: ReadonlySet<number> = new Set([6133, 6192, 6196, 6198, 6199])

/** A test that imports one of these starts the program, and so tests files that it does not import. */
const STARTERS: ReadonlySet<string> = new Set(["test/cli/ran.ts", "test/pty/sidecar.ts"])
const PROGRAM = "src/main.tsx"

interface Placed extends Mutant {
  readonly path: string
}

/** A copy of the repository's files as they are now, where a crash leaves nothing behind. */
class Copy {
  readonly #files: Map<string, string>
  readonly #versions = new Map<string, number>()
  readonly #service: ts.LanguageService
  /** The files that each file imports when it runs. */
  readonly #imports = new Map<string, readonly string[]>()
  readonly tests: readonly string[]

  constructor(
    root: string,
    readonly path: string,
  ) {
    const listed = Bun.spawnSync(["git", "ls-files", "-co", "--exclude-standard"], { cwd: root }).stdout.toString()
    const files = listed.split("\n").filter(file => file !== "" && existsSync(join(root, file)))
    for (const file of files) cpSync(join(root, file), join(path, file))
    symlinkSync(join(root, "node_modules"), join(path, "node_modules"))
    const code = files.filter(file => /^(src|test|tools|packages)\/.*\.tsx?$/.test(file))
    this.#files = new Map(code.map(file => [file, readFileSync(join(path, file), "utf8")]))
    this.tests = code.filter(file => /\.test\.tsx?$/.test(file))
    this.#service = this.#compiler()
  }

  #compiler(): ts.LanguageService {
    const config = ts.readConfigFile(join(this.path, "tsconfig.json"), ts.sys.readFile)
    const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, this.path)
    const nameOf = (file: string): string => posix.relative(this.path, file)
    const textOf = (file: string): string | undefined => this.#files.get(nameOf(file)) ?? ts.sys.readFile(file)
    return ts.createLanguageService({
      getCompilationSettings: () => options,
      getCurrentDirectory: () => this.path,
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
      readDirectory: ts.sys.readDirectory,
      directoryExists: ts.sys.directoryExists,
      getDirectories: ts.sys.getDirectories,
      ...(ts.sys.realpath && { realpath: ts.sys.realpath }),
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      getScriptFileNames: () => [...this.#files.keys()].map(file => join(this.path, file)),
      getScriptVersion: file => `${this.#versions.get(nameOf(file)) ?? 0}`,
      getScriptSnapshot: file => {
        const text = textOf(file)
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
      },
    })
  }

  below(places: readonly string[]): readonly string[] {
    const wanted = places.map(place => (/^(src|packages)/.test(place) ? place : `src/${place}`).replace(/\/$/, ""))
    return [...this.#files.keys()].filter(
      file =>
        /^(src|packages\/[^/]+\/src)\//.test(file) &&
        wanted.some(place => file === place || file.startsWith(`${place}/`)),
    )
  }

  text(path: string): string {
    return this.#files.get(path) ?? ""
  }

  put(path: string, text: string): void {
    this.#files.set(path, text)
    this.#versions.set(path, (this.#versions.get(path) ?? 0) + 1)
    writeFileSync(join(this.path, path), text)
  }

  /** Whether the compiler refuses the file as it is now. */
  refuses(path: string): boolean {
    const file = join(this.path, path)
    const found = [...this.#service.getSyntacticDiagnostics(file), ...this.#service.getSemanticDiagnostics(file)]
    return found.some(({ code }) => !UNUSED.has(code))
  }

  /** The tests that import the file, and those of its folder's mirror, else of the folders around it, that reach it. */
  nearest(path: string): readonly string[] {
    const importers = this.tests.filter(one => this.#importsOf(one).includes(path))
    return [...new Set([...importers, ...this.#inMirror(path)])]
  }

  #inMirror(path: string): readonly string[] {
    const reaches = this.tests.filter(one => one !== path && this.#reached(one).has(path))
    for (let folder = dirname(path).replace(/(^|\/)src/, "$1test"); folder.includes("/"); folder = dirname(folder)) {
      const own = reaches.filter(one => dirname(one) === folder)
      const near = own.length > 0 ? own : reaches.filter(one => one.startsWith(`${folder}/`))
      if (near.length > 0) return near
    }
    return []
  }

  #reached(from: string): ReadonlySet<string> {
    const seen = new Set([from])
    for (const file of seen) for (const next of this.#importsOf(file)) seen.add(next)
    return seen
  }

  #importsOf(file: string): readonly string[] {
    const known = this.#imports.get(file)
    if (known !== undefined) return known
    const text = this.#files.get(file) ?? ""
    const scanned = new Bun.Transpiler({ loader: file.endsWith("x") ? "tsx" : "ts" }).scanImports(text)
    const found = scanned.flatMap(({ path }) => (path.startsWith(".") ? posix.join(dirname(file), path) : []))
    if (STARTERS.has(file)) found.push(PROGRAM)
    // A thread is started by its path.
    for (const [, thread] of text.matchAll(/programPath\("([^"]+)"\)/g)) found.push(`${thread}.ts`)
    // So is a part that is loaded on demand, whose name ends as that of the file which loads it.
    for (const [, part = ""] of text.matchAll(/import\(`(\.[^$`]+)\$/g))
      found.push(`${posix.join(dirname(file), part)}.ts`)
    this.#imports.set(file, found)
    return found
  }
}

/** Each function gets a bug before one gets a second, so that long functions don't take them all. */
function drawn(all: readonly Placed[], random: Random): readonly Placed[] {
  const order = new Map(all.map(one => [one, random.next()]))
  const shuffled = all.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
  const counts = new Map<string, number>()
  const rounds = new Map(
    shuffled.map(one => {
      const place = `${one.path} ${one.where}`
      counts.set(place, (counts.get(place) ?? 0) + 1)
      return [one, counts.get(place) ?? 0]
    }),
  )
  return shuffled.toSorted((a, b) => (rounds.get(a) ?? 0) - (rounds.get(b) ?? 0))
}

/** Runs a file of tests. Null if they pass, else how they ended. */
async function failure(root: string, test: string, limitMs: number): Promise<"failed" | "hung" | null> {
  const child = Bun.spawn([process.execPath, "test", "--isolate", "--bail=1", `./${test}`], {
    cwd: root,
    stdio: ["ignore", "ignore", "ignore"],
    env: { ...process.env, CI: "1" },
  })
  let hung = false
  const timer = setTimeout(() => {
    hung = true
    child.kill("SIGKILL")
  }, limitMs)
  const code = await child.exited
  clearTimeout(timer)
  return hung ? "hung" : code === 0 ? null : "failed"
}

/** Runs tests up to the first that fails, the quickest first. */
class Runner {
  /** How long each takes without a bug, ms; infinite if it fails then. */
  readonly #took = new Map<string, number>()

  constructor(readonly root: string) {}

  /** Times the tests that have not run yet: to be called while there is no bug. */
  async time(tests: readonly string[]): Promise<void> {
    for (const test of tests.filter(one => !this.#took.has(one))) {
      const began = performance.now()
      const passes = (await failure(this.root, test, 10 * PATIENCE.ms)) === null
      this.#took.set(test, passes ? performance.now() - began : Number.POSITIVE_INFINITY)
      if (!passes) say(`${test} fails without any bug, and is left out`)
    }
  }

  async run(tests: readonly string[]): Promise<"failed" | "hung" | null> {
    const took = (test: string): number => this.#took.get(test) ?? Number.POSITIVE_INFINITY
    const steady = tests.filter(test => Number.isFinite(took(test))).toSorted((a, b) => took(a) - took(b))
    for (const test of steady) {
      const outcome = await failure(this.root, test, Math.max(PATIENCE.ms, PATIENCE.times * took(test)))
      if (outcome !== null) return outcome
    }
    return null
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function told(mutant: Placed, whole: string): string {
  const { path, line, where, kind, from, to } = mutant
  const was = lineOf(whole, { ...mutant, text: whole.slice(from, to) })
  return `LIVED ${path}:${line} ${where}, ${kind}\n  - ${was}\n  + ${lineOf(whole, mutant)}`
}

interface Options {
  readonly seed: number
  /** How many bugs are tried, and for how many minutes, at most. */
  readonly count: number
  readonly minutes: number
  /** Folders and files of src. */
  readonly places: readonly string[]
}

/** Null if they can't be read. */
function readArguments(): Options | null {
  try {
    const value = (text: string) => ({ type: "string", default: text }) as const
    const options = { seed: value("1"), count: value("40"), minutes: value("10") }
    const { values, positionals } = parseArgs({ allowPositionals: true, options })
    const [seed, count, minutes] = [Number(values.seed), Number(values.count), Number(values.minutes)]
    const places = positionals.length === 0 ? ["src", "packages"] : positionals
    return seed >= 0 && count > 0 && minutes > 0 ? { seed, count, minutes, places } : null
  } catch {
    return null
  }
}

async function main(): Promise<number> {
  const options = readArguments()
  if (options === null) {
    say(USAGE)
    return 2
  }
  const { seed, count, minutes, places } = options
  setPriority(10)
  using place = scratch()
  const copy = new Copy(join(import.meta.dir, "../.."), place.path)
  const files = copy.below(places)
  const equal = equalsOf(readFileSync(join(import.meta.dir, "equal.txt"), "utf8"))
  const made = files.flatMap(path => mutantsOf(path, copy.text(path)).map(mutant => ({ ...mutant, path })))
  const all = made.filter(mutant => equal.get(mutant.path)?.has(lineOf(copy.text(mutant.path), mutant)) !== true)
  const runner = new Runner(place.path)
  const end = performance.now() + minutes * 60_000
  const ended = { failed: 0, hung: 0, lived: 0, refused: 0 }
  const tried = () => ended.failed + ended.hung + ended.lived
  for (const mutant of drawn(all, randomOf(seed))) {
    if (tried() >= count || performance.now() > end) break
    const { path } = mutant
    const whole = copy.text(path)
    const near = copy.nearest(path)
    await runner.time(near)
    copy.put(path, withMutant(whole, mutant))
    if (copy.refuses(path)) ended.refused++
    else {
      const outcome = await runner.run(near)
      ended[outcome ?? "lived"]++
      if (outcome === null) say(told(mutant, whole))
    }
    copy.put(path, whole)
  }
  const noticed = ended.failed + ended.hung
  const part = tried() === 0 ? "" : ` (${Math.round((100 * noticed) / tried())} %)`
  say(`${noticed} of ${tried()} noticed${part}, ${ended.hung} of them by a limit of time; the compiler refused`)
  const left = made.length - all.length
  say(`${ended.refused} more. ${all.length} can be made, equal.txt names ${left} more; seed ${seed}`)
  return 0
}

if (import.meta.main) process.exitCode = await main()
