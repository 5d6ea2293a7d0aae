// Chooses how a command is talked to, and begins the conversation.
import { basename } from "node:path"
import { AcpTalk } from "./acp/acp-talk.ts"
import { ClaudeTalk } from "./claude/claude-talk.ts"
import { cliOfCommand } from "./cli-names.ts"
import type { EarlierSession, TalkOptions } from "./common/talk.ts"
import { GuestParser } from "./guest-parser.ts"
import { GuestSource, guestName } from "./guest-source.ts"
import { TalkWriter } from "./talk-writer.ts"

export interface TalkChoice {
  readonly protocol: "acp" | "claude"
  readonly command: readonly string[]
  /** The first prompt; null to ask for one. */
  readonly prompt: string | null
}

/** The words after its name with which each program speaks the Agent Client Protocol. */
const ACP: { readonly [program: string]: readonly string[] } = {
  opencode: ["acp"],
  gemini: ["--acp"],
  kimi: ["acp"],
  goose: ["acp"],
  "codex-acp": [],
  "claude-agent-acp": [],
  "claude-code-acp": [],
}

/** The words without which Claude Code can't be talked to, and all that it gets. */
const CONTROL = ["--input-format", "--permission-prompt-tool", "stdio"]
const CONTROLLED = [
  ...["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"],
  ...["--include-partial-messages", "--forward-subagent-text", "--permission-prompt-tool", "stdio"],
]

/** How a command that is given as it is, is talked to: because of its words, or since `acp` says so. Null if not. */
export function talkOfCommand(command: readonly string[], acp: boolean, prompt: string | null): TalkChoice | null {
  const [program = "", ...words] = command
  const needs = acpWords(program)
  const takesControl = cliOfCommand(command) === "claude" && CONTROL.every(word => words.includes(word))
  if (takesControl && !acp) return { protocol: "claude", command, prompt }
  const speaks = acp || needs?.every(word => words.includes(word)) === true
  return speaks ? { protocol: "acp", command, prompt } : null
}

/**
 * The same for a program and words that are a prompt, but for those that make a known program speak the protocol.
 * `sees`: there is a screen on which a person sees what Claude Code asks.
 */
export function talkOfPrompt(given: readonly string[], acp: boolean, sees: boolean): TalkChoice | null {
  const [program = "", ...words] = given
  if (cliOfCommand(given) === "claude" && !acp)
    return sees ? { protocol: "claude", command: [program, ...CONTROLLED], prompt: words.join(" ") || null } : null
  const needs = acpWords(program)
  const isNamed = needs?.length === 0 || (needs !== null && needs[0] === words[0])
  if (!acp && !isNamed) return null
  const said = needs !== null && needs.length > 0 && needs[0] === words[0] ? words.slice(1) : words
  return { protocol: "acp", command: [program, ...(needs ?? [])], prompt: said.join(" ") || null }
}

/** The command of an agent by how it is typed; a known program alone gets the words that it needs. May throw. */
export function acpCommand(typed: string): readonly string[] {
  const [program = "", ...words] = typed.trim().split(/\s+/)
  const needs = acpWords(program)
  if (needs === null && cliOfCommand([program]) !== null)
    throw new Error(`${program} doesn't speak the Agent Client Protocol (claude-agent-acp, codex-acp and others do)`)
  return [program, ...(words.length === 0 ? (needs ?? []) : words)]
}

function acpWords(program: string): readonly string[] | null {
  const name = basename(program).replace(/\.(?:exe|cmd|js)$/, "")
  return Object.hasOwn(ACP, name) ? (ACP[name] ?? null) : null
}

/** Begins a conversation. */
export function startTalk(protocol: TalkChoice["protocol"], options: TalkOptions): TalkWriter {
  return protocol === "acp"
    ? new TalkWriter("Agent Client Protocol", (out, say, known) => new AcpTalk(out, say, known), options)
    : new TalkWriter("Claude control protocol", (out, say, known) => new ClaudeTalk(out, say, known), options)
}

/** Starts an agent for as long as it takes to tell them. Rejects with an Error that says why it didn't. */
export async function agentSessions(command: readonly string[]): Promise<readonly EarlierSession[]> {
  const told = Promise.withResolvers<readonly EarlierSession[]>()
  const name = guestName(command)
  const options = { name, cwd: process.cwd(), prompt: null, once: true, asks: false, lists: told.resolve }
  const talk = startTalk("acp", options)
  const source = new GuestSource({ command, parser: new GuestParser("none", null), stdin: "ignore", talk })
  const end = (): void => told.reject(new Error(`${name}: ${talk.failure ?? "it ended without an answer"}`))
  source.start({
    frames: () => undefined,
    link: ({ state }) => void (state === "exited" && end()),
    restart: () => undefined,
  })
  return await told.promise
}
