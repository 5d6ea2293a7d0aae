// Builds the parsers in the box: those that Paperclip's adapters publish, fetched from npm, checked, and wrapped.
import { createHash } from "node:crypto"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { $, type BunPlugin } from "bun"
import type { readers } from "../src/guest/box/readers.ts"
import { bundle, root } from "./bundle.ts"
import { writeNotice } from "./package.ts"

const VERSION = "2026.916.1"

/** The checksum of each package, by the name of its CLI. */
const INTEGRITY: { readonly [name in keyof typeof readers]: string } = {
  claude: "C8QZpfj11bpQRWlrBEP3iaYVJZsaq9L44aI5gY0jj9Siuor/GqsLvETLYG6Q9TZz2+WzrBU1PKIr6tEq1qi59g==",
  codex: "NjI6xml2ILru3alUS9tIUxVeMjAUCpf2HduX89Tr2CHMpe+XKoQRnHcD6XtyUH2xTBtv9BdmaAyO4x2+opXS8w==",
  gemini: "wWimcAcZM7d9pY3hmkfPyeM9mJZtONjaGGC/bP7fYFNmNPIJK+F0BX2dOWzlvSrKW3sCxpyOPi8bPRovypEsGw==",
  opencode: "44DBqshcEvhOOsBamGJbG1zCIR0vyxaW3RhhyqF/E2JZ3Gyp04GlxL0RiXFW11oElng1QRfXP2c4k/8hCURmSQ==",
  cursor: "OCmDbuWku8codLfhwTj08PpM7DEaxwBEutU1yZC4byAf3JmcVa/DGetHSlfixy3X3618xrQ6X+cVW6owr7qGwA==",
  pi: "8FOQTD7y9H07/PFGzWDz6dzcBxs1vMMU4saLaqGWehWHJb/npDKlsnJQci/aYX/MOncTAMeYpqY/eGCYxR3ECw==",
  grok: "rHp/sFFgqR8txLTzX2eX3sy5+/fNBwyc/uBj704jxLzZsSpRk+2y5bX8uMWwd0lwmMx1bha/LJLdQOes/fD1WQ==",
  kimi: "f0Fm/7Z2WQQNMz3d5p0aSFdBEgfafBptn5MUREp+Ixga6VYFMltDj0nBVmNmcrCcrnafBXWTwpiTFZrBnfKxeQ==",
}

/** The files of the parsers in the box, once they are built. */
export const BOXED_PARSERS = Object.keys(INTEGRITY).map(name => `dist/parsers/${name}.js`)

/** The parsers in a checkout. They stay until the next build, so that a package needs no network for them. */
export async function buildBoxedParsers(outdir = `${root}/dist/parsers`): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), "parsers-"))
  try {
    const names = Object.entries(INTEGRITY)
    const wanted = names.map(([name]) => `${packageOf(name)}@${VERSION}`)
    // npm keeps what it fetched, so only the first build needs the network.
    const { exitCode } = await $`npm pack --silent --prefer-offline ${wanted}`.cwd(scratch).quiet().nothrow()
    if (exitCode !== 0) throw new Error(`npm has no ${wanted[0]} and the like, or can't be reached`)
    for (const [name, integrity] of names) await buildOne(name, integrity, scratch)
    const licenses = names.map(([name]) => Bun.file(`${scratch}/${name}/package/LICENSE`).text())
    const notices = (await Promise.all(licenses)).map((text, i) => `${wanted[i]}\n\n${text.trim()}`)
    await writeNotice(`${scratch}/made`, ["@paperclipai/adapter-utils"], notices)
    await rm(outdir, { recursive: true, force: true })
    await mkdir(outdir, { recursive: true })
    for (const file of [...names.map(([name]) => `${name}.js`), "NOTICE"]) {
      await Bun.write(`${outdir}/${file}`, Bun.file(`${scratch}/made/${file}`))
    }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Makes the parsers unless they are there and newer than what they are made of. */
export async function ensureBoxedParsers(): Promise<void> {
  const sources = [import.meta.path, ...new Bun.Glob(`${root}/src/guest/box/*.ts`).scanSync({ absolute: true })]
  const newest = Math.max(...sources.map(path => Bun.file(path).lastModified))
  const made = BOXED_PARSERS.map(path => Bun.file(`${root}/${path}`))
  const exist = await Promise.all(made.map(file => file.exists()))
  if (!exist.every(Boolean) || made.some(file => file.lastModified < newest)) await buildBoxedParsers()
}

function packageOf(name: string): string {
  return `@paperclipai/adapter-${name}-local`
}

async function buildOne(name: string, integrity: string, scratch: string): Promise<void> {
  const tarball = `${scratch}/paperclipai-adapter-${name}-local-${VERSION}.tgz`
  const bytes = await Bun.file(tarball).bytes()
  const found = createHash("sha512").update(bytes).digest("base64")
  if (found !== integrity) throw new Error(`${packageOf(name)}: expected sha512 ${integrity}, got ${found}`)
  await mkdir(`${scratch}/${name}`)
  await $`tar -xzf ${tarball}`.cwd(`${scratch}/${name}`)
  const entry = `${scratch}/${name}.entry.ts`
  const published = `${scratch}/${name}/package/dist/ui/parse-stdout.js`
  await Bun.write(
    entry,
    `import * as published from ${JSON.stringify(published)}
import { readers } from ${JSON.stringify(`${root}/src/guest/box/readers.ts`)}
import { boxedParser } from ${JSON.stringify(`${root}/src/guest/box/boxed-parser.ts`)}
export const createStdoutParser = () => boxedParser(published, readers[${JSON.stringify(name)}])
`,
  )
  await bundle({
    entrypoints: [entry],
    outdir: `${scratch}/made`,
    naming: `${name}.js`,
    target: "browser",
    minify: { whitespace: true, syntax: true, identifiers: false },
    plugins: [adapterUtils],
  })
}

/** Bundles the one file that some of the parsers import of Paperclip's library, from the installed library. */
const adapterUtils: BunPlugin = {
  name: "adapter-utils",
  setup(build) {
    const library = `${root}/node_modules/@paperclipai/adapter-utils/dist`
    build.onResolve({ filter: /^@paperclipai\/adapter-utils\// }, ({ path }) => ({
      path: path.replace(/^@paperclipai\/adapter-utils(.*)/, `${library}$1.js`),
    }))
  },
}
