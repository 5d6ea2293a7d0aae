// Reads the command line and the environment once, at the start; nothing else in the program reads either.
import { resolve } from "node:path"
import { chooseParser, isLog, type ParserChoice } from "../guest/choose-parser.ts"
import type { Moment } from "../query/moment.ts"
import type { Timing } from "../transport/pace.ts"
import { recordingAt, recordingPath, sessionDirectoryOf } from "../transport/recording-path.ts"
import { checkUrl, isToken, urlWarning } from "../transport/url.ts"
import type { RunTarget } from "../view/home.ts"
import { type ReportedMoment, readReportedMoment } from "./bug-report-file.ts"
import { errorLine } from "./command-arguments.ts"
import { unknownCommand } from "./command-names.ts"
import { type TerminalEnvironment, terminalEnvironment } from "./doctor-command.ts"
import { type Environment, type Flags, parseFlags } from "./option-table.ts"
import { choice, isOn, moment, number } from "./option-value.ts"
import { readScreen, type ScreenOptions } from "./screen-options.ts"

export type Options =
  | {
      readonly command: "watch"
      readonly source: SourceOptions
      readonly screen: ScreenOptions
      /** The agent that started us; null if a user did. */
      readonly spawner: Spawner | null
      /** The run's session directory (docs/contract.md section 5); null if unknown. */
      readonly sessionDir: string | null
      /** The absolute path to record the run to; null for no recording. */
      readonly record: string | null
      /** How long to wait for the first answer of an agent, ms; null for ever. */
      readonly timeoutMs: number | null
    }
  | { readonly command: "demo"; readonly screen: ScreenOptions; readonly record: string | null }
  | { readonly command: "fold"; readonly path: string; readonly at: Moment | null; readonly parser: string | undefined }
  | { readonly command: (typeof OWN_OPTIONS)[number]; readonly args: readonly string[] }
  | HomeOptions
  /** `about`: the command to explain; null for the overview. */
  | { readonly command: "help"; readonly about: string | null }
  | { readonly command: "completion"; readonly shell: string | undefined }
  | { readonly command: "version" | "man" }
  | { readonly command: "doctor"; readonly screen: ScreenOptions; readonly terminal: TerminalEnvironment }
  /** Bad usage: one line for stderr, exit code 2. */
  | { readonly command: "wrong"; readonly why: string }

/** Home: the runs below a directory, of which a person opens one after the other. */
export interface HomeOptions {
  readonly command: "home"
  readonly root: string
  readonly screen: ScreenOptions
  /** Where an agent is looked for. */
  readonly url: string
  /** Attaches to an agent that answers already; otherwise only to one that begins to answer while home shows. */
  readonly attaches: boolean
  /** True if nobody can press keys, or nobody sees them: the list is printed. */
  readonly piped: boolean
  /** The options that show a run. Throws a one-line Error if it can't be opened. */
  readonly open: (target: RunTarget) => WatchOptions | DemoOptions
}

export type WatchOptions = Extract<Options, { readonly command: "watch" }>
export type DemoOptions = Extract<Options, { readonly command: "demo" }>

export type SourceOptions =
  /** `warning`: what is unsafe about the connection. */
  | { readonly type: "live"; readonly url: string; readonly token: string | null; readonly warning: string | null }
  | {
      readonly type: "replay"
      readonly path: string
      readonly timing: Timing
      readonly speed: number
      readonly idleLimitMs: number
      readonly loop: boolean
      /** The log that the recording at `path` was converted from. */
      readonly shownAs?: string
      /** The moment to open at, paused; null for the beginning. */
      readonly at: Moment | null
      /** The moment of a bug report; null for any other recording, or if `--at` names another moment. */
      readonly left: ReportedMoment | null
      readonly parser: ParserChoice | null
    }
  /** An agent CLI to start, and the parser for its output. */
  | { readonly type: "run"; readonly command: readonly string[]; readonly parser: ParserChoice }

/** An agent that started us (docs/contract.md section 1). */
export interface Spawner {
  /** Its process id, read as early as possible: it may exit before the screen is up. */
  readonly pid: number
  readonly sessionDir: string | null
}

/** The commands that parse their own arguments. */
const OWN_OPTIONS = ["agent", "check", "compare", "export", "search"] as const
const DEFAULT_PORT = 3737
/** Where the agent keeps its runs. */
const DEFAULT_ROOT = ".escapement"
/** What an agent sets when it starts us. */
const AGENT_VARIABLES = [
  ...["OPENTUI_WS_URL", "OPENTUI_WS_PORT", "OPENTUI_REPLAY", "ESCAPEMENT_SESSION_ID", "ESCAPEMENT_SESSION_DIR"],
  ...["OPENTUI_SESSION_DIR", "OPENTUI_CHART", "OPENTUI_SESSION_SHORT"],
]
const IDLE_LIMIT_MS = 2000
/** Into a pipe nobody sees that no agent answers. */
const PIPED_TIMEOUT_MS = 60_000

/** Parses the command line and the environment. Any mistake in either becomes a one-line `wrong`. */
export function readOptions(
  args: readonly string[],
  env: Environment = process.env,
  interactive = process.stdin.isTTY && process.stdout.isTTY,
): Options {
  try {
    const [command, ...rest] = args
    const own = OWN_OPTIONS.find(name => name === command)
    if (own !== undefined) {
      const asks = rest.includes("--help") || rest.includes("-h")
      return asks ? { command: "help", about: own } : { command: own, args: rest }
    }
    const { values, positionals } = parseFlags(args)
    if (values.help === true) return { command: "help", about: positionals[0] ?? null }
    if (values.version === true) return { command: "version" }
    if (values.doctor === true) {
      const screen = readScreen({ ...values, piped: !interactive }, env)
      return { command: "doctor", screen, terminal: terminalEnvironment(env) }
    }
    return readCommand(positionals, { ...values, piped: !interactive }, env)
  } catch (error) {
    return { command: "wrong", why: errorLine(error) }
  }
}

function readCommand(positionals: readonly string[], flags: Flags, env: Environment): Options {
  const [command, subject, ...rest] = positionals
  if (rest.length > 0 && command !== "run") throw new Error(`unexpected argument: ${rest[0]}`)
  const watch = (source: SourceOptions, spawner: Spawner | null) => watchOptions(source, spawner, flags, env)
  switch (command) {
    case undefined:
      if (!isSpawned(env)) return home(DEFAULT_ROOT, true, flags, env)
      return watch(spawnedSource(flags, env), { pid: process.ppid, sessionDir: environmentDir(env) })
    case "attach":
      return watch(live(subject ?? agentUrl(env), flags, env), null)
    case "replay":
      if (subject === undefined) throw new Error("replay needs a recording or a session directory")
      return watch(replay(subject, flags.piped ? "instant" : "wallclock", flags, env), null)
    case "run":
      if (subject === undefined) throw new Error("run needs a command: run [--parser PACKAGE|FILE] -- COMMAND …")
      return watch({ type: "run", command: [subject, ...rest], parser: parserOf(flags) }, null)
    case "demo":
      if (subject !== undefined) throw new Error(`demo takes no arguments (got ${subject})`)
      return demo(flags, env)
    case "sessions":
      return home(subject ?? DEFAULT_ROOT, false, flags, env)
    case "fold":
      if (subject === undefined) throw new Error("fold needs a recording or a session directory")
      for (const name of ["segments", "speed", "timing", "loop", "record"] as const)
        if (flags[name] !== undefined) throw new Error(`fold doesn't take --${name}`)
      return { command: "fold", path: subject, at: moment(flags.at), parser: flags.parser }
    case "completion":
      return { command: "completion", shell: subject }
    case "man":
      return { command: "man" }
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

function demo(flags: Flags, env: Environment): DemoOptions {
  return { command: "demo", screen: readScreen(flags, env), record: recordPath(null, flags, env) }
}

function home(root: string, attaches: boolean, flags: Flags, env: Environment): HomeOptions {
  const url = agentUrl(env)
  const open = (target: RunTarget): WatchOptions | DemoOptions => {
    switch (target.type) {
      case "demo":
        return demo(flags, env)
      case "recording":
        return watchOptions(replay(target.path, "instant", flags, env), null, flags, env)
      case "agent": {
        const named = target.directory === null ? flags : { ...flags, "session-dir": target.directory }
        return watchOptions(live(target.url, flags, env), null, named, env)
      }
    }
  }
  // What is wrong with a flag is said before there is a screen.
  const { screen } = open({ type: "agent", url, directory: null })
  return { command: "home", root, screen, url, attaches, piped: flags.piped, open }
}

/** The source when the agent starts us: the environment alone decides (docs/contract.md section 1). */
function spawnedSource(flags: Flags, env: Environment): SourceOptions {
  const path = env.OPENTUI_REPLAY
  return path ? replay(path, "instant", flags, env) : live(agentUrl(env), flags, env)
}

function environmentDir(env: Environment): string | null {
  return env.ESCAPEMENT_SESSION_DIR || env.OPENTUI_SESSION_DIR || null
}

/** The directory given by the flag, else the one that contains the transcript, else the environment's. */
function runDir(source: SourceOptions, flags: Flags, env: Environment): string | null {
  const named = flags["session-dir"]
  if (source.type === "run") return named ?? null
  const own = source.type === "replay" ? sessionDirectoryOf(source.path) : null
  return named ?? own ?? environmentDir(env)
}

/** OPENTUI_RECORD may be set for every start, so a replay ignores it; --record with a replay is an error. */
function recordPath(source: SourceOptions | null, flags: Flags, env: Environment): string | null {
  if (source?.type === "replay") {
    if (flags.record !== undefined) throw new Error("--record needs a live run, got a recording")
    return null
  }
  const path = flags.record ?? env.OPENTUI_RECORD ?? ""
  return path === "" ? null : resolve(path)
}

function agentUrl(env: Environment): string {
  if (env.OPENTUI_WS_URL) return env.OPENTUI_WS_URL
  const port = env.OPENTUI_WS_PORT
    ? number("OPENTUI_WS_PORT", env.OPENTUI_WS_PORT, 1, 65_535, "a whole number")
    : DEFAULT_PORT
  return `ws://127.0.0.1:${port}/ws`
}

function live(url: string, flags: Flags, env: Environment): SourceOptions {
  const allowRemote = flags["allow-remote"] === true || isOn("OPENTUI_ALLOW_REMOTE", env.OPENTUI_ALLOW_REMOTE)
  const error = checkUrl(url, { allowRemote })
  if (error !== null) throw new Error(error)
  const token = env.OPENTUI_WS_TOKEN || null
  if (token !== null && !isToken(token)) throw new Error("OPENTUI_WS_TOKEN has characters not allowed in a header")
  return { type: "live", url, token, warning: urlWarning(url, env.NODE_TLS_REJECT_UNAUTHORIZED !== "0") }
}

function replay(path: string, fallback: Timing, flags: Flags, env: Environment): SourceOptions {
  const file = recordingPath(path)
  const isOfGuest = flags.parser !== undefined || isLog(file)
  if (!isOfGuest) recordingAt(path)
  const timings: readonly Timing[] = ["instant", "paced", "wallclock"]
  const timing = choice("timing", flags.timing ?? (env.OPENTUI_REPLAY_TIMING || fallback), timings)
  // --at names another moment, for which the reported view would be wrong.
  const left = flags.at === undefined ? readReportedMoment(file) : null
  return {
    type: "replay",
    path: file,
    parser: isOfGuest ? parserOf(flags) : null,
    timing,
    speed: flags.speed === undefined ? 1 : number("--speed", flags.speed, 0.01, 10_000),
    idleLimitMs: idleLimit(flags, env),
    loop: flags.loop === true || isOn("OPENTUI_REPLAY_LOOP", env.OPENTUI_REPLAY_LOOP),
    at: moment(flags.at) ?? left?.at ?? null,
    left,
  }
}

/** A guest may use our stdin, so with one a piped stdin does not mean plain mode. */
function watchOptions(source: SourceOptions, spawner: Spawner | null, flags: Flags, env: Environment): WatchOptions {
  const screen = readScreen(source.type === "run" ? { ...flags, piped: false } : flags, env)
  const [sessionDir, record] = [runDir(source, flags, env), recordPath(source, flags, env)]
  return { command: "watch", source, screen, spawner, sessionDir, record, timeoutMs: timeout(source, flags) }
}

function parserOf(flags: Flags): ParserChoice {
  return chooseParser(flags.parser, process.cwd())
}

function timeout(source: SourceOptions, { timeout, piped }: Flags): number | null {
  if (source.type === "live") {
    if (timeout !== undefined) return number("--timeout", timeout, 0.1, 86_400) * 1000
    return piped ? PIPED_TIMEOUT_MS : null
  }
  if (timeout !== undefined) throw new Error("--timeout needs an agent to attach to")
  return null
}

function idleLimit(flags: Flags, env: Environment): number {
  const flag = flags["idle-limit"]
  const [name, value] = flag === undefined ? ["OPENTUI_IDLE_LIMIT", env.OPENTUI_IDLE_LIMIT] : ["--idle-limit", flag]
  return value ? number(name, value, 0, 86_400) * 1000 : IDLE_LIMIT_MS
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
