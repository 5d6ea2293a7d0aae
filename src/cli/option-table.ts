// Lists the options of the screen's commands, as they are parsed, explained and completed.
import { parseArgs } from "node:util"
import { LIMIT_OPTIONS } from "./check/finding-limits.ts"
import { unknownOption } from "./command-arguments.ts"
import { choice, condition, moment, number, readPrices, SEGMENT_PARSERS, tracesUrl } from "./option-value.ts"

/** An option of the command line. */
export interface Option {
  readonly type: "boolean" | "string"
  readonly short?: string
  readonly multiple?: true
  /** What its value is called; beside `values`, what else it may be. */
  readonly takes?: string
  /** The values it may have. */
  readonly values?: readonly string[]
  /** Throws a one-line Error if a text is no value of it; `called` is what the error calls it. */
  readonly check?: (called: string, text: string) => unknown
  /** What holds if nothing names a value; a switch is off then. */
  readonly unset?: string
  /** True if its value is a file or a directory. */
  readonly isPath?: true
  readonly about: string
  /** The variables that say the same, the first first: `A, B`. With `=0` or `=1`, what switches it on. */
  readonly variable?: string
}

export type OptionTable = { readonly [name: string]: Option }

export const PRICES_OPTION = {
  prices: {
    type: "string",
    takes: "FILE",
    isPath: true,
    check: (called, path) => readPrices(path, called),
    about: "what tokens cost: LiteLLM's model_prices_and_context_window.json",
    variable: "OPENTUI_PRICES",
  },
} as const satisfies OptionTable

export const SCREEN_OPTIONS = {
  plain: {
    type: "boolean",
    about: "labelled lines, as without a terminal or with TERM=dumb",
    variable: "OPENTUI_PLAIN=1",
  },
  times: {
    type: "string",
    values: ["full", "short", "no"],
    unset: "full",
    about: "how plain lines tell the time: +01:08.156, 1m08s or not at all",
    variable: "OPENTUI_TIMES",
  },
  theme: {
    type: "string",
    values: ["dark", "light", "auto"],
    takes: "NAME",
    unset: "auto",
    about: "the colours: for a dark or light background, as the terminal has it, or your own (docs/reference.md)",
    variable: "OPENTUI_THEME",
  },
  colors: {
    type: "string",
    values: ["truecolor", "256", "16", "none"],
    unset: "what the terminal says",
    about: "how many colours to use; else what the terminal says",
    variable: "OPENTUI_COLORS, NO_COLOR",
  },
  ascii: { type: "boolean", about: "draws with ASCII characters alone", variable: "OPENTUI_ASCII=1" },
  "reduced-motion": { type: "boolean", about: "nothing blinks or turns", variable: "OPENTUI_REDUCED_MOTION=1" },
  "no-mouse": {
    type: "boolean",
    about: "leaves the mouse to the terminal; :mouse too, on the screen; without it Shift-drag selects",
    variable: "OPENTUI_MOUSE=0",
  },
  "read-only": { type: "boolean", about: "sends nothing to the agent", variable: "OPENTUI_READ_ONLY=1" },
  "no-bell": { type: "boolean", about: "no bell for a question", variable: "OPENTUI_BELL=0" },
  "no-title": { type: "boolean", about: "leaves the window's title alone", variable: "OPENTUI_TITLE=0" },
  "no-notify": { type: "boolean", about: "no notification for a question", variable: "OPENTUI_NOTIFY=0" },
  segments: {
    type: "string",
    values: SEGMENT_PARSERS,
    unset: "api_tool_call",
    about: "how model text is parsed; default api_tool_call",
    variable: "OPENTUI_SEGMENTS, AUTOBYTEUS_STREAM_PARSER",
  },
  "on-agent-exit": {
    type: "string",
    values: ["stay", "leave"],
    unset: "stay",
    about: "whether to leave when the agent ends",
    variable: "OPENTUI_ON_AGENT_EXIT",
  },
  ...PRICES_OPTION,
} as const satisfies OptionTable

export const LIVE_OPTIONS = {
  "allow-remote": { type: "boolean", about: "also agents on other machines", variable: "OPENTUI_ALLOW_REMOTE=1" },
  "session-dir": {
    type: "string",
    takes: "DIR",
    isPath: true,
    about: "the run's session directory",
    variable: "ESCAPEMENT_SESSION_DIR, OPENTUI_SESSION_DIR",
  },
  timeout: {
    type: "string",
    takes: "SECONDS",
    unset: "60 into a pipe, else none",
    check: (called, text) => number(called, text, 0.1, 86_400),
    about: "ends with exit code 3 if no agent answers in this time; default 60 into a pipe, else none",
  },
} as const satisfies OptionTable

export const RECORD_OPTION = {
  record: {
    type: "string",
    takes: "FILE",
    isPath: true,
    about: "appends every raw frame, to replay later; R starts and stops it",
    variable: "OPENTUI_RECORD",
  },
} as const satisfies OptionTable

export const TRACE_OPTIONS = {
  otlp: {
    type: "string",
    takes: "URL",
    check: tracesUrl,
    about: "sends the run as OpenTelemetry's spans to this receiver as it goes (docs/traces.md)",
    variable: "OPENTUI_OTLP",
  },
  "otlp-encoding": {
    type: "string",
    values: ["protobuf", "json"],
    unset: "protobuf",
    about: "how spans are encoded; default protobuf",
  },
  "otlp-content": { type: "boolean", about: "spans with what was said and what tools were given and returned" },
} as const satisfies OptionTable

export const PARSER_OPTION = {
  parser: {
    type: "string",
    takes: "NAME|PACKAGE|FILE",
    isPath: true,
    about: "reads an agent CLI: claude, codex, gemini, opencode, cursor, pi, grok, kimi, escapement, or a ui-parser",
  },
} as const satisfies OptionTable

/** How much of what `run` showed is kept. */
export const KEEP_OPTIONS = {
  "no-keep": { type: "boolean", about: "keeps no recording of this run" },
  "keep-runs": {
    type: "string",
    takes: "N",
    unset: "200",
    check: (called, text) => number(called, text, 1, 10_000, "a whole number"),
    about: "how many runs are kept; default 200",
  },
  "keep-mb": {
    type: "string",
    takes: "N",
    unset: "2048",
    check: (called, text) => number(called, text, 1, 1_000_000, "a whole number"),
    about: "how many megabytes of runs are kept; default 2048",
  },
} as const satisfies OptionTable

/** How `run` talks to an agent. */
export const TALK_OPTIONS = {
  acp: { type: "boolean", about: "talks to the command over the Agent Client Protocol; known names need no flag" },
  prompt: { type: "string", takes: "TEXT", about: "the first prompt, for a command behind -- that is talked to" },
  once: { type: "boolean", about: "ends after the first prompt's result, and asks for no further one" },
} as const satisfies OptionTable

/** Whether the sessions of other programs are listed beside the runs. */
export const STORES_OPTION = {
  "no-stores": { type: "boolean", about: "lists no sessions of the agent CLIs on this machine" },
} as const satisfies OptionTable

const UNKNOWN_OPTION = {
  "debug-unknown": { type: "boolean", about: "shows every line of an agent CLI of a kind that is not read" },
} as const satisfies OptionTable

export const AT_OPTION = {
  at: {
    type: "string",
    takes: "SEQ|TIME",
    check: moment,
    about: "the moment: 812, e2/812, #1204, 50%, +12.5s, 14:03:22",
  },
} as const satisfies OptionTable

export const PAUSE_OPTION = {
  "pause-at": {
    type: "string",
    takes: "EXPR",
    check: condition,
    about: "pauses when this becomes true, also live: state=review, error, tokens>4000",
  },
} as const satisfies OptionTable

export const REPLAY_OPTIONS = {
  timing: {
    type: "string",
    values: ["instant", "paced", "wallclock"],
    unset: "wallclock; instant into a pipe",
    about: "how fast it is read; default wallclock",
    variable: "OPENTUI_REPLAY_TIMING",
  },
  speed: {
    type: "string",
    takes: "N",
    unset: "1",
    check: (called, text) => number(called, text, 0.01, 10_000),
    about: "scales paced and wallclock",
  },
  "idle-limit": {
    type: "string",
    takes: "SECONDS",
    unset: "2",
    check: (called, text) => number(called, text, 0, 86_400),
    about: "shortens longer pauses; default 2",
    variable: "OPENTUI_IDLE_LIMIT",
  },
  loop: { type: "boolean", about: "starts over at the end", variable: "OPENTUI_REPLAY_LOOP=1" },
  "no-index": {
    type: "boolean",
    about: "keeps nothing of a long recording that would open it sooner the next time",
    variable: "OPENTUI_INDEX=0",
  },
  ...AT_OPTION,
} as const satisfies OptionTable

export const GENERAL_OPTIONS = {
  help: { type: "boolean", short: "h", about: "prints this, or the help of a command" },
  version: { type: "boolean", short: "V", about: "prints the version" },
  doctor: { type: "boolean", about: "prints what this terminal can do" },
} as const satisfies OptionTable

export const CONFIG_OPTION = {
  as: { type: "string", values: ["text", "json"], unset: "text", about: "the format" },
} as const satisfies OptionTable

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
  sessions: { ...CONFIG_OPTION, ...SETTINGS },
  config: { ...CONFIG_OPTION, ...SETTINGS },
  completion: {},
  man: {},
  help: {},
} as const satisfies { readonly [command: string]: OptionTable }

const OPTIONS = { ...CONFIG_OPTION, ...TALK_OPTIONS, ...SETTINGS, ...GENERAL_OPTIONS }

/** Splits arguments into flags and positionals. Throws an Error that names an unknown flag. */
export function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true })
  } catch (error) {
    throw unknownOption(error, Object.keys(OPTIONS))
  }
}

export type Environment = { readonly [name: string]: string | undefined }

/** The values of options by name. */
export type FlagValues = ReturnType<typeof parseFlags>["values"]

/** Throws a one-line Error if an option can't have that value; `called` is what the error calls the option. */
export function checkValue({ values, takes, check }: Option, name: string, value: string, called = name): void {
  if (values !== undefined && takes === undefined) choice(name, value, values)
  check?.(called, value)
}
