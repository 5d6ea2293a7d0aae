// Checks whether an agent can run as configured, for the button "Test environment".
import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import type {
  AdapterEnvironmentCheck,
  AdapterEnvironmentTestContext,
  AdapterEnvironmentTestResult,
} from "@paperclipai/adapter-utils"
import { asString, ensureAbsoluteDirectory, ensureCommandResolvable } from "@paperclipai/adapter-utils/server-utils"
import { type } from "../capabilities.ts"
import { type ChildEnvironment, inherit } from "./environment.ts"
import { runProcess } from "./process.ts"
import { messageOf } from "./run-result.ts"
import { configErrorOf, readSettings, type Settings } from "./settings.ts"

/** The time limit of `escapement info`, in seconds. */
const PROBE_SEC = 10

/** Matches the path of a chart's file; any other text is a name that only the agent can resolve. */
const CHART_FILE = /[/\\]|\.(?:edn|clj|cljc|bb|json)$/

const KEYS = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENROUTER_API_KEY"]

/** Reports findings without throwing. Starts `escapement info`; changes nothing. */
export async function testEnvironment(ctx: AdapterEnvironmentTestContext): Promise<AdapterEnvironmentTestResult> {
  const settings = readSettings(ctx.config, asString(ctx.config.cwd, process.cwd()))
  const remote = ctx.executionTarget?.kind === "remote"
  const checks = remote ? [remoteTarget(ctx.environmentName ?? null)] : await examine(settings)
  return { adapterType: type, status: statusOf(checks), checks, testedAt: new Date().toISOString() }
}

function statusOf(checks: readonly AdapterEnvironmentCheck[]): AdapterEnvironmentTestResult["status"] {
  if (checks.some(check => check.level === "error")) return "fail"
  return checks.some(check => check.level === "warn") ? "warn" : "pass"
}

function remoteTarget(name: string | null): AdapterEnvironmentCheck {
  const environment = name === null ? "The environment" : `The environment ${name}`
  const message = `${environment} is remote; this adapter runs on the server's machine.`
  return { code: "escapement_remote_target", level: "error", message, hint: "Choose a local environment." }
}

async function examine(settings: Settings): Promise<AdapterEnvironmentCheck[]> {
  const env = inherit(settings.env)
  const directory = await checkDirectory(settings)
  const command = await checkCommand(settings, env)
  const usable = directory.level !== "error" && command.level !== "error"
  return [
    directory,
    command,
    ...(usable ? [await probe(settings, env)] : []),
    await checkChart(settings),
    ...checkKeys(env),
    ...checkLimit(settings),
  ]
}

async function checkDirectory({ cwd }: Settings): Promise<AdapterEnvironmentCheck> {
  try {
    await ensureAbsoluteDirectory(cwd)
    return { code: "escapement_cwd_valid", level: "info", message: `Working directory: ${cwd}` }
  } catch (error) {
    const hint = "Set cwd to the absolute path of an existing directory."
    return { code: "escapement_cwd_invalid", level: "error", message: messageOf(error), detail: cwd, hint }
  }
}

async function checkCommand({ command, cwd }: Settings, env: ChildEnvironment): Promise<AdapterEnvironmentCheck> {
  try {
    await ensureCommandResolvable(command, cwd, env)
    return { code: "escapement_command_resolvable", level: "info", message: `Command: ${command}` }
  } catch (error) {
    const hint = "Install the agent, or set command to its path."
    return { code: "escapement_command_unresolvable", level: "error", message: messageOf(error), detail: command, hint }
  }
}

async function probe({ command, cwd }: Settings, env: ChildEnvironment): Promise<AdapterEnvironmentCheck> {
  const decoder = new TextDecoder()
  let output = ""
  const options = {
    ...{ cwd, env, timeoutSec: PROBE_SEC, graceSec: 1 },
    onSpawn: async () => undefined,
    onOutput: async (_: string, chunk: Uint8Array) => {
      output = (output + decoder.decode(chunk, { stream: true })).slice(0, 400)
    },
  }
  const { exitCode } = await runProcess(command, ["info"], options).catch(() => ({ exitCode: null }))
  const detail = output.trim().split("\n").at(0) ?? ""
  if (exitCode === 0) return { code: "escapement_info_ok", level: "info", message: "The agent answers.", detail }
  const message = `${command} info exited with ${exitCode === null ? "no code" : `code ${exitCode}`}.`
  const hint = "Run it yourself as the server's user."
  return { code: "escapement_info_failed", level: "warn", message, detail, hint }
}

async function checkChart(settings: Settings): Promise<AdapterEnvironmentCheck> {
  const fault = configErrorOf(settings)
  if (fault !== null) return { code: fault.code, level: "error", message: fault.message, hint: fault.hint }
  const { chart, cwd } = settings
  const found = await stat(resolve(cwd, chart)).catch(() => null)
  if (found !== null || !CHART_FILE.test(chart))
    return { code: "escapement_chart_set", level: "info", message: `Chart: ${chart}` }
  const hint = "The path is relative to cwd. An issue's workspace may have the file even if cwd does not."
  return { code: "escapement_chart_not_found", level: "warn", message: `No such file: ${chart}`, hint }
}

/** Warns about API keys, because runs may be billed to them. */
function checkKeys(env: ChildEnvironment): AdapterEnvironmentCheck[] {
  const found = KEYS.filter(key => (env[key] ?? "") !== "")
  if (found.length === 0) return []
  const message = `Found ${found.join(", ")}: runs may be billed to ${found.length === 1 ? "it" : "them"}.`
  const hint = "Unset any key that must not be used."
  return [{ code: "escapement_api_key_found", level: "warn", message, hint }]
}

function checkLimit({ timeoutSec }: Settings): AdapterEnvironmentCheck[] {
  if (timeoutSec > 0) return []
  const message = "timeoutSec is 0, so a run may never end."
  return [{ code: "escapement_no_time_limit", level: "warn", message, hint: "Set timeoutSec in production." }]
}
