// Tests paperclip-adapter-escapement as its users get it: built, packed, own, loaded without an install.
import { beforeAll, expect, test } from "bun:test"
import { cpSync } from "node:fs"
import { join } from "node:path"
import { run } from "../cli/ran.ts"
import { fileScratch } from "../scratch.ts"
import { bytesIn, emptyEnvironment, installed, packed, program } from "./packed.ts"

const home = fileScratch()
const own = join(home, "node_modules/paperclip-adapter-escapement")

beforeAll(async () => {
  await installed(home, [await packed("adapter", "paperclip-adapter-escapement", home)])
})

const read = (name: string) => Bun.file(join(own, name)).text()
const importsOf = async (name: string) => new Bun.Transpiler({ loader: "js" }).scanImports(await read(name))

test("it installs alone, below 2 MB, and carries its licenses and the picture of its README", async () => {
  expect([...new Bun.Glob("*").scanSync({ cwd: join(home, "node_modules"), onlyFiles: false })]).toEqual([
    "paperclip-adapter-escapement",
  ])
  expect(bytesIn(own)).toBeLessThan(2_000_000)
  const { dependencies, optionalDependencies, exports, paperclip } = JSON.parse(await read("package.json"))
  expect([dependencies, optionalDependencies]).toEqual([undefined, undefined])
  expect(paperclip).toEqual({ adapterUiParser: "1.0.0" })
  const paths = Object.values(exports).flatMap(one => (typeof one === "string" ? one : Object.values(Object(one))))
  for (const path of paths) expect(await Bun.file(join(own, String(path))).exists()).toBe(true)
  expect(await read("NOTICE")).toContain("Paperclip")
  const [, picture = ""] = (await read("README.md")).match(/!\[[^\]]+\]\(([^)]+)\)/) ?? []
  expect(await read(picture)).toStartWith("<svg")
  const scripts = [...new Bun.Glob("**/*.{js,cjs}").scanSync({ cwd: own })]
  const imports = (await Promise.all(scripts.map(importsOf))).flat()
  expect(imports.map(({ path }) => path).filter(path => !path.startsWith(".") && !path.startsWith("node:"))).toEqual([])
})

test("its root imports no Node API before a run or a test needs it", async () => {
  const [entry = [], ...chunks] = await Promise.all(
    [
      "index.js",
      ...(await importsOf("index.js")).filter(({ kind }) => kind === "import-statement").map(one => one.path),
    ].map(importsOf),
  )
  const loaded = [...entry.filter(({ kind }) => kind === "import-statement"), ...chunks.flat()]
  expect(loaded.filter(({ path }) => path.startsWith("node:"))).toEqual([])
})

const NODE = Bun.which("node")
const HOSTS = [process.execPath, ...(NODE === null ? [] : [NODE])]

test.each(HOSTS)("%s loads every part of it without an install", async host => {
  await Bun.write(join(home, "load.mjs"), await program("load.mjs"))
  const { out, err, code } = await run([host, "load.mjs"], home, emptyEnvironment(join(home, "home")))
  expect({ code, err }).toEqual({ code: 0, err: "" })
  expect(JSON.parse(out)).toEqual(["escapement_local", "warn", "escapement_not_installed", [true, true, true, true]])
})

test.each(HOSTS)("%s gets all of it anew if the host loads it again after an update", async host => {
  const copy = join(home, "updated")
  cpSync(own, copy, { recursive: true })
  // As the host's reload does, the entry is imported again with another query.
  await Bun.write(join(home, "reload.mjs"), await program("reload.mjs"))
  const { out, err } = await run([host, "reload.mjs"], home, emptyEnvironment(join(home, "home")))
  expect({ out, err }).toEqual({ out: "[false,true]\n", err: "" })
})

/** A word of the host's own, asked of its answer. */
type Parse = (line: string, ts: string) => unknown

test("the host's default for the parser is one small CommonJS file that runs without globals", async () => {
  const { exports } = JSON.parse(await read("package.json"))
  const source = await read(exports["./ui-parser"].default)
  expect(Buffer.byteLength(source)).toBeLessThan(9_000)
  expect(source).not.toMatch(/\brequire\(|\bprocess\.|\bdocument\.|\bwindow\./)
  const shadowed = ["self", "globalThis", "fetch", "XMLHttpRequest", "WebSocket", "importScripts", "process", "Bun"]
  const module: { exports: { parseStdoutLine?: Parse; createStdoutParser?: () => { parseLine: Parse } } } = {
    exports: {},
  }
  new Function("exports", "module", ...shadowed, `"use strict";\n${source}`)(module.exports, module)
  const { parseStdoutLine, createStdoutParser } = module.exports
  for (const parse of [parseStdoutLine, createStdoutParser?.().parseLine])
    expect(parse?.("run » hello", "T")).toEqual([{ kind: "user", ts: "T", text: "hello" }])
})
