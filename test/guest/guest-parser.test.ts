// Tests the host's side of the ui-parser contract: each row of its two tables. published.test.ts has its examples.
import { describe, expect, test } from "bun:test"
import { mkdir, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import fc from "fast-check"
import { chooseParser, loadParser, startParser } from "../../src/guest/choose-parser.ts"
import { FrameWriter } from "../../src/guest/frame-writer.ts"
import { GuestParser, type TimedLine } from "../../src/guest/guest-parser.ts"
import { turn } from "../../src/guest/pieces.ts"
import { statusLines } from "../../src/panels/status/index.ts"
import type { Run } from "../../src/run/model/run.ts"
import { unicode } from "../../src/ui/glyphs.ts"
import { emptyState } from "../../src/view/state.ts"
import { shownState } from "../../src/view/store.ts"
import { jsonl } from "../agent/ui.ts"
import { forAll } from "../for-all.ts"
import { logOf } from "../run/lines.ts"
import { fileScratch } from "../scratch.ts"
import { blocksOf, guestFixture, parserOf, printed, runFrom, runOf } from "./reading.ts"

const WORKS = "exports.parseStdoutLine = (line, ts) => [{ kind: 'system', ts, text: 'own ' + line }]"
const SAMPLE = printed("[my-agent] up", "hello")
const OWN = ["note system: own [my-agent] up", "note system: own hello"]
const GENERIC = ["note system: [my-agent] up", "text: hello"]

/** A directory with a package of this manifest and these files. */
async function packageOf(manifest: object, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const directory = fileScratch()
  await writeFile(join(directory, "package.json"), JSON.stringify(manifest))
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
  return directory
}

/** The blocks of the sample with a package's parser, and the warnings. */
async function read(manifest: object, program: string = WORKS, lines = SAMPLE) {
  const exports = { "./ui-parser": "./ui-parser.js" }
  return shown(await runWith(await packageOf({ exports, ...manifest }, { "ui-parser.js": program }), lines))
}

async function runWith(name: string, lines = SAMPLE): Promise<Run> {
  return runOf(await parserOf(name), lines)
}

function shown(run: Run) {
  const warnings = run.guest.warnings.map(({ why }) => why.replaceAll(/\/\S*\/sidecar-\w+/g, "package"))
  // Each is a row of the log and a warning in the status tab.
  expect(logOf(run).filter(row => row.startsWith("parser "))).toHaveLength(warnings.length)
  const status = statusOf(run)
  expect(status.includes("Parser problems")).toBe(warnings.length > 0)
  for (const { why } of run.guest.warnings) expect(status).toContain(why)
  return { blocks: blocksOf(run).map(one => one.slice(0, 99)), warnings, parser: run.guest.parser && "named" }
}

function statusOf(run: Run): string {
  const context = { glyphs: unicode, motion: false, now: 0 }
  const lines = statusLines(shownState({ ...emptyState({ state: "closed" }), run }), context, 400)
  return lines.map(line => line.spans.map(span => span.text).join("")).join("\n")
}

test.each([
  ...["1.0.0", "1.7", "1", undefined, null].map(version => [version, null] as const),
  ["2.0.0", "version 2.0.0 of the parser contract; 1.x is supported"],
  ["10.0.0", "version 10.0.0 of the parser contract"],
  ...[1, false].map(version => [version, "is not text"] as const),
])("a package of the contract's version %p is loaded, or warned of: %p", async (adapterUiParser, why) => {
  const { blocks, warnings } = await read({ paperclip: { adapterUiParser } })
  expect(blocks).toEqual(why === null ? OWN : GENERIC)
  expect(warnings).toEqual(why === null ? [] : [expect.stringContaining(why)])
})

/** Programs that fail, as they are loaded or read a line, or when a run begins. */
const PROGRAMS = await jsonl<readonly [end: string, what: string, program: string]>("../../guest/programs")
const FAILING = PROGRAMS.flatMap(([end, , program]) => (end === "failing" ? [program] : []))

describe("failures", () => {
  test.each(FAILING)("%s", async program => expect(await read({}, program)).toMatchSnapshot())
  test("the name of a parser is told before its first line, and that there is none once it was stopped", async () => {
    const files = { "p.js": FAILING.at(-1) ?? "" }
    const parser = await parserOf(await packageOf({ exports: { "./ui-parser": "./p.js" } }, files))
    const writer = new FrameWriter("guest")
    const told: unknown[] = []
    for (const text of ["a", "b", "hello", "c"]) {
      const frames = (await writer.write(parser, printed(text))).map(line => JSON.parse(line))
      told.push(
        frames.map(({ what, event, parser: name }) => event ?? (what === "guest" ? name.length > 0 : what)).join(),
      )
    }
    expect(told).toEqual(["true,adapter/system", "adapter/system", "false,parser,llm/start,llm/delta", "llm/delta"])
  })
  test("a module that failed is not tried again", async () => {
    let tries = 0
    const parser = new GuestParser("p", () => {
      tries++
      return Promise.reject(new Error("no"))
    })
    await parser.loaded
    expect((await runOf(parser, SAMPLE)).guest.warnings).toHaveLength(1)
    expect((await runOf(parser, SAMPLE)).guest.warnings).toHaveLength(0)
    expect(tries).toBe(1)
  })
  test("a parser that is loaded once it is closed is closed, too, and one that fails anew at each line warns 64 times", async () => {
    const gate = Promise.withResolvers<void>()
    let closed = 0
    const late = new GuestParser("late", () => gate.promise.then(() => ({ close: () => closed++ }) as never))
    late.close()
    gate.resolve()
    await late.loaded
    await turn()
    expect([closed, late.name]).toEqual([1, null])
    const program = "exports.parseStdoutLine = line => { throw new Error(line) }"
    const { warnings } = await read({}, program, printed(...Array.from({ length: 70 }, (_, at) => `${at}`)))
    expect(warnings).toHaveLength(64)
  })
  test.each([
    [{ ".": "./index.js" }, "it exports no ./ui-parser"],
    [{ "./ui-parser": "./gone.js" }, "its ./ui-parser is not a file in the package"],
    [{ "./ui-parser": "../../etc/passwd" }, "its ./ui-parser is not a file in the package"],
    [{ "./ui-parser": "./package.json" }, "its ./ui-parser is not a JavaScript file"],
    [{ [`x${"x".repeat(1024 * 1024)}`]: "" }, "can't read its package.json"],
  ])(
    "a package with such exports has a warning, and the generic parser from the first line on (%#)",
    async (exports, why) => {
      const warning = `package: ${why}; using the generic parser`
      expect(await read({ exports })).toEqual({ blocks: GENERIC, warnings: [warning], parser: null })
    },
  )
})

describe("the life of a parser", () => {
  test("lines before it is loaded are read by the generic parser, later ones by itself", async () => {
    const gate = Promise.withResolvers<void>()
    const parser = new GuestParser("late", async () => {
      await gate.promise
      return loadParser(guestFixture("hermes-parser.cjs"))
    })
    const before = await parser.read(printed("  ┊ $ ls"))
    gate.resolve()
    await parser.loaded
    const after = await parser.read(printed("  ┊ $ ls"))
    parser.close()
    expect(before.flatMap(({ entries }) => entries.map(({ kind }) => kind))).toEqual(["assistant"])
    expect(after.flatMap(({ entries }) => entries.map(({ kind }) => kind))).toEqual(["tool_call"])
  })
  test("each line is parsed once and in order, and each run starts with a reset", async () => {
    const program = `let seen = []
      exports.createStdoutParser = () => ({ parseLine: (line, ts) => [{ kind: "system", ts, text: (seen.push(line), seen.join(",")) }],
        reset: () => { if (seen.includes("stuck")) throw new Error("stuck"); seen = ["reset"] },
      })`
    const parser = await parserOf(await packageOf({ exports: { "./ui-parser": "./p.cjs" } }, { "p.cjs": program }))
    for (let run = 0; run < 2; run++) {
      await parser.reset()
      const readings = await parser.read(printed("a", "b"))
      const texts = readings.flatMap(({ first, entries }) =>
        entries.map(one => [first.text, one.kind === "line" && one.text]),
      )
      expect(texts).toEqual([
        ["a", "reset,a"],
        ["b", "reset,a,b"],
      ])
    }
    await parser.read(printed("stuck"))
    await parser.reset()
    expect(parser.takeWarnings()).toEqual([expect.stringContaining("threw Error: stuck")])
    parser.close()
  })
  test("lines are passed trimmed, and empty ones not at all", async () => {
    const program = "exports.parseStdoutLine = (line, ts) => [{ kind: 'system', ts, text: JSON.stringify([line, ts]) }]"
    const directory = await packageOf({ exports: { "./ui-parser": "./p.js" } }, { "p.js": program })
    const blocks = blocksOf(await runWith(directory, printed("  a\t", "", "   ")))
    expect(blocks).toEqual(['note system: ["a","1970-01-01T00:00:00.000Z"]'])
    // A time that nobody told was made up for the parser.
    const parser = await parserOf(directory)
    const times = [null, 0, 5].map(ts => ({ stream: "stdout" as const, text: "a", ts }))
    expect((await parser.read(times)).flatMap(({ entries }) => entries.map(({ ts }) => ts))).toEqual([null, 0, 5])
    parser.close()
  })
  test("the first twenty lines tell a CLI, in however many pieces, and lines of a log are not put together", async () => {
    const cli = (before: number) => [...printed(...Array(before).fill("x")), ...printed('{"type":"agent_start"}')]
    const found = [19, 20].map(async before => {
      const parser = startParser({ type: "open", hint: null, showsUnknown: true })
      for (const line of cli(before)) await parser.read([line])
      return [parser.cli, parser.showsUnknown]
    })
    expect(await Promise.all(found)).toEqual([
      ["pi", true],
      [null, true],
    ])
    const shows = startParser({ type: "cli", cli: "pi", showsUnknown: true })
    const lines = printed('{"type":"odd"}', `{"type":"odd","of":"${"z".repeat(5000)}"}`)
    const odd = await new FrameWriter("pi").write(shows, lines)
    expect(odd.filter(frame => frame.includes("odd")).map(frame => frame.split("z").length - 1)).toEqual([0, 4076])
    const numbered = [1, 2].map(line => ({ stream: "stdout" as const, text: "x", ts: 1, line }))
    expect(await new GuestParser("none", null).read(numbered)).toHaveLength(3)
  })
})

describe("a parser's name", () => {
  test("finds a package from any directory of its project, else beside the program", async () => {
    const name = "@paperclipai/hermes-paperclip-adapter"
    const scope = join(fileScratch(), "node_modules/@paperclipai")
    await mkdir(scope, { recursive: true })
    const own = await packageOf({ exports: { "./ui-parser": "./own.js" } }, { "own.js": WORKS })
    await symlink(own, join(scope, "hermes-paperclip-adapter"))
    expect(chooseParser(name, scope)).toMatchObject({ path: expect.stringMatching(/own\.js$/) })
    expect(chooseParser(name, import.meta.dir)).toMatchObject({ type: "file" })
    expect(chooseParser(name, "/")).toMatchObject({ type: "file" })
  })
  test("finds an export as a string, as import or as default, like the real host", async () => {
    const file = async (exported: unknown) => {
      const files = { "a.js": WORKS, "b.cjs": WORKS, "..c.js": WORKS }
      const found = chooseParser(await packageOf({ exports: { "./ui-parser": exported } }, files), "/")
      return found.type === "file" ? found.path.split("/").at(-1) : found.type
    }
    const both = [{ import: "./a.js" }, { bun: "./a.js" }, { import: { types: "./a.d.ts" } }]
    const exported = ["./a.js", ...both.map(one => ({ ...one, default: "./b.cjs" })), { types: "./a.d.ts" }]
    const found = await Promise.all([...exported, "./..c.js"].map(file))
    expect(found).toEqual(["a.js", "a.js", "b.cjs", "b.cjs", "none", "..c.js"])
  })
  test("refuses a target outside the package through a link, and a directory, and is shown without signs", async () => {
    const directory = await packageOf({ exports: { "./ui-parser": "./link.js" } }, { "a\u001b.js": WORKS })
    await symlink(guestFixture("contract-static.js"), join(directory, "link.js"))
    expect(chooseParser(directory, "/").type).toBe("none")
    const folder = await packageOf({ exports: { "./ui-parser": "./folder.js" } })
    await mkdir(join(folder, "folder.js"))
    expect(chooseParser(folder, "/").type).toBe("none")
    expect(chooseParser("a\u001b.js", directory)).toMatchObject({ name: "a␛.js" })
  })
  test("of nothing is a usage error in one line, also beside an installed package", async () => {
    expect(() => chooseParser("no-such-adapter", "/")).toThrow("no-such-adapter: no such file or installed package")
    expect(() => chooseParser("./gone.js", "/")).toThrow("./gone.js: no such file")
    expect(() => chooseParser("../../..", "/")).toThrow("package.json")
    const directory = await packageOf({})
    await mkdir(join(directory, "node_modules/some-adapter"), { recursive: true })
    expect(() => chooseParser("some-adapter", directory)).toThrow("no such file or installed package")
    expect(() => chooseParser("package.json", directory)).toThrow("package.json: not a JavaScript file")
  })
})

test("plain lines read as the same transcript at once and one by one, whatever stands between them", async () => {
  const odd = ["", " ", "[agent] up", "\u001b[1mbold\u001b[0m", "10%\r20%", "\u001b]0;title", "ends  "]
  const line = fc.oneof(fc.constantFrom(...odd), fc.string({ maxLength: 12, unit: "grapheme" }))
  const stream = fc.constantFrom("stdout" as const, "stdout" as const, "stdout" as const, "stderr" as const)
  const lines = fc.array(fc.record({ text: line, stream, ts: fc.constantFrom(1, 1, 1, 2) }), { maxLength: 40 })
  await forAll([lines], 100, async lines => {
    const write = async (pieces: readonly (readonly TimedLine[])[]) => {
      const writer = new FrameWriter("guest")
      const parser = new GuestParser("none", null)
      const frames = [...writer.begin(0)]
      for (const piece of pieces) frames.push(...(await writer.write(parser, piece)))
      return blocksOf(runFrom([...frames, ...writer.end({ code: 0, signal: null }, 9)]))
    }
    expect(await write([lines])).toEqual(await write(lines.map(one => [one])))
  })
})
