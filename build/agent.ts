// Builds what an agent of one's own imports, for Node and Bun.
import { bundle, compileSources, root } from "./bundle.ts"

/** The agent's side of the wire and its types; resolves with what is bundled. The AI SDK's part imports `ai`. */
export async function buildAgent(outdir: string): Promise<readonly string[]> {
  const base = `${root}/src/agent`
  const entrypoints = [`${base}/index.ts`, `${base}/ai/index.ts`]
  const external = ["ai"]
  const bundled = await bundle({ entrypoints, root: base, outdir, target: "node", splitting: true, external })
  await compileSources("tsconfig.agent.json", `${outdir}/types`)
  return bundled
}
