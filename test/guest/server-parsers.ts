// Bundles the parsers of the adapters in Paperclip's own server, where the host test has fetched it.
import { join } from "node:path"
import { scratch } from "../scratch.ts"

/** The node_modules of the server; undefined outside the host test. */
export const serverModules = process.env.PAPERCLIP_SERVER_MODULES

const PREFIX = "@paperclipai/adapter-"

export const isServerParser = (name: string): boolean => name.startsWith(PREFIX)

/** Calls `use` with the file of a package's parser, bundled as Paperclip's contract for parsers wants it. */
export async function withServerParser<T>(name: string, use: (path: string) => Promise<T>): Promise<T> {
  const source = join(serverModules ?? "", name, "dist/ui/parse-stdout.js")
  const parse = Object.keys(await import(source)).find(key => /^parse\w+StdoutLine$/.test(key))
  using place = scratch()
  const entry = join(place.path, "entry.js")
  await Bun.write(entry, `export { ${parse} as parseStdoutLine } from ${JSON.stringify(source)}`)
  const built = await Bun.build({ entrypoints: [entry], outdir: place.path, format: "cjs", naming: "parser.cjs" })
  if (!built.success) throw new AggregateError(built.logs, `${name} can't be bundled`)
  return await use(join(place.path, "parser.cjs"))
}
