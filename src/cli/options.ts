// Reads the command line and the environment once, at the start; nothing else in the program reads either.
import { resolve } from "node:path"
import { sessionDirectoryOf } from "../../packages/wire/src/files/recording-path.ts"
import type { RunTarget } from "../view/home.ts"
import { LIMIT_OPTIONS } from "./check/finding-limits.ts"
import { errorLine, unknownCommand } from "./command-arguments.ts"
import { type ConfigFile, configDirectory, noConfig, readConfig } from "./config-file.ts"
import { type TerminalEnvironment, terminalEnvironment } from "./doctor-command.ts"
import { loadTheme } from "./load-theme.ts"
import type { OptionTable } from "./option.ts"
import { type Flags, type Setting, settle, settledFlags, settledWords } from "./option-settings.ts"
import {
  COMMAND_OPTIONS,
  type Environment,
  type FlagValues,
  KEEP_OPTIONS,
  LIST_OPTION,
  PRICES_OPTION,
  parseFlags,
  SETTINGS,
  STORES_OPTION,
} from "./option-table.ts"
import { choice } from "./option-value.ts"
import { keptOf, readScreen, type ScreenOptions, stateDirectory } from "./screen-options.ts"
import {
  agentUrl,
  live,
  replay,
  runSource,
  type SourceOptions,
  spawnedSource,
  talkSource,
  timeout,
} from "./source-options.ts"
import { DEFAULT_ROOT, sessionPath } from "./subjects.ts"

export type WatchOptions = Readonly<ReturnType<typeof watchOptions>>
export type DemoOptions = Readonly<ReturnType<typeof demo>>

export type Options =
  | WatchOptions
  | DemoOptions
  | { readonly command: (typeof OWN_OPTIONS)[number]; readonly args: readonly string[]; readonly env: Environment }
  /** The command of an agent that an editor starts through us. */
  /** `keeps` says how much is kept; it may throw, which concerns neither the editor nor its agent. */
  /** `records`: it is the recorder of another one. */
  | {
      readonly command: "tee"
      readonly agent: readonly string[]
      readonly records: boolean
      readonly keeps: () => ScreenOptions["keeps"]
    }
  | HomeOptions
  | ConfigOptions
  /** `about`: the command to explain; null for the overview. */
  | { readonly command: "help"; readonly about: string | null }
  | { readonly command: "completion"; readonly shell: string | undefined }
  | { readonly command: "version" }
  | { readonly command: "doctor"; readonly screen: ScreenOptions; readonly terminal: TerminalEnvironment }
  /** Bad usage: one line for stderr, exit code 2. */
  | { readonly command: "wrong"; readonly why: string }

/** Home: the runs below a directory, of which a person opens one after the other. */
export type HomeOptions = Readonly<ReturnType<typeof home>>

export interface ConfigOptions {
  readonly command: "config"
  readonly settings: readonly Setting[]
  readonly config: ConfigFile
}

/** An agent that started us (docs/contract.md section 1). */
export interface Spawner {
  /** Its process id, read as early as possible: it may exit before the screen is up. */
  readonly pid: number
  readonly sessionDir: string | null
}

const OWN_OPTIONS = ["agent", "check", "compare", "export", "fold", "hook", "ledger", "search"] as const
/** What an agent sets when it starts us. */
const AGENT_VARIABLES = [
  ...["OPENTUI_WS_URL", "OPENTUI_WS_PORT", "OPENTUI_REPLAY", "ESCAPEMENT_SESSION_ID", "ESCAPEMENT_SESSION_DIR"],
  ...["OPENTUI_SESSION_DIR", "OPENTUI_CHART", "OPENTUI_SESSION_SHORT"],
]
/** As `readOptions`, for a command line that may name the session of an agent CLI by its id. Never rejects. */
export async function readNamedOptions(args: readonly string[], env: Environment = process.env): Promise<Options> {
  const [command, word, ...rest] = args
  const isNamed = command === "replay" && word !== undefined && !word.startsWith("-")
  return readOptions(isNamed ? [command, await sessionPath(word, env), ...rest] : args, env)
}

export const ownDirectory = (): string => stateDirectory(process.env)

/** Parses the command line and the environment. Any mistake in either becomes a one-line `wrong`. */
export function readOptions(
  args: readonly string[],
  env: Environment = process.env,
  interactive = process.stdin.isTTY && process.stdout.isTTY,
): Options {
  try {
    const [command, ...rest] = args
    if (command === "acp-tee" && !["--help", "-h"].includes(rest[0] ?? "")) {
      const records = rest[0] === "--record"
      const agent = rest.slice(records ? 1 : 0)
      const keeps = () => keptOf(settledFlags(settle(KEEP_OPTIONS, {}, env, readConfig(env))))
      return { command: "tee", agent: agent[0] === "--" ? agent.slice(1) : agent, records, keeps }
    }
    const own = OWN_OPTIONS.find(name => name === command)
    if (own !== undefined) {
      const asks = rest.includes("--help") || rest.includes("-h")
      if (asks) return { command: "help", about: own }
      return { command: own, args: [...settledArguments(own, env), ...rest], env }
    }
    const { values, positionals } = parseFlags(args)
    if (values.help === true) return { command: "help", about: positionals[0] ?? null }
    if (values.version === true) return { command: "version" }
    const isDoctor = values.doctor === true
    const flags = settled(isDoctor ? "" : positionals[0], values, env, !interactive)
    if (isDoctor) return { command: "doctor", screen: readScreen(flags, env), terminal: terminalEnvironment(env) }
    const [first, ...words] = positionals
    if (first === "run") return watchOptions(runSource(words, args.includes("--"), flags, env), null, flags, env)
    return readCommand(positionals, flags, env)
  } catch (error) {
    return { command: "wrong", why: errorLine(error) }
  }
}

/** What a variable or the config file says of a command with options of its own; what is typed follows it, and wins. */
function settledArguments(command: (typeof OWN_OPTIONS)[number], env: Environment): readonly string[] {
  if (command === "agent" || command === "hook") return []
  const config = readConfig(env)
  const isCheck = command === "check"
  if (isCheck && config.mistakes[0] !== undefined) throw new Error(config.mistakes[0])
  return settledWords(settle({ ...STORES_OPTION, ...PRICES_OPTION, ...(isCheck && LIMIT_OPTIONS) }, {}, env, config))
}

/** What was typed, and what variables and the config file say of the command's other options. */
function settled(command = "", { doctor, ...typed }: FlagValues, env: Environment, piped: boolean): Flags {
  const isStartOfReplay = command === "" && isSpawned(env) && Boolean(env.OPENTUI_REPLAY)
  const tables: { readonly [command: string]: OptionTable } = COMMAND_OPTIONS
  const table = Object.hasOwn(tables, command) ? tables[isStartOfReplay ? "replay" : command] : undefined
  if (table === undefined) throw new Error(unknownCommand(command))
  for (const name of Object.keys(typed))
    if (!Object.hasOwn(table, name)) throw new Error(`${command || "this start"} doesn't take --${name}`)
  const config = "prices" in table ? readConfig(env) : noConfig
  const values = settledFlags(settle(table, typed, env, config))
  const { mistake } = loadTheme(values.theme ?? "auto", configDirectory(env))
  const mistakes = mistake === null ? config.mistakes : [...config.mistakes, mistake]
  const isTyped = command !== "" || !isSpawned(env)
  if (isTyped && "theme" in table && command !== "config" && mistakes[0] !== undefined) throw new Error(mistakes[0])
  return { ...values, typed, piped, config: { ...config, mistakes } }
}

function readCommand(positionals: readonly string[], flags: Flags, env: Environment): Options {
  const [command, subject, ...rest] = positionals
  if (rest.length > 0) throw new Error(`unexpected argument: ${rest[0]}`)
  const watch = (source: SourceOptions, spawner: Spawner | null) => watchOptions(source, spawner, flags, env)
  switch (command) {
    case undefined:
      if (!isSpawned(env)) return home(null, true, flags, env)
      return watch(spawnedSource(flags, env), {
        pid: process.ppid,
        sessionDir: env.ESCAPEMENT_SESSION_DIR || env.OPENTUI_SESSION_DIR || null,
      })
    case "attach":
      return watch(live(subject ?? agentUrl(env), flags, env), null)
    case "replay":
      if (subject === undefined) throw new Error("replay needs a recording or a session directory")
      return watch(replay(subject, flags.piped ? "instant" : "wallclock", flags), null)
    case "demo":
      if (subject !== undefined) throw new Error(`demo takes no arguments (got ${subject})`)
      return demo(flags, env)
    case "sessions":
      return home(subject ?? null, false, flags, env)
    case "config":
      if (subject !== undefined) throw new Error(`config takes no arguments (got ${subject})`)
      return { command: "config", settings: settle(SETTINGS, flags.typed, env, flags.config), config: flags.config }
    case "completion":
      return { command: "completion", shell: subject }
    case "help":
      return { command: "help", about: subject ?? null }
    default:
      throw new Error(unknownCommand(command))
  }
}

/** True with any variable that an agent sets (docs/contract.md section 1). */
function isSpawned(env: Environment): boolean {
  return AGENT_VARIABLES.some(name => Boolean(env[name]))
}

function demo(flags: Flags, env: Environment) {
  return { command: "demo" as const, screen: readScreen(flags, env), record: recordPath(null, flags) }
}

function home(named: string | null, attaches: boolean, flags: Flags, env: Environment) {
  const url = agentUrl(env)
  /** The options that show a run. Throws a one-line Error if it can't be opened. */
  const open = (target: RunTarget): WatchOptions | DemoOptions => {
    switch (target.type) {
      case "demo":
        return demo(flags, env)
      case "recording":
        return watchOptions(replay(target.path, "instant", flags), null, flags, env)
      case "talk":
        return watchOptions(talkSource(target, flags), null, flags, env)
      case "agent": {
        const dir = target.directory === null ? {} : { "session-dir": target.directory }
        const named = { ...flags, typed: { ...flags.typed, ...dir } }
        return watchOptions(live(target.url, flags, env), null, named, env)
      }
    }
  }
  // What is wrong with a flag is said before there is a screen.
  const { screen } = open({ type: "agent", url, directory: null })
  const lists = named === null && flags["no-stores"] !== true
  const asJson = choice("format", flags.as ?? LIST_OPTION.as.unset, LIST_OPTION.as.values) === "json"
  const asked = { root: named ?? DEFAULT_ROOT, isNamed: named !== null, lists, asJson, env }
  // Home attaches to an agent that answers already, else only to one that begins to answer while it shows. If it is
  // piped, nobody can press keys, or nobody sees them: the list is printed.
  return { command: "home" as const, ...asked, screen, url, attaches, piped: flags.piped, open }
}

/** The directory given by the flag, else the one that contains the transcript, else that of a variable or the file. */
function runDir(source: SourceOptions, flags: Flags): string | null {
  const named = flags.typed["session-dir"]
  if (source.type === "run") return named ?? null
  const own = source.type === "replay" ? sessionDirectoryOf(source.path) : null
  return named ?? own ?? flags["session-dir"] ?? null
}

function recordPath(source: SourceOptions | null, { record }: Flags): string | null {
  return source?.type === "replay" || record === undefined ? null : resolve(record)
}

/** A guest may use our stdin, so with one a piped stdin does not mean plain mode. */
function watchOptions(source: SourceOptions, spawner: Spawner | null, flags: Flags, env: Environment) {
  const screen = readScreen(source.type === "run" ? { ...flags, piped: false } : flags, env)
  const [sessionDir, record] = [runDir(source, flags), recordPath(source, flags)]
  return {
    command: "watch" as const,
    source,
    screen,
    /** The agent that started us; null if a user did. */
    spawner,
    /** The run's session directory (docs/contract.md section 5); null if unknown. */
    sessionDir,
    /** The absolute path to record the run to; null for no recording. */
    record,
    timeoutMs: timeout(source, flags),
  }
}

/** Runs `open` with a TERM that says 256color; without it the renderer sends even indexed colours as 24-bit. */
export async function withTermFallback<T>(colors: ScreenOptions["colors"], open: () => Promise<T>): Promise<T> {
  const { TERM } = process.env
  const isUsable = TERM?.includes("256color") === true || colors === "truecolor" || colors === "none"
  if (isUsable) return await open()
  process.env.TERM = `${TERM ?? ""}-256color`
  try {
    return await open()
  } finally {
    if (TERM === undefined) delete process.env.TERM
    else process.env.TERM = TERM
  }
}
