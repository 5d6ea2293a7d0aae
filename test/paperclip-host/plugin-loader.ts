// Checks the package in the host's own adapter loader, without the server.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { check } from "./checks.ts"
import { run } from "./packages.ts"

/** Checks that it loads our package and would serve our parser byte for byte. */
export async function checkLoader(modules: string, adapter: string): Promise<void> {
  const loader = join(modules, "node_modules/@paperclipai/server/dist/adapters/plugin-loader.js")
  const home = mkdtempSync(join(modules, "loader-home-"))
  const program = `
    const { loadExternalAdapterPackage, getUiParserSource } = await import(${JSON.stringify(loader)})
    const loaded = await loadExternalAdapterPackage("opentui-sidecar", ${JSON.stringify(adapter)})
    const keys = Object.keys({ ...loaded })
    const fields = (await loaded.getConfigSchema()).fields.map(field => field.key)
    process.stdout.write("\\n" + JSON.stringify({ type: loaded.type, keys, fields, parser: getUiParserSource(loaded.type) }) + "\\n")`
  try {
    const out = await run([process.execPath, "-e", program], modules, { PAPERCLIP_HOME: home })
    // The loader logs to the same stream.
    const loaded: unknown = JSON.parse(out.split("\n").find(line => line.startsWith('{"type"')) ?? "")
    const { type, keys, fields, parser } = Object(loaded)
    check("the plugin loader loads the packed adapter", type === "escapement_local", loaded)
    check(
      "its methods survive the spread",
      ["execute", "testEnvironment", "sessionCodec"].every(key => keys.includes(key)),
    )
    check("its config schema is asked", fields.includes("chart"))
    check("the loader would serve our parser byte for byte", parser === parserOf(adapter))
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** The package's parser for the host. */
export function parserOf(adapter: string): string {
  return readFileSync(join(adapter, "dist/paperclip/ui-parser.cjs"), "utf8")
}
