// Renders the chart's prompt (instructions, template, the host's wake and task texts) and the agent's command line.
import { open } from "node:fs/promises"
import { resolve } from "node:path"
import type { AdapterExecutionContext } from "@paperclipai/adapter-utils"
import {
  asString,
  DEFAULT_PAPERCLIP_CONVERSATION_PROMPT_TEMPLATE,
  joinPromptSections,
  renderPaperclipWakePrompt,
  renderTemplate,
  selectPaperclipTaskMarkdown,
} from "@paperclipai/adapter-utils/server-utils"
import type { Settings } from "./settings.ts"

const INSTRUCTIONS_LIMIT = 32 * 1024

const TEMPLATE = "You are agent {{agent.id}} ({{agent.name}}). Continue your Paperclip work."

/** The most bytes of a prompt: Linux allows 128 KiB per argument, and escaping makes the prompt longer. */
export const PROMPT_LIMIT = 96 * 1024

/** The prompt of this run. Rejects if the instructions cannot be read. */
export async function renderPrompt(
  ctx: AdapterExecutionContext,
  settings: Settings,
  resumed: boolean,
): Promise<string> {
  const { agent, runId, context } = ctx
  const { id, companyId, name } = agent
  const variables = {
    agentId: id,
    companyId,
    runId,
    company: { id: companyId },
    run: { id: runId, source: "on_demand" },
    context,
  }
  const conversationMode = context.conversationMode === true
  const template =
    settings.promptTemplate || (conversationMode ? DEFAULT_PAPERCLIP_CONVERSATION_PROMPT_TEMPLATE : TEMPLATE)
  const task = selectPaperclipTaskMarkdown(context, { resumedSession: resumed })
  const wake = {
    conversationMode,
    resumedSession: resumed,
    suppressIssueDescription: task !== "",
    // The host's instructions have its contract; our template has not.
    includeExecutionContract: settings.instructionsFilePath === "",
  }
  return joinPromptSections([
    await readInstructions(settings),
    renderTemplate(template, { ...variables, agent: { id, companyId, name } }),
    renderPaperclipWakePrompt(context.paperclipWake, wake),
    task,
    asString(context.paperclipSessionHandoffMarkdown, ""),
  ])
}

async function readInstructions({ instructionsFilePath, cwd }: Settings): Promise<string> {
  if (instructionsFilePath === "") return ""
  await using file = await open(resolve(cwd, instructionsFilePath))
  const { buffer, bytesRead } = await file.read(Buffer.alloc(INSTRUCTIONS_LIMIT), 0, INSTRUCTIONS_LIMIT, 0)
  return buffer.toString("utf8", 0, bytesRead)
}

/** `text` as an EDN string for `--param`. It also escapes NUL, which an argument cannot contain. */
export function ednString(text: string): string {
  const escaped = text.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t")
  return `"${escaped.replaceAll("\0", "\\u0000")}"`
}

/** The agent's arguments (docs/contract.md section 6), for no shell. Configured ones come last, so that they win. */
export function argumentsOf(
  settings: Settings,
  { sessionId, resume, prompt }: { sessionId: string; resume: boolean; prompt: string },
): string[] {
  const { chart, workDir, input, params, promptParam, backend, model, logLevel, extraArgs } = settings
  const option = (flag: string, value: string) => (value === "" ? [] : [flag, value])
  return [
    ...["run", chart, "--work-dir", workDir, "--session", sessionId],
    ...(resume ? ["--resume"] : []),
    ...option("--input", input),
    ...params.flatMap(param => ["--param", param]),
    ...["--param", `${promptParam}=${ednString(prompt)}`],
    ...option("--backend", backend),
    ...option("--model", model),
    ...option("--log-level", logLevel),
    "--no-tui",
    ...extraArgs,
  ]
}
