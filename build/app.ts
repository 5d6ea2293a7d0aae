// Builds the bundle that src/main.tsx starts from in a checkout.
import { readdirSync, readFileSync } from "node:fs"
import { readdir, rename, rm } from "node:fs/promises"
import solidPlugin from "@opentui/solid/bun-plugin"
import { bundle, root } from "./bundle.ts"

/** Names what a bundle is made of, for src/app/build-name.ts. */
export const SOURCES = { OPENTUI_SIDECAR_SOURCES: JSON.stringify(hashOfSources()) }

/** What every bundle of the program is built with: Solid's transform, and names that stay for readable crash files. */
export const PROGRAM = {
  target: "bun" as const,
  splitting: true,
  minify: { whitespace: true, syntax: true, identifiers: false },
  plugins: [solidPlugin],
  define: SOURCES,
}

function hashOfSources(): string {
  const hasher = new Bun.CryptoHasher("sha256")
  const names = readdirSync(`${root}/src`, { recursive: true, encoding: "utf8" }).sort()
  for (const name of names.filter(one => /\.[a-z]+$/.test(one))) {
    hasher.update(`${name}\n`).update(readFileSync(`${root}/src/${name}`))
  }
  return hasher.digest("hex").slice(0, 32)
}

/**
 * The program and Solid, split into chunks because no start needs them all. OpenTUI stays external because it has a
 * native part.
 */
export async function buildApp(): Promise<void> {
  const outdir = `${root}/dist/app-${process.pid}`
  try {
    await makeApp(outdir)
  } finally {
    await rm(outdir, { recursive: true, force: true })
  }
}

async function makeApp(outdir: string): Promise<void> {
  await bundle({
    ...PROGRAM,
    entrypoints: [`${root}/src/app/app.ts`],
    outdir,
    external: ["@opentui/core", "@opentui/core/testing", "@opentui/solid/bun-plugin"],
  })
  // Chunks are named by their content and app.js refers to them, so it is moved last: a start meanwhile finds either
  // the old bundle or the new one. Old chunks remain for running programs that haven't loaded them yet.
  const chunks = (await readdir(outdir)).filter(name => name !== "app.js")
  for (const name of [...chunks, "app.js"]) await rename(`${outdir}/${name}`, `${root}/dist/${name}`)
}
