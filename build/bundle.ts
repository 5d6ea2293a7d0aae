// Bundles, and finds of which packages a bundle has parts.
import { join } from "node:path"

/** The repository's root. */
export const root = join(import.meta.dir, "..")

const PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//

/** Bundles, and resolves with the names of the packages that the bundle has parts of. Rejects if the bundler fails. */
export async function bundle(config: Parameters<typeof Bun.build>[0]): Promise<readonly string[]> {
  const { success, logs, metafile } = await Bun.build({ ...config, metafile: true })
  if (!success) throw new AggregateError(logs, "the build failed")
  const names = Object.keys(metafile?.inputs ?? {}).flatMap(path => PACKAGE.exec(path)?.[1] ?? [])
  return [...new Set(names)]
}
