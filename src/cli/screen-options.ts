// Reads the screen's options from flags and the environment, both passed in.
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"
import type { ParserName } from "../parse/syntax-rules.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import type { Filter } from "../query/filter/filter.ts"
import type { Environment, Flags } from "./option-table.ts"
import { choice, commandWords, condition, isOn, SEGMENT_PARSERS, segmentParser } from "./option-value.ts"

export interface ScreenOptions {
  /** Plain lines instead of a screen: requested, or because there is no capable terminal. */
  readonly plain: boolean
  /** How plain lines tell the time. */
  readonly times: "full" | "short" | "no"
  readonly theme: "dark" | "light" | "auto"
  /** The background to draw for if the terminal doesn't tell its own. */
  readonly likelyBackground: "dark" | "light"
  readonly colors: "truecolor" | "256" | "16" | "none"
  readonly ascii: boolean
  readonly motion: boolean
  readonly mouse: boolean
  /** True if nothing may be sent to the agent. */
  readonly readOnly: boolean
  /** How a question gets the user's attention: the bell, the window title, a desktop notification. */
  readonly bell: boolean
  readonly title: boolean
  readonly notify: boolean
  readonly onAgentExit: "stay" | "leave"
  readonly editor: readonly string[]
  /** The program that opens an artifact, as command words. */
  readonly viewer: readonly string[]
  /** The program that shows a long text, as command words; it reads its stdin. */
  readonly pager: readonly string[]
  readonly stateDir: string
  readonly chart: string | null
  readonly session: string | null
  /** A multiplexer between us and the terminal: escape sequences for the terminal itself must be wrapped for it. */
  readonly multiplexer: "tmux" | "screen" | null
  /** A condition that pauses the run or the replay when it becomes true; null for none. */
  readonly pauseAt: Filter | null
  /** How model text is parsed into segments (docs/decisions.md 7.9). */
  readonly segments: ParserName
}

/** Throws a one-line Error that names an option with a bad value. */
export function readScreen(flags: Flags, env: Environment): ScreenOptions {
  return {
    plain: flags.plain === true || isOn("OPENTUI_PLAIN", env.OPENTUI_PLAIN) || flags.piped || env.TERM === "dumb",
    times: choice("times", flags.times ?? (env.OPENTUI_TIMES || "full"), ["full", "short", "no"]),
    theme: choice("theme", flags.theme ?? (env.OPENTUI_THEME || "auto"), ["dark", "light", "auto"]),
    likelyBackground: backgroundOf(env.COLORFGBG),
    colors: choice("colors", flags.colors ?? (env.OPENTUI_COLORS || colorsOf(env)), ["truecolor", "256", "16", "none"]),
    ascii: flags.ascii === true || isOn("OPENTUI_ASCII", env.OPENTUI_ASCII),
    motion: !(flags["reduced-motion"] === true || isOn("OPENTUI_REDUCED_MOTION", env.OPENTUI_REDUCED_MOTION)),
    readOnly: flags["read-only"] === true || isOn("OPENTUI_READ_ONLY", env.OPENTUI_READ_ONLY),
    mouse: flags["no-mouse"] !== true && isOn("OPENTUI_MOUSE", env.OPENTUI_MOUSE, true),
    bell: flags["no-bell"] !== true && isOn("OPENTUI_BELL", env.OPENTUI_BELL, true),
    title: flags["no-title"] !== true && isOn("OPENTUI_TITLE", env.OPENTUI_TITLE, true),
    notify: flags["no-notify"] !== true && isOn("OPENTUI_NOTIFY", env.OPENTUI_NOTIFY, true),
    editor: commandWords(env.VISUAL || env.EDITOR || "vi"),
    viewer: commandWords(env.OPENTUI_VIEWER || env.VISUAL || env.EDITOR || "vi"),
    pager: commandWords(env.PAGER || "less"),
    stateDir: join(stateHome(env), "opentui-sidecar"),
    multiplexer: env.TMUX ? "tmux" : env.STY ? "screen" : null,
    segments: segmentsOf(flags, env),
    pauseAt: condition(flags["pause-at"]),
    onAgentExit: choice("on-agent-exit value", flags["on-agent-exit"] ?? (env.OPENTUI_ON_AGENT_EXIT || "stay"), [
      "stay",
      "leave",
    ]),
    chart: env.OPENTUI_CHART ? sanitizeLine(env.OPENTUI_CHART) : null,
    session: env.OPENTUI_SESSION_SHORT ? sanitizeLine(env.OPENTUI_SESSION_SHORT) : null,
  }
}

/** The XDG specification says to ignore a relative path. */
function stateHome(env: Environment): string {
  const home = env.XDG_STATE_HOME ?? ""
  return isAbsolute(home) ? home : join(homedir(), ".local/state")
}

/** Our own option first, then the variable that the agent's parser reads. We ignore unknown names in the latter. */
function segmentsOf(flags: Flags, env: Environment): ParserName {
  const own = flags.segments ?? (env.OPENTUI_SEGMENTS || undefined)
  if (own !== undefined) return segmentParser(own)
  const theirs = (env.AUTOBYTEUS_STREAM_PARSER ?? "").toLowerCase()
  return SEGMENT_PARSERS.find(name => name === theirs) ?? "api_tool_call"
}

/** What the terminal claims to support. An empty NO_COLOR counts as unset, as its specification says. */
function colorsOf(env: Environment): ScreenOptions["colors"] {
  const term = env.TERM ?? ""
  if (env.NO_COLOR || term === "dumb") return "none"
  if (/truecolor|24bit/i.test(env.COLORTERM ?? "") || /kitty|ghostty|alacritty|wezterm|foot|direct/.test(term))
    return "truecolor"
  return term.includes("256color") ? "256" : "16"
}

/** Reads the number of the background from a terminal's `15;0`: 7 and those from 9 on are pale. */
function backgroundOf(foregroundAndBackground = ""): ScreenOptions["likelyBackground"] {
  return /(^|;)(7|9|1[0-5])$/.test(foregroundAndBackground) ? "light" : "dark"
}
