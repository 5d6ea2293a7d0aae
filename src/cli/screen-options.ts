// Reads the screen's options from flags and the environment, both passed in.
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { findingLimits } from "./check/finding-limits.ts"
import { configDirectory } from "./config-file.ts"
import { loadTheme } from "./load-theme.ts"
import type { Flags } from "./option-settings.ts"
import { type Environment, type FlagValues, KEEP_OPTIONS, SCREEN_OPTIONS } from "./option-table.ts"
import { choice, commandWords, condition, readPrices, segmentParser, tracesUrl } from "./option-value.ts"

export type ScreenOptions = Readonly<ReturnType<typeof readScreen>>
/** A receiver of OTLP over HTTP, and what it is sent. */
export type TraceOptions = Readonly<NonNullable<ReturnType<typeof traceOptions>>>

/** The screen's options, of flags that hold what variables and the config file say too. */
export function readScreen(flags: Flags, env: Environment) {
  const { times, colors, segments, "on-agent-exit": onAgentExit } = SCREEN_OPTIONS
  const multiplexer: "tmux" | "screen" | null = env.TMUX ? "tmux" : env.STY ? "screen" : null
  return {
    /** Plain lines instead of a screen: requested, or because there is no capable terminal. */
    plain: flags.plain === true || flags.piped || env.TERM === "dumb",
    times: choice("times", flags.times ?? times.unset, times.values),
    theme: loadTheme(flags.theme ?? "auto", configDirectory(env)).theme,
    /** The background to draw for if the terminal doesn't tell its own. */
    likelyBackground: backgroundOf(env.COLORFGBG),
    colors: choice("colors", flags.colors ?? colorsOf(env), colors.values),
    ascii: flags.ascii === true,
    motion: flags["reduced-motion"] !== true,
    readOnly: flags["read-only"] === true,
    mouse: flags["no-mouse"] !== true,
    /** How a question gets the user's attention: the bell, the window title, a desktop notification. */
    bell: flags["no-bell"] !== true,
    title: flags["no-title"] !== true,
    notify: flags["no-notify"] !== true,
    editor: commandWords(env.VISUAL || env.EDITOR || "vi"),
    /** The program that opens an artifact, as command words. */
    viewer: commandWords(env.OPENTUI_VIEWER || env.VISUAL || env.EDITOR || "vi"),
    /** The program that shows a long text, as command words; it reads its stdin. */
    pager: commandWords(env.PAGER || "less"),
    stateDir: stateDirectory(env),
    keeps: keptOf(flags),
    /** A multiplexer between us and the terminal: escape sequences for the terminal itself must be wrapped for it. */
    multiplexer,
    /** How model text is parsed into segments (docs/decisions.md 7.9). */
    segments: segmentParser(flags.segments ?? segments.unset),
    /** From when on something is a finding. */
    limits: findingLimits(flags),
    prices: readPrices(flags.prices),
    /** A condition that pauses the run or the replay when it becomes true; null for none. */
    pauseAt: condition("--pause-at", flags["pause-at"]),
    onAgentExit: choice("on-agent-exit", flags["on-agent-exit"] ?? onAgentExit.unset, onAgentExit.values),
    chart: env.OPENTUI_CHART ? sanitizeLine(env.OPENTUI_CHART) : null,
    session: env.OPENTUI_SESSION_SHORT ? sanitizeLine(env.OPENTUI_SESSION_SHORT) : null,
    /** Where the spans of a live run go; null for nowhere. */
    traces: traceOptions(flags, env),
    /** Mistakes are left in it only if an agent started us: a person gets none of what they asked for. */
    config: flags.config,
  }
}

/** How much of what `run` showed is kept; null if this run isn't. */
export function keptOf(flags: Pick<Flags, "no-keep" | "keep-runs" | "keep-mb">) {
  if (flags["no-keep"] === true) return null
  return {
    runs: Number(flags["keep-runs"] ?? KEEP_OPTIONS["keep-runs"].unset),
    bytes: Number(flags["keep-mb"] ?? KEEP_OPTIONS["keep-mb"].unset) * 1024 * 1024,
  }
}

/** Where the program keeps its own files. */
export function stateDirectory(env: Environment): string {
  return join(stateHome(env), "opentui-sidecar")
}

/** The XDG specification says to ignore a relative path. */
function stateHome(env: Environment): string {
  const home = env.XDG_STATE_HOME ?? ""
  return isAbsolute(home) ? home : join(homedir(), ".local/state")
}

function colorsOf(env: Environment): (typeof SCREEN_OPTIONS.colors.values)[number] {
  const term = env.TERM ?? ""
  if (term === "dumb") return "none"
  if (/truecolor|24bit/i.test(env.COLORTERM ?? "") || /kitty|ghostty|alacritty|wezterm|foot|direct/.test(term))
    return "truecolor"
  return term.includes("256color") ? "256" : "16"
}

/** Reads the number of the background from a terminal's `15;0`: 7 and those from 9 on are pale. */
function backgroundOf(foregroundAndBackground = ""): "dark" | "light" {
  return /(^|;)(7|9|1[0-5])$/.test(foregroundAndBackground) ? "light" : "dark"
}

/** Null without a receiver. Throws a one-line Error for an address or a header that can't be one. */
export function traceOptions(flags: FlagValues, env: Environment) {
  if (flags.otlp === undefined) return null
  return {
    url: tracesUrl("--otlp", flags.otlp),
    headers: headersIn(env.OTEL_EXPORTER_OTLP_HEADERS ?? ""),
    /** Also what was said, and what tools were given and returned. */
    content: flags["otlp-content"] === true,
  }
}

/** Headers as OpenTelemetry writes them: `name=value,name=value`, with percent signs for what is special. */
function headersIn(text: string): { readonly [name: string]: string } {
  const pairs = text.split(",").filter(pair => pair.trim() !== "")
  return Object.fromEntries(
    pairs.map(pair => {
      const [name = "", ...rest] = pair.split("=")
      const value = rest.join("=")
      if (
        rest.length === 0 ||
        !/^[\w!#$%&'*+.^`|~-]+$/.test(name.trim()) ||
        /%(?![0-9a-f]{2})|[\0-\x1f\x7f]/i.test(value)
      ) {
        throw new Error("OTEL_EXPORTER_OTLP_HEADERS: expected name=value, …")
      }
      return [name.trim(), decodeURIComponent(value.trim())]
    }),
  )
}
