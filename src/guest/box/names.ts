// Lists the agent CLIs whose output the parsers in the box read, and recognizes each by its command and its output.
import { basename } from "node:path"
import { isObject, type JsonObject, parseJson } from "../../protocol/json.ts"

interface Cli {
  /** The program's names. */
  readonly commands: readonly string[]
  /** The flags with which it prints each event as a line of JSON. */
  readonly flags: string
  /** Words of the command line, without which it doesn't; `|` separates alternatives. */
  readonly needs: readonly string[]
  /** True if its turns have many replies, whose number it doesn't tell; of the others each turn is a reply. */
  readonly hasLongTurns?: true
  /** True for an event that only this CLI begins its output with. */
  readonly begins: (event: JsonObject) => boolean
}

const CLIS = {
  claude: {
    commands: ["claude"],
    flags: "-p --output-format stream-json --verbose",
    needs: ["-p|--print", "stream-json", "--verbose"],
    begins: ({ type, subtype, tools, uuid }) =>
      type === "system" && (typeof uuid === "string" || (subtype === "init" && Array.isArray(tools))),
  },
  codex: {
    commands: ["codex"],
    flags: "exec --json",
    needs: ["exec|e", "--json|--experimental-json"],
    hasLongTurns: true,
    begins: ({ type, thread_id }) => type === "thread.started" && typeof thread_id === "string",
  },
  gemini: {
    commands: ["gemini"],
    flags: "--output-format stream-json -p",
    needs: ["stream-json"],
    begins: ({ type, session_id, model }) =>
      type === "init" && typeof session_id === "string" && typeof model === "string",
  },
  opencode: {
    commands: ["opencode"],
    flags: "run --format json",
    needs: ["run", "json"],
    begins: ({ type, sessionID }) => typeof type === "string" && typeof sessionID === "string",
  },
  cursor: {
    commands: ["cursor-agent"],
    flags: "-p --output-format stream-json",
    needs: ["-p|--print", "stream-json"],
    begins: ({ type, subtype, apiKeySource, tools, uuid }) =>
      type === "system" &&
      subtype === "init" &&
      apiKeySource !== undefined &&
      tools === undefined &&
      uuid === undefined,
  },
  pi: {
    commands: ["pi"],
    flags: "--mode json -p",
    needs: ["json"],
    begins: ({ type, id, cwd }) =>
      (type === "session" && typeof id === "string" && typeof cwd === "string") || type === "agent_start",
  },
  grok: {
    commands: ["grok"],
    flags: "--output-format streaming-json -p",
    needs: ["streaming-json"],
    begins: ({ type, data }) => (type === "thought" || type === "text") && typeof data === "string",
  },
  kimi: {
    commands: ["kimi"],
    flags: "-p --output-format stream-json",
    needs: ["stream-json"],
    begins: ({ role, type, content, tool_calls }) =>
      type === undefined && role === "assistant" && (typeof content === "string" || Array.isArray(tool_calls)),
  },
} as const satisfies { readonly [name: string]: Cli }

/** The name of this program's own parser, which reads what our adapter prints. */
export const OWN_PARSER = "escapement"

export type CliName = keyof typeof CLIS

const NAMES = Object.keys(CLIS).filter(isCliName)

/** True if each turn of this CLI is one reply, however many parts its log prints it in. */
export function isTurnReply(name: CliName): boolean {
  return !("hasLongTurns" in CLIS[name])
}

/** True for the name of a CLI whose parser is in the box. */
export function isCliName(name: string): name is CliName {
  return Object.hasOwn(CLIS, name)
}

/** The CLI that a command starts; null if it is none of ours. */
export function cliOfCommand(command: readonly string[]): CliName | null {
  const program = basename(command[0] ?? "").replace(/\.(?:exe|cmd|js)$/, "")
  return NAMES.find(name => (CLIS[name].commands as readonly string[]).includes(program)) ?? null
}

/** The CLI whose output begins with this line; null if none is recognized. Never throws. */
export function cliOfLine(line: string): CliName | null {
  const text = line.trim()
  const event = text.startsWith("{") ? parseJson(text) : null
  return isObject(event) ? (NAMES.find(name => CLIS[name].begins(event)) ?? null) : null
}

/** The flags that a command lacks to print its events as it goes, as a hint; null if it has them. */
export function flagsHint(name: CliName, command: readonly string[]): string | null {
  const { flags, needs } = CLIS[name]
  const words = command.slice(1).flatMap(word => [word, ...word.split("=")])
  if (needs.every(need => need.split("|").some(word => words.includes(word)))) return null
  // The flags come early: a row of the log may end behind them.
  return `start ${name} with ${flags} to see what it does`
}
