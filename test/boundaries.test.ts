// Holds the rules of the source and of the tests, and tests the rules about imports and purity.
import { describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { join } from "node:path"
import packageJson from "../package.json"
import {
  cycles,
  environmentReaders,
  impure,
  naming,
  ROOMS,
  silenced,
  strayCitations,
  strayPackages,
  unexplained,
  unreached,
  upward,
  wrongWay,
} from "../tools/house/boundaries.ts"
import {
  crowded,
  doubledFiles,
  doubledTypes,
  farReach,
  LIMITS,
  longFiles,
  longFunctions,
  openDefaults,
  overBudget,
  undocumented,
  wideComments,
  wideFunctions,
} from "../tools/house/limits.ts"
import { readSource, type Source } from "../tools/house/source.ts"
import { misplaced, readTest, timed, tooLong, unasserted, unexplained as untold } from "../tools/house/test-rules.ts"
import { BUDGETS } from "./budgets.ts"
import { root } from "./fixtures.ts"

/** The entry points. A file that none of them reaches is dead. */
const ROOTS = [
  "src/main.tsx",
  "bin/opentui-sidecar",
  "bin/executable.ts",
  "build.ts",
  "build/release.ts",
  ...exported(packageJson),
]

const sources = await readAll(["{src,bin,build}/**/*", "build.ts", "packages/*/src/**/*"], readSource)
const tests = await readAll(["{test,tools}/**/*", "packages/*/test/**/*"], readTest)

describe("the house", () => {
  test("is read: every file of src is seen", () => {
    expect(sources.length).toBeGreaterThan(4)
    expect(sources.map(source => source.path)).toContain("packages/wire/src/frame.ts")
  })
  test("imports go one way", () => expect([...upward(ROOMS), ...wrongWay(sources)]).toEqual([]))
  test("no files import each other in a circle", () => expect(cycles(sources)).toEqual([]))
  test("every file is reached from where the program begins", () => expect(unreached(sources, ROOTS)).toEqual([]))
  test("each package stays in its part of the house", () => expect(strayPackages(sources)).toEqual([]))
  test("the pure rooms are pure", () => expect(impure(sources)).toEqual([]))
  test("the environment is read in one place", () => expect(environmentReaders(sources)).toEqual([]))
  test("nothing is reconciled: it would change states that are still held", () =>
    expect(naming(sources, "reconcile")).toEqual([]))
  test("no folder has more files than can be taken in", () => expect(crowded(sources)).toEqual([]))
  test("no file is longer than 300 lines, or 400 of one class", () => expect(longFiles(sources)).toEqual([]))
  test("no function is longer than 80 lines", () => expect(longFunctions(sources)).toEqual([]))
  test("no function takes more than five parameters", () => expect(wideFunctions(sources)).toEqual([]))
  test("no comment is wider than the code may be", () => expect(wideComments(sources)).toEqual([]))
  test("a default says that nothing is left for it, but for words from outside", () =>
    expect(openDefaults(sources, BUDGETS)).toEqual([]))
  test("no room has more lines than its budget", () => expect(overBudget(sources, BUDGETS)).toEqual([]))
  test("the key table depends on little", () => expect(farReach(sources, "src/keys/", LIMITS.reachOfKeys)).toEqual([]))
  test("no two files export a type of the same name", () => expect(doubledTypes(sources)).toEqual([]))
  test("no two files have the same name, roles aside", () => expect(doubledFiles(sources)).toEqual([]))
  test("every file says what it is for", () => expect(unexplained(sources)).toEqual([]))
  test("every exported function says what it does", () => expect(undocumented(sources)).toEqual([]))
  test("a comment cites only files of the repository", async () => {
    const cites = (path: string, text: string) => (text.includes(".md") ? [readSource(path, text)] : [])
    const tests = (await readAll(["{test,tools,fixtures}/**/*", "packages/*/test/**/*"], cites)).flat()
    const known = (name: string) => existsSync(join(root, name))
    expect(strayCitations([...sources, ...tests], known)).toEqual([])
  })
  test("text reaches a terminal only through the few that take sanitized text alone", async () => {
    const writes = /\b(?:stdout|stderr)\.write\(|\.drawText\(|\bas SafeText\b/
    const found = await readAll(["src/**/*", "packages/*/src/**/*"], (path, text) => (writes.test(text) ? [path] : []))
    expect(found.flat().sort()).toEqual([
      "packages/paperclip-adapter-escapement/src/cli/index.ts",
      "packages/wire/src/sanitize.ts",
      "src/cli/doctor-command.ts",
      "src/ui/Canvas.tsx",
      "src/ui/standard-streams.ts",
    ])
  })
  test("no check is silenced, and nothing is any", () => expect(silenced(sources)).toEqual([]))
})

describe("the tests", () => {
  test("expect something each, and never end before it", () => expect(unasserted(tests)).toEqual([]))
  test("stand where their subject does", () =>
    expect(
      misplaced(
        tests,
        sources.map(source => source.path),
      ),
    ).toEqual([]))
  test("begin with what they do", () => expect(untold(tests)).toEqual([]))
  test("are not too long to be read", () => expect(tooLong(tests)).toEqual([]))
  test("wait for what they expect, and never for a time", () => expect(timed(tests)).toEqual([]))
})

describe("the rules see", () => {
  test("an import against the arrows, also of a type, a re-export, a lazy one, a worker and a quoted type", () => {
    const text = `
      import type { Run } from "../run/model/run.ts"
      import { own } from "./own.ts"
      export * from "../ui/theme.ts"
      const later = () => import("../transport/socket.ts")
      const worker = new Worker(new URL("../agent/worker.ts", import.meta.url))
      type Options = import("../cli/options.ts").Options
      const words = 'import x from "../keys/table.ts"' // import "../keys/table.ts"
    `
    const against = ["run/model/run", "ui/theme", "transport/socket", "agent/worker", "cli/options"]
    expect(wrongWay([readSource("src/keys/binding.ts", text)])).toEqual(
      against.map(name => `src/keys/binding.ts imports src/${name}.ts`),
    )
  })
  test("an import of main, a folder without arrows, and a panel that imports another or the list of all", () => {
    const panel = ["../log/lines.ts", "../index.ts", "../common/seek.ts", "./keys.ts"]
    const files = [
      file("src/cli/replay.ts", "../main.tsx", "./options.ts"),
      file("src/utils/a.ts"),
      file("src/main.tsx", "./utils/a.ts"),
      file("src/panels/live/lines.ts", ...panel),
    ]
    expect(wrongWay(files)).toEqual([
      "src/cli/replay.ts imports src/main.tsx",
      "src/utils/a.ts: no arrow says what utils may import",
      "src/panels/live/lines.ts imports src/panels/log/lines.ts",
      "src/panels/live/lines.ts imports src/panels/index.ts",
    ])
  })
  test("a circle of two and of three, and not a diamond", () => {
    const circle = [file("src/a.ts", "./b.ts"), file("src/b.ts", "./c.ts", "./a.ts"), file("src/c.ts", "./a.ts")]
    expect(cycles(circle)).toEqual(["src/a.ts → src/b.ts → src/c.ts → src/a.ts", "src/a.ts → src/b.ts → src/a.ts"])
    expect(cycles([file("src/a.ts", "./b.ts", "./c.ts"), file("src/b.ts", "./c.ts"), file("src/c.ts")])).toEqual([])
  })
  test("a file that no root leads to, once a root exists", () => {
    const files = [file("src/main.tsx", "./a.ts"), file("src/a.ts"), file("src/dead.ts", "./a.ts")]
    expect(unreached(files, ["src/main.tsx", "bin/none"])).toEqual(["src/dead.ts"])
    expect(unreached(files, ["src/main.tsx", "src/dead.ts"])).toEqual([])
  })
  test.each([
    ["src/cli/replay.ts", '"@opentui/solid"', "imports @opentui/solid"],
    ["src/cli/replay.ts", '"solid-js/store"', "imports solid-js/store"],
    ["src/ui/Pane.tsx", '"ws"', "imports ws"],
    ["src/cli/Screen.tsx", '"./a.ts"', "draws outside the screen"],
  ])("a package where it does not belong: %s imports %s", (path, name, why) => {
    expect(strayPackages([readSource(path, `import ${name}`)])).toEqual([`${path} ${why}`])
  })
  test("the clock, chance and the world in a pure file, and not their names in keys, texts and comments", () => {
    const text = `
      import { readFileSync } from "node:fs"
      const now = Date.now(), then = new Date(), dice = Math.random(), soon = setTimeout(() => console.log(1), 1)
      const here = import.meta.dir, home = process.cwd(), time = performance.now(), file = Bun.file("x")
    `
    const words = ["Bun", "process", "console", "performance", "Date", "Math.random", "import.meta", "setTimeout"]
    const said = words.map(word => `src/run/fold.ts says ${word}`)
    expect(impure([readSource("src/run/fold.ts", text)])).toEqual([...said, "src/run/fold.ts imports node:fs"])
    expect(impure([readSource("src/transport/socket.ts", text)])).toEqual([])
    const innocent = `
      /** Date.now() and {@link process} */
      const row = { console: 1, process() {}, Date: Math.max(1, 2) } // performance.now()
      const said = row.console + "Math.random()" + \`setTimeout\` + String(/process/)
      interface Kept { process: number; fetch(): void }
      const { console: renamed } = row
    `
    expect(impure([readSource("src/run/fold.ts", innocent)])).toEqual([])
  })
  test.each([
    ...["process.env.HOME", "process?.env", 'process["env"]', "Bun.env.HOME", "import.meta.env"],
    ...["const { env } = process", "const { env: all } = process", 'import { env } from "node:process"'],
    "const guarded = typeof process",
  ])("the environment, read as %s", way => {
    expect(environmentReaders([readSource("src/transport/socket.ts", way)])).toEqual(["src/transport/socket.ts"])
    expect(environmentReaders([readSource("src/cli/options.ts", way)])).toEqual([])
  })
  test("no environment in an exit, an argument, a text and a comment, and the parser's in its one file", () => {
    const others = 'process.exit(1); const { argv } = process; const env = "process.env" // process.env'
    expect(environmentReaders([readSource("src/transport/socket.ts", others)])).toEqual([])
    const guarded = 'export const read = () => (typeof process === "undefined" ? {} : process.env)'
    const parser = "packages/llm-stream-segments/src"
    expect(impure([readSource(`${parser}/streaming/host-environment.ts`, guarded)])).toEqual([])
    const elsewhere = `${parser}/parse/machine.ts`
    expect(environmentReaders([readSource(elsewhere, guarded)])).toEqual([elsewhere])
  })
  test("a citation of a file that is not there, and a file that does not say what it is for", () => {
    const cites = "// As docs/contract.md and notes.md section 3 say.\nconst a = 1 // README.md"
    expect(strayCitations([readSource("src/a.ts", cites)], name => name !== "notes.md")).toEqual([
      "src/a.ts cites notes.md",
    ])
    const silent = 'import "./b.ts"\nexport const a = 1 // too late\n'
    const said = [`// Does a.\n${silent}`, 'import "./b.ts"\n\n/** Is a. */\nexport const a = 1\n']
    expect([silent, ...said].map(text => unexplained([readSource("src/a.ts", text)]))).toEqual([["src/a.ts"], [], []])
  })
  test("any, and silenced checks", () => {
    const text = `
      // @ts-expect-error
      const a = b as any
      /* biome-ignore lint: no */
      const c: any[] = []
      const any = "@ts-ignore" // any
    `
    const said = ["any", "@ts-expect-error", "biome-ignore"].map(word => `src/a.ts says ${word}`)
    expect(silenced([readSource("src/a.ts", text)])).toEqual(said)
    const innocent = "// Any.\nconst A = () => <text>as any: don't // any</text>"
    expect(silenced([readSource("src/ui/A.tsx", innocent)])).toEqual([])
  })
})

/** A file that only imports. */
function file(path: string, ...imports: readonly string[]): Source {
  return readSource(path, imports.map(module => `import "${module}"`).join("\n"))
}

/** Every TypeScript file of these globs, and bin's entry. */
async function readAll<T>(globs: readonly string[], read: (path: string, text: string) => T): Promise<readonly T[]> {
  const found = globs.flatMap(glob => [...new Bun.Glob(glob).scanSync({ cwd: root })])
  const paths = found.filter(path => /^bin\/|\.tsx?$/.test(path))
  return Promise.all(paths.sort().map(async path => read(path, await Bun.file(join(root, path)).text())))
}

/** The files of src that the package exports under any condition, directly or built into dist/. */
function exported(manifest: object): string[] {
  const targets = (value: unknown): string[] => {
    if (typeof value === "string") return [value.replace(/^\.\//, "")]
    return typeof value === "object" && value !== null ? Object.values(value).flatMap(targets) : []
  }
  const all = "exports" in manifest ? targets(manifest.exports) : []
  const paths = all.map(path =>
    path.replace(/^dist\/paperclip\/(.*)\.c?js$/, "packages/paperclip-adapter-escapement/src/$1.ts"),
  )
  return paths.filter(path => existsSync(join(root, path)))
}
