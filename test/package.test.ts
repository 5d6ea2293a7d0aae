// The package as others get it: packed, unpacked elsewhere, and used by Node and by TypeScript.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openTerminal } from "./pty/terminal.ts"

const root = join(import.meta.dir, "..")
const home = mkdtempSync(join(tmpdir(), "package-"))
const installed = join(home, "node_modules/opentui-sidecar")

async function run(cmd: readonly string[], cwd: string): Promise<{ code: number; out: string }> {
  const child = Bun.spawn([...cmd], { cwd, stdout: "pipe", stderr: "pipe", stdin: "ignore" })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out: out + err }
}

beforeAll(async () => {
  // A copy of what git has or would take, since packing writes dist/ beside the sources.
  const copy = join(home, "source")
  const listed = await run(["git", "ls-files", "-co", "--exclude-standard"], root)
  await Bun.write(join(home, "files"), listed.out)
  await run(["mkdir", copy], home)
  await run(["sh", "-c", `tar -cf - -T "${home}/files" | tar -xf - -C "${copy}"`], root)
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"))
  const packed = await run([process.execPath, "pm", "pack", "--destination", home], copy)
  expect(packed).toMatchObject({ code: 0 })
  await run(["mkdir", "-p", installed], home)
  const tarball = join(home, "opentui-sidecar-0.1.0.tgz")
  expect((await run(["tar", "-xzf", tarball, "-C", installed, "--strip-components=1"], home)).code).toBe(0)
}, 60_000)

afterAll(() => rmSync(home, { recursive: true, force: true }))

test("the sidecar starts where it is installed, though Solid transforms nothing there", async () => {
  for (const name of ["@opentui", "ws", "transit-js", "solid-js"]) {
    symlinkSync(join(root, "node_modules", name), join(home, "node_modules", name))
  }
  const env = { OPENTUI_REPLAY: join(root, "fixtures/frames/demo.jsonl") }
  const cmd = [process.execPath, "--config=/dev/null", join(installed, "bin/opentui-sidecar")]
  await using sidecar = await openTerminal({ cmd, cwd: home, cols: 100, rows: 30, env })
  await sidecar.waitFor("end of recording")
  sidecar.press("\x03")
  expect(await sidecar.exited).toBe(0)
})

const NODE = Bun.which("node")

test.skipIf(NODE === null)("the streaming parser runs under Node from the packed package", async () => {
  const program = `
    import { createStreamingParser, extractSegments } from "opentui-sidecar/streaming"
    const parser = createStreamingParser()
    const events = [...parser.feed("Run <run_ba"), ...parser.feed("sh>ls</run_bash>"), ...parser.finalize()]
    console.log(JSON.stringify(extractSegments(events).map(one => [one.type, one.content])))`
  await Bun.write(join(home, "use.mjs"), program)
  const { code, out } = await run([NODE ?? "node", "use.mjs"], home)
  expect(out).toBe('[["text","Run "],["run_bash","ls"]]\n')
  expect(code).toBe(0)
})

test("TypeScript finds its types", async () => {
  const program = `
    import { type Segment, StreamingParser, extractSegments } from "opentui-sidecar/streaming"
    const segments: Segment[] = extractSegments(new StreamingParser().feedAndFinalize("x"))
    // @ts-expect-error a parser takes text
    new StreamingParser().feed(7)
    export default segments`
  await Bun.write(join(home, "use.ts"), program)
  await Bun.write(join(home, "package.json"), '{"type":"module"}')
  const tsc = join(root, "node_modules/typescript/bin/tsc")
  const compilerOptions = { noEmit: true, strict: true, module: "nodenext", target: "esnext", types: [] }
  await Bun.write(join(home, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }))
  expect(await run([process.execPath, tsc], home)).toEqual({ code: 0, out: "" })
})

const PARSER = join(installed, "dist/paperclip/ui-parser")
const LINE = '{"event":"llm/user-message","seq":1,"ts":2,"data":{"text":"hello"}}'
const ENTRIES = [{ kind: "user", ts: "T", text: "hello" }]

test.each(["js", "cjs"])("the ui-parser (.%s) is one small file without imports", async extension => {
  const text = await Bun.file(`${PARSER}.${extension}`).text()
  expect(Buffer.byteLength(text)).toBeLessThan(50_000)
  expect(new Bun.Transpiler({ loader: "js" }).scanImports(text)).toEqual([])
  expect(text).not.toMatch(/\brequire\(|\bprocess\.|\bdocument\.|\bwindow\./)
})

test.skipIf(NODE === null)("the ui-parser loads by import()", async () => {
  const program = `
    const { parseStdoutLine, createStdoutParser } = await import("opentui-sidecar/ui-parser")
    console.log(JSON.stringify([parseStdoutLine, createStdoutParser().parseLine].map(parse => parse('${LINE}', "T"))))`
  await Bun.write(join(home, "parser.mjs"), program)
  const { code, out } = await run([NODE ?? "node", "parser.mjs"], home)
  expect(out).toBe(`${JSON.stringify([ENTRIES, ENTRIES])}\n`)
  expect(code).toBe(0)
})

/** A word of the host's own, asked of its answer. */
type Parse = (line: string, ts: string) => unknown

test("the ui-parser loads where the host evaluates CommonJS, with the world taken away", async () => {
  const source = await Bun.file(`${PARSER}.cjs`).text()
  const shadowed = ["self", "globalThis", "fetch", "XMLHttpRequest", "WebSocket", "importScripts", "process", "Bun"]
  const module: { exports: { parseStdoutLine?: Parse; createStdoutParser?: () => { parseLine: Parse } } } = {
    exports: {},
  }
  new Function("exports", "module", ...shadowed, `"use strict";\n${source}`)(module.exports, module)
  expect(module.exports.parseStdoutLine?.(LINE, "T")).toEqual(ENTRIES)
  expect(module.exports.createStdoutParser?.().parseLine(LINE, "T")).toEqual(ENTRIES)
})
