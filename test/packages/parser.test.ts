// Tests llm-stream-segments as its users get it: built, packed, installed, compiled against, run on each host.
import { beforeAll, expect, test } from "bun:test"
import { existsSync, mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { runInNewContext } from "node:vm"
import { TSC } from "../../build/bundle.ts"
import { TAG_PROFILES } from "../../packages/llm-stream-segments/src/streaming/core.ts"
import { run } from "../cli/ran.ts"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { bytesIn, emptyEnvironment, installed, packed, program } from "./packed.ts"

const home = fileScratch()
const own = join(home, "node_modules/llm-stream-segments")
const env = emptyEnvironment(join(home, "home"))

beforeAll(async () => {
  await installed(home, [await packed("parser", "llm-stream-segments", home)])
})

const filesOf = (pattern: string) => [...new Bun.Glob(pattern).scanSync({ cwd: own })]

test("it installs alone, below 900 KB with its source maps, and imports nothing from outside", async () => {
  expect([...new Bun.Glob("*").scanSync({ cwd: join(home, "node_modules"), onlyFiles: false })]).toEqual([
    "llm-stream-segments",
  ])
  expect(bytesIn(own)).toBeLessThan(900_000)
  const { dependencies, peerDependenciesMeta } = await Bun.file(join(own, "package.json")).json()
  expect([dependencies, peerDependenciesMeta]).toEqual([undefined, { ai: { optional: true } }])
  const scripts = await Promise.all(filesOf("**/*.js").map(name => Bun.file(join(own, name)).text()))
  const imports = scripts.flatMap(text => new Bun.Transpiler({ loader: "js" }).scanImports(text))
  expect(imports.map(({ path }) => path).filter(path => !path.startsWith("."))).toEqual([])
  expect(filesOf("*.{md,svg}").sort()).toEqual(["README.md", "segments.svg"])
})

const USE = `
  const parser = new StreamingParser()
  const events = [...parser.feed("Run <run_ba"), ...parser.feed("sh>ls</run_bash>"), ...parser.finalize()]
  const result = JSON.stringify(extractSegments(events).map(one => [one.type, one.content]))`
const RESULT = '[["text","Run "],["run_bash","ls"]]'

const NODE = Bun.which("node")
const HOSTS = [process.execPath, ...(NODE === null ? [] : [NODE])]

test.each(HOSTS)("%s imports it, requires it, and streams through it", async host => {
  const names = "{ StreamingParser, SegmentStream, extractSegments }"
  const print = `${USE}\n;console.log(result, new SegmentStream().readable instanceof ReadableStream)`
  await Bun.write(join(home, "use.mjs"), `import ${names} from "llm-stream-segments/compat"\n${print}`)
  await Bun.write(join(home, "use.cjs"), `const ${names} = require("llm-stream-segments/compat")\n${print}`)
  for (const file of ["use.mjs", "use.cjs"]) {
    expect(await run([host, file], home, env)).toMatchObject({ code: 0, out: `${RESULT} true\n` })
  }
})

test("a browser's bundle of it needs no process, no Node and no streams", async () => {
  const entry = join(home, "browser.mjs")
  await Bun.write(
    entry,
    `import { StreamingParser, extractSegments } from "llm-stream-segments/compat"\n${USE}
    globalThis.result = result`,
  )
  const { outputs } = await Bun.build({ entrypoints: [entry], target: "browser", format: "iife" })
  const world: { result?: string } = {}
  runInNewContext((await outputs[0]?.text()) ?? "", world)
  expect(world.result).toBe(RESULT)
})

/** The bytes, with gzip, of a browser's bundle of a program that uses these names. */
async function bundled(names: string, use: string): Promise<number> {
  const entry = join(home, `bundled-${Bun.hash(use)}.mjs`)
  await Bun.write(entry, `import { ${names} } from "llm-stream-segments"\nconsole.log(${use})`)
  const { outputs } = await Bun.build({ entrypoints: [entry], target: "browser", minify: true })
  return Bun.gzipSync(new Uint8Array((await outputs[0]?.arrayBuffer()) ?? new ArrayBuffer())).length
}

/** What `segments` takes with these profiles. */
function sizeOf(...profiles: readonly string[]): Promise<number> {
  return bundled("segments, TAG_PROFILES", ["segments", ...profiles.map(name => `TAG_PROFILES.${name}`)].join())
}

test("a bundle of segments and any one profile takes at most 12 KB", async () => {
  const sizes = await Promise.all(Object.keys(TAG_PROFILES).map(async name => [name, await sizeOf(name)] as const))
  expect(sizes.length).toBeGreaterThan(30)
  expect(sizes.filter(([, size]) => size > 12_000)).toEqual([])
  expect(await bundled("extractSegments", "extractSegments([])")).toBeLessThan(1000)
})

test("each further profile takes at most 0.3 KB beside one of its reader", async () => {
  const readers = ["hermes", "kimiK2", "claude", "glm", "lfm2", "apertus", "json", "sentinel"]
  const all = await sizeOf(...readers)
  const others = Object.keys(TAG_PROFILES).filter(name => !readers.includes(name))
  const more = await Promise.all(others.map(async name => [name, (await sizeOf(...readers, name)) - all] as const))
  expect(more.filter(([, size]) => size > 300)).toEqual([])
  const names = Object.keys(TAG_PROFILES)
  expect(await sizeOf(...names)).toBeLessThan(12_000 + 300 * (names.length - 1))
})

const CHROMIUM = Bun.which("chromium") ?? Bun.which("chromium-browser") ?? Bun.which("google-chrome")
const PAGE = (await program("page.html")).replace("USE", USE)
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]

test.skipIf(CHROMIUM === null)(
  "Chromium loads the built files as modules, and streams through them",
  async () => {
    const result = Promise.withResolvers<unknown>()
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      routes: {
        "/": () => new Response(PAGE, { headers: { "content-type": "text/html" } }),
        "/answer": () => new Response("Run <run_bash>ls</run_bash>"),
        "/result": async request => {
          result.resolve(await request.json())
          return new Response("")
        },
        "/package/*": request => new Response(Bun.file(join(own, new URL(request.url).pathname.slice(9)))),
      },
    })
    const quiet = [...FLAGS, "--disable-background-networking", "--disable-component-update"]
    const cmd = [CHROMIUM ?? "", ...quiet, `--user-data-dir=${join(home, "profile")}`, server.url.href]
    const browser = Bun.spawn(cmd, { stdio: ["ignore", "ignore", "ignore"] })
    try {
      expect(await Promise.race([result.promise, browser.exited])).toEqual([RESULT, RESULT, RESULT, "function"])
    } finally {
      browser.kill("SIGKILL")
      await Promise.all([browser.exited, server.stop(true)])
    }
  },
  60_000,
)

const TYPED = await program("typed.txt")
const AI = await program("ai.txt")

/** What tsc says about a program in a folder of its own. */
async function compiled(name: string, files: Record<string, string>, options: object, tsc = TSC) {
  const folder = join(home, name)
  mkdirSync(folder)
  for (const [path, text] of Object.entries(files)) await Bun.write(join(folder, path), text)
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true }
  const compilerOptions = { target: "es2022", lib: ["es2022", "dom"], types: [], ...strict, ...options }
  await Bun.write(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(files) }))
  const { code, out } = await run([process.execPath, tsc], folder, env)
  return { code, out }
}

/** As if the AI SDK were installed beside the package. */
function linkSdk(): void {
  const path = join(home, "node_modules/ai")
  if (!existsSync(path)) symlinkSync(join(root, "node_modules/ai"), path)
}

const FOUND = { code: 0, out: "" }

// The AI SDK's own declarations are its own affair: they aren't there where the package's are checked.
test.each([
  ["node10", { module: "commonjs", moduleResolution: "node10" }, { "a.ts": TYPED, "ai.mts": AI }],
  ["node16", { module: "node16", moduleResolution: "node16" }, { "a.mts": TYPED, "b.cts": TYPED }],
  ["bundler", { module: "esnext", moduleResolution: "bundler" }, { "a.ts": TYPED, "ai.mts": AI }],
])(
  "its types are found and correct under %s",
  async (name, options, programs) => {
    linkSdk()
    // Later compilers have no node10.
    const tsc = name === "node10" ? join(root, "node_modules/typescript/bin/tsc") : TSC
    expect(await compiled(name, programs, { ...options, skipLibCheck: "ai.mts" in programs }, tsc)).toEqual(FOUND)
  },
  120_000,
)

const CALL = '<tool_call>{"name": "weather", "arguments": {"city": "Paris"}}</tool_call>'
const LOOP = {
  before: `const shown: string[] = []
    const process = { stdout: { write: (text: string) => shown.push(text) } }
    const run = (id: string, name: string, args: object) => { shown.push(id, name, JSON.stringify(args)) }
    const source = ["Hi <tool_", ${JSON.stringify(CALL.slice(6))}]`,
  after: "console.log(JSON.stringify(shown))",
  prints: ["Hi ", "seg_2", "weather", '{"city":"Paris"}'],
}
const SDK = {
  before: `import { jsonSchema, tool } from "ai"
    import { convertArrayToReadableStream, MockLanguageModelV4 } from "ai/test"
    const prompt = "?"
    const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never
    const model = new MockLanguageModelV4({ doStream: { stream: convertArrayToReadableStream([
      { type: "text-start", id: "1" },
      { type: "text-delta", id: "1", delta: "<think>Which?</think>" + ${JSON.stringify(CALL)} },
      { type: "text-end", id: "1" },
      { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage },
    ]) } })
    const inputSchema = jsonSchema<{ city: string }>({ type: "object" })
    const tools = { weather: tool({ inputSchema, execute: ({ city }) => "sun in " + city }) }`,
  after: `const results = await result.toolResults
    console.log(JSON.stringify([await result.reasoningText, results[0]?.output]))`,
  prints: ["Which?", "sun in Paris"],
}

/** What a provider streams, as an answer of `fetch` in an example, and what the example prints. */
const provided = (events: readonly object[], prints: readonly string[]) => ({
  before: `const shown: string[] = []
    const process = { env: { ANTHROPIC_API_KEY: "key" }, stdout: { write: (text: string) => shown.push(text) } }
    const console = { log: (name: string, args: object) => { shown.push(name, JSON.stringify(args)) } }
    const events: readonly object[] = ${JSON.stringify(events)}
    const fetch = async (..._: unknown[]) => new Response(events.map(event => "data: " + JSON.stringify(event) + "\\n\\n").join(""))`,
  after: "globalThis.console.log(JSON.stringify(shown))\nvoid process",
  prints,
})
const delta = (fields: object) => ({ choices: [{ delta: fields }] })
const CODER = "<tool_call>\n<function=weather>\n<parameter=city>\nParis\n</parameter>\n</function>\n</tool_call>"
const PROVIDERS = [
  provided(
    [
      delta({ content: "Hi <tool_" }),
      delta({ content: CALL.slice(6) }),
      delta({ tool_calls: [{ index: 0, id: "c", function: { name: "now", arguments: "{}" } }] }),
    ],
    ["Hi ", "weather", '{"city":"Paris"}', "now", "{}"],
  ),
  provided([delta({ content: CODER })], ["weather", '{"city":"Paris"}']),
  provided(
    [
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
      {
        type: "content_block_start",
        index: 1,
        content_block: { type: "tool_use", id: "t", name: "weather", input: {} },
      },
      { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"city":' } },
      { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '"Paris"}' } },
    ],
    ["Hi", "weather", '{"city":"Paris"}'],
  ),
]

/** What surrounds each example of a page, in order, and what it prints then. */
const EXAMPLES = {
  "docs/streaming.md": [
    LOOP,
    {
      before: `const source = ['<tool_call>{"name": "weather", "arguments": {"city": "Paris"}}</tool_call>']
        const shown: string[] = []
        const showProgress = (...args: string[]) => { shown.push(...args) }`,
      after: "console.log(JSON.stringify(shown))",
      prints: ["seg_1", "city", "Paris"],
    },
    {
      before: `import { extractSegments, parseCompleteResponse } from "llm-stream-segments/compat"`,
      after: `const text = '<tool name="create_file"><arg name="path">/a</arg><arg name="content"><<<FILE x</arg> FILE>>></arg></tool>'
        console.log(JSON.stringify(extractSegments(parseCompleteResponse(text)).map(one => [one.metadata.path, one.content])))`,
      prints: [["/a", " x</arg> "]],
    },
  ],
  "packages/llm-stream-segments/README.md": [
    ...PROVIDERS,
    {
      before: `const call = '<tool_call>{"name": "run_bash", "arguments": {"command": "ls"}}</tool_call>'
        const response = new Response("Run " + call) as Response & { body: object }`,
      after: `const kinds: string[] = []
        for await (const event of events as unknown as AsyncIterable<{ event_type: string }>) kinds.push(event.event_type)
        console.log(JSON.stringify(kinds.length))`,
      prints: 6,
    },
    SDK,
  ],
}

test.each(Object.entries(EXAMPLES))(
  "the examples in %s compile and do what the page says",
  async (page, examples) => {
    linkSdk()
    const text = await Bun.file(join(root, page)).text()
    const programs = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text]) => text)
    expect(programs.length).toBe(examples.length)
    const folder = page.replaceAll("/", "-")
    const files = examples.map(({ before, after }, i) => [`${i}.mts`, `${before}\n${programs[i]}\n${after}\nexport {}`])
    const options = { module: "nodenext", moduleResolution: "nodenext", skipLibCheck: true }
    expect(await compiled(folder, Object.fromEntries(files), options)).toEqual(FOUND)
    const printed = await Promise.all(
      examples.map((_, i) => run([process.execPath, join(folder, `${i}.mts`)], home, env)),
    )
    expect(printed.map(({ out, err }) => out || err)).toEqual(
      examples.map(({ prints }) => `${JSON.stringify(prints)}\n`),
    )
  },
  60_000,
)
