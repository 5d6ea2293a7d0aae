// Runs the agent for Paperclip: reads the settings, chooses the session, starts the process, returns the result.
import { join, resolve } from "node:path"
import type { AdapterExecutionContext, AdapterExecutionResult } from "@paperclipai/adapter-utils"
import {
  buildInvocationEnvForLogs,
  ensureAbsoluteDirectory,
  ensureCommandResolvable,
  resolveCommandForLogs,
} from "@paperclipai/adapter-utils/server-utils"
import { type } from "../capabilities.ts"
import { readStoredSession } from "../session-codec.ts"
import { isEscapementUnknownSessionError } from "./agent-output.ts"
import { type Attempt, attempt } from "./attempt.ts"
import { type ChildEnvironment, inherit, runEnvironment, workspaceText } from "./environment.ts"
import { argumentsOf, PROMPT_LIMIT, renderPrompt } from "./prompt.ts"
import { cancelledBeforeStart, ENDED, failed, messageOf, runResultOf } from "./run-result.ts"
import { configErrorOf, readSettings, type Settings } from "./settings.ts"
import { linkSkills, SKILLS_VARIABLE } from "./skills.ts"

/** Runs the agent, again if its session is gone (docs/decisions.md 8.4). An expected failure is in the result. */
export async function execute(ctx: AdapterExecutionContext): Promise<AdapterExecutionResult> {
  if (ctx.executionTarget?.kind === "remote" || ctx.executionTransport?.remoteExecution != null) {
    const message = "This adapter runs on the Paperclip server's machine, but the agent's environment is remote."
    return failed("escapement_remote_target", message, "Choose a local environment for this agent.")
  }
  const { cwd, isWorkspace } = directoryOf(ctx)
  const settings = readSettings(ctx.config, cwd)
  const fault = configErrorOf(settings)
  if (fault !== null) return failed(fault.code, fault.message, fault.hint)
  try {
    await ensureAbsoluteDirectory(cwd, { createIfMissing: isWorkspace })
  } catch (error) {
    return failed("escapement_cwd_invalid", messageOf(error), "Set cwd to the absolute path of an existing directory.")
  }
  const skills = await linkSkills(ctx.config).catch(() => null)
  try {
    const linked = skills === null ? {} : { [SKILLS_VARIABLE]: skills.path }
    const env = runEnvironment(ctx, { ...linked, ...settings.env })
    try {
      await ensureCommandResolvable(settings.command, cwd, inherit(env))
    } catch (error) {
      return failed("escapement_not_installed", messageOf(error), "Install the agent, or set command to its path.")
    }
    return await run(ctx, settings, env)
  } finally {
    skills?.remove()
  }
}

/** The workspace, else the configured directory, else the server's. Only a workspace may be created. */
function directoryOf(ctx: AdapterExecutionContext): { cwd: string; isWorkspace: boolean } {
  const configured = typeof ctx.config.cwd === "string" ? ctx.config.cwd.trim() : ""
  // A configured directory takes precedence over the agent's home that the host provides.
  const isOverridden = workspaceText(ctx, "source") === "agent_home" && configured !== ""
  const workspace = isOverridden ? "" : workspaceText(ctx, "cwd")
  return { cwd: workspace || configured || process.cwd(), isWorkspace: workspace !== "" }
}

async function run(
  ctx: AdapterExecutionContext,
  settings: Settings,
  env: ChildEnvironment,
): Promise<AdapterExecutionResult> {
  const resumed = sessionToResume(ctx, settings)
  const first = await start(ctx, settings, env, resumed)
  if (!("outcome" in first)) return first
  if (resumed === null || canGoOn(first)) return runResultOf(first, settings, ctx.config)
  await ctx.onLog("stdout", `[escapement] session ${resumed} can't go on, starting a new one\n`).catch(() => undefined)
  // The first attempt did nothing, so it has no usage to add.
  const second = await start(ctx, settings, env, null)
  const result = "outcome" in second ? runResultOf(second, settings, ctx.config) : second
  return { ...result, clearSession: (result.sessionId ?? null) === null }
}

/** The stored session, if its directories and chart match this run's (docs/decisions.md 8.4); else null. */
function sessionToResume({ runtime }: AdapterExecutionContext, { cwd, workDir, chart }: Settings): string | null {
  const session = readStoredSession(runtime.sessionParams) ?? readStoredSession({ sessionId: runtime.sessionId })
  if (session === null) return null
  const isSameDirectory = (stored: string, current: string) => stored === "" || resolve(stored) === resolve(current)
  const isSameChart = session.chart === "" || session.chart === chart
  const isSame = isSameDirectory(session.cwd, cwd) && isSameDirectory(session.workDir, workDir) && isSameChart
  return isSame ? session.sessionId : null
}

/**
 * False if a resumed session is missing, or its chart had ended, and nothing was done. Rows of work are proof of it:
 * tools and models write them. The agent resumes a chart that has ended without a word, and only ends again.
 */
function canGoOn({ outcome, output, stdout, stderr, hasWritten }: Attempt): boolean {
  const { timedOut, cancelled, exitCode } = outcome
  if (timedOut || cancelled) return true
  if (exitCode === 0) return output.ending !== ENDED || output.hasWorked
  return hasWritten || !isEscapementUnknownSessionError(stdout, stderr)
}

/** Makes one attempt; returns a result if it could not start. */
async function start(
  ctx: AdapterExecutionContext,
  settings: Settings,
  env: ChildEnvironment,
  resumed: string | null,
): Promise<Attempt | AdapterExecutionResult> {
  let prompt: string
  try {
    prompt = await renderPrompt(ctx, settings, resumed !== null)
  } catch (error) {
    return failed("escapement_instructions_unreadable", messageOf(error), "Check the field instructionsFilePath.")
  }
  const bytes = Buffer.byteLength(prompt)
  if (bytes > PROMPT_LIMIT) {
    const message = `The prompt is too long: expected at most ${PROMPT_LIMIT} bytes, got ${bytes}.`
    return failed("escapement_prompt_too_long", message, "Shorten promptTemplate or the instructions.")
  }
  const sessionId = resumed ?? newSession(ctx.runId)
  const args = argumentsOf(settings, { sessionId, resume: resumed !== null, prompt })
  const { cwd, command, workDir } = settings
  const whole = inherit(env)
  const resolved = await resolveCommandForLogs(command, cwd, whole)
  const more = { runtimeEnv: whole, includeRuntimeKeys: ["HOME"], resolvedCommand: resolved }
  await ctx.onMeta?.({
    adapterType: type,
    command: resolved,
    cwd,
    commandArgs: args,
    commandNotes: [
      resumed === null ? `New session ${sessionId}` : `Resumes session ${sessionId}`,
      `Transcript below ${workDir}`,
    ],
    env: buildInvocationEnvForLogs(env, more),
    prompt,
    promptMetrics: { promptChars: prompt.length },
    context: ctx.context,
  })
  await ctx.onCancellationReady?.()
  if (ctx.signal?.aborted) return cancelledBeforeStart()
  const transcript = join(workDir, sessionId, "transcript.jsonl")
  try {
    return await attempt(ctx, settings, { args, env: whole, sessionId, resumed: resumed !== null, transcript })
  } catch (error) {
    return failed("escapement_not_started", messageOf(error), "Check that command is an executable file.")
  }
}

/** A session id made from the run's id, so that they can be matched on disk. */
function newSession(runId: string): string {
  return `paperclip-${runId.replace(/[^\w.-]/g, "-")}`.slice(0, 128)
}
