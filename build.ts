// Makes dist/: what starts at once, and what runs where TypeScript does not. `prepack` calls it, so the package carries it.
// `bun build.ts compile` makes one executable of it (`bun run compile [FILE]`).
// `bun build.ts app` makes the bundle of the program alone, as a start does that found none.
import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises"
import solidPlugin from "@opentui/solid/bun-plugin"
import { $ } from "bun"

const root = import.meta.dir

/**
 * The whole program with Solid in it, in pieces, since no start needs them all. The library of the terminal stays outside:
 * it brings a native part of its own.
 */
async function buildApp(): Promise<void> {
  const outdir = `${root}/dist/app-${process.pid}`
  await bundle({
    entrypoints: [`${root}/src/app/app.ts`],
    outdir,
    target: "bun",
    splitting: true,
    // Names stay, for what is written down of a crash.
    minify: { whitespace: true, syntax: true, identifiers: false },
    plugins: [solidPlugin],
    external: ["@opentui/core", "@opentui/core/testing", "@opentui/solid/bun-plugin", "ws"],
  })
  // A piece is named by its content, and the first names the others: a start in between finds the old bundle or the new
  // one. Pieces of the old one stay, for a program that runs and has not loaded all of its own.
  const pieces = (await readdir(outdir)).filter(name => name !== "app.js")
  for (const name of [...pieces, "app.js"]) await rename(`${outdir}/${name}`, `${root}/dist/${name}`)
  await rmdir(outdir)
}

/** All of it as one executable, which looks for nothing: no directory's bunfig.toml or .env, and no package. */
async function buildExecutable(outfile: string): Promise<void> {
  await bundle({
    // Beside the program: the thread in which a guest's parser runs, our own parser, and the run of the demo.
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

/** The streaming parser for Node and browsers, with its types. */
async function buildStreaming(): Promise<void> {
  const entrypoints = [`${root}/src/streaming/index.ts`]
  await bundle({ entrypoints, outdir: `${root}/dist/streaming`, format: "esm", target: "browser" })
  await $`${process.execPath} x tsc -p tsconfig.build.json`.cwd(root)
}

/** The adapter for Paperclip, file by file, so that what is imported when it is called stays a file of its own. */
async function buildAdapter(): Promise<void> {
  await $`${process.execPath} x tsc -p tsconfig.adapter.json`.cwd(root)
}

/** The parser for Paperclip's run view: one file for `import`, one for its host, which evaluates CommonJS (docs/decisions.md 8.1). */
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

if (process.argv[2] === "app") {
  // Whoever asked set this mark, and may be gone by now.
  await buildApp().finally(() => rmdir(`${root}/dist/.making`).catch(() => undefined))
} else if (process.argv[2] === "compile") {
  await buildExecutable(process.argv[3] ?? `${root}/dist/opentui-sidecar`)
} else {
  await rm(`${root}/dist`, { recursive: true, force: true })
  await mkdir(`${root}/dist`)
  await buildApp()
  await buildStreaming()
  await buildAdapter()
  await buildUiParser()
}
