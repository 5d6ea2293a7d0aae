// Bundles the parsers of the adapters in Paperclip's own server, where the host test has fetched it.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The node_modules of the server; undefined outside the host test. */
export const serverModules = process.env.PAPERCLIP_SERVER_MODULES

const PREFIX = "@paperclipai/adapter-"

export const isServerParser = (name: string): boolean => name.startsWith(PREFIX)

/** Calls `use` with the file of a package's parser, bundled as Paperclip's contract for parsers wants it. */
export async function withServerParser<T>(name: string, use: (path: string) => Promise<T>): Promise<T> {
  const source = join(serverModules ?? "", name, "dist/ui/parse-stdout.js")
  const parse = Object.keys(await import(source)).find(key => /^parse\w+StdoutLine$/.test(key))
  const scratch = mkdtempSync(join(tmpdir(), "server-parser-"))
  try {
    const entry = join(scratch, "entry.js")
    await Bun.write(entry, `export { ${parse} as parseStdoutLine } from ${JSON.stringify(source)}`)
    const built = await Bun.build({ entrypoints: [entry], outdir: scratch, format: "cjs", naming: "parser.cjs" })
    if (!built.success) throw new AggregateError(built.logs, `${name} can't be bundled`)
    return await use(join(scratch, "parser.cjs"))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
