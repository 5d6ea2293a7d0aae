// Tests the findings of "Test environment", with codes and severities.
import { expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { testEnvironment } from "../../src/server/index.ts"
import { openHost } from "../host.ts"

const host = openHost()
writeFileSync(join(host.cwd, "plan.edn"), "{}")

/** Hides this machine's own keys. */
const NO_KEYS = Object.fromEntries(
  ["ANTHROPIC", "DEEPSEEK", "OLLAMA", "OPENAI", "OPENCODE_GO", "OPENROUTER", "ZAI"].map(one => [`${one}_API_KEY`, ""]),
)

async function examine(config: Record<string, unknown>, more: object = {}) {
  const whole = { command: host.command, cwd: host.cwd, chart: "plan.edn", timeoutSec: 60, env: NO_KEYS, ...config }
  const result = await testEnvironment({ companyId: "c", adapterType: "escapement_local", config: whole, ...more })
  expect(result.adapterType).toBe("escapement_local")
  expect(new Date(result.testedAt).toISOString()).toBe(result.testedAt)
  return { status: result.status, codes: result.checks.map(({ code, level }) => `${level} ${code}`) }
}

const GOOD = ["info escapement_cwd_valid", "info escapement_command_resolvable", "info escapement_info_ok"]

test("testEnvironment passes if all is well", async () => {
  expect(await examine({})).toEqual({ status: "pass", codes: [...GOOD, "info escapement_chart_set"] })
  for (const chart of ["named-chart", "my.team/agent"]) expect((await examine({ chart })).status).toBe("pass")
  for (const cwd of ["", " "]) expect(await examine({ cwd, chart: "my.team/agent" })).toMatchObject({ status: "pass" })
})

const KEY = { ...NO_KEYS, OPENAI_API_KEY: "sk" }

test.each([
  ["a key", { env: KEY }, [...GOOD, "info escapement_chart_set", "warn escapement_api_key_found"]],
  ["no time limit", { timeoutSec: 0 }, [...GOOD, "info escapement_chart_set", "warn escapement_no_time_limit"]],
  ["a missing chart", { chart: "charts/none.edn" }, [...GOOD, "warn escapement_chart_not_found"]],
  [
    "an agent that does not answer",
    { command: "false" },
    [...GOOD.slice(0, 2), "warn escapement_info_failed", "info escapement_chart_set"],
  ],
])("testEnvironment warns of %s", async (_, config, codes) => {
  expect(await examine(config)).toEqual({ status: "warn", codes })
})

test("testEnvironment warns where the agent says that it has no provider, unless a backend is set", async () => {
  const env = { ...NO_KEYS, FAKE_CREDENTIALS: "none" }
  const codes = [...GOOD, "warn escapement_no_provider", "info escapement_chart_set"]
  expect(await examine({ env })).toEqual({ status: "warn", codes })
  expect(await examine({ env, backend: "codex" })).toMatchObject({ status: "pass" })
})

test("testEnvironment fails without directory, command or chart, and for a remote environment", async () => {
  expect(await examine({ cwd: join(host.cwd, "none") })).toMatchObject({
    status: "fail",
    codes: expect.arrayContaining(["error escapement_cwd_invalid"]),
  })
  expect(await examine({ cwd: "relative" })).toMatchObject({ status: "fail" })
  expect(await examine({ command: "no-such-escapement" })).toEqual({
    status: "fail",
    codes: ["info escapement_cwd_valid", "error escapement_command_unresolvable", "info escapement_chart_set"],
  })
  expect(await examine({ chart: "" })).toEqual({ status: "fail", codes: [...GOOD, "error escapement_chart_missing"] })
  const executionTarget = { kind: "remote", transport: "sandbox", remoteCwd: "/work" }
  expect(await examine({}, { executionTarget, environmentName: "box" })).toEqual({
    status: "fail",
    codes: ["error escapement_remote_target"],
  })
})

test("testEnvironment only warns while nothing is configured, so that the host's wizard lets its user finish", async () => {
  const ask = async (config: Record<string, unknown>, more: object = {}) =>
    await testEnvironment({ companyId: "c", adapterType: "escapement_local", config, ...more })
  for (const config of [{}, { model: "smart", env: NO_KEYS, timeoutSec: 60, chart: "" }]) {
    const { status, checks } = await ask(config)
    expect(status).toBe("warn")
    const missing = checks.find(({ code }) => code === "escapement_chart_missing")
    expect(missing).toMatchObject({ level: "warn", message: "No chart is configured." })
    expect(missing?.hint).toContain("Edit configuration → Configuration → Chart")
  }
  const executionTarget = { kind: "remote", transport: "sandbox", remoteCwd: "/work" }
  expect((await ask({}, { executionTarget })).status).toBe("fail")
})

test("testEnvironment fails for a chart that is wrong, and asks for its whole path where no directory is set", async () => {
  const codes = [...GOOD, "error escapement_chart_not_found"]
  expect(await examine({ chart: join(host.cwd, "none.edn") })).toEqual({ status: "fail", codes })
  expect(await examine({ chart: "--debug" })).toMatchObject({ status: "fail" })
  expect(await examine({ cwd: "", chart: join(host.cwd, "plan.edn") })).toMatchObject({ status: "pass" })
  // The server's own directory has this file, but no run would start there.
  expect(await examine({ cwd: "", chart: "./package.json" })).toMatchObject({
    status: "warn",
    codes: [...GOOD, "warn escapement_chart_not_found"],
  })
})

test("testEnvironment is red where the run must fail for want of a file or a directory", async () => {
  const plan = join(host.cwd, "plan.edn")
  const good = "info escapement_chart_set"
  const cases: readonly [Record<string, unknown>, string, string][] = [
    [{ chart: host.cwd }, "error escapement_chart_not_found", "fail"],
    [{ instructionsFilePath: "/nope.md" }, "error escapement_instructions_not_found", "fail"],
    [{ instructionsFilePath: host.cwd }, "error escapement_instructions_not_found", "fail"],
    [{ input: "/nope.edn" }, "error escapement_input_not_found", "fail"],
    [{ workDir: `${plan}/x` }, "warn escapement_work_dir_invalid", "warn"],
    [{ cwd: "", chart: plan, workDir: `${plan}/x` }, "error escapement_work_dir_invalid", "fail"],
    [{ input: "nope.edn" }, "warn escapement_input_not_found", "warn"],
    [{ cwd: "", chart: plan, instructionsFilePath: "AGENTS.md" }, "warn escapement_instructions_not_found", "warn"],
  ]
  for (const [config, code, status] of cases) {
    const result = await examine(config)
    expect({ config, ...result }).toMatchObject({ config, status, codes: expect.arrayContaining([code]) })
  }
  const all = { instructionsFilePath: plan, input: "plan.edn", workDir: join(host.cwd, "deep/work") }
  expect(await examine(all)).toEqual({ status: "pass", codes: [...GOOD, good] })
})

test("testEnvironment treats settings of the wrong type as missing", async () => {
  const junk = { command: 7, chart: ["x"], timeoutSec: "soon", graceSec: null, env: [1], params: 3, extraArgs: {} }
  expect((await examine({ ...junk, env: [1] })).codes).toContain("error escapement_chart_missing")
})
