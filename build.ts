// Makes dist/: what starts at once, and what runs where TypeScript does not. `prepack` calls it, so the package carries it.
// `bun build.ts screen` makes the screen alone, as a start does that found none.
import { mkdir, rename, rm, rmdir } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import solidPlugin from "@opentui/solid/bun-plugin"
import { $, type BunPlugin } from "bun"

const root = import.meta.dir

/** There is one store: what it keeps in mind beside the state, such as what a filter has found, the screen has too. */
const storeOutside: BunPlugin = {
  name: "store outside",
  setup(build) {
    build.onResolve({ filter: /\/store\// }, ({ path, importer }) => {
      const file = join(dirname(importer), path)
      if (!path.startsWith(".") || !file.startsWith(`${root}/src/store/`)) return undefined
      return { path: relative(`${root}/dist`, file), external: true }
    })
  },
}

/** The screen with Solid in it. The library of the terminal stays outside: it brings a native part of its own. */
async function buildScreen(): Promise<void> {
  const outdir = `${root}/dist/screen-${process.pid}`
  await bundle({
    entrypoints: [`${root}/src/ui/terminal.tsx`],
    outdir,
    naming: "screen.js",
    target: "bun",
    plugins: [storeOutside, solidPlugin],
    external: ["@opentui/core", "@opentui/core/testing", "ws"],
  })
  // A start in between finds the old bundle or the new one, never half of one.
  await rename(`${outdir}/screen.js`, `${root}/dist/screen.js`)
  await rm(outdir, { recursive: true })
}

/** The streaming parser for Node and browsers, with its types. */
async function buildStreaming(): Promise<void> {
  const entrypoints = [`${root}/src/parse/streaming.ts`]
  await bundle({ entrypoints, outdir: `${root}/dist`, format: "esm", target: "browser" })
  await $`${process.execPath} x tsc -p tsconfig.build.json`.cwd(root)
}

/** The adapter for Paperclip, file by file, so that what is imported when it is called stays a file of its own. */
async function buildAdapter(): Promise<void> {
  await $`${process.execPath} x tsc -p tsconfig.adapter.json`.cwd(root)
}

/** The parser for Paperclip's run view: one file for `import`, one for its host, which evaluates CommonJS (decisions.md 8.1). */
async function buildUiParser(): Promise<void> {
  const entrypoints = [`${root}/src/paperclip/ui-parser.ts`]
  const outdir = `${root}/dist/paperclip`
  for (const format of ["esm", "cjs"] as const) {
    await bundle({
      entrypoints,
      outdir,
      format,
      target: "browser",
      naming: `[name].${format === "esm" ? "js" : "cjs"}`,
    })
  }
}

async function bundle(config: Parameters<typeof Bun.build>[0]): Promise<void> {
  const { success, logs } = await Bun.build(config)
  if (!success) throw new AggregateError(logs, "the bundle failed")
}

if (process.argv[2] === "screen") {
  // Whoever asked set this mark, and may be gone by now.
  await buildScreen().finally(() => rmdir(`${root}/dist/.making`).catch(() => undefined))
} else {
  await rm(`${root}/dist`, { recursive: true, force: true })
  await mkdir(`${root}/dist`)
  await buildScreen()
  await buildStreaming()
  await buildAdapter()
  await buildUiParser()
}
