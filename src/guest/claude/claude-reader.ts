// The base of both readers of Claude Code: its sessions, and the messages that both of its envelopes carry.
import type { Json, JsonObject } from "../../../packages/wire/src/json.ts"
import { given, listOf, objectOf, partsText } from "../common/fields.ts"
import type { CliOutcome, Output, Owner } from "../common/output.ts"
import type { LateStart, Reader, ReaderStart } from "../common/reader.ts"
import { renderedText } from "../common/strip-escapes.ts"
import { wireUsage } from "../common/token-usage.ts"
import type { Agents } from "./claude-agents.ts"
import type { ClaudeSession } from "./claude-session.ts"
import { ProcessTotal, type ToldUsage } from "./process-total.ts"

/** Texts of the CLI itself in the place of a prompt. */
const OWN = /^(?:\[Request interrupted|<task-notification>|<(?:local-)?command-)/
const OWN_MARKS = ["isSynthetic", "isMeta", "isCompactSummary", "isReplay"]

export abstract class ClaudeReader implements Reader {
  ending: CliOutcome | null = null
  late: LateStart | null = null
  protected agents: Agents | null = null
  /** The CLI's latest error message, which its result repeats. */
  protected saidError = ""
  protected readonly sums = new ProcessTotal()

  constructor(
    protected readonly out: Output,
    protected readonly known: ReaderStart,
  ) {}

  abstract read(line: JsonObject): string | null

  get owner(): Owner | null {
    return this.agents?.main.session ?? null
  }

  pause(): void {
    for (const speaker of this.agents?.all ?? []) speaker.end()
  }

  exit(reason: string, failed: boolean): void {
    this.agents?.exit(reason, failed)
  }

  /** A message of the model, or what the CLI says in its place: `failed` if that is an error. */
  protected assistant(speaker: ClaudeSession, message: JsonObject, failed: boolean): void {
    if (message.model !== "<synthetic>") {
      speaker.blocks(message)
      return
    }
    speaker.end()
    const said = partsText(message.content)
    if (!failed) {
      speaker.session.note("claude", said)
      return
    }
    this.saidError = said
    speaker.session.error(said || "the request failed")
  }

  /** Results of tools, of which `told` says more, and a prompt unless it was shown. */
  protected user(agents: Agents, speaker: ClaudeSession, line: JsonObject, told: Json | undefined): void {
    const { content } = objectOf(line.message)
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : listOf(content).map(objectOf)
    for (const block of blocks) if (block.type === "tool_result") agents.result(speaker, block, objectOf(told))
    const said = partsText(blocks.filter(({ type }) => type === "text"))
    if (said === "" || said === this.known.prompt) return
    if (OWN.test(said) || OWN_MARKS.some(mark => line[mark] === true)) {
      speaker.end()
      speaker.session.note("claude", ownWords(said))
    } else agents.tellPrompt(speaker, said)
  }

  /** Tells the run's usage so far, after its sessions' parts. */
  protected tellRun({ tokens, costUsd }: ToldUsage): void {
    this.out.ofRun("llm/usage", given({ usage: tokens && wireUsage(tokens), "cost-usd": costUsd }))
  }
}

/** What the CLI says, without its tags; of a command, its name and arguments; nothing of what it tells the model. */
export function ownWords(said: string): string {
  if (said.startsWith("<local-command-caveat>")) return ""
  const [, name] = /<command-name>(.*?)<\/command-name>/s.exec(said) ?? []
  const [, given = ""] = /<command-args>(.*?)<\/command-args>/s.exec(said) ?? []
  return name === undefined ? renderedText(said.replace(/<\/?local-command-\w+>/g, "")) : `${name} ${given}`.trim()
}
