// Tests the findings of "Test environment", with codes and severities.
import { expect, test } from "bun:test"
import { chmodSync, writeFileSync } from "node:fs"
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

test("testEnvironment tells which signal ended an agent that died", async () => {
  const command = join(host.cwd, "dies")
  writeFileSync(command, "#!/bin/sh\nkill -9 $$\n")
  chmodSync(command, 0o755)
  const config = { command, cwd: host.cwd, chart: "plan.edn", timeoutSec: 60, env: NO_KEYS }
  const { checks } = await testEnvironment({ companyId: "c", adapterType: "escapement_local", config })
  const failed = checks.find(({ code }) => code === "escapement_info_failed")
  expect(failed?.message).toBe(`${command} info was killed by SIGKILL.`)
})
