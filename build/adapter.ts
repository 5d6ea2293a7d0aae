// Builds the adapter for Paperclip: for the repository's own exports, and as the package paperclip-adapter-escapement.
import { copyFile, rm } from "node:fs/promises"
import { bundle, compileSources, root } from "./bundle.ts"
import { copyDescription, writeNotice } from "./package.ts"

const HOME = `${root}/packages/paperclip-adapter-escapement`

/** The parser for Paperclip's run view: an ES module, and CommonJS for Paperclip's host (docs/decisions.md 8.1). */
export async function buildUiParser(outdir: string, formats: readonly ("esm" | "cjs")[]): Promise<void> {
  const entrypoints = [`${HOME}/src/ui-parser.ts`]
  for (const format of formats) {
    const naming = `[name].${format === "esm" ? "js" : "cjs"}`
    const minify = { whitespace: true, syntax: true, identifiers: false }
    await bundle({ entrypoints, outdir, format, target: "browser", naming, minify })
  }
}

/** The adapter for Paperclip and its types. It needs no install, because all that it runs on is bundled. */
export async function buildAdapter(outdir: string): Promise<void> {
  const base = `${HOME}/src`
  const entrypoints = ["index.ts", "server/index.ts", "ui/index.ts", "cli/index.ts"].map(path => `${base}/${path}`)
  const bundled = await bundle({ entrypoints, root: base, outdir, format: "esm", target: "node", splitting: true })
  await buildUiParser(outdir, ["esm", "cjs"])
  await compileSources("tsconfig.adapter.json", `${outdir}/types`)
  await writeNotice(outdir, bundled)
}

/** The adapter as a package of its own. */
export async function buildAdapterPackage(outdir: string): Promise<void> {
  await rm(outdir, { recursive: true, force: true })
  await buildAdapter(outdir)
  await copyDescription(outdir, HOME)
  await copyFile(`${HOME}/run.svg`, `${outdir}/run.svg`)
}
