// What the chart is told: the agent's own instructions, the rendered template, and what woke it.
import { open } from "node:fs/promises"
import { resolve } from "node:path"
import type { AdapterExecutionContext } from "@paperclipai/adapter-utils"
import {
  joinPromptSections,
  renderPaperclipWakePrompt,
  renderTemplate,
  selectPaperclipTaskMarkdown,
} from "@paperclipai/adapter-utils/server-utils"
import type { Settings } from "./settings.ts"

/** Bytes read of an instructions file. */
const INSTRUCTIONS_LIMIT = 32 * 1024

/** Bytes of a prompt: a single argument may have 128 KiB on Linux, and escaping makes it longer. */
export const PROMPT_LIMIT = 96 * 1024

/** The prompt of this run. Rejects where the instructions cannot be read. */
export async function renderPrompt(
  ctx: AdapterExecutionContext,
  settings: Settings,
  resumed: boolean,
): Promise<string> {
  const { agent, runId, context } = ctx
  const { id, companyId, name } = agent
  const told = {
    agentId: id,
    companyId,
    runId,
    company: { id: companyId },
    run: { id: runId, source: "on_demand" },
    context,
  }
  return joinPromptSections([
    await readInstructions(settings),
    renderTemplate(settings.promptTemplate, { ...told, agent: { id, companyId, name } }),
    renderPaperclipWakePrompt(context.paperclipWake, { resumedSession: resumed }),
    selectPaperclipTaskMarkdown(context, { resumedSession: resumed }),
  ])
}

async function readInstructions({ instructionsFilePath, cwd }: Settings): Promise<string> {
  if (instructionsFilePath === "") return ""
  const file = await open(resolve(cwd, instructionsFilePath), "r")
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(INSTRUCTIONS_LIMIT), 0, INSTRUCTIONS_LIMIT, 0)
    return buffer.toString("utf8", 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** `text` as an EDN string: what `--param` reads back as the same text. NUL cannot stand in an argument otherwise. */
export function ednString(text: string): string {
  const escaped = text.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t")
  return `"${escaped.replaceAll("\0", "\\u0000")}"`
}
