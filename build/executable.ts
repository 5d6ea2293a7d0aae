// Builds the program as executables, which need neither Bun nor packages, and packages of them.
import { chmod, mkdir, rm } from "node:fs/promises"
import solidPlugin from "@opentui/solid/bun-plugin"
import { $, type BunPlugin } from "bun"
import { optionalDependencies as versions } from "../node_modules/@opentui/core/package.json"
import { packageManager } from "../package.json"
import { SOURCES } from "./app.ts"
import { bundle, root } from "./bundle.ts"
import { describePackage, PACKAGES, writeNotice } from "./package.ts"

/** As Bun and OpenTUI name them. */
const NAMES = ["linux-x64", "linux-x64-musl", "darwin-arm64", "darwin-x64"] as const

type Platform = (typeof NAMES)[number]

/** What a package asks of the machine that it is installed on. */
const REQUIRED = {
  "linux-x64": { os: ["linux"], cpu: ["x64"], libc: ["glibc"] },
  "linux-x64-musl": { os: ["linux"], cpu: ["x64"], libc: ["musl"] },
  "darwin-arm64": { os: ["darwin"], cpu: ["arm64"] },
  "darwin-x64": { os: ["darwin"], cpu: ["x64"] },
} as const satisfies { readonly [name in Platform]: object }

/** An executable for this machine. It ignores bunfig.toml and .env in the working directory. */
export async function buildExecutable(outfile: string): Promise<void> {
  await compile({ outfile }, [])
}

/** The packages of all executables. Says on stdout which were made, and which not and why. */
export async function buildExecutablePackages(): Promise<void> {
  for (const platform of NAMES) {
    const name = `opentui-sidecar-${platform}`
    try {
      await buildExecutablePackage(`${PACKAGES}/${name}`, platform)
      process.stdout.write(`made ${name}\n`)
    } catch (error) {
      await rm(`${PACKAGES}/${name}`, { recursive: true, force: true })
      process.stdout.write(`not made: ${name}: ${error instanceof Error ? error.message : error}\n`)
    }
  }
}

/** The package of one executable. Rejects if Bun or OpenTUI's native part can't be had for the platform. */
export async function buildExecutablePackage(outdir: string, platform: Platform): Promise<void> {
  await rm(outdir, { recursive: true, force: true })
  // Files from outside of the repository would not become part of the executable.
  const scratch = `${root}/dist/native-${platform}`
  await mkdir(scratch, { recursive: true })
  try {
    const native = await nativePackage(platform, scratch)
    const outfile = `${outdir}/opentui-sidecar`
    const bundled = await compile({ outfile, target: `bun-${platform}` }, [nativeFrom(native)])
    await chmod(outfile, 0o755)
    const name = `opentui-sidecar-${platform}`
    const manifest = {
      name,
      description: `The executable of opentui-sidecar for ${platform}: it needs no Bun.`,
      ...REQUIRED[platform],
      bin: { [name]: "opentui-sidecar" },
      exports: { "./package.json": "./package.json" },
    }
    await describePackage(outdir, manifest, "executable")
    await writeNotice(outdir, bundled, await noticesOf(native))
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function compile(
  into: { readonly outfile: string; readonly target?: `bun-${Platform}` },
  plugins: readonly BunPlugin[],
): Promise<readonly string[]> {
  return await bundle({
    // Besides the program: the worker for guest parsers, our own parser, and the demo's recording.
    entrypoints: [
      "bin/executable.ts",
      "src/guest/worker.ts",
      "packages/paperclip-adapter-escapement/src/ui-parser.ts",
      "fixtures/frames/demo.jsonl",
    ].map(path => `${root}/${path}`),
    root,
    loader: { ".jsonl": "file" },
    naming: { asset: "[dir]/[name].[ext]" },
    target: "bun",
    format: "esm",
    bytecode: true,
    minify: true,
    plugins: [solidPlugin, ...plugins],
    external: ["@opentui/solid/bun-plugin"],
    define: { ...SOURCES, "process.env.OPENTUI_LIBC": '"glibc"' },
    compile: { ...into, autoloadBunfig: false, autoloadDotenv: false },
  })
}

/** Bundles the native part in a directory, whichever platform's the code names. */
function nativeFrom(directory: string): BunPlugin {
  return {
    name: "native part",
    setup(build) {
      build.onResolve({ filter: /^@opentui\/core-/ }, () => ({ path: `${directory}/index.bun.js` }))
    },
  }
}

/** The directory of OpenTUI's native part for a platform: the installed one, else npm's. */
async function nativePackage(platform: Platform, scratch: string): Promise<string> {
  const name = `@opentui/core-${platform}` as const
  const installed = `${root}/node_modules/${name}`
  if (await Bun.file(`${installed}/package.json`).exists()) return installed
  const wanted = `${name}@${versions[name]}`
  const { exitCode } = await $`npm pack --silent ${wanted} && tar -xzf *.tgz`.cwd(scratch).quiet().nothrow()
  if (exitCode !== 0) throw new Error(`npm has no ${wanted}, or can't be reached`)
  return `${scratch}/package`
}

/** The licenses of an executable's parts that aren't bundled packages. */
async function noticesOf(native: string): Promise<readonly string[]> {
  const files = [...new Bun.Glob("*{LICENSE,AUTHORS,PATENTS}*").scanSync({ cwd: native })].sort()
  const texts = await Promise.all(files.map(async name => `${name}\n\n${await Bun.file(`${native}/${name}`).text()}`))
  return [`This executable contains ${packageManager}: https://bun.sh/docs/project/licensing`, ...texts]
}
