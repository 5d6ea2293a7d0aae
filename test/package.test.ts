// Tests the package as users get it: packed, unpacked elsewhere, and used by Node and TypeScript.
import { beforeAll, expect, test } from "bun:test"
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { TSC } from "../build/bundle.ts"
import { version } from "../package.json"
import { root } from "./fixtures.ts"
import { openTerminal } from "./pty/terminal.ts"
import { fileScratch } from "./scratch.ts"

const home = fileScratch()
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
  const packed = await run([process.execPath, "pm", "pack", "--gzip-level=1", "--destination", home], copy)
  expect(packed).toMatchObject({ code: 0 })
  await run(["mkdir", "-p", installed], home)
  const tarball = join(home, `opentui-sidecar-${version}.tgz`)
  expect((await run(["tar", "-xzf", tarball, "-C", installed, "--strip-components=1"], home)).code).toBe(0)
  for (const name of ["@opentui", "transit-js", "solid-js"]) {
    symlinkSync(join(root, "node_modules", name), join(home, "node_modules", name))
  }
}, 240_000)

test("the installed package starts, though no Solid transform runs under node_modules", async () => {
  const env = { OPENTUI_REPLAY: join(root, "fixtures/frames/demo.jsonl") }
  const cmd = [process.execPath, "--config=/dev/null", join(installed, "bin/opentui-sidecar")]
  await using sidecar = await openTerminal({ cmd, cwd: home, cols: 100, rows: 30, env })
  await sidecar.waitFor("end of recording")
  sidecar.press("\x03")
  expect(await sidecar.exited).toBe(0)
})

const NODE = Bun.which("node")

test("TypeScript finds the types of the packed package", async () => {
  const program = `
    import { type Segment, StreamingParser, extractSegments } from "opentui-sidecar/streaming"
    const segments: Segment[] = extractSegments(new StreamingParser().feedAndFinalize("x"))
    import { createServerAdapter, type, models } from "opentui-sidecar"
    import { sessionCodec } from "opentui-sidecar/server"
    import { buildConfig } from "opentui-sidecar/ui"
    import { escapementCLIAdapter } from "opentui-sidecar/cli"
    import { parseStdoutLine } from "opentui-sidecar/ui-parser"
    // @ts-expect-error a parser takes text
    new StreamingParser().feed(7)
    // @ts-expect-error so does this one
    parseStdoutLine(7, "")
    export const used = [createServerAdapter().type, type, models, sessionCodec, buildConfig, escapementCLIAdapter]
    export default segments`
  await Bun.write(join(home, "use.ts"), program)
  await Bun.write(join(home, "package.json"), '{"type":"module"}')
  // Paperclip's and React's types are not installed here.
  const options = { noEmit: true, strict: true, module: "nodenext", target: "esnext", types: [], skipLibCheck: true }
  await Bun.write(join(home, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["use.ts"] }))
  expect(await run([process.execPath, TSC], home)).toEqual({ code: 0, out: "" })
})

/** The files of a package that an import really loads, as Node's own loader sees them. */
async function loadedBy(name: string): Promise<string[]> {
  const hooks = `import { writeSync } from "node:fs"
    export const load = (url, context, next) => (writeSync(1, url + String.fromCharCode(10)), next(url, context))`
  await Bun.write(join(home, "hooks.mjs"), hooks)
  const register = 'import { register } from "node:module"; register("./hooks.mjs", import.meta.url)'
  await Bun.write(join(home, "register.mjs"), register)
  await Bun.write(join(home, "load.mjs"), `await import("${name}")`)
  const { code, out } = await run([NODE ?? "node", "--import", "./register.mjs", "load.mjs"], home)
  expect({ code, out }).toMatchObject({ code: 0 })
  const files = out.split("\n").filter(url => url.startsWith("file:") && !url.endsWith("/load.mjs"))
  return files.map(url => url.replace(/^.*\/(?=opentui-sidecar\/|node_modules\/)/, ""))
}

test.skipIf(NODE === null)("the adapter's root export loads only its own few files", async () => {
  const files = await loadedBy("opentui-sidecar")
  expect(files).toContain("opentui-sidecar/dist/paperclip/index.js")
  expect(files.filter(file => !/^opentui-sidecar\/dist\/paperclip\/(index|chunk-\w+)\.js$/.test(file))).toEqual([])
})

test.skipIf(NODE === null).each(["server", "ui", "cli"])(
  "the export ./%s loads under Node without the screen",
  async part => {
    const files = await loadedBy(`opentui-sidecar/${part}`)
    expect(files).toContain(`opentui-sidecar/dist/paperclip/${part}/index.js`)
    expect(files.filter(file => /opentui\/|solid|react|dist\/(?:screen|ui)\b/.test(file))).toEqual([])
  },
)
