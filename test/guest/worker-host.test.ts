// Runs third-party parsers: some are refused before they run, and misbehaving ones affect nothing else.
import { describe, expect, spyOn, test } from "bun:test"
import { symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { loadParser } from "../../src/guest/choose-parser.ts"
import { WorkerHost } from "../../src/guest/worker-host.ts"
import { jsonl } from "../agent/ui.ts"
import { scratch } from "../scratch.ts"
import { PATIENCE_MS } from "../until.ts"

/** Parsers, or what one does, by what is to come of it; the reason of those that are refused. */
const PROGRAMS = await jsonl<readonly [end: string, what: string, program: string, why: string]>("../../guest/programs")
const programs = (end: string) => PROGRAMS.flatMap(([of, ...one]) => (of === end ? [one] : []))
const TS = "2026-03-01T10:00:00.000Z"

/** Loads a program by a link with this name, as packages are installed. */
async function loaded(program: string, name = "parser.js"): Promise<WorkerHost> {
  using directory = scratch()
  await writeFile(join(directory.path, "program"), program)
  await symlink("program", join(directory.path, name))
  return await loadParser(join(directory.path, name))
}

/** A parser's replies to these lines. */
async function answers(program: string, ...lines: readonly string[]): Promise<readonly unknown[]> {
  const host = await loaded(program)
  const given = await Promise.all(lines.map(line => host.parse(line, TS)))
  host.close()
  return given.map(answer => (answer !== null && "json" in answer ? JSON.parse(answer.json ?? "null") : answer))
}

describe("a parser is refused before it runs with", () => {
  test.each(programs("refused"))("%s", async (_, program, why) => {
    await expect(loaded(program)).rejects.toThrow(why)
  })
  test("more than 256 KB, and not 256 KB", async () => {
    const program = "exports.parseStdoutLine = () => []\n//"
    const padded = (bytes: number) => program + " ".repeat(bytes - program.length)
    await expect(loaded(padded(256 * 1024 + 1))).rejects.toThrow("262145 bytes")
    const host = await loaded(padded(256 * 1024))
    host.close()
  })
})

describe("a parser is loaded in every form of an adapter", () => {
  const say = (text: string) => [{ kind: "system", ts: TS, text }]
  test.each(programs("loaded"))("%s", async (_, program) => {
    expect(await answers(program, "a", "b")).toEqual([say("a"), say("b")])
  })
  test("TypeScript", async () => {
    const program = "export const parseStdoutLine = (line: string, ts: string): object[] => [{ line, ts }]"
    await expect(loaded(`import "./a.ts"\n${program}`, "p.ts")).rejects.toThrow("imports ./a.ts")
    const host = await loaded(program, "p.ts")
    expect(await host.parse("a", TS)).toEqual({ json: `[{"line":"a","ts":"${TS}"}]` })
    host.close()
  })
})

describe("a parser's globals", () => {
  test("include none of the names that the host hides, nor this program's", async () => {
    const names = ["self", "globalThis", "fetch", "XMLHttpRequest", "WebSocket", "Worker", "Blob", "indexedDB"]
    const more = ["process", "Bun", "Buffer", "console", "navigator", "postMessage", "setTimeout", "SharedArrayBuffer"]
    const talks = ["alert", "confirm", "prompt", "reportError", "close", "dispatchEvent", "addEventListener"]
    const waits = ["setImmediate", "queueMicrotask", "AbortSignal", "FinalizationRegistry", "crypto", "ReadableStream"]
    const worlds = ["ShadowRealm", "Function", "eval", "WebAssembly"]
    const all = [...names, ...more, ...talks, ...waits, ...worlds]
    const typed = all.map(name => `typeof ${name}`).join(", ")
    const [kinds] = await answers(`exports.parseStdoutLine = () => [${typed}]`, "x")
    expect(kinds).toEqual(all.map(() => "undefined"))
  })
  test("include what a parser computes with", async () => {
    const names = ["Object", "Promise", "Map", "Date", "RegExp", "JSON", "Intl", "URL", "TextDecoder", "isNaN", "atob"]
    const typed = names.map(name => `typeof ${name} !== "undefined"`).join(", ")
    expect(await answers(`exports.parseStdoutLine = () => [${typed}]`, "x")).toEqual([names.map(() => true)])
  })
  test("are not reachable by the usual tricks", async () => {
    const tried = (way: string) => `(() => { try { return typeof ${way} } catch { return "none" } })()`
    const makers = ["() => {}", "async () => {}", "function* () {}", "async function* () {}"]
    const ways = ["(0, eval)('typeof Bun')", ...makers.map(maker => `(${maker}).constructor("")`)]
    const all = ["(function () { return typeof this })()", ...ways.map(tried)]
    const [got = []] = await answers(`exports.parseStdoutLine = () => [${all.join(", ")}]`, "x")
    // Nothing that could be called: what every object has makes an object of a text.
    expect(got).toEqual(["undefined", "none", ...makers.map(() => "object")])
  })
})

describe("a misbehaving parser", () => {
  test("with an endless loop in a line loses this line and the later ones", async () => {
    const host = await loaded("exports.parseStdoutLine = line => { for (; line === 'hang'; ); return [] }")
    const given = await Promise.all(["a", "hang", "b"].map(line => host.parse(line, TS)))
    expect(given).toEqual([{ json: "[]" }, null, null])
    expect(host.failure).toBe("it took longer than 50 ms")
    expect(await host.parse("c", TS)).toBeNull()
  })
  test(
    "that hangs without using the processor is stopped all the same",
    async () => {
      const host = await loaded("exports.parseStdoutLine = () => { for (;;); }")
      // It is given two seconds more, which pass in a tenth of one.
      const now = performance.now.bind(performance)
      using _ = spyOn(process, "cpuUsage").mockReturnValue({ user: 0, system: 0 })
      using __ = spyOn(performance, "now").mockImplementation(() => 20 * now())
      expect(await host.parse("a", TS)).toBeNull()
      expect(host.failure).toBe("it took longer than 50 ms")
    },
    PATIENCE_MS,
  )
  test("with an endless loop in reset is stopped", async () => {
    const host = await loaded(
      "exports.createStdoutParser = () => ({ parseLine: () => [], reset: () => { for (;;); } })",
    )
    expect(await host.reset()).toBeNull()
    expect(host.failure).toBe("it took longer than 50 ms")
  })
  test.each(programs("stopped"))("with %s is stopped", async (_, loop) => {
    const host = await loaded(`exports.parseStdoutLine = () => { ${loop}; return [] }`)
    expect(await Promise.all(["a", "b"].map(line => host.parse(line, TS)))).toEqual([null, null])
    expect(host.failure).toBe("it took longer than 50 ms")
  })
  test("may return values that are not JSON, and throw anything", async () => {
    const program = `exports.parseStdoutLine = line => {
      if (line === "cycle") { const list = []; list.push(list); return list }
      if (line === "big") return [1n]
      if (line === "none") return undefined
      if (line === "getter") return [{ get kind() { throw new Error("looked") } }]
      throw line === "long" ? "x".repeat(500) : { toString() { throw new Error("no words") } }
    }`
    expect(await answers(program, "cycle", "big", "none", "getter", "long", "throw")).toEqual([
      { error: expect.stringContaining("cyclic") },
      { error: expect.stringContaining("BigInt") },
      {},
      { error: "Error: looked" },
      { error: "x".repeat(400) },
      { error: "an unprintable value" },
    ])
  })
  test("may recurse too deep, and long lines are handled", async () => {
    const program =
      "const deep = n => deep(n + 1) + 1\nexports.parseStdoutLine = line => line === 'deep' ? deep(0) : [line.length]"
    const [deep, long] = await answers(program, "deep", "x".repeat(1_000_000))
    expect(deep).toEqual({ error: expect.stringContaining("call stack") })
    expect(long).toEqual([1_000_000])
  })
})

test("a slow start is allowed, an endless one is stopped, also if it is a chain of promises", async () => {
  const slow = "const end = Date.now() + 150\nwhile (Date.now() < end);\nexports.parseStdoutLine = () => []"
  const host = await WorkerHost.open(slow)
  expect(host.failure).toBeNull()
  host.close()
  const chain = "const next = () => Promise.resolve().then(next); next(); exports.parseStdoutLine = () => []"
  for (const endless of ["for (;;);", chain])
    await expect(WorkerHost.open(endless, { loadMs: 100 })).rejects.toThrow("longer than 100 ms")
})
