// Builds what an agent of one's own imports, for Node and Bun.
import { $ } from "bun"
import { bundle, root } from "./bundle.ts"

/** The agent's side of the wire and its types. It runs on `ws`, and its part for the AI SDK on `ai`. */
export async function buildAgent(outdir: string): Promise<void> {
  const base = `${root}/src/agent`
  const entrypoints = [`${base}/index.ts`, `${base}/ai/index.ts`]
  const external = ["ws", "ai"]
  await bundle({ entrypoints, root: base, outdir, format: "esm", target: "node", splitting: true, external })
  await $`${process.execPath} x tsc -p tsconfig.agent.json --outDir ${outdir}/types`.cwd(root)
}
