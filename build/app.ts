// Builds the bundle that src/main.tsx starts from in a checkout.
import { readFileSync } from "node:fs"
import { rename, rm, utimes } from "node:fs/promises"
import solidPlugin from "@opentui/solid/bun-plugin"
import type { BunPlugin } from "bun"
import { bundle, root } from "./bundle.ts"

/** Names what a bundle is made of, for src/app/open-source.ts. */
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
  const names = ["src/**/*.*", "packages/*/src/**/*.*"]
    .flatMap(glob => [...new Bun.Glob(glob).scanSync({ cwd: root })])
    .sort()
  for (const name of names) hasher.update(`${name}\n`).update(readFileSync(`${root}/${name}`))
  return hasher.digest("hex").slice(0, 32)
}

/** Bundles the program, Solid and OpenTUI into one file, with its bytecode beside it, so that no start parses it. */
export async function buildApp(): Promise<void> {
  const outdir = `${root}/dist/app-${process.pid}`
  try {
    await makeApp(outdir)
  } finally {
    await rm(outdir, { recursive: true, force: true })
  }
}

async function makeApp(outdir: string): Promise<void> {
  const began = new Date()
  const external = ["@opentui/solid/bun-plugin"]
  // Bytecode requires CommonJS, which has no top-level await, but OpenTUI uses it. The first pass moves those awaits
  // into functions, because the program imports OpenTUI dynamically.
  await bundle({
    ...PROGRAM,
    plugins: [solidPlugin, nativePart],
    splitting: false,
    entrypoints: [`${root}/src/app/app.ts`],
    outdir: `${outdir}/module`,
    banner: "const bundleUrl = Bun.pathToFileURL(import.meta.path).href",
    external,
  })
  await bundle({
    entrypoints: [`${outdir}/module/app.js`],
    outdir,
    target: "bun",
    format: "cjs",
    bytecode: true,
    minify: PROGRAM.minify,
    // Otherwise the paths of this build would be in the file. `resolve` is never called, but must be valid CommonJS.
    define: {
      "import.meta.dirname": "module.path",
      "import.meta.path": "module.filename",
      "import.meta.url": "bundleUrl",
      "import.meta.resolve": "require.resolve",
    },
    external,
  })
  // A source that is edited during the build stays newer than the bundle.
  await utimes(`${outdir}/app.js`, began, began)
  // Bun ignores bytecode that doesn't match its file, so a start meanwhile finds either the old bundle or the new one.
  for (const name of ["app.js.jsc", "app.js"]) await rename(`${outdir}/${name}`, `${root}/dist/${name}`)
}

/** Finds OpenTUI's native part where OpenTUI does: some package managers install it only for OpenTUI. */
const nativePart: BunPlugin = {
  name: "native part",
  setup(build) {
    build.onResolve({ filter: /^@opentui\/core-/ }, ({ path }) => ({ path, namespace: "native" }))
    build.onLoad({ filter: /./, namespace: "native" }, ({ path }) => ({
      loader: "js",
      contents: `import { dirname } from "node:path"
const library = dirname(Bun.resolveSync("@opentui/core", import.meta.dirname))
export default (await import(Bun.resolveSync("${path}", library))).default`,
    }))
  },
}
