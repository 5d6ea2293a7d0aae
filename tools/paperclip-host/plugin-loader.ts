// Checks the package in the host's own adapter loader, without the server.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { check } from "./checks.ts"
import { type Packed, run } from "./packages.ts"

const NAME = "paperclip-adapter-escapement"

/** Checks that it loads our package, by its path and installed from its tarball, and would serve our parser. */
export async function checkLoader(modules: string, { directory, tarball }: Packed): Promise<void> {
  await checkLoaded(modules, "by path", directory, async () => directory)
  await checkLoaded(modules, "as a tarball", directory, async home => {
    const plugins = join(home, "adapter-plugins")
    mkdirSync(plugins, { recursive: true })
    await run(
      ["npm", "install", "--offline", "--no-save", "--no-audit", "--no-fund", "--prefix", plugins, tarball],
      plugins,
    )
    return null
  })
}

/** Checks that the package's parts load under each supported Node, where nothing is installed. */
export async function checkNodes({ directory }: Packed): Promise<void> {
  const parts = ["index.js", "server/index.js", "ui/index.js", "cli/index.js", "ui-parser.cjs"]
  const program = `
    for (const part of ${JSON.stringify(parts)}) await import(${JSON.stringify(directory)} + "/" + part)
    const { createServerAdapter } = await import(${JSON.stringify(directory)} + "/index.js")
    const { status } = await createServerAdapter().testEnvironment({ companyId: "c", adapterType: "t", config: {} })
    console.log(process.version, status)`
  for (const version of ["20", "24"]) {
    const out = await run(["npx", "-y", `node@${version}`, "--input-type=module", "-e", program], directory)
    check(
      `Node ${version} loads every part without an install`,
      new RegExp(`^v${version}\\..* warn$`, "m").test(out),
      out,
    )
  }
}

/** `place` returns the package's path; null if it is installed where the host looks by name. */
async function checkLoaded(
  modules: string,
  how: string,
  adapter: string,
  place: (home: string) => Promise<string | null>,
): Promise<void> {
  const loader = join(modules, "node_modules/@paperclipai/server/dist/adapters/plugin-loader.js")
  const home = mkdtempSync(join(modules, "loader-home-"))
  const path = await place(home)
  const program = `
    const { loadExternalAdapterPackage, getUiParserSource } = await import(${JSON.stringify(loader)})
    const loaded = await loadExternalAdapterPackage("${NAME}", ${JSON.stringify(path)} ?? undefined)
    const keys = Object.keys({ ...loaded })
    const fields = (await loaded.getConfigSchema()).fields.map(field => field.key)
    process.stdout.write("\\n" + JSON.stringify({ type: loaded.type, keys, fields, parser: getUiParserSource(loaded.type) }) + "\\n")`
  try {
    const out = await run([process.execPath, "-e", program], modules, { PAPERCLIP_HOME: home })
    // The loader logs to the same stream.
    const loaded: unknown = JSON.parse(out.split("\n").find(line => line.startsWith('{"type"')) ?? "")
    const { type, keys, fields, parser } = Object(loaded)
    check(`the plugin loader loads the packed adapter ${how}`, type === "escapement_local", loaded)
    check(
      `its methods survive the spread (${how})`,
      ["execute", "testEnvironment", "sessionCodec"].every(key => keys.includes(key)),
    )
    check(`its config schema is asked (${how})`, fields.includes("chart"))
    check(`the loader would serve our parser byte for byte (${how})`, parser === parserOf(adapter))
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** The package's parser for the host. */
export function parserOf(adapter: string): string {
  return readFileSync(join(adapter, "ui-parser.cjs"), "utf8")
}
