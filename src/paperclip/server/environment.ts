// The environment of a run: the server's own without its secrets, what Paperclip tells about the run, the user's on top.
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

/** What the run gets beside what it inherits. */
export function runEnvironment(ctx: AdapterExecutionContext, own: ChildEnvironment): ChildEnvironment {
  const { agent, runId, context, authToken } = ctx
  const first = (...keys: readonly string[]) =>
    keys.map(key => asString(context[key], "").trim()).find(text => text !== "")
  const told = {
    PAPERCLIP_TASK_ID: first("taskId", "issueId"),
    PAPERCLIP_WAKE_REASON: first("wakeReason"),
    PAPERCLIP_WAKE_COMMENT_ID: first("wakeCommentId", "commentId"),
    PAPERCLIP_APPROVAL_ID: first("approvalId"),
    PAPERCLIP_APPROVAL_STATUS: first("approvalStatus"),
    PAPERCLIP_LINKED_ISSUE_IDS: asStringArray(context.issueIds).join(","),
    // The user's own key stays: theirs is laid over below.
    PAPERCLIP_API_KEY: authToken,
  }
  const env: ChildEnvironment = { ...buildPaperclipEnv(agent), PAPERCLIP_RUN_ID: runId }
  for (const [key, value] of Object.entries(told)) if (value !== undefined && value !== "") env[key] = value
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

/** The workspace of the run as texts; a key that is absent, or no text, is empty. */
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

/** Everything the process gets: what the server has, but for Paperclip's own variables, and `env` over it. */
export function inherit(env: ChildEnvironment): ChildEnvironment {
  const all = ensurePathInEnv({ ...sanitizeInheritedPaperclipEnv(process.env), ...env })
  return Object.fromEntries(Object.entries(all).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))
}
