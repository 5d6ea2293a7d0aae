// The host's side of the ui-parser contract: each row of its two tables, and its examples.
import { describe, expect, test } from "bun:test"
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chooseParser } from "../../src/guest/choose-parser.ts"
import { findParser } from "../../src/guest/find-parser.ts"
import { GuestParser } from "../../src/guest/guest-parser.ts"
import { loadParser } from "../../src/guest/load-parser.ts"
import { statusLines } from "../../src/panels/status/lines.ts"
import type { Run } from "../../src/run/model/run.ts"
import { unicode } from "../../src/ui/glyphs.ts"
import { emptyState } from "../../src/view/state.ts"
import { logOf } from "../run/lines.ts"
import { blocksOf, guestFixture, parserOf, printed, runOf } from "./reading.ts"

const WORKS = "exports.parseStdoutLine = (line, ts) => [{ kind: 'system', ts, text: 'own ' + line }]"
const SAMPLE = printed("[my-agent] up", "hello")
const OWN = ["note system: own [my-agent] up", "note system: own hello"]
const GENERIC = ["note system: [my-agent] up", "text: hello"]

/** A directory with a package of this manifest and these files, gone after the test. */
async function inPackage<T>(
  manifest: object,
  files: Readonly<Record<string, string>>,
  work: (directory: string) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "sidecar-guest-"))
  try {
    await writeFile(join(directory, "package.json"), JSON.stringify(manifest))
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
    return await work(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** What the sample comes to under a package's parser, and the complaints. */
function read(
  manifest: object,
  program: string = WORKS,
): Promise<{ blocks: readonly string[]; complaints: readonly string[] }> {
  const exports = { "./ui-parser": "./ui-parser.js" }
  return inPackage({ exports, ...manifest }, { "ui-parser.js": program }, async directory =>
    told(await runWith(directory)),
  )
}

async function runWith(name: string, lines = SAMPLE): Promise<Run> {
  return runOf(await parserOf(name), lines)
}

function told(run: Run): { blocks: readonly string[]; complaints: readonly string[] } {
  const complaints = run.parserWarnings.map(({ why }) => why.replaceAll(/\/\S*\/sidecar-guest-\w+/g, "package"))
  // Each is a row of the log, and a warning in Status.
  expect(logOf(run).filter(row => row.startsWith("parser "))).toHaveLength(complaints.length)
  const status = statusOf(run)
  for (const { why } of run.parserWarnings) expect(status).toContain(why)
  return { blocks: blocksOf(run), complaints }
}

function statusOf(run: Run): string {
  const context = { glyphs: unicode, motion: false, now: 0 }
  const lines = statusLines({ ...emptyState({ state: "closed" }), run }, context, 400)
  return lines.map(line => line.spans.map(span => span.text).join("")).join("\n")
}

const version = (adapterUiParser: unknown) => ({ paperclip: { adapterUiParser } })

describe("the contract's version", () => {
  test("1.0.0: parser loaded", async () => {
    expect(await read(version("1.0.0"))).toEqual({ blocks: OWN, complaints: [] })
  })
  test("2.0.0: a warning, and the generic parser", async () => {
    const { blocks, complaints } = await read(version("2.0.0"))
    expect(blocks).toEqual(GENERIC)
    expect(complaints).toHaveLength(1)
    expect(complaints[0]).toContain("speaks version 2.0.0 of the parser contract, not 1.x")
  })
  test("missing: parser loaded", async () => expect(await read({})).toEqual({ blocks: OWN, complaints: [] }))
  test("no text: a warning, and the generic parser", async () => {
    const { blocks, complaints } = await read(version(1))
    expect(blocks).toEqual(GENERIC)
    expect(complaints[0]).toContain("is no text")
  })
  test("1.7 and 1 are of the same major, 10.0.0 is not", async () => {
    expect((await read(version("1.7"))).blocks).toEqual(OWN)
    expect((await read(version("1"))).blocks).toEqual(OWN)
    expect((await read(version("10.0.0"))).blocks).toEqual(GENERIC)
  })
})

describe("failures", () => {
  test("module syntax error: a warning, the generic parser, no second try", async () => {
    const { blocks, complaints } = await read({}, "export function parseStdoutLine( {")
    expect(blocks).toEqual(GENERIC)
    expect(complaints).toHaveLength(1)
    expect(complaints[0]).toContain("cannot be loaded")
    let tries = 0
    const parser = new GuestParser("p", () => {
      tries++
      return Promise.reject(new Error("no"))
    })
    await parser.loaded
    expect((await runOf(parser, SAMPLE)).parserWarnings).toHaveLength(1)
    expect((await runOf(parser, SAMPLE)).parserWarnings).toHaveLength(0)
    expect(tries).toBe(1)
  })
  test("a throw while it is evaluated: the same", async () => {
    const { blocks, complaints } = await read({}, "throw new Error('not today')")
    expect(blocks).toEqual(GENERIC)
    expect(complaints[0]).toContain("not today")
  })
  test("wrong shape: entries with missing fields are left out, the others stay", async () => {
    const program =
      "exports.parseStdoutLine = (line, ts) => [{ kind: 'assistant', ts }, null, { kind: 'user', ts, text: line }]"
    const { blocks, complaints } = await read({}, program)
    expect(blocks).toEqual(["user: [my-agent] up", "user: hello"])
    expect(complaints).toEqual([
      "package gave assistant without text: it is left out",
      "package gave an entry that is no object: it is left out",
    ])
  })
  test("no list at all: that line is read by the generic parser", async () => {
    const { blocks, complaints } = await read({}, "exports.parseStdoutLine = () => 'text'")
    expect(blocks).toEqual(GENERIC)
    expect(complaints).toEqual(["package gave no list of entries; the generic parser reads that line"])
  })
  test("a throw at runtime: that line is generic, the parser stays for the next", async () => {
    const program = `exports.parseStdoutLine = (line, ts) => {
      if (line.startsWith("[")) throw new Error("a bracket")
      return [{ kind: "system", ts, text: "own " + line }]
    }`
    const { blocks, complaints } = await read({}, program)
    expect(blocks).toEqual(["note system: [my-agent] up", "note system: own hello"])
    expect(complaints).toEqual(["package threw Error: a bracket; the generic parser reads that line"])
  })
  test("no ui-parser export: a warning, and the generic parser from the first line on", async () => {
    const { blocks, complaints } = await read({ exports: { ".": "./index.js" } })
    expect(blocks).toEqual(GENERIC)
    expect(complaints[0]).toContain("it exports no ./ui-parser")
  })
  test("an export that is not there, or no program: the same", async () => {
    expect((await read({ exports: { "./ui-parser": "./gone.js" } })).complaints[0]).toContain(
      "no file within the package",
    )
    expect((await read({ exports: { "./ui-parser": "./package.json" } })).complaints[0]).toContain("is no JavaScript")
  })
  test("contract version mismatch: its program is never run", async () => {
    const { blocks, complaints } = await read(version("3.0"), "for (;;);")
    expect(blocks).toEqual(GENERIC)
    expect(complaints).toHaveLength(1)
  })
  test("a parser that hangs is out; the lines go on", async () => {
    const program =
      "exports.parseStdoutLine = (line, ts) => { while (line === 'hello'); return [{ kind: 'system', ts, text: 'own ' + line }] }"
    const { blocks, complaints } = await read({}, program)
    expect(blocks).toEqual(["note system: own [my-agent] up", "text: hello"])
    expect(complaints).toEqual(["package is out: it took longer than 50 ms; the generic parser reads on"])
  })
  test("all of them are told in Status", async () => {
    const text = statusOf(await inPackage({ exports: {} }, {}, runWith))
    expect(text).toContain("What the parser could not do")
    expect(text).toContain("it exports no ./ui-parser")
  })
})

describe("the life of a parser", () => {
  test("lines that come before it is loaded are generic, those after its own", async () => {
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
  test("each line is parsed once and in order, and reset stands at the start of each run", async () => {
    const program = `let seen = []
      exports.createStdoutParser = () => ({
        parseLine: (line, ts) => [{ kind: "system", ts, text: (seen.push(line), seen.join(",")) }],
        reset: () => { seen = ["reset"] },
      })`
    await inPackage({ exports: { "./ui-parser": "./p.cjs" } }, { "p.cjs": program }, async directory => {
      const parser = await parserOf(directory)
      for (let run = 0; run < 2; run++) {
        await parser.reset()
        const readings = await parser.read(printed("a", "b"))
        expect(readings.flatMap(({ entries }) => entries.map(one => one.kind === "line" && one.text))).toEqual([
          "reset,a",
          "reset,a,b",
        ])
      }
      parser.close()
    })
  })
  test("a line is handed over without the space around it, an empty one not at all", async () => {
    const program = "exports.parseStdoutLine = (line, ts) => [{ kind: 'system', ts, text: JSON.stringify([line, ts]) }]"
    await inPackage({ exports: { "./ui-parser": "./p.js" } }, { "p.js": program }, async directory => {
      expect(blocksOf(await runWith(directory, printed("  a\t", "", "   ")))).toEqual([
        'note system: ["a","1970-01-01T00:00:00.000Z"]',
      ])
    })
  })
  test("stderr and the system's own lines are not for the parser", async () => {
    const parser = await parserOf(guestFixture("contract-static.js"))
    const run = await runOf(parser, [
      { stream: "stderr", text: "[my-agent] bad", ts: 0 },
      { stream: "system", text: "up", ts: 0 },
    ])
    expect(blocksOf(run)).toEqual(["note stderr: [my-agent] bad", "note system: up"])
  })
})

describe("the contract's examples", () => {
  test("the static sample", async () => {
    expect(blocksOf(await runWith(guestFixture("contract-static.js")))).toEqual(GENERIC)
  })
  test("the sample with state, which comes before the static one beside it", async () => {
    const lines = printed("hello", "[tool-done] ls", "a continuation", "0.3s", "bye")
    expect(blocksOf(await runWith(guestFixture("contract-factory.js"), lines))).toEqual([
      "text: hello",
      "tool-call shell: {}",
      "tool-result shell: [tool-done] ls",
      "text: bye",
    ])
  })
  test("the hermes-style log: thinking, cards with their results, the answer", async () => {
    const lines = printed(...(await readFile(guestFixture("hermes.log"), "utf8")).trimEnd().split("\n"))
    expect(blocksOf(await runWith(guestFixture("hermes-parser.cjs"), lines))).toEqual([
      "note system: [hermes] Session resumed: abc123",
      "thinking: Thinking about how to approach this...",
      'tool-call shell: {"detail":"ls /home/user/project"}',
      "tool-result shell 1000 ms: $ ls /home/user/project — /src /README.md 0.3s",
      "thinking: I see the project structure. Let me read the README.",
      'tool-call read: {"detail":"/home/user/project/README.md"}',
      "tool-result read 1000 ms: read — Project Overview: A CLI tool for... 1.2s",
      "text: The project is a CLI tool. Here's what I found:\n- It uses TypeScript\n- Tests are in /tests",
    ])
  })
  test("the same without a parser: nothing of it is lost", async () => {
    const texts = (await readFile(guestFixture("hermes.log"), "utf8")).trimEnd().split("\n")
    const blocks = blocksOf(await runOf(await parserOf(undefined), printed(...texts)))
    expect(blocks[0]).toBe("note system: [hermes] Session resumed: abc123")
    expect(blocks[1]).toBe(`text: ${texts.slice(1).join("\n")}`)
  })
})

describe("who is meant by a name", () => {
  test("a package, from wherever somebody stands in its project", () => {
    const name = "@paperclipai/hermes-paperclip-adapter"
    expect(findParser(name, import.meta.dir)).toMatchObject({ type: "file" })
    expect(findParser(name, "/")).toMatchObject({ type: "file" })
  })
  test("an export as a text, as import, as default; the real host's conditions and no others", async () => {
    const file = (exported: unknown) =>
      inPackage({ exports: { "./ui-parser": exported } }, { "a.js": WORKS, "b.cjs": WORKS }, async directory => {
        const found = findParser(directory, "/")
        return found.type === "file" ? found.path.split("/").at(-1) : found.type
      })
    expect(await file("./a.js")).toBe("a.js")
    expect(await file({ import: "./a.js", default: "./b.cjs" })).toBe("a.js")
    expect(await file({ bun: "./a.js", default: "./b.cjs" })).toBe("b.cjs")
    expect(await file({ types: "./a.d.ts" })).toBe("none")
  })
  test("a target outside the package is refused, also behind a link", async () => {
    await inPackage({ exports: { "./ui-parser": "./link.js" } }, {}, async directory => {
      await symlink(guestFixture("contract-static.js"), join(directory, "link.js"))
      expect(findParser(directory, "/").type).toBe("none")
    })
    await inPackage({ exports: { "./ui-parser": "../../etc/passwd" } }, {}, async directory => {
      expect(findParser(directory, "/").type).toBe("none")
    })
  })
  test("a name of nothing is a usage error, in one line", () => {
    expect(() => chooseParser("no-such-adapter", "/")).toThrow("no-such-adapter: no such file, and no package")
    expect(() => chooseParser("./gone.js", "/")).toThrow("./gone.js: no such file")
    expect(() => chooseParser("../../..", "/")).toThrow("package.json")
  })
})

test("a directory of that name which is no package, beside an installed one", async () => {
  await inPackage({}, {}, async directory => {
    await mkdir(join(directory, "node_modules/some-adapter"), { recursive: true })
    expect(findParser("some-adapter", directory).type).toBe("missing")
  })
})
