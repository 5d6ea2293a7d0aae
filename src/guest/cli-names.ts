// Lists the agent CLIs that we read: how each is started, and how its command, its output and its files are recognized.
import { basename } from "node:path"
import { isObject, type JsonObject, parseJson } from "../../packages/wire/src/json.ts"

interface Cli {
  readonly commands: readonly string[]
  /** The words after its name with which it prints each event as a line of JSON, as soon as there is one. */
  readonly starts: string
  /** Words of the command line, without which it doesn't; `|` separates alternatives. */
  readonly needs: readonly string[]
  readonly login: string
  /** True for a line that only this CLI prints. */
  readonly begins: (line: JsonObject) => boolean
  /** True for a line that only the session files of this CLI have. */
  readonly files?: (line: JsonObject) => boolean
}

const isText = (value: unknown): value is string => typeof value === "string"

const CLIS = {
  claude: {
    commands: ["claude"],
    starts: "-p PROMPT --output-format stream-json --verbose --include-partial-messages --forward-subagent-text",
    needs: ["-p|--print", "stream-json", "--verbose", "--include-partial-messages"],
    login: "start claude and type /login, or set ANTHROPIC_API_KEY",
    begins: ({ type, subtype, tools, uuid, session_id, claude_code_version }) =>
      (type === "system" &&
        (isText(uuid) || (subtype === "init" && (Array.isArray(tools) || isText(claude_code_version))))) ||
      (isText(session_id) && isText(uuid) && ["assistant", "user", "result", "stream_event"].includes(String(type))),
    files: ({ type, sessionId, uuid, snapshot, leafUuid }) =>
      isText(type) &&
      ((isText(sessionId) && type !== "init") ||
        (isText(uuid) && type === "user") ||
        isObject(snapshot) ||
        isText(leafUuid)),
  },
  codex: {
    commands: ["codex"],
    starts: "exec --json PROMPT",
    needs: ["exec|e", "--json|--experimental-json"],
    login: "run codex login, or set OPENAI_API_KEY",
    begins: ({ type, thread_id }) => type === "thread.started" && isText(thread_id),
    files: ({ type, payload, timestamp }) => type === "session_meta" && isObject(payload) && isText(timestamp),
  },
  gemini: {
    commands: ["gemini"],
    starts: "--output-format stream-json -p PROMPT",
    needs: ["stream-json"],
    login: "start gemini and log in, or set GEMINI_API_KEY",
    begins: ({ type, session_id, model }) => type === "init" && isText(session_id) && isText(model),
    files: ({ sessionId, projectHash, kind }) => isText(sessionId) && (isText(projectHash) || isText(kind)),
  },
  opencode: {
    commands: ["opencode"],
    starts: "run --format json PROMPT",
    needs: ["run", "json"],
    login: "run opencode auth login",
    begins: ({ type, sessionID }) => isText(type) && isText(sessionID),
  },
  cursor: {
    commands: ["cursor-agent"],
    starts: "-p --output-format stream-json PROMPT",
    needs: ["-p|--print", "stream-json"],
    login: "run cursor-agent login",
    begins: ({ type, subtype, apiKeySource, tools, uuid }) =>
      type === "system" &&
      subtype === "init" &&
      apiKeySource !== undefined &&
      tools === undefined &&
      uuid === undefined,
  },
  pi: {
    commands: ["pi"],
    starts: "--mode json -p PROMPT",
    needs: ["json"],
    login: "start pi and type /login, or set the key of your provider",
    begins: ({ type, id, cwd }) => (type === "session" && isText(id) && isText(cwd)) || type === "agent_start",
  },
  grok: {
    commands: ["grok"],
    starts: "--output-format streaming-json -p PROMPT",
    needs: ["streaming-json"],
    login: "start grok and log in",
    begins: ({ type, data }) => (type === "thought" || type === "text") && isText(data),
  },
  kimi: {
    commands: ["kimi"],
    starts: "-p PROMPT --output-format stream-json",
    needs: ["stream-json"],
    login: "start kimi and type /login",
    begins: ({ role, type, content, tool_calls }) =>
      (role === "meta" && isText(type)) ||
      (type === undefined && role === "assistant" && (isText(content) || Array.isArray(tool_calls))),
    files: ({ type, protocol_version }) => type === "metadata" && isText(protocol_version),
  },
} as const satisfies { readonly [name: string]: Cli }

/** The name of this program's own parser, which reads what our adapter prints. */
export const OWN_PARSER = "escapement"

export type CliName = keyof typeof CLIS

const NAMES = Object.keys(CLIS).filter(isCliName)

/** True for the name of a CLI that we read. */
export function isCliName(name: string): name is CliName {
  return Object.hasOwn(CLIS, name)
}

/** The CLIs for one of whose programs `isHere` holds. */
export function clisWith(isHere: (program: string) => boolean): readonly CliName[] {
  return NAMES.filter(name => CLIS[name].commands.some(isHere))
}

/** The CLI that a command starts; null if it is none of ours. */
export function cliOfCommand(command: readonly string[]): CliName | null {
  const program = basename(command[0] ?? "").replace(/\.(?:exe|cmd|js)$/, "")
  return NAMES.find(name => (CLIS[name].commands as readonly string[]).includes(program)) ?? null
}

/** The CLI that prints such a line or writes it to its session file; null if none is recognized. Never throws. */
export function cliOfLine(line: string): CliName | null {
  const text = line.trim()
  const event = text.startsWith("{") ? parseJson(text) : null
  return isObject(event) ? (NAMES.find(name => isSessionFile(name, event) || CLIS[name].begins(event)) ?? null) : null
}

/** True for a line that only the session files of this CLI have. */
export function isSessionFile(name: CliName, line: JsonObject): boolean {
  const cli: Cli = CLIS[name]
  return cli.files?.(line) === true
}

/** How a person logs in to this CLI. */
export function loginOf(name: CliName): string {
  return `to log in, ${CLIS[name].login}`
}

/** The flags that a command lacks to print its events as it goes, as a hint; null if it has them. */
export function flagsHint(name: CliName, command: readonly string[]): string | null {
  const { commands, starts, needs } = CLIS[name]
  const words = command.slice(1).flatMap(word => [word, ...word.split("=")])
  if (needs.every(need => need.split("|").some(word => words.includes(word)))) return null
  const flags = starts.replace(/ ?PROMPT/, "")
  return `to see what it does, start it by run ${commands[0]} "…" without --, or with ${flags}`
}

/** The command with the flags that make a CLI print its events, if it has nothing but a prompt; else as it is. */
export function withFlags(command: readonly string[]): readonly string[] {
  const cli = cliOfCommand(command)
  const [program = "", ...prompt] = command
  if (cli === null || prompt.length === 0 || prompt.some(word => word.startsWith("-"))) return command
  return [program, ...CLIS[cli].starts.split(" ").map(word => (word === "PROMPT" ? prompt.join(" ") : word))]
}

/** The prompt on the command line of a CLI: behind its `-p`, else its last word; null if that may be something else. */
export function promptOf(command: readonly string[]): string | null {
  if (cliOfCommand(command) === null) return null
  const flag = command.findIndex(word => word === "-p" || word === "--print" || word === "--prompt")
  const next = flag < 0 ? undefined : command[flag + 1]
  if (next !== undefined && !next.startsWith("-")) return next
  const [before = "", last = ""] = command.slice(-2)
  const mayBeValue = before.startsWith("-") && !last.includes(" ")
  return command.length < 2 || last.startsWith("-") || mayBeValue ? null : last
}
