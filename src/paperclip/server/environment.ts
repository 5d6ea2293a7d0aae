// Builds a run's environment: the server's without its secrets, Paperclip's variables, then the user's.
import type { AdapterExecutionContext } from "@paperclipai/adapter-utils"
import {
  applyPaperclipWorkspaceEnv,
  asString,
  asStringArray,
  buildPaperclipEnv,
  ensurePathInEnv,
  parseObject,
  sanitizeInheritedPaperclipEnv,
} from "@paperclipai/adapter-utils/server-utils"

export type ChildEnvironment = Record<string, string>

/** The variables that the run gets in addition to the inherited ones. */
export function runEnvironment(ctx: AdapterExecutionContext, own: ChildEnvironment): ChildEnvironment {
  const { agent, runId, context, authToken } = ctx
  const first = (...keys: readonly string[]) =>
    keys.map(key => asString(context[key], "").trim()).find(text => text !== "")
  const variables = {
    PAPERCLIP_TASK_ID: first("taskId", "issueId"),
    PAPERCLIP_WAKE_REASON: first("wakeReason"),
    PAPERCLIP_WAKE_COMMENT_ID: first("wakeCommentId", "commentId"),
    PAPERCLIP_APPROVAL_ID: first("approvalId"),
    PAPERCLIP_APPROVAL_STATUS: first("approvalStatus"),
    PAPERCLIP_LINKED_ISSUE_IDS: asStringArray(context.issueIds).join(","),
    // A key configured by the user overrides this one below.
    PAPERCLIP_API_KEY: authToken,
  }
  const env: ChildEnvironment = { ...buildPaperclipEnv(agent), PAPERCLIP_RUN_ID: runId }
  for (const [key, value] of Object.entries(variables)) if (value !== undefined && value !== "") env[key] = value
  const { cwd, source, strategy, workspaceId, repoUrl, repoRef, branchName, worktreePath, agentHome } = workspaceOf(ctx)
  applyPaperclipWorkspaceEnv(env, {
    workspaceCwd: cwd,
    workspaceSource: source,
    workspaceStrategy: strategy,
    workspaceId,
    workspaceRepoUrl: repoUrl,
    workspaceRepoRef: repoRef,
    workspaceBranch: branchName,
    workspaceWorktreePath: worktreePath,
    agentHome,
  })
  return { ...env, ...own }
}

/** The run's workspace; a missing or non-text value is empty. */
export function workspaceOf({ context }: AdapterExecutionContext) {
  const workspace = parseObject(context.paperclipWorkspace)
  const text = (key: string) => asString(workspace[key], "")
  return {
    cwd: text("cwd"),
    source: text("source"),
    strategy: text("strategy"),
    workspaceId: text("workspaceId"),
    repoUrl: text("repoUrl"),
    repoRef: text("repoRef"),
    branchName: text("branchName"),
    worktreePath: text("worktreePath"),
    agentHome: text("agentHome"),
  }
}

/** The process's whole environment: the server's without Paperclip's own variables, overridden by `env`. */
export function inherit(env: ChildEnvironment): ChildEnvironment {
  const all = ensurePathInEnv({ ...sanitizeInheritedPaperclipEnv(process.env), ...env })
  return Object.fromEntries(Object.entries(all).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))
}
