// Builds a run's environment: the server's without its secrets, Paperclip's variables, then the user's.
import type { AdapterExecutionContext } from "@paperclipai/adapter-utils"
import {
  applyPaperclipWorkspaceEnv,
  asString,
  asStringArray,
  buildPaperclipEnv,
  buildRuntimeToolsEnv,
  ensurePathInEnv,
  parseObject,
  readPaperclipIssueWorkModeFromContext,
  sanitizeInheritedPaperclipEnv,
  stringifyPaperclipWakePayload,
} from "@paperclipai/adapter-utils/server-utils"

export type ChildEnvironment = Record<string, string>

/** The most bytes of a wake's payload: Linux allows 128 KiB per variable, and starts nothing beyond that. */
const PAYLOAD_LIMIT = 120 * 1024

/** The variables that the run gets in addition to the inherited ones. */
export function runEnvironment(ctx: AdapterExecutionContext, own: ChildEnvironment): ChildEnvironment {
  const { agent, runId, context, authToken, runtimeTools } = ctx
  const first = (...keys: readonly string[]) =>
    keys.map(key => asString(context[key], "").trim()).find(text => text !== "")
  const payload = stringifyPaperclipWakePayload(context.paperclipWake) ?? ""
  const variables = {
    PAPERCLIP_WAKE_PAYLOAD_JSON: Buffer.byteLength(payload) <= PAYLOAD_LIMIT ? payload : "",
    PAPERCLIP_ISSUE_WORK_MODE: readPaperclipIssueWorkModeFromContext(context) ?? "",
    PAPERCLIP_TASK_ID: first("taskId", "issueId"),
    PAPERCLIP_WAKE_REASON: first("wakeReason"),
    PAPERCLIP_WAKE_COMMENT_ID: first("wakeCommentId", "commentId"),
    PAPERCLIP_APPROVAL_ID: first("approvalId"),
    PAPERCLIP_APPROVAL_STATUS: first("approvalStatus"),
    PAPERCLIP_LINKED_ISSUE_IDS: asStringArray(context.issueIds).join(","),
    // A key configured by the user overrides this one below.
    PAPERCLIP_API_KEY: authToken,
  }
  const env: ChildEnvironment = {
    ...buildPaperclipEnv(agent),
    ...buildRuntimeToolsEnv(runtimeTools),
    PAPERCLIP_RUN_ID: runId,
  }
  for (const [key, value] of Object.entries(variables)) if (value !== undefined && value !== "") env[key] = value
  applyPaperclipWorkspaceEnv(env, {
    workspaceCwd: workspaceText(ctx, "cwd"),
    workspaceSource: workspaceText(ctx, "source"),
    workspaceStrategy: workspaceText(ctx, "strategy"),
    workspaceId: workspaceText(ctx, "workspaceId"),
    workspaceRepoUrl: workspaceText(ctx, "repoUrl"),
    workspaceRepoRef: workspaceText(ctx, "repoRef"),
    workspaceBranch: workspaceText(ctx, "branchName"),
    workspaceWorktreePath: workspaceText(ctx, "worktreePath"),
    agentHome: workspaceText(ctx, "agentHome"),
  })
  return { ...env, ...own }
}

/** A value of the run's workspace; empty if it is missing or not text. */
export function workspaceText({ context }: AdapterExecutionContext, key: string): string {
  return asString(parseObject(context.paperclipWorkspace)[key], "")
}

/** The process's whole environment: the server's without Paperclip's own variables, overridden by `env`. */
export function inherit(env: ChildEnvironment): ChildEnvironment {
  const all = ensurePathInEnv({ ...sanitizeInheritedPaperclipEnv(process.env), ...env })
  return Object.fromEntries(Object.entries(all).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))
}
