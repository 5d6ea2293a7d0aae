// Builds dist/: a bundle that starts fast, and the libraries as JavaScript. `prepack` runs it, so the package contains
// it. `bun build.ts compile [FILE]` builds a single executable; `bun build.ts app` builds only the bundle of the
// program; `bun build.ts parser DIRECTORY` and `bun build.ts adapter DIRECTORY` build only that package.
import { copyFile, mkdir, readdir, rename, rm, rmdir } from "node:fs/promises"
import solidPlugin from "@opentui/solid/bun-plugin"
import { $ } from "bun"
import { license, paperclip, version } from "./package.json"

const root = import.meta.dir

/**
 * The program and Solid, split into chunks because no start needs them all. OpenTUI stays external because it has a
 * native part.
 */
async function buildApp(): Promise<void> {
  const outdir = `${root}/dist/app-${process.pid}`
  try {
    await makeApp(outdir)
  } finally {
    await rm(outdir, { recursive: true, force: true })
  }
}

async function makeApp(outdir: string): Promise<void> {
  await bundle({
    entrypoints: [`${root}/src/app/app.ts`],
    outdir,
    target: "bun",
    splitting: true,
    // Identifiers stay, for readable stack traces in crash files.
    minify: { whitespace: true, syntax: true, identifiers: false },
    plugins: [solidPlugin],
    external: ["@opentui/core", "@opentui/core/testing", "@opentui/solid/bun-plugin"],
  })
  // Chunks are named by their content and app.js refers to them, so it is moved last: a start meanwhile finds either
  // the old bundle or the new one. Old chunks remain for running programs that haven't loaded them yet.
  const chunks = (await readdir(outdir)).filter(name => name !== "app.js")
  for (const name of [...chunks, "app.js"]) await rename(`${outdir}/${name}`, `${root}/dist/${name}`)
}

/** A single executable that needs no package, and ignores bunfig.toml and .env in the working directory. */
async function buildExecutable(outfile: string): Promise<void> {
  await bundle({
    // Besides the program: the worker for guest parsers, our own parser, and the demo's recording.
    entrypoints: [
      "bin/executable.ts",
      "src/guest/worker.ts",
      "src/paperclip/ui-parser.ts",
      "fixtures/frames/demo.jsonl",
    ].map(path => `${root}/${path}`),
    root,
    loader: { ".jsonl": "file" },
    naming: { asset: "[dir]/[name].[ext]" },
    target: "bun",
    format: "esm",
    bytecode: true,
    minify: true,
    plugins: [solidPlugin],
    external: ["@opentui/solid/bun-plugin"],
    define: { "process.env.OPENTUI_LIBC": JSON.stringify("glibc") },
    compile: { outfile, autoloadBunfig: false, autoloadDotenv: false },
  })
}

/** The streaming parser for Node and browsers, with type declarations. */
async function buildStreaming(): Promise<void> {
  await bundleParser(`${root}/dist/streaming`, false)
  await declareParser(`${root}/dist`)
}

/** The streaming parser as a package of its own, without dependencies. */
async function buildParserPackage(outdir: string): Promise<void> {
  await rm(outdir, { recursive: true, force: true })
  await bundleParser(outdir, true)
  const types = `${outdir}/types`
  await declareParser(types)
  // Node 20.19 can require a module, but a CommonJS program may only use types that are CommonJS as well.
  await Bun.write(`${types}/package.json`, '{ "type": "commonjs" }\n')
  for (const name of ["index.d.ts", "index.d.cts"]) {
    await Bun.write(`${outdir}/${name}`, 'export * from "./types/streaming/index.js"\n')
  }
  // The AI SDK is a module, and so its middleware's types must be.
  for (const name of await readdir(`${types}/streaming/ai`)) {
    await rename(`${types}/streaming/ai/${name}`, `${outdir}/ai/${name}`)
  }
  await rmdir(`${types}/streaming/ai`)
  await describePackage(outdir, PARSER_PACKAGE)
}

/** Writes what every package has: its manifest, its README and the license. */
async function describePackage(outdir: string, manifest: { readonly name: string }): Promise<void> {
  await Bun.write(`${outdir}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`)
  await copyFile(`${root}/docs/packages/${manifest.name}.md`, `${outdir}/README.md`)
  await copyFile(`${root}/LICENSE`, `${outdir}/LICENSE`)
}

const PARSER_HOME = `${root}/dist/npm/llm-stream-segments`

const PARSER_PACKAGE = {
  name: "llm-stream-segments",
  version,
  description: "Reads a language model's text while it streams: tool calls, files, commands, reasoning.",
  keywords: ["llm", "streaming", "parser", "tool-calls", "reasoning", "ai-sdk"],
  license,
  type: "module",
  sideEffects: false,
  engines: { node: ">=20.19" },
  // Compilers that resolve as Node 10 did read `main` and `types`; all others read `exports`.
  main: "./index.js",
  types: "./index.d.cts",
  exports: {
    ".": {
      import: { types: "./index.d.ts", default: "./index.js" },
      require: { types: "./index.d.cts", default: "./index.js" },
      default: "./index.js",
    },
    "./ai": { types: "./ai/index.d.ts", default: "./ai/index.js" },
    "./package.json": "./package.json",
  },
  peerDependencies: { ai: "^7.0.0" },
  peerDependenciesMeta: { ai: { optional: true } },
}

function bundleParser(outdir: string, minify: boolean): Promise<void> {
  const base = `${root}/src/streaming`
  const entrypoints = [`${base}/index.ts`, `${base}/ai/index.ts`]
  return bundle({ entrypoints, root: base, outdir, format: "esm", target: "browser", splitting: true, minify })
}

async function declareParser(outdir: string): Promise<void> {
  await $`${process.execPath} x tsc -p tsconfig.build.json --outDir ${outdir}`.cwd(root)
}

/**
 * The parser for Paperclip's run view, as an ES module and as CommonJS for Paperclip's host (docs/decisions.md 8.1).
 */
async function buildUiParser(outdir: string): Promise<void> {
  const entrypoints = [`${root}/src/paperclip/ui-parser.ts`]
  for (const format of ["esm", "cjs"] as const) {
    const naming = `[name].${format === "esm" ? "js" : "cjs"}`
    const minify = { whitespace: true, syntax: true, identifiers: false }
    await bundle({ entrypoints, outdir, format, target: "browser", naming, minify })
  }
}

/** The adapter for Paperclip and its types. It needs no install, because all that it runs on is bundled. */
async function buildAdapter(outdir: string): Promise<void> {
  const base = `${root}/src/paperclip`
  const entrypoints = ["index.ts", "server/index.ts", "ui/index.ts", "cli/index.ts"].map(path => `${base}/${path}`)
  await bundle({ entrypoints, root: base, outdir, format: "esm", target: "node", splitting: true })
  await buildUiParser(outdir)
  await $`${process.execPath} x tsc -p tsconfig.adapter.json --outDir ${outdir}/types`.cwd(root)
  const licenses = BUNDLED.map(name => Bun.file(`${root}/node_modules/${name}/LICENSE`).text())
  const texts = (await Promise.all(licenses)).map((text, index) => `${BUNDLED[index]}\n\n${text}`)
  await Bun.write(`${outdir}/THIRD-PARTY-LICENSES`, texts.join("\n\n"))
}

/** The adapter as a package of its own. */
async function buildAdapterPackage(outdir: string): Promise<void> {
  await rm(outdir, { recursive: true, force: true })
  await buildAdapter(outdir)
  await describePackage(outdir, ADAPTER_PACKAGE)
}

const ADAPTER_HOME = `${root}/dist/npm/paperclip-adapter-escapement`

/** What the adapter's bundle has parts of. `shared` has the license of all of Paperclip's packages. */
const BUNDLED = ["@paperclipai/shared", "picocolors", "zod"]

const ADAPTER_PACKAGE = {
  name: "paperclip-adapter-escapement",
  version,
  description: "Runs Escapement charts as agents of a Paperclip server, and shows their runs.",
  keywords: ["paperclip", "paperclip-adapter", "escapement", "agent", "statechart"],
  license,
  type: "module",
  engines: { node: ">=20" },
  exports: {
    ".": entryOf("index"),
    "./server": entryOf("server/index"),
    "./ui": entryOf("ui/index"),
    "./cli": entryOf("cli/index"),
    "./ui-parser": {
      types: "./types/paperclip/ui-parser.d.ts",
      bun: "./ui-parser.js",
      node: "./ui-parser.js",
      default: "./ui-parser.cjs",
    },
    "./package.json": "./package.json",
  },
  paperclip,
  // Only for compilers: the types name Paperclip's and React's.
  peerDependencies: { "@paperclipai/adapter-utils": ">=2026.916.1", react: ">=18" },
  peerDependenciesMeta: { "@paperclipai/adapter-utils": { optional: true }, react: { optional: true } },
}

function entryOf(path: string): { readonly types: string; readonly default: string } {
  return { types: `./types/paperclip/${path}.d.ts`, default: `./${path}.js` }
}

async function bundle(config: Parameters<typeof Bun.build>[0]): Promise<void> {
  const { success, logs } = await Bun.build(config)
  if (!success) throw new AggregateError(logs, "the build failed")
}

if (process.argv[2] === "app") {
  // The process that started this build set the lock, and may have exited.
  await buildApp().finally(() => rmdir(`${root}/dist/.making`).catch(() => undefined))
} else if (process.argv[2] === "compile") {
  await buildExecutable(process.argv[3] ?? `${root}/dist/opentui-sidecar`)
} else if (process.argv[2] === "parser") {
  await buildParserPackage(process.argv[3] ?? PARSER_HOME)
} else if (process.argv[2] === "adapter") {
  await buildAdapterPackage(process.argv[3] ?? ADAPTER_HOME)
} else {
  await rm(`${root}/dist`, { recursive: true, force: true })
  await mkdir(`${root}/dist`)
  await buildApp()
  await buildStreaming()
  await buildAdapter(`${root}/dist/paperclip`)
  await buildParserPackage(PARSER_HOME)
  await buildAdapterPackage(ADAPTER_HOME)
}
