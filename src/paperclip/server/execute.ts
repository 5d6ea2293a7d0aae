// One run of the agent for Paperclip: what is configured, which session, the process, and what came of it.
import { join } from "node:path"
import type { AdapterExecutionContext, AdapterExecutionResult } from "@paperclipai/adapter-utils"
import {
  buildInvocationEnvForLogs,
  ensureAbsoluteDirectory,
  ensureCommandResolvable,
  resolveCommandForLogs,
} from "@paperclipai/adapter-utils/server-utils"
import { type } from "../kind.ts"
import { isSessionId, readStoredSession } from "../session-codec.ts"
import { isEscapementUnknownSessionError } from "./agent-output.ts"
import { type Attempt, attempt } from "./attempt.ts"
import { type ChildEnvironment, inherit, runEnvironment, workspaceOf } from "./environment.ts"
import { argumentsOf } from "./invocation.ts"
import { PROMPT_LIMIT, renderPrompt } from "./prompt.ts"
import { failed, neverStarted, runResultOf } from "./run-result.ts"
import { faultOf, readSettings, type Settings } from "./settings.ts"
import { linkSkills, SKILLS_VARIABLE } from "./skills.ts"

/**
 * Runs the agent once, or twice where the session to resume is gone (docs/decisions.md 8.4). Every failure that can be
 * expected is a result with `errorCode`, `errorMessage` and a hint; nothing is thrown for one.
 */
export async function execute(ctx: AdapterExecutionContext): Promise<AdapterExecutionResult> {
  if (ctx.executionTarget?.kind === "remote" || ctx.executionTransport?.remoteExecution != null) {
    const message = "This adapter runs on the machine of the Paperclip server, and the agent's environment is remote."
    return failed("escapement_remote_target", message, "Choose a local environment for this agent.")
  }
  const { cwd, made } = directoryOf(ctx)
  const settings = readSettings(ctx.config, cwd)
  const fault = faultOf(settings)
  if (fault !== null) return failed(fault.code, fault.message, fault.hint)
  try {
    await ensureAbsoluteDirectory(cwd, { createIfMissing: made })
  } catch (error) {
    return failed("escapement_cwd_invalid", messageOf(error), "Set cwd to an absolute path of a directory that exists.")
  }
  const skills = await linkSkills(ctx.config).catch(() => null)
  try {
    const env = runEnvironment(
      ctx,
      skills === null ? settings.env : { [SKILLS_VARIABLE]: skills.path, ...settings.env },
    )
    try {
      await ensureCommandResolvable(settings.command, cwd, inherit(env))
    } catch (error) {
      return failed("escapement_not_installed", messageOf(error), "Install the agent, or set command to its path.")
    }
    return await run(ctx, settings, env)
  } finally {
    await skills?.remove().catch(() => undefined)
  }
}

/** The workspace of the issue, else the configured directory, else the server's own; ours to make where it is the host's. */
function directoryOf(ctx: AdapterExecutionContext): { cwd: string; made: boolean } {
  const { cwd, source } = workspaceOf(ctx)
  const configured = typeof ctx.config.cwd === "string" ? ctx.config.cwd.trim() : ""
  // A home that the host keeps for the agent stands back behind what a person configured.
  const workspace = source === "agent_home" && configured !== "" ? "" : cwd
  return { cwd: workspace || configured || process.cwd(), made: workspace !== "" }
}

async function run(
  ctx: AdapterExecutionContext,
  settings: Settings,
  env: ChildEnvironment,
): Promise<AdapterExecutionResult> {
  const resumed = sessionToResume(ctx, settings)
  const first = await start(ctx, settings, env, resumed)
  if (!("outcome" in first)) return first
  if (resumed === null || !isGone(first)) return runResultOf(first, settings, ctx.config)
  await ctx.onLog("stdout", `[escapement] session ${resumed} is gone, starting a new one\n`).catch(() => undefined)
  const second = await start(ctx, settings, env, null)
  return { ...("outcome" in second ? runResultOf(second, settings, ctx.config) : second), clearSession: true }
}

/** The stored session, where this run happens in the same place with the same chart (docs/decisions.md 8.4). */
function sessionToResume({ runtime }: AdapterExecutionContext, { cwd, workDir, chart }: Settings): string | null {
  const session = readStoredSession(runtime.sessionParams) ?? readStoredSession({ sessionId: runtime.sessionId })
  if (session === null) return null
  const same = (kept: string, now: string) => kept === "" || kept === now
  const fits = same(session.cwd, cwd) && same(session.workDir, workDir) && same(session.chart, chart)
  return fits ? session.sessionId : null
}

function isGone({ outcome, stdout, stderr, output }: Attempt): boolean {
  const { timedOut, cancelled, exitCode } = outcome
  if (timedOut || cancelled || exitCode === 0) return false
  return isEscapementUnknownSessionError(stdout, [stderr, ...output.errors].join("\n"))
}

/** One attempt; a result where it could not even begin. */
async function start(
  ctx: AdapterExecutionContext,
  settings: Settings,
  env: ChildEnvironment,
  resumed: string | null,
): Promise<Attempt | AdapterExecutionResult> {
  const prompt = await renderPrompt(ctx, settings, resumed !== null).catch(
    (error: unknown) => new Error(messageOf(error)),
  )
  if (prompt instanceof Error) {
    return failed("escapement_instructions_unreadable", prompt.message, "Check the field instructionsFilePath.")
  }
  const bytes = Buffer.byteLength(prompt)
  if (bytes > PROMPT_LIMIT) {
    const message = `The prompt has ${bytes} bytes, and an argument may have ${PROMPT_LIMIT}.`
    return failed("escapement_prompt_too_long", message, "Shorten promptTemplate or the instructions.")
  }
  const sessionId = resumed ?? newSession(ctx.runId)
  const args = argumentsOf(settings, { sessionId, resume: resumed !== null, prompt })
  const { cwd, command, workDir } = settings
  const whole = inherit(env)
  const resolved = await resolveCommandForLogs(command, cwd, whole)
  const environment = buildInvocationEnvForLogs(env, {
    runtimeEnv: whole,
    includeRuntimeKeys: ["HOME"],
    resolvedCommand: resolved,
  })
  await ctx.onMeta?.({
    adapterType: type,
    command: resolved,
    cwd,
    commandArgs: args,
    commandNotes: [
      resumed === null ? `New session ${sessionId}` : `Resumes session ${sessionId}`,
      `Transcript below ${workDir}`,
    ],
    env: environment,
    prompt,
    promptMetrics: { promptChars: prompt.length },
    context: ctx.context,
  })
  await ctx.onCancellationReady?.()
  if (ctx.signal?.aborted) return neverStarted()
  const transcript = join(workDir, sessionId, "transcript.jsonl")
  try {
    return await attempt(ctx, settings, { args, env: whole, sessionId, resumed: resumed !== null, transcript })
  } catch (error) {
    return failed("escapement_not_started", messageOf(error), "Check that command is an executable file.")
  }
}

/** A name of ours for a session: the run's own, so that the two can be brought together on disk. */
function newSession(runId: string): string {
  const id = `paperclip-${runId.replace(/[^\w.-]/g, "-")}`.slice(0, 128)
  return isSessionId(id) ? id : "paperclip"
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
