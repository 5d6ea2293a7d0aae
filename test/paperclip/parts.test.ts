// Tests the adapter's small parts: session codec, output, form values, terminal lines.
import { describe, expect, spyOn, test } from "bun:test"
import fc from "fast-check"
import pc from "picocolors"
import * as cli from "../../src/paperclip/cli/index.ts"
import { escapementCLIAdapter, formatStdoutEvent, printEscapementStreamEvent } from "../../src/paperclip/cli/index.ts"
import * as root from "../../src/paperclip/index.ts"
import * as server from "../../src/paperclip/server/index.ts"
import {
  escapementAdapter,
  isEscapementUnknownSessionError,
  parseEscapementOutput,
  sessionCodec,
} from "../../src/paperclip/server/index.ts"
import { ednString } from "../../src/paperclip/server/prompt.ts"
import { shortenRow, shortenText } from "../../src/paperclip/server/shorten-rows.ts"
import * as ui from "../../src/paperclip/ui/index.ts"
import { buildConfig } from "../../src/paperclip/ui/index.ts"
import { FORM } from "./host.ts"

describe("the package root", () => {
  test("is a plain object, made synchronously", () => {
    const adapter = root.createServerAdapter()
    expect(Object.getPrototypeOf(adapter)).toBe(Object.prototype)
    const { execute, testEnvironment, ...spread } = { ...adapter }
    expect(spread).toMatchObject({ type: "escapement_local", supportsLocalAgentJwt: true, models: root.models })
    expect([typeof execute, typeof testEnvironment]).toEqual(["function", "function"])
    expect(root.label).toBe("Escapement (local)")
  })
  test("documents when to use it, every field and each dangerous one", async () => {
    const doc = root.agentConfigurationDoc
    expect(doc).toContain("Use when:")
    expect(doc).toContain("Don't use when:")
    const { fields = [] } = (await root.createServerAdapter().getConfigSchema?.()) ?? {}
    const keys = [
      ...fields.map(({ key }) => key),
      "cwd",
      "command",
      "model",
      "env",
      "instructionsFilePath",
      "extraArgs",
    ]
    expect(keys.filter(key => !doc.includes(`- ${key} (`) && !doc.includes(`- ${key} `))).toEqual([])
    for (const danger of ["--api-server", "--debug", "--tui=opentui", "timeoutSec 0"]) expect(doc).toContain(danger)
  })
  test("has every required field, like the server's module object", () => {
    expect(Object.keys(escapementAdapter).sort()).toEqual(Object.keys(root.createServerAdapter()).sort())
    const required = ["type", "execute", "testEnvironment", "sessionCodec", "supportsLocalAgentJwt", "models"]
    for (const field of [...required, "agentConfigurationDoc"]) expect(escapementAdapter).toHaveProperty(field)
    expect(escapementAdapter.agentConfigurationDoc).toBe(root.agentConfigurationDoc)
  })
  test("the command-line module object has the required fields", () => {
    expect(escapementCLIAdapter).toEqual({ type: "escapement_local", formatStdoutEvent })
  })
  test("describes its fields and that sessions can be resumed", async () => {
    const { sessionManagement, getConfigSchema } = root.createServerAdapter()
    expect(sessionManagement).toMatchObject({ supportsSessionResume: true })
    const { fields = [] } = (await getConfigSchema?.()) ?? {}
    expect(fields.filter(({ required }) => required === true).map(({ key }) => key)).toEqual(["chart"])
    const defaults = Object.fromEntries(fields.map(({ key, default: one }) => [key, one]))
    expect(defaults).toMatchObject({ timeoutSec: 0, graceSec: 15, promptParam: "prompt", workDir: ".escapement" })
  })
  test("exports what the documented registrations import", async () => {
    const page = await Bun.file(new URL("../../docs/paperclip.md", import.meta.url)).text()
    const modules: Readonly<Record<string, object>> = { "": root, "/server": server, "/ui": ui, "/cli": cli }
    const imports = [...page.matchAll(/import \{([^}]+)\} from "opentui-sidecar(\/\w+)?"/g)]
    const names = imports.flatMap(([, list = "", part = ""]) =>
      list.split(",").map(name => [part, name.trim().split(" as ")[0] ?? ""] as const),
    )
    expect(names.length).toBeGreaterThan(6)
    expect(names.filter(([part, name]) => !(name in (modules[part] ?? {})))).toEqual([])
    for (const registry of ["server", "ui", "cli"]) expect(page).toContain(`\`${registry}/src/adapters/registry.ts\``)
  })
})

describe("the session codec", () => {
  const session = { sessionId: "paperclip-run_1.2", cwd: "/a", workDir: "/a/.escapement", chart: "plan.edn" }
  test("round-trips a session", () => {
    const stored = sessionCodec.serialize(session)
    expect(stored).toEqual(session)
    expect(sessionCodec.deserialize(JSON.parse(JSON.stringify(stored)))).toEqual(session)
    expect(sessionCodec.getDisplayId?.(stored)).toBe("paperclip-run_1.2")
    expect(sessionCodec.deserialize({ sessionId: "x" })).toEqual({ sessionId: "x" })
  })
  test("drops anything that is not a session", () => {
    const junk = [
      null,
      undefined,
      7,
      "id",
      [],
      {},
      { sessionId: 7 },
      { sessionId: "../x" },
      { sessionId: "-x" },
      { sessionId: ".." },
    ]
    expect(junk.map(raw => sessionCodec.deserialize(raw))).toEqual(junk.map(() => null))
    expect(sessionCodec.serialize(null)).toBeNull()
    expect(sessionCodec.getDisplayId?.(null)).toBeNull()
  })
  test("is idempotent for any input", () => {
    fc.assert(
      fc.property(fc.record({ sessionId: fc.string(), cwd: fc.jsonValue(), more: fc.jsonValue() }), raw => {
        const once = sessionCodec.deserialize(raw)
        expect(sessionCodec.deserialize(sessionCodec.serialize(once))).toEqual(once)
      }),
    )
  })
})

describe("the agent's output", () => {
  test.each([
    "Session not found: paperclip-1",
    "error: unknown session 'x'",
    "No such session",
    "checkpoint for x does not exist",
    "Could not find checkpoint",
    "no saved session with that id",
  ])("reports a missing session: %s", text => {
    expect(isEscapementUnknownSessionError(text, "")).toBe(true)
    expect(isEscapementUnknownSessionError("", text)).toBe(true)
  })
  test.each(["chart not found: plan.edn", "no credit left", "", "session started", "model missing\nsession closed"])(
    "does not report a missing session: %s",
    text => expect(isEscapementUnknownSessionError(text, text)).toBe(false),
  )
  test("is read row by row, ignoring other lines", () => {
    const rows = [
      "hello",
      '{"event":"runner/started","data":{"session-id":"s-1"}}',
      '{"event":"llm/response","data":{"content":[{"type":"text","text":"Hi"}],"usage":{"input-tokens":3,"output-tokens":2},"model":"m","provider":"ollama"}}',
      '{"event":"llm/error","data":{"message":"bad"}}',
      '{"broken',
      "[1]",
    ]
    expect(parseEscapementOutput(rows.join("\n"))).toEqual({
      ...{ sessionId: "s-1", usage: { inputTokens: 3, outputTokens: 2, cachedInputTokens: 0 }, costUsd: null },
      ...{ model: "m", provider: "ollama", summary: "Hi", errors: ["bad"], ending: null, asked: null, rows: 3 },
    })
    expect(parseEscapementOutput("").rows).toBe(0)
  })
})

describe("a line for the host's log", () => {
  test("is a row below 8 KiB, whatever it was", () => {
    const row = fc.record({ event: fc.string(), data: fc.dictionary(fc.string(), fc.jsonValue()), big: fc.string() })
    fc.assert(
      fc.property(row, fc.integer({ min: 1, max: 3000 }), ({ event, data, big }, times) => {
        const line = shortenRow({ event, data: { ...data, big: big.repeat(times), many: Array(times).fill(big) } })
        expect(Buffer.byteLength(line)).toBeLessThan(8191)
        expect(JSON.parse(line)).toHaveProperty("event")
        expect(Buffer.byteLength(shortenText(big.repeat(times)))).toBeLessThan(8191)
      }),
    )
  })
  test("is unchanged if it is small", () => {
    expect(shortenRow({ event: "x", data: { a: [1, "é"] } })).toBe('{"event":"x","data":{"a":[1,"é"]}}')
  })
})

test("the skills page shows available, wanted and missing skills", async () => {
  const key = "company/snow"
  const config = { paperclipRuntimeSkills: [{ key, runtimeName: "snow", source: "/skills/snow" }] }
  const ctx = { agentId: "a", companyId: "c", adapterType: "escapement_local", config }
  expect(await escapementAdapter.listSkills?.(ctx)).toMatchObject({
    supported: true,
    mode: "ephemeral",
    desiredSkills: [],
  })
  const wanted = await escapementAdapter.syncSkills?.(ctx, [key, "company/rain"])
  expect(wanted?.entries.map(({ key: one, state }) => [one, state])).toEqual([
    ["company/rain", "missing"],
    [key, "configured"],
  ])
})

test("ednString escapes a prompt", () => {
  expect(ednString('a "b" \\ c\n\td\0')).toBe('"a \\"b\\" \\\\ c\\n\\td\\u0000"')
})

describe("buildConfig", () => {
  test("of an empty form has no time limit and a grace of 15 s", () => {
    expect(buildConfig(FORM)).toEqual({ timeoutSec: 0, graceSec: 15 })
  })
  test("of a filled form has the host's fields, ours, and the environment", () => {
    const adapterSchemaValues = { chart: "plan.edn", workDir: "/w", timeoutSec: 60, other: "x", input: "" }
    const more = {
      cwd: "/a",
      command: "esc",
      model: "smart",
      promptTemplate: "Do",
      extraArgs: "--debug",
      envVars: "A=1",
    }
    expect(buildConfig({ ...FORM, ...more, adapterSchemaValues })).toEqual({
      ...{ cwd: "/a", command: "esc", model: "smart", promptTemplate: "Do", extraArgs: "--debug" },
      ...{ chart: "plan.edn", workDir: "/w", timeoutSec: 60, graceSec: 15, env: { A: { type: "plain", value: "1" } } },
    })
  })
})

describe("formatStdoutEvent", () => {
  function printed(line: string, debug = false): string {
    const out: string[] = []
    const spy = spyOn(process.stdout, "write").mockImplementation(chunk => out.push(String(chunk)) > 0)
    try {
      formatStdoutEvent(line, debug)
    } finally {
      spy.mockRestore()
    }
    return out.join("")
  }
  const row = (event: string, data: object) => JSON.stringify({ event, data })

  test("prints system in blue, the assistant in green, tools in yellow, errors in red", () => {
    expect(printed(row("llm/start", { invokeid: "p" }))).toBe(`${pc.blue("p: a turn")}\n`)
    expect(printed(row("llm/delta", { text: "Hi" }))).toBe(`${pc.green("Hi")}\n`)
    const content = [{ name: "read", input: { path: "a" } }]
    expect(printed(row("llm/response", { content }))).toBe(`${pc.yellow('read {"path":"a"}')}\n${pc.blue("a reply")}\n`)
    expect(printed(row("llm/tool-result", { tool: "t", "content-preview": "ok" }))).toBe(`${pc.yellow("ok")}\n`)
    expect(printed(row("llm/tool-result", { tool: "t", "is-error": true, "content-preview": "no" }))).toBe(
      `${pc.red("no")}\n`,
    )
    expect(printed(row("llm/error", { message: "bad" }))).toBe(`${pc.red("bad")}\n`)
    expect(printed(row("runner/done", { status: "done" }))).toBe(`${pc.blue("done: 0 in, 0 out")}\n`)
  })
  test("prints a line that is not a row only with debug, in grey", () => {
    expect(printed("plain")).toBe("")
    expect(printed("plain", true)).toBe(`${pc.gray("plain")}\n`)
    expect(printEscapementStreamEvent).toBe(formatStdoutEvent)
  })
  test("prints no control characters", () => {
    expect(printed(row("llm/delta", { text: "a\u001b[2Jb" }))).toContain("a␛[2Jb")
    expect(printed("\u001b]0;x\u0007", true)).toContain("␛]0;x␇")
  })
})
