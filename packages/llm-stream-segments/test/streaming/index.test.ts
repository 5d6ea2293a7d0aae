// Tests the library by its package name, under Node, and without a process object.
import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { runInNewContext } from "node:vm"
import { root } from "../../../../test/fixtures.ts"
import { fileScratch } from "../../../../test/scratch.ts"
import * as streaming from "../../src/streaming/index.ts"

const folder = fileScratch()

async function bundle(format: "esm" | "iife", entry: string): Promise<string> {
  const path = join(folder, `entry-${format}.ts`)
  await Bun.write(path, entry)
  const { outputs } = await Bun.build({ entrypoints: [path], target: "browser", format })
  return outputs[0]?.text() ?? ""
}

const library = new URL("../../src/streaming/index.ts", import.meta.url).pathname
const SAMPLE = `
  import * as streaming from ${JSON.stringify(library)}
  const parser = streaming.createStreamingParser({ parserName: streaming.resolveParserName() })
  const events = [...parser.feed("a<run_bash>ls</run_"), ...parser.feed("bash>"), ...parser.finalize()]
  const prefix = new streaming.PassThroughStreamingResponseHandler().feed("x")[0].segment_id
  let piped = "can be piped"
  try {
    new streaming.SegmentStream()
  } catch (error) {
    piped = error.message
  }
  globalThis.result = { names: Object.keys(streaming), texts: streaming.extractSegments(events).map(({ content }) => content), prefix, piped }
`

test("the library exports every public name", async () => {
  expect(Object.keys(streaming).sort().join(" ")).toMatchSnapshot()
  const repository = join(import.meta.dir, "../../../..")
  expect(await import(Bun.resolveSync("opentui-sidecar/streaming", repository))).toBe(streaming)
})

const node = Bun.which("node")

test.skipIf(node === null)(
  "node runs it, and no long tag, deep nesting or chunk of 4 MB makes V8 throw",
  async () => {
    const entry = `${SAMPLE}
    const many = 500_000
    const texts = [
      ["xml", '<tool name="f"><a' + " b='1'".repeat(many) + ">x</a></tool>"],
      ["json", '{"name":"f","arguments":' + "[".repeat(many) + "]".repeat(many) + "}"],
      ["sentinel", '[[SEG_START {"type":"text"}]]' + '[[SEG_START {"a":['.repeat(many / 8)],
      ["xml", '<tool name="f">' + "<a>".repeat(many) + "</tool>"],
      ["xml", '<tool name="own">x</tool>'.repeat(many / 3)],
      ["xml", "<think>" + "\`".repeat(many)],
    ]
    streaming.registerXmlToolParsingState("own", class extends streaming.XmlToolParsingState {})
    const config = new streaming.ParserConfig({ safe: true, tags: { think: "reasoning" } })
    for (const [parserName, text] of texts) {
      const handler = new streaming.ParsingStreamingResponseHandler({ parserName, config })
      handler.feed(text)
      handler.finalize()
    }
    process.stdout.write(JSON.stringify(globalThis.result))`
    const script = join(folder, "run.mjs")
    await Bun.write(script, await bundle("esm", entry))
    const { AUTOBYTEUS_STREAM_PARSER: _, ...env } = process.env
    const { stdout, exitCode } = Bun.spawnSync([node ?? "node", script], { env })
    const { names, texts, piped } = JSON.parse(stdout.toString())
    expect([exitCode, texts, piped]).toEqual([0, ["a", "ls"], "can be piped"])
    expect(names).toEqual(expect.arrayContaining(Object.keys(streaming)))
  },
  60_000,
)

test("the library runs without a process object, random numbers and streams, but for its pipe", async () => {
  const world: { result?: { texts: string[]; prefix: string; piped: string } } = {}
  runInNewContext(await bundle("iife", SAMPLE), world)
  expect([...(world.result?.texts ?? [])]).toEqual(["a", "ls"])
  expect(world.result?.prefix).toMatch(/^pt_[0-9]+:text_0$/)
  expect(world.result?.piped).toBe("expected a host with TransformStream, got one without")
})

test("the library imports no packages, and only one file reads the host", () => {
  const host = /\b(?:process|Bun|globalThis|Date|performance|console|Math\.random|setTimeout)\b/
  const readers: string[] = []
  for (const room of ["parse", "streaming"]) {
    for (const name of readdirSync(join(root, "packages/llm-stream-segments/src", room)).filter(each =>
      each.endsWith(".ts"),
    )) {
      const text = readFileSync(join(root, "packages/llm-stream-segments/src", room, name), "utf8")
      for (const [, path] of text.matchAll(/(?:from|import\(?)\s*"([^"]+)"/g))
        expect(path).toMatch(/^\.\/|^\.\.\/parse\//)
      if (host.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ""))) readers.push(`${room}/${name}`)
    }
  }
  expect(readers).toEqual(["streaming/host-environment.ts"])
})
