// Lists the options of the screen's commands, as they are parsed, explained and completed.
import { parseArgs } from "node:util"
import { LIMIT_OPTIONS } from "./check/finding-limits.ts"
import { optionError } from "./command-arguments.ts"
import { flag, located, numbered, type OptionTable, valued, whole } from "./option.ts"
import { condition, moment, readPrices, SEGMENT_PARSERS, tracesUrl } from "./option-value.ts"

export const PRICES_OPTION = {
  prices: {
    ...located("what tokens cost: LiteLLM's model_prices_and_context_window.json", "FILE", "OPENTUI_PRICES"),
    check: (called: string, path: string) => readPrices(path, called),
  },
} satisfies OptionTable

export const SCREEN_OPTIONS = {
  plain: flag("labelled lines, as without a terminal or with TERM=dumb", "OPENTUI_PLAIN=1"),
  times: valued("how plain lines tell the time: +01:08.156, 1m08s or not at all", {
    values: ["full", "short", "no"],
    unset: "full",
    variable: "OPENTUI_TIMES",
  }),
  theme: valued(
    "the colours: for a dark or light background, as the terminal has it, or your own (docs/reference.md)",
    { values: ["dark", "light", "auto"], takes: "NAME", unset: "auto", variable: "OPENTUI_THEME" },
  ),
  colors: valued("how many colours to use; else what the terminal says", {
    values: ["truecolor", "256", "16", "none"],
    unset: "what the terminal says",
    variable: "OPENTUI_COLORS, NO_COLOR",
  }),
  ascii: flag("draws with ASCII characters alone", "OPENTUI_ASCII=1"),
  "reduced-motion": flag("nothing blinks or turns", "OPENTUI_REDUCED_MOTION=1"),
  "no-mouse": flag("leaves the mouse to the terminal, as :mouse does; otherwise Shift-drag selects", "OPENTUI_MOUSE=0"),
  "read-only": flag("sends nothing to the agent", "OPENTUI_READ_ONLY=1"),
  "no-bell": flag("no bell for a question", "OPENTUI_BELL=0"),
  "no-title": flag("leaves the window's title alone", "OPENTUI_TITLE=0"),
  "no-notify": flag("no notification for a question", "OPENTUI_NOTIFY=0"),
  segments: valued("how model text is parsed; default api_tool_call", {
    values: SEGMENT_PARSERS,
    unset: "api_tool_call",
    variable: "OPENTUI_SEGMENTS, AUTOBYTEUS_STREAM_PARSER",
  }),
  "on-agent-exit": valued("whether to leave when the agent ends", {
    values: ["stay", "leave"],
    unset: "stay",
    variable: "OPENTUI_ON_AGENT_EXIT",
  }),
  ...PRICES_OPTION,
} satisfies OptionTable

export const LIVE_OPTIONS = {
  "allow-remote": flag("also agents on other machines", "OPENTUI_ALLOW_REMOTE=1"),
  "session-dir": located("the run's session directory", "DIR", "ESCAPEMENT_SESSION_DIR, OPENTUI_SESSION_DIR"),
  timeout: numbered(
    "ends with exit code 3 if no agent answers in this time; default 60 into a pipe, else none",
    [0.1, 86_400],
    {
      takes: "SECONDS",
      unset: "60 into a pipe, else none",
    },
  ),
} satisfies OptionTable

const RECORD_OPTION = {
  record: located("appends every raw frame, to replay later; R starts and stops it", "FILE", "OPENTUI_RECORD"),
} satisfies OptionTable

export const TRACE_OPTIONS = {
  otlp: valued("sends the run as OpenTelemetry's spans to this receiver as it goes (docs/traces.md)", {
    takes: "URL",
    check: tracesUrl,
    variable: "OPENTUI_OTLP",
  }),
  "otlp-content": flag("adds messages and the inputs and results of tools to the spans"),
} satisfies OptionTable

export const PARSER_OPTION = {
  parser: located(
    "reads an agent CLI: claude, codex, gemini, opencode, cursor, pi, grok, kimi, escapement, or a ui-parser",
    "NAME|PACKAGE|FILE",
  ),
} satisfies OptionTable

export const WHERE_OPTION = {
  where: valued("only the frames that match the filter", { takes: "EXPR" }),
} satisfies OptionTable

export const REDACT_OPTION = { "no-redact": flag("keeps keys, tokens and passwords") } satisfies OptionTable

export const KEEP_OPTIONS = {
  "no-keep": flag("keeps no recording of this run"),
  "keep-runs": whole("how many runs are kept; default 200", [1, 10_000], "200"),
  "keep-mb": whole("how many megabytes of runs are kept; default 2048", [1, 1_000_000], "2048"),
} satisfies OptionTable

const TALK_OPTIONS = {
  acp: flag("talks to the command over the Agent Client Protocol; known names need no flag"),
  prompt: valued("the first prompt, for a command behind -- that is talked to", { takes: "TEXT" }),
  once: flag("ends after the first prompt's result"),
} satisfies OptionTable

/** Whether the sessions of other programs are listed beside the runs. */
export const STORES_OPTION = {
  "no-stores": flag("lists no sessions of the agent CLIs on this machine"),
} satisfies OptionTable

export const HOOK_OPTIONS = {
  print: { type: "boolean", about: "prints the lines for settings.json" },
} as const satisfies OptionTable

const UNKNOWN_OPTION = {
  "debug-unknown": flag("shows every line of an agent CLI that the reader does not know"),
} satisfies OptionTable

export const AT_OPTION = {
  at: valued("the moment: 812, e2/812, #1204, 50%, +12.5s, 14:03:22", { takes: "SEQ|TIME", check: moment }),
} satisfies OptionTable

const PAUSE_OPTION = {
  "pause-at": valued("pauses when this becomes true, also live: state=review, error, tokens>4000", {
    takes: "EXPR",
    check: condition,
  }),
} satisfies OptionTable

export const REPLAY_OPTIONS = {
  timing: valued("how fast it is read; default wallclock", {
    values: ["instant", "paced", "wallclock"],
    unset: "wallclock; instant into a pipe",
    variable: "OPENTUI_REPLAY_TIMING",
  }),
  speed: numbered("scales paced and wallclock", [0.01, 10_000], { takes: "N", unset: "1" }),
  "idle-limit": numbered("shortens longer pauses; default 2", [0, 86_400], {
    takes: "SECONDS",
    unset: "2",
    variable: "OPENTUI_IDLE_LIMIT",
  }),
  loop: flag("starts over at the end", "OPENTUI_REPLAY_LOOP=1"),
  "no-index": flag("keeps no index of a long recording", "OPENTUI_INDEX=0"),
  ...AT_OPTION,
} satisfies OptionTable

export const GENERAL_OPTIONS = {
  help: { ...flag("prints this, or the help of a command"), short: "h" },
  version: { ...flag("prints the version"), short: "V" },
  doctor: flag("prints what this terminal can do"),
} satisfies OptionTable

export const LIST_OPTION = {
  as: valued("the format", { values: ["text", "json"], unset: "text" }),
} satisfies OptionTable

const WATCHED = { ...SCREEN_OPTIONS, ...PAUSE_OPTION, ...LIMIT_OPTIONS }
const KEPT = { ...RECORD_OPTION, ...TRACE_OPTIONS }
const WATCHED_LIVE = { ...LIVE_OPTIONS, ...KEPT, ...WATCHED }
const SESSION_DIR = { "session-dir": LIVE_OPTIONS["session-dir"] }

/** Every option that the config file may name too. */
export const SETTINGS = {
  ...WATCHED_LIVE,
  ...REPLAY_OPTIONS,
  ...PARSER_OPTION,
  ...UNKNOWN_OPTION,
  ...KEEP_OPTIONS,
  ...STORES_OPTION,
}

/** What each command takes, of those that have no table of their own. The start without a command has no name. */
export const COMMAND_OPTIONS = {
  "": SETTINGS,
  attach: WATCHED_LIVE,
  replay: { ...REPLAY_OPTIONS, ...PARSER_OPTION, ...UNKNOWN_OPTION, ...SESSION_DIR, ...WATCHED },
  run: { ...TALK_OPTIONS, ...PARSER_OPTION, ...UNKNOWN_OPTION, ...KEEP_OPTIONS, ...KEPT, ...SESSION_DIR, ...WATCHED },
  demo: { ...KEPT, ...WATCHED },
  sessions: { ...LIST_OPTION, ...SETTINGS },
  config: SETTINGS,
  completion: {},
  help: {},
} as const satisfies { readonly [command: string]: OptionTable }

const OPTIONS = { ...LIST_OPTION, ...TALK_OPTIONS, ...SETTINGS, ...GENERAL_OPTIONS }

/** Splits arguments into flags and positionals. Throws an Error that names an unknown flag. */
export function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true })
  } catch (error) {
    throw optionError(error, Object.keys(OPTIONS))
  }
}

export type Environment = { readonly [name: string]: string | undefined }

export type FlagValues = ReturnType<typeof parseFlags>["values"]
