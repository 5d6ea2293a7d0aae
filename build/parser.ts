// Builds the streaming parser: for the repository's own exports, and as the package llm-stream-segments.
import { copyFile, readdir, rename, rm, rmdir } from "node:fs/promises"
import { $ } from "bun"
import { bundle, root } from "./bundle.ts"
import { describePackage, writeNotice } from "./package.ts"

/** The streaming parser for Node and browsers, with type declarations. */
export async function buildStreaming(): Promise<void> {
  await bundleParser(`${root}/dist/streaming`, false)
  await declareParser(`${root}/dist`)
}

/** The streaming parser as a package of its own, without dependencies. */
export async function buildParserPackage(outdir: string): Promise<void> {
  await rm(outdir, { recursive: true, force: true })
  await writeNotice(outdir, await bundleParser(outdir, true))
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
  await copyFile(`${root}/docs/packages/segments.svg`, `${outdir}/segments.svg`)
  await describePackage(outdir, MANIFEST)
}

const MANIFEST = {
  name: "llm-stream-segments",
  description: "Reads a language model's text while it streams: tool calls, files, commands, reasoning.",
  keywords: ["llm", "streaming", "parser", "tool-calls", "reasoning", "ai-sdk"],
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

function bundleParser(outdir: string, minify: boolean): Promise<readonly string[]> {
  const base = `${root}/src/streaming`
  const entrypoints = [`${base}/index.ts`, `${base}/ai/index.ts`]
  return bundle({ entrypoints, root: base, outdir, format: "esm", target: "browser", splitting: true, minify })
}

async function declareParser(outdir: string): Promise<void> {
  await $`${process.execPath} x tsc -p tsconfig.build.json --outDir ${outdir}`.cwd(root)
}
