// Tests what the adapter's root export promises to the host.
import { describe, expect, test } from "bun:test"
import * as cli from "../src/cli/index.ts"
import * as root from "../src/index.ts"
import * as server from "../src/server/index.ts"
import * as ui from "../src/ui/index.ts"

describe("the package root", () => {
  test("is a plain object, made synchronously", () => {
    const adapter = root.createServerAdapter()
    expect(Object.getPrototypeOf(adapter)).toBe(Object.prototype)
    const spread = { ...adapter }
    expect(spread).toMatchObject({ type: "escapement_local", supportsLocalAgentJwt: true, models: root.models })
    expect(spread).toMatchObject({ supportsInstructionsBundle: true, instructionsPathKey: "instructionsFilePath" })
    expect(root.label).toBe("Escapement (local)")
  })
  test("documents when to use it, every field and each dangerous one", async () => {
    const doc = root.agentConfigurationDoc
    expect(doc).toContain("Use when:")
    expect(doc).toContain("Don't use when:")
    const { fields = [] } = (await root.createServerAdapter().getConfigSchema?.()) ?? {}
    const usual = ["cwd", "command", "model", "env", "instructionsFilePath", "extraArgs"]
    const keys = [...fields.map(({ key }) => key), ...usual]
    expect(keys.filter(key => !doc.includes(`- ${key} (`) && !doc.includes(`- ${key} `))).toEqual([])
    for (const danger of ["--api-server", "--debug", "--tui=opentui", "timeoutSec 0"]) expect(doc).toContain(danger)
  })
  test("has every required field, like the server's module object", () => {
    expect(Object.keys(server.escapementAdapter).sort()).toEqual(Object.keys(root.createServerAdapter()).sort())
    const required = ["type", "execute", "testEnvironment", "sessionCodec", "supportsLocalAgentJwt", "models"]
    for (const field of [...required, "agentConfigurationDoc"]) expect(server.escapementAdapter).toHaveProperty(field)
    expect(server.escapementAdapter.agentConfigurationDoc).toBe(root.agentConfigurationDoc)
  })
  test("the command-line module object has the required fields", () => {
    expect(cli.escapementCLIAdapter).toEqual({ type: "escapement_local", formatStdoutEvent: cli.formatStdoutEvent })
  })
  test("exports what the documented registrations import", async () => {
    const page = await Bun.file(new URL("../../../docs/paperclip.md", import.meta.url)).text()
    const modules: Readonly<Record<string, object>> = { "": root, "/server": server, "/ui": ui, "/cli": cli }
    const imports = [...page.matchAll(/import \{([^}]+)\} from "paperclip-adapter-escapement(\/\w+)?"/g)]
    const names = imports.flatMap(([, list = "", part = ""]) =>
      list.split(",").map(name => [part, name.trim().split(" as ")[0] ?? ""] as const),
    )
    expect(names.length).toBeGreaterThan(6)
    expect(names.filter(([part, name]) => !(name in (modules[part] ?? {})))).toEqual([])
    for (const registry of ["server", "ui", "cli"]) expect(page).toContain(`\`${registry}/src/adapters/registry.ts\``)
  })
})
