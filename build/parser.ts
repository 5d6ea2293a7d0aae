// Builds the streaming parser: for the repository's own exports, and as the package llm-stream-segments.
import { copyFile, mkdir, readdir, rename, rm, rmdir } from "node:fs/promises"
import { bundle, compileSources, root } from "./bundle.ts"
import { copyDescription } from "./package.ts"

const HOME = `${root}/packages/llm-stream-segments`
const CONFIG = "tsconfig.build.json"

/** The streaming parser for Node and browsers, with type declarations. */
export async function buildStreaming(): Promise<void> {
  const base = `${HOME}/src/streaming`
  const entrypoints = [`${base}/index.ts`, `${base}/ai/index.ts`]
  const outdir = `${root}/dist/streaming`
  await bundle({ entrypoints, root: base, outdir, format: "esm", target: "browser", splitting: true })
  await compileSources(CONFIG, `${root}/dist`)
}

/** The streaming parser as a package of its own: module by module, so that bundlers take what is used. */
export async function buildParserPackage(outdir: string): Promise<void> {
  await rm(outdir, { recursive: true, force: true })
  await compileSources(CONFIG, `${outdir}/lib`, "--declaration", "false", "--emitDeclarationOnly", "false", ...MAPS)
  const types = `${outdir}/types`
  await compileSources(CONFIG, types)
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
  await copyFile(`${HOME}/segments.svg`, `${outdir}/segments.svg`)
  await copyDescription(outdir, HOME)
}

const MAPS: readonly string[] = ["--sourceMap", "--inlineSources"]
