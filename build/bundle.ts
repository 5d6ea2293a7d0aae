// Bundles, compiles, and finds of which packages a bundle has parts.
import { join } from "node:path"
import { $ } from "bun"

/** The repository's root. */
export const root = join(import.meta.dir, "..")

/** The compiler of TypeScript. The one in `typescript` is ten times slower, but can be called as a library. */
export const TSC = `${root}/node_modules/typescript-native/bin/tsc`

const PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//

/** Bundles, and resolves with the names of the packages that the bundle has parts of. Rejects if the bundler fails. */
export async function bundle(config: Parameters<typeof Bun.build>[0]): Promise<readonly string[]> {
  const { success, logs, metafile } = await Bun.build({ ...config, metafile: true })
  if (!success) throw new AggregateError(logs, "the build failed")
  const names = Object.keys(metafile?.inputs ?? {}).flatMap(path => PACKAGE.exec(path)?.[1] ?? [])
  return [...new Set(names)]
}

/** Compiles what a tsconfig of the repository names; other options of the compiler follow. */
export async function compileSources(config: string, outdir: string, ...options: readonly string[]): Promise<void> {
  await $`${process.execPath} ${TSC} -p ${config} --outDir ${outdir} ${options}`.cwd(root)
}
