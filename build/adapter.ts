// Builds the adapter for Paperclip: for the repository's own exports, and as the package paperclip-adapter-escapement.
import { copyFile, rm } from "node:fs/promises"
import { $ } from "bun"
import { paperclip } from "../package.json"
import { bundle, root } from "./bundle.ts"
import { describePackage, writeNotice } from "./package.ts"

/** The parser for Paperclip's run view: an ES module, and CommonJS for Paperclip's host (docs/decisions.md 8.1). */
export async function buildUiParser(outdir: string, formats: readonly ("esm" | "cjs")[]): Promise<void> {
  const entrypoints = [`${root}/src/paperclip/ui-parser.ts`]
  for (const format of formats) {
    const naming = `[name].${format === "esm" ? "js" : "cjs"}`
    const minify = { whitespace: true, syntax: true, identifiers: false }
    await bundle({ entrypoints, outdir, format, target: "browser", naming, minify })
  }
}

/** The adapter for Paperclip and its types. It needs no install, because all that it runs on is bundled. */
export async function buildAdapter(outdir: string): Promise<void> {
  const base = `${root}/src/paperclip`
  const entrypoints = ["index.ts", "server/index.ts", "ui/index.ts", "cli/index.ts"].map(path => `${base}/${path}`)
  const bundled = await bundle({ entrypoints, root: base, outdir, format: "esm", target: "node", splitting: true })
  await buildUiParser(outdir, ["esm", "cjs"])
  await $`${process.execPath} x tsc -p tsconfig.adapter.json --outDir ${outdir}/types`.cwd(root)
  await writeNotice(outdir, bundled)
}

/** The adapter as a package of its own. */
export async function buildAdapterPackage(outdir: string): Promise<void> {
  await rm(outdir, { recursive: true, force: true })
  await buildAdapter(outdir)
  await describePackage(outdir, MANIFEST)
  await copyFile(`${root}/docs/packages/run.svg`, `${outdir}/run.svg`)
}

const MANIFEST = {
  name: "paperclip-adapter-escapement",
  description: "Runs Escapement charts as agents of a Paperclip server, and shows their runs.",
  keywords: ["paperclip", "paperclip-adapter", "escapement", "agent", "statechart"],
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
