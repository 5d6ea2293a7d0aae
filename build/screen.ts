// Builds the package opentui-sidecar: the screen with OpenTUI in its bundle, and only OpenTUI's native part beside it.
import { chmod, rm } from "node:fs/promises"
import { optionalDependencies } from "../node_modules/@opentui/core/package.json"
import { packageManager } from "../package.json"
import { buildUiParser } from "./adapter.ts"
import { buildAgent } from "./agent.ts"
import { PROGRAM } from "./app.ts"
import { bundle, root } from "./bundle.ts"
import { describePackage, writeNotice } from "./package.ts"

/** The program as a package of its own. Paths in it are those of the repository, for what is read by path. */
export async function buildScreenPackage(outdir: string): Promise<void> {
  await rm(outdir, { recursive: true, force: true })
  const external = ["@opentui/core-*", "@opentui/solid/bun-plugin"]
  const entrypoints = [`${root}/src/app/app.ts`]
  const program = await bundle({ ...PROGRAM, entrypoints, outdir: `${outdir}/dist`, external })
  const worker = [`${root}/src/guest/worker.ts`]
  await bundle({ entrypoints: worker, outdir: `${outdir}/src/guest`, target: "bun" })
  await buildUiParser(`${outdir}/packages/paperclip-adapter-escapement/src`, ["esm"])
  await writeNotice(outdir, [...program, ...(await buildAgent(`${outdir}/dist/agent`))])
  await Bun.write(`${outdir}/src/main.tsx`, MAIN)
  for (const path of ["fixtures/frames/demo.jsonl", "CHANGELOG.md"]) {
    await Bun.write(`${outdir}/${path}`, Bun.file(`${root}/${path}`))
  }
  const launcher = `${outdir}/bin/opentui-sidecar`
  await Bun.write(launcher, Bun.file(`${root}/build/launcher.sh`))
  await chmod(launcher, 0o755)
  await Bun.write(`${outdir}/screenshot.svg`, Bun.file(`${root}/docs/packages/screenshot.svg`))
  await describePackage(outdir, MANIFEST)
}

/** The Bun that the program is written for; older ones end it with faults of their own. */
const BUN = packageManager.replace("bun@", "")

/** The agent starts this file (docs/contract.md section 1). */
const MAIN = `// Starts the program. An agent may run this file.
if (Bun.semver.order(Bun.version, "${BUN}") < 0) {
  process.stderr.write(\`opentui-sidecar: expected Bun ${BUN} or later, got \${Bun.version}: run "bun upgrade"\\n\`)
  process.exit(1)
}
// OpenTUI takes glibc for granted.
const isMusl = process.platform === "linux" && !process.report.getReport().header.glibcVersionRuntime
if (isMusl) process.env.OPENTUI_LIBC ??= "musl"
const { main } = await import("../dist/app.js")
await main(process.argv.slice(2))
`

const MANIFEST = {
  name: "opentui-sidecar",
  description:
    "A terminal screen for LLM agents: shows every session as it streams, asks you the agent's questions, replays runs.",
  keywords: ["llm", "agent", "terminal", "tui", "sidecar", "debugger", "opentui"],
  type: "module",
  bin: { "opentui-sidecar": "bin/opentui-sidecar" },
  engines: { bun: `>=${BUN}` },
  exports: {
    "./agent": { types: "./dist/agent/types/src/agent/index.d.ts", default: "./dist/agent/index.js" },
    "./agent/ai": { types: "./dist/agent/types/src/agent/ai/index.d.ts", default: "./dist/agent/ai/index.js" },
    "./package.json": "./package.json",
  },
  optionalDependencies,
  peerDependencies: { ai: "^7.0.0" },
  peerDependenciesMeta: { ai: { optional: true } },
}
