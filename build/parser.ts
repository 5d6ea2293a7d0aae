// Builds the streaming parser: for the repository's own exports, and as the package llm-stream-segments.
import { copyFile, mkdir, readdir, rename, rm, rmdir } from "node:fs/promises"
import { $ } from "bun"
import { bundle, root } from "./bundle.ts"
import { describePackage } from "./package.ts"

/** The streaming parser for Node and browsers, with type declarations. */
export async function buildStreaming(): Promise<void> {
  const base = `${root}/src/streaming`
  const entrypoints = [`${base}/index.ts`, `${base}/ai/index.ts`]
  const outdir = `${root}/dist/streaming`
  await bundle({ entrypoints, root: base, outdir, format: "esm", target: "browser", splitting: true })
  await compileParser(`${root}/dist`)
}

/** The streaming parser as a package of its own: module by module, so that bundlers take what is used. */
export async function buildParserPackage(outdir: string): Promise<void> {
  await rm(outdir, { recursive: true, force: true })
  await compileParser(`${outdir}/lib`, ["--declaration", "false", "--emitDeclarationOnly", "false", ...MAPS])
  const types = `${outdir}/types`
  await compileParser(types)
  // Node 20.19 can require a module, but a CommonJS program may only use types that are CommonJS as well.
  await Bun.write(`${types}/package.json`, '{ "type": "commonjs" }\n')
  for (const [name, source] of [
    ["index", "core"],
    ["compat", "index"],
  ]) {
    for (const end of ["d.ts", "d.cts"]) {
      await Bun.write(`${outdir}/${name}.${end}`, `export * from "./types/streaming/${source}.js"\n`)
    }
  }
  // The AI SDK is a module, and so its middleware's types must be.
  await mkdir(`${outdir}/ai`)
  for (const name of await readdir(`${types}/streaming/ai`)) {
    await rename(`${types}/streaming/ai/${name}`, `${outdir}/ai/${name}`)
  }
  await rmdir(`${types}/streaming/ai`)
  await copyFile(`${root}/docs/packages/segments.svg`, `${outdir}/segments.svg`)
  await describePackage(outdir, MANIFEST)
}

const MAPS: readonly string[] = ["--sourceMap", "--inlineSources"]

/** What `name` exports, to modules and to CommonJS programs. */
const exported = (name: string, source: string) => ({
  import: { types: `./${name}.d.ts`, default: `./lib/streaming/${source}.js` },
  require: { types: `./${name}.d.cts`, default: `./lib/streaming/${source}.js` },
  default: `./lib/streaming/${source}.js`,
})

const MANIFEST = {
  name: "llm-stream-segments",
  description: "Reads a language model's text while it streams: tool calls, files, commands, reasoning.",
  keywords: ["llm", "streaming", "parser", "tool-calls", "reasoning", "ai-sdk"],
  type: "module",
  sideEffects: false,
  engines: { node: ">=20.19" },
  // Compilers that resolve as Node 10 did read `main` and `types`; all others read `exports`.
  main: "./lib/streaming/core.js",
  types: "./index.d.cts",
  exports: {
    ".": exported("index", "core"),
    "./compat": exported("compat", "index"),
    "./ai": { types: "./ai/index.d.ts", default: "./lib/streaming/ai/index.js" },
    "./package.json": "./package.json",
  },
  peerDependencies: { ai: "^7.0.0" },
  peerDependenciesMeta: { ai: { optional: true } },
}

/** Writes the parser's declarations; other options of the compiler follow. */
async function compileParser(outdir: string, options: readonly string[] = []): Promise<void> {
  await $`${process.execPath} x tsc -p tsconfig.build.json --outDir ${outdir} ${options}`.cwd(root)
}
