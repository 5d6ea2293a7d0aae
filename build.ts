// Builds dist/: a bundle that starts fast, the libraries as JavaScript, and the packages in dist/npm.
// `bun build.ts PART [WHERE]` builds one part.
import { mkdir, rm, rmdir } from "node:fs/promises"
import { buildAdapter, buildAdapterPackage } from "./build/adapter.ts"
import { buildAgent } from "./build/agent.ts"
import { buildApp } from "./build/app.ts"
import { root } from "./build/bundle.ts"
import { buildExecutable, buildExecutablePackage, buildExecutablePackages } from "./build/executable.ts"
import { PACKAGES } from "./build/package.ts"
import { buildParserPackage, buildStreaming } from "./build/parser.ts"
import { buildScreenPackage } from "./build/screen.ts"

type Build = (where: string | undefined) => Promise<unknown>

const PARTS: { readonly [name: string]: Build } = {
  // The process that started this build set the lock, and may have exited.
  app: () => buildApp().finally(() => rmdir(`${root}/dist/.making`).catch(() => undefined)),
  // What the repository's exports and `prepack` need.
  own: buildOwn,
  compile: where => buildExecutable(where ?? `${root}/dist/opentui-sidecar`),
  executables: buildExecutablePackages,
  executable: where => buildExecutablePackage(where ?? `${PACKAGES}/opentui-sidecar-linux-x64`, "linux-x64"),
  parser: where => buildParserPackage(where ?? `${PACKAGES}/llm-stream-segments`),
  agent: where => buildAgent(where ?? `${root}/dist/agent`),
  adapter: where => buildAdapterPackage(where ?? `${PACKAGES}/paperclip-adapter-escapement`),
  screen: where => buildScreenPackage(where ?? `${PACKAGES}/opentui-sidecar`),
}

async function buildOwn(): Promise<void> {
  await rm(`${root}/dist`, { recursive: true, force: true })
  await mkdir(`${root}/dist`)
  await buildApp()
  await buildStreaming()
  await buildAgent(`${root}/dist/agent`)
  await buildAdapter(`${root}/dist/paperclip`)
}

async function buildAll(): Promise<void> {
  await buildOwn()
  for (const part of ["parser", "adapter", "screen"]) await PARTS[part]?.(undefined)
}

const [name, where] = process.argv.slice(2)
const build = name === undefined ? buildAll : PARTS[name]
if (build === undefined) throw new Error(`expected one of ${Object.keys(PARTS).join(", ")}, got ${name}`)
await build(where)
