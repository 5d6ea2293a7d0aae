// Keeps the findings of "Test environment" in words, for each way in which a configuration may be wrong.
import { describe, expect, spyOn, test } from "bun:test"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createServerAdapter } from "../../src/index.ts"
import { openHost } from "../host.ts"

const host = openHost()
const inside = (path: string) => join(host.cwd, path)
for (const name of ["plan.edn", "bin.edn"]) writeFileSync(inside(name), "{}")
for (const [name, script] of [
  // It says more than is kept, and that in two streams.
  ["fails", "sh\nprintf 'half%0500d\\n' 7; head -c 70000 /dev/zero; exit 7"],
  ["dies", "sh\necho bye >&2; kill -9 $$"],
  ["hangs", "sh\nexec sleep 60"],
  ["odd", "none"],
] as const) {
  writeFileSync(inside(`bin/${name}`), `#!/bin/${script}\n`)
  chmodSync(inside(`bin/${name}`), 0o755)
}

/** Hides this machine's own keys. */
const KEYS = ["ANTHROPIC", "DEEPSEEK", "OLLAMA", "OPENAI", "OPENCODE_GO", "OPENROUTER", "ZAI"].map(
  one => `${one}_API_KEY`,
)
const NO_KEYS = Object.fromEntries(KEYS.map(key => [key, ""]))
const ALL_KEYS = Object.fromEntries(KEYS.map(key => [key, "sk"]))
/** Fields that are not filled in, on a machine without the agent. */
const NOTHING = { command: undefined, cwd: "", chart: null, env: { ...NO_KEYS, PATH: inside("none") } }
const ALONE = { model: "smart", cwd: host.cwd, chart: "plan", params: "a=1", command: "x", workDir: "sessions" }

const CONFIGS: readonly (readonly [string, Record<string, unknown>])[] = [
  ["all is well", {}],
  ["a chart by its name", { chart: "my.team/agent" }],
  ["no directory", { cwd: "" }],
  ["no directory, and a chart by its name", { cwd: " ", chart: "my.team/agent" }],
  ["a key", { env: { ...NO_KEYS, OPENAI_API_KEY: "sk" } }],
  ["every key", { env: { ...ALL_KEYS, MISTRAL_API_KEY: "sk", X_OPENAI_API_KEY: "sk" } }],
  ["no time limit", { timeoutSec: 0 }],
  ["a chart in the server's own directory", { cwd: "", chart: "./package.json" }],
  ["a missing chart", { chart: "charts/none.edn" }],
  ["a missing chart by its whole path", { chart: inside("none.clj") }],
  ["a chart that is a directory", { chart: host.cwd }],
  ["a chart that is a flag", { chart: "--debug" }],
  ["no chart", { chart: "" }],
  ["charts of other kinds", { chart: "none.bb" }],
  ["a chart below the directory", { chart: "./plan.edn" }],
  ["a name with a dot", { chart: "plan.txt" }],
  ["a wrong parameter", { params: "tier gold" }],
  ["an agent that says no", { command: inside("bin/fails") }],
  ["an agent that dies", { command: inside("bin/dies") }],
  ["an agent that can't start", { command: inside("bin/odd") }],
  ["no agent", { command: inside("bin/none") }],
  ["no provider", { env: { ...NO_KEYS, FAKE_CREDENTIALS: "none" } }],
  ["no provider, but a backend", { env: { ...NO_KEYS, FAKE_CREDENTIALS: "none" }, backend: "codex" }],
  ["no such directory", { cwd: inside("none") }],
  ["a relative directory", { cwd: "here" }],
  ["a directory that is a file", { cwd: inside("plan.edn") }],
  ["missing files", { instructionsFilePath: "/none/AGENTS.md", input: "/none/in.edn" }],
  ["missing files that may be in a workspace", { instructionsFilePath: "AGENTS.md", input: "in.edn" }],
  ["files without a directory", { cwd: "", instructionsFilePath: "AGENTS.md", input: "in.edn" }],
  ["files that are directories", { instructionsFilePath: host.cwd, input: "bin" }],
  [
    "files that are there",
    { instructionsFilePath: inside("plan.edn"), input: "plan.edn", workDir: inside("deep/work") },
  ],
  ["a work directory below a file", { workDir: "plan.edn/x" }],
  ["a work directory elsewhere that is a file", { cwd: inside("bin"), workDir: inside("bin.edn") }],
  ["a work directory without a directory", { cwd: "", workDir: "sessions" }],
  ["a work directory that only a workspace may have", { cwd: "", workDir: "package.json/x" }],
  ["a work directory that no workspace changes", { cwd: "", workDir: inside("plan.edn") }],
  ["nothing", NOTHING],
  ...Object.entries(ALONE).map(([key, value]) => [`only ${key}`, { ...NOTHING, [key]: value }] as const),
  ["junk", { chart: ["x"], timeoutSec: "soon", env: [1], params: 3 }],
]

describe("the findings for", () => {
  let told: readonly Promise<string>[] | null = null
  test.each(CONFIGS.map(([name], i) => [name, i] as const))("%s", async (_, i) => {
    told ??= CONFIGS.map(([, config]) => examine(config))
    expect(await told[i]).toMatchSnapshot()
  })
  test("an agent that hangs", async () => {
    const { setTimeout: later } = globalThis
    const hasty = (run: () => void, ms: number) => later(run, ms / 50)
    using _ = spyOn(globalThis, "setTimeout").mockImplementation(hasty as typeof setTimeout)
    expect(await examine({ command: inside("bin/hangs") })).toMatchSnapshot()
  })
  const remote = { kind: "remote", transport: "sandbox", remoteCwd: "/work" } as const
  const unset = { executionTarget: remote, environmentName: "box" }
  test.each<[string, object, Record<string, unknown>]>([
    ["a remote environment", { executionTarget: remote }, {}],
    ["a remote environment with a name, and nothing set", unset, NOTHING],
  ])("%s", async (_, more, config) => expect(await examine(config, more)).toMatchSnapshot())
})

async function examine(config: Record<string, unknown>, more: object = {}): Promise<string> {
  const whole = {
    command: host.command,
    cwd: host.cwd,
    chart: inside("plan.edn"),
    timeoutSec: 60,
    env: NO_KEYS,
    ...config,
  }
  const told = await createServerAdapter().testEnvironment({ companyId: "c", adapterType: "t", config: whole, ...more })
  const { status, checks, adapterType, testedAt } = told
  expect([adapterType, new Date(testedAt).toISOString()]).toEqual(["escapement_local", testedAt])
  const lines = checks.flatMap(({ level, code, message, detail, hint }) => [
    `${level} ${code}: ${message}`,
    ...(detail === undefined ? [] : [`  detail: ${detail}`]),
    ...(hint === undefined ? [] : [`  ${hint}`]),
  ])
  return [status, ...lines]
    .join("\n")
    .replaceAll(host.cwd, "<cwd>")
    .replaceAll(process.cwd(), "<here>")
    .replace(/0{9,}/, all => `0×${all.length}`)
}
