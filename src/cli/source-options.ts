// Reads where frames come from: an agent, a recording, or a command.
import { readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { recordingAt, recordingPath } from "../../packages/wire/src/files/recording-path.ts"
import { chooseParser, isLog, type ParserChoice } from "../guest/choose-parser.ts"
import { type TalkChoice, talkOfCommand, talkOfPrompt } from "../guest/choose-talk.ts"
import { withFlags } from "../guest/cli-names.ts"
import type { Moment } from "../query/moment.ts"
import type { Timing } from "../transport/pace.ts"
import { checkUrl, isToken, urlWarning } from "../transport/url.ts"
import type { EarlierTalk } from "../view/home.ts"
import type { Flags } from "./option-settings.ts"
import { type Environment, REPLAY_OPTIONS } from "./option-table.ts"
import { choice, moment, number } from "./option-value.ts"

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
      /** Whether what reading finds is kept for the next opening. */
      readonly keepsIndex: boolean
      /** The log that the recording at `path` was converted from. */
      readonly shownAs?: string
      /** The moment to open at, paused; null for the beginning. */
      readonly at: Moment | null
      readonly parser: ParserChoice | null
    }
  /** An agent CLI to start, and the parser for its output; `talk` if it is talked to. */
  | {
      readonly type: "run"
      readonly command: readonly string[]
      readonly parser: ParserChoice
      readonly talk?: PlannedTalk
    }

export interface PlannedTalk extends TalkChoice {
  readonly once: boolean
  /** The earlier session to go on with, in its directory. */
  readonly earlier?: { readonly id: string; readonly directory: string }
  /** False if no person can answer. */
  readonly asks: boolean
}

const DEFAULT_PORT = 3737

/** The socket of the agent that the environment names, or that of the usual port. */
export function agentUrl(env: Environment): string {
  if (env.OPENTUI_WS_URL) return env.OPENTUI_WS_URL
  const port = env.OPENTUI_WS_PORT
    ? number("OPENTUI_WS_PORT", env.OPENTUI_WS_PORT, 1, 65_535, "a whole number")
    : DEFAULT_PORT
  return `ws://127.0.0.1:${port}/ws`
}

/** The source when the agent starts us: the environment alone decides (docs/contract.md section 1). */
export function spawnedSource(flags: Flags, env: Environment): SourceOptions {
  const path = env.OPENTUI_REPLAY
  return path ? replay(path, "instant", flags) : live(agentUrl(env), flags, env)
}

/** An agent's socket. Throws a one-line Error if it may not be opened. */
export function live(url: string, flags: Flags, env: Environment): SourceOptions {
  const error = checkUrl(url, { allowRemote: flags["allow-remote"] === true })
  if (error !== null) throw new Error(error)
  const token = env.OPENTUI_WS_TOKEN || null
  if (token !== null && !isToken(token)) throw new Error("OPENTUI_WS_TOKEN has characters not allowed in a header")
  return { type: "live", url, token, warning: urlWarning(url, env.NODE_TLS_REJECT_UNAUTHORIZED !== "0") }
}

/** A recording, a session directory or the log of an agent CLI. Throws a one-line Error if there is none. */
export function replay(path: string, fallback: Timing, flags: Flags): SourceOptions {
  const file = recordingPath(path)
  // The config file names the parser of logs, and a recording is none.
  const isOfGuest = flags.typed.parser !== undefined || isLog(file)
  if (!isOfGuest) recordingAt(path)
  return {
    type: "replay",
    path: file,
    parser: isOfGuest ? parserOf(flags) : null,
    timing: choice("timing", flags.timing ?? fallback, REPLAY_OPTIONS.timing.values),
    speed: Number(flags.speed ?? REPLAY_OPTIONS.speed.unset),
    idleLimitMs: Number(flags["idle-limit"] ?? REPLAY_OPTIONS["idle-limit"].unset) * 1000,
    loop: flags.loop === true,
    keepsIndex: flags["no-index"] !== true,
    at: (flags.typed.at === undefined ? reportedMoment(file) : null) ?? moment("--at", flags.at),
  }
}

/** The file beside the frames in a bug report's directory. */
export const REPORT_FILE = "bug.json"
const MOST_REPORT_BYTES = 256 * 1024

/** The moment of the bug report that the recording at `path` belongs to; null if it belongs to none. Never throws. */
function reportedMoment(path: string): Moment | null {
  const about = join(dirname(path), REPORT_FILE)
  try {
    const found = statSync(about)
    if (!found.isFile() || found.size > MOST_REPORT_BYTES) return null
    const { kind, at }: { readonly kind?: unknown; readonly at?: unknown } = JSON.parse(readFileSync(about, "utf8"))
    const isFrame = kind === "bug" && typeof at === "number" && Number.isSafeInteger(at) && at >= 0
    return isFrame ? { type: "frame", frame: at } : null
  } catch {
    return null
  }
}

/** A command to run. `isWhole` if its words are what to start, behind `--`; else they are a CLI and a prompt. */
export function runSource(words: readonly string[], isWhole: boolean, flags: Flags, env: Environment): SourceOptions {
  const { acp = false, prompt = null, once = false } = flags.typed
  const asks = !flags.piped && flags["read-only"] !== true
  const sees = asks && flags.plain !== true && env.TERM !== "dumb"
  const talk = isWhole ? talkOfCommand(words, acp, prompt) : talkOfPrompt(words, acp, sees)
  if (words.length === 0) throw new Error("run needs a command: run CLI PROMPT, or run -- COMMAND …")
  if (talk === null) {
    if (prompt !== null) throw new Error("--prompt is for a command that is talked to, as with --acp")
    const command = isWhole ? words : withFlags(words)
    return { type: "run", command, parser: parserOf(flags, command) }
  }
  const first = talk.prompt ?? prompt
  if (first === null && !asks) throw new Error("nobody can type the prompt here: --prompt TEXT gives it")
  const { command } = talk
  return { type: "run", command, parser: parserOf(flags, command), talk: { ...talk, prompt: first, once, asks } }
}

/** Goes on with an agent's earlier session. */
export function talkSource({ command, sessionId, directory }: EarlierTalk, flags: Flags): SourceOptions {
  const asks = flags["read-only"] !== true
  const earlier = { id: sessionId, directory }
  const talk = { protocol: "acp", command, prompt: null, once: false, asks, earlier } as const
  return { type: "run", command, parser: parserOf(flags, command), talk }
}

/** The parser that `--parser` names, else the one for a command's output. Throws a one-line Error if there is none. */
export function parserOf(flags: Flags, command: readonly string[] = []): ParserChoice {
  const chosen = chooseParser(flags.parser, process.cwd(), command)
  return flags["debug-unknown"] === true ? { ...chosen, showsUnknown: true } : chosen
}

/** Into a pipe nobody sees that no agent answers. */
const PIPED_TIMEOUT_MS = 60_000

/** How long to wait for the first answer of an agent, ms; null for ever. */
export function timeout(source: SourceOptions, { timeout, piped }: Flags): number | null {
  if (source.type !== "live") return null
  if (timeout !== undefined) return Number(timeout) * 1000
  return piped ? PIPED_TIMEOUT_MS : null
}
