// Checks whether an agent can run as configured, for the button "Test environment".
import { access, constants, stat } from "node:fs/promises"
import { dirname, isAbsolute, resolve } from "node:path"
import type {
  AdapterEnvironmentCheck,
  AdapterEnvironmentTestContext,
  AdapterEnvironmentTestResult,
} from "@paperclipai/adapter-utils"
import { asString, ensureAbsoluteDirectory, ensureCommandResolvable } from "@paperclipai/adapter-utils/server-utils"
import { isBelow } from "../../../wire/src/files/opened-path.ts"
import { type } from "../capabilities.ts"
import { type ChildEnvironment, inherit } from "./environment.ts"
import { runProcess } from "./process.ts"
import { messageOf } from "./run-result.ts"
import { configErrorOf, readSettings, type Settings } from "./settings.ts"

/** The time limit of `escapement info`, in seconds. */
const PROBE_SEC = 10

/** Matches the path of a chart's file; any other text is a name that only the agent can resolve: my.team/agent. */
const CHART_FILE = /^[./\\]|\.(?:edn|clj|cljc|bb|json)$/

/** The variables that the agent reads keys from. */
const KEYS = /^(?:ANTHROPIC|DEEPSEEK|OLLAMA|OPENAI|OPENCODE_GO|OPENROUTER|ZAI)_API_KEY$/

/** Reports findings without throwing. Starts `escapement info`; changes nothing. */
export async function testEnvironment(ctx: AdapterEnvironmentTestContext): Promise<AdapterEnvironmentTestResult> {
  const settings = readSettings(ctx.config, asString(ctx.config.cwd, "").trim() || process.cwd())
  const remote = ctx.executionTarget?.kind === "remote"
  const found = remote ? [remoteTarget(ctx.environmentName ?? null)] : await examine(settings, hasDirectory(ctx.config))
  // The host's wizard asks for none of our fields, and errors would keep its user from reaching the form that does.
  const checks = remote || isConfigured(ctx.config) ? found : found.map(notYet)
  return { adapterType: type, status: statusOf(checks), checks, testedAt: new Date().toISOString() }
}

function hasDirectory({ cwd }: Record<string, unknown>): boolean {
  return typeof cwd === "string" && cwd.trim() !== ""
}

/** True if any field that says what to run or where has a value. */
function isConfigured(config: Record<string, unknown>): boolean {
  return ["cwd", "command", "chart", "params", "workDir"].some(key => (config[key] ?? "") !== "")
}

function notYet(check: AdapterEnvironmentCheck): AdapterEnvironmentCheck {
  return check.level === "error" ? { ...check, level: "warn" } : check
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

async function examine(settings: Settings, hasOwnDirectory: boolean): Promise<AdapterEnvironmentCheck[]> {
  const env = inherit(settings.env)
  const directory = hasOwnDirectory ? await checkDirectory(settings) : WORKSPACE
  const command = await checkCommand(settings, env)
  const usable = directory.level !== "error" && command.level !== "error"
  return [
    directory,
    command,
    ...(usable ? await probe(settings, env) : []),
    ...(await checkChart(settings, hasOwnDirectory)),
    ...(await checkFile("instructions", "Instructions file", settings.instructionsFilePath, settings, hasOwnDirectory)),
    ...(await checkFile("input", "Input file", settings.input, settings, hasOwnDirectory)),
    ...(await checkWorkDir(settings, hasOwnDirectory)),
    ...checkKeys(env),
    ...checkLimit(settings),
  ]
}

/** Without a directory of its own a run starts where only the host knows, and not where this test looks. */
const WORKSPACE: AdapterEnvironmentCheck = {
  code: "escapement_cwd_valid",
  level: "info",
  message: "Runs start in the workspace of their issue, or in the agent's home.",
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
    const hint = "Install the agent, or set Configuration → Advanced → Command to its path."
    return { code: "escapement_command_unresolvable", level: "error", message: messageOf(error), detail: command, hint }
  }
}

async function probe({ command, cwd, backend }: Settings, env: ChildEnvironment): Promise<Checks> {
  const decoder = new TextDecoder()
  let output = ""
  const options = {
    cwd,
    env,
    timeoutSec: PROBE_SEC,
    graceSec: 1,
    onSpawn: async () => undefined,
    onOutput: async (_: string, chunk: Uint8Array) => {
      output = (output + decoder.decode(chunk, { stream: true })).slice(0, 65536)
    },
  }
  const ended = await runProcess(command, ["info"], options).catch(() => null)
  const detail = output.trim().split("\n", 1).join("").slice(0, 400)
  if (ended?.exitCode !== 0) {
    const message = `${command} info ${endWords(ended)}.`
    const hint = "Run it yourself as the server's user."
    return [{ code: "escapement_info_failed", level: "warn", message, detail, hint }]
  }
  const answer = { code: "escapement_info_ok", level: "info", message: "The agent answers.", detail } as const
  if (backend !== "" || !output.includes("no LLM backend would be selected")) return [answer]
  // A project's own variables, which this test is not given, may have one.
  const message = "The agent finds neither a key nor a login of a provider, without which a run fails at once."
  const hint = "Add a provider's key under Secrets & variables."
  return [answer, { code: "escapement_no_provider", level: "warn", message, hint }]
}

function endWords(ended: Awaited<ReturnType<typeof runProcess>> | null): string {
  if (ended === null) return "could not start"
  if (ended.timedOut) return `did not end within ${PROBE_SEC} s`
  return ended.signal === null ? `exited with code ${ended.exitCode}` : `was killed by ${ended.signal}`
}

type Checks = readonly AdapterEnvironmentCheck[]

async function checkChart(settings: Settings, hasOwnDirectory: boolean): Promise<Checks> {
  const fault = configErrorOf(settings)
  if (fault !== null) return [{ code: fault.code, level: "error", message: fault.message, hint: fault.hint }]
  const { chart } = settings
  const faults = CHART_FILE.test(chart) ? await checkFile("chart", "Chart", chart, settings, hasOwnDirectory) : []
  return faults.length > 0 ? faults : [{ code: "escapement_chart_set", level: "info", message: `Chart: ${chart}` }]
}

/** What is wrong with a file that the run needs. It is certain only for an absolute path: a workspace may have it. */
async function checkFile(
  what: string,
  field: string,
  path: string,
  { cwd }: Settings,
  hasOwnDirectory: boolean,
): Promise<Checks> {
  const code = `escapement_${what}_not_found`
  if (path === "") return []
  if (!isAbsolute(path) && !hasOwnDirectory) {
    const message = `Nothing says which directory the path is relative to: ${path}`
    return [{ code, level: "warn", message, hint: `Write the whole path in the field ${field}.` }]
  }
  const fault = await fileFault(resolve(cwd, path))
  if (fault === null) return []
  const message = `${fault}: ${path}`
  if (isAbsolute(path)) return [{ code, level: "error", message, hint: `Correct the path in the field ${field}.` }]
  const hint = "The path is relative to cwd. An issue's workspace may have the file even if cwd does not."
  return [{ code, level: "warn", message, hint }]
}

async function fileFault(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null)
  if (found === null) return "No such file"
  if (!found.isFile()) return "Not a file"
  return (await isAllowed(path, constants.R_OK)) ? null : "Not readable"
}

async function checkWorkDir({ workDir, cwd }: Settings, hasOwnDirectory: boolean): Promise<Checks> {
  const isInside = isBelow(cwd, workDir)
  if ((isInside && !hasOwnDirectory) || (await canWriteBelow(workDir))) return []
  const message = `The agent can't write there: ${workDir}`
  const hint = "Correct the path in the field Work directory."
  return [{ code: "escapement_work_dir_invalid", level: isInside ? "warn" : "error", message, hint }]
}

/** True if the directory is there and may be written to, or may be made. */
async function canWriteBelow(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  if (found === null) return dirname(path) !== path && (await canWriteBelow(dirname(path)))
  return found.isDirectory() && (await isAllowed(path, constants.W_OK | constants.X_OK))
}

async function isAllowed(path: string, mode: number): Promise<boolean> {
  return await access(path, mode).then(
    () => true,
    () => false,
  )
}

/** Warns about API keys, because runs may be billed to them. */
function checkKeys(env: ChildEnvironment): AdapterEnvironmentCheck[] {
  const found = Object.keys(env).filter(key => KEYS.test(key) && env[key] !== "")
  if (found.length === 0) return []
  const message = `Found ${found.join(", ")}: runs may be billed to ${found.length === 1 ? "it" : "them"}.`
  const hint = "Unset any key that must not be used."
  return [{ code: "escapement_api_key_found", level: "warn", message, hint }]
}

function checkLimit({ timeoutSec }: Settings): AdapterEnvironmentCheck[] {
  if (timeoutSec > 0) return []
  const message = "There is no time limit (timeoutSec is 0): a run may never end, and spend money until it does."
  const hint = "Set Run Policy → Advanced Run Policy → Time limit (s)."
  return [{ code: "escapement_no_time_limit", level: "warn", message, hint }]
}
