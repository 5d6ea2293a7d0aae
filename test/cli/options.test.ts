// Keeps what the command line and the environment become: what differs from the usual options.
import { beforeAll, expect, test } from "bun:test"
import { homedir } from "node:os"
import { join } from "node:path"
import type { Environment } from "../../src/cli/option-table.ts"
import { since } from "../../src/cli/option-value.ts"
import { type Options, readOptions, withTermFallback } from "../../src/cli/options.ts"
import type { ScreenOptions } from "../../src/cli/screen-options.ts"
import { fileScratch } from "../scratch.ts"
import { lines } from "./called.ts"

const scratch = fileScratch()
const recording = join(scratch, "run.jsonl")
beforeAll(async () => {
  for (const [name, text] of [
    ...[["run.jsonl", '{"event":"runner/started","seq":0,"ts":1}\n'] as const, ["a.log", "one\n"] as const],
    ...["session", "bug", "odd", "none", "low", "big"].map(name => [`${name}/transcript.jsonl`, ""] as const),
    ["bug/bug.json", '{"kind":"bug","at":3}'],
    ["big/bug.json", '{"kind":"bug","at":3}'.padEnd(256 * 1024 + 1)],
    ["odd/bug.json", '{"kind":"bug","at":3.5}'],
    ["low/bug.json", '{"kind":"bug","at":-3}'],
    ["none/bug.json", '{"kind":"other","at":3}'],
  ] as const)
    await Bun.write(join(scratch, name), text)
})

/** `A=1 B= replay @/x`: a command line behind its variables, where `@` is the scratch directory. */
function read(line: string, interactive = true): Options {
  const words = line
    .split(" ")
    .filter(Boolean)
    .map(word => word.replace(/@(?=\/|$)/, scratch).replaceAll("_", " "))
  const isVariable = (word: string): boolean => /^[A-Z][A-Z ]+=/.test(word)
  const env: Environment = Object.fromEntries(
    words
      .filter(isVariable)
      .map(word => [word.slice(0, word.indexOf("=")).replaceAll(" ", "_"), word.slice(word.indexOf("=") + 1)]),
  )
  return readOptions(
    words.filter(word => !isVariable(word)),
    env,
    interactive,
  )
}

const usual = read("attach")

const changed = (value: unknown, known: unknown): unknown => {
  if (typeof value === "function" || JSON.stringify(value) === JSON.stringify(known)) return undefined
  if (value instanceof Map || value === null || typeof value !== "object" || Array.isArray(value)) return value
  const before: { readonly [name: string]: unknown } = { ...(known as object) }
  const entries = Object.entries(value).map(([name, one]) => [name, changed(one, before[name])] as const)
  return Object.fromEntries(entries.filter(([, one]) => one !== undefined))
}

/** What of the options differs from the usual ones. */
function differences(read: Options): string {
  const { env: _, config: __, settings: ___, ...options } = { ...read } as { [name: string]: unknown }
  const text = JSON.stringify(changed(options, usual) ?? {})
    .replaceAll(scratch, "@")
    .replaceAll(homedir(), "~")
  return text.replaceAll(process.cwd(), "CWD").replace(`"pid":${process.ppid}`, '"pid":"parent"')
}

const told = (line: string, interactive?: boolean): string => differences(read(line, interactive))

const SPAWNED = lines(
  `OPENTUI_WS_PORT=10 | | OPENTUI_WS_URL=ws://127.0.0.1:9/ws | OPENTUI_WS_TOKEN=t`,
  `| OPENTUI_WS_URL= OPENTUI_WS_PORT= | ESCAPEMENT_SESSION_ID=s | ESCAPEMENT_SESSION_DIR=/runs/1 OPENTUI_SESSION_DIR=/runs/2`,
  `| OPENTUI_SESSION_DIR=/runs/2 | OPENTUI_CHART=hai\x1bku | OPENTUI_SESSION_SHORT=889d | OPENTUI_MOUSE=1`,
  `OPENTUI_REPLAY=@/run.jsonl | | OPENTUI_WS_URL=ws://127.0.0.1:9/ws | OPENTUI_REPLAY_LOOP=1 | OPENTUI_REPLAY_LOOP=0`,
  `OPENTUI_REPLAY=@/run.jsonl OPENTUI_REPLAY_TIMING=instant | | OPENTUI_REPLAY_TIMING=paced | OPENTUI_REPLAY_TIMING=wallclock`,
  `OPENTUI_REPLAY=@/run.jsonl | OPENTUI_REPLAY_TIMING=soon | OPENTUI_REPLAY_LOOP=maybe`,
  `| attach OPENTUI_CHART=c ESCAPEMENT_SESSION_DIR=/runs/1 | sessions @ ESCAPEMENT_SESSION_ID=s`,
)

test.each(SPAWNED)("an agent that sets `%s`", line => expect(told(line)).toMatchSnapshot())

const TYPED = lines(
  `attach | | --session-dir /runs/3 ESCAPEMENT_SESSION_DIR=/runs/1 | --record a.jsonl --timeout 2.5 | a b | --nonsense | -z`,
  `replay @/run.jsonl | OPENTUI_SESSION_DIR=/runs/2 | --session-dir /runs/3 | --parser claude | --at e2/5 --pause-at error`,
  `replay @/run.jsonl | --timing paced OPENTUI_REPLAY_TIMING=instant OPENTUI_INDEX=0 OPENTUI_RECORD=@/x | --speed | --speed -1`,
  `replay | @/session --speed 2.5 --loop --idle-limit 0.5 | @/bug | @/bug --at 7 | @/odd | @/low | @/none | @/big | @/a.log --debug-unknown`,
  `attach | ws://192.0.2.1/ws --allow-remote | ws://192.0.2.1/ws OPENTUI_ALLOW_REMOTE=1 | OPENTUI_WS_URL=ws://127.0.0.1:9/ws`,
  `attach | ws://[::1]:4000/ws NODE_TLS_REJECT_UNAUTHORIZED=0 | wss://127.0.0.1/ws NODE_TLS_REJECT_UNAUTHORIZED=0`,
  `attach | TERM=dumb | TERM=linux | TERM=screen-256color | TERM=xterm-256color COLORTERM=24bit | TERM=xterm-kitty`,
  `attach COLORTERM=truecolor | NO_COLOR= | NO_COLOR=1 | NO_COLOR=1 OPENTUI_COLORS=16 | --colors 256 OPENTUI_COLORS=16`,
  `attach | --no-bell | --no-title --no-notify | --no-mouse --reduced-motion --read-only --plain --ascii | --tehme dark`,
  `attach | OPENTUI_BELL=0 OPENTUI_TITLE=off OPENTUI_NOTIFY=1 OPENTUI_MOUSE=no | OPENTUI_BELL=`,
  ...["1", "yes", "true", "on", "YES", "0", "no", "false", "off", ""].map(word => `attach OPENTUI_ASCII=${word}`),
  `attach | COLORFGBG=15;0 | COLORFGBG=0;15 | COLORFGBG=0;default;15 | COLORFGBG=12;8 | COLORFGBG=0;7 | COLORFGBG=10 | COLORFGBG=default;default`,
  `attach | OPENTUI_WS_TOKEN= | EDITOR=ed | VISUAL=code_--wait EDITOR=ed | OPENTUI_VIEWER=less EDITOR=ed | PAGER=more`,
  `attach | TMUX=t STY=s | STY=s | XDG_STATE_HOME=/state | XDG_STATE_HOME=state | --segments xml OPENTUI_SEGMENTS=json`,
  `attach AUTOBYTEUS_STREAM_PARSER=XML | | OPENTUI_SEGMENTS=json | AUTOBYTEUS_STREAM_PARSER=x`,
  `attach --silence 5 --repeats 4 --retries 5 --context 50% --growth 2 --cost 0 --duration 9`,
  `attach | --otlp http://a:4318 | --otlp https://a/api/ --otlp-content | --otlp http://a/v1/traces | --otlp=http://me:secret@a/ | --otlp=http://me@a/`,
  `attach --otlp http://a | OTEL_EXPORTER_OTLP_HEADERS=A=b=c,,x-y_=_%41 | OTEL_EXPORTER_OTLP_HEADERS=A`,
  ...["A=%4", "=b", "a_b=c", "A=a\tb"].map(one => `attach OPENTUI_OTLP=http://a OTEL_EXPORTER_OTLP_HEADERS=${one}`),
  `attach | --otlp= | --otlp=localhost:4318 | --otlp=ftp://a/ | --otlp=/v1/traces`,
  `sessions | | @ --as json | --no-stores | --as xml`,
  `| demo --record x | demo --timing instant | --no-keep --keep-runs 3 | run | run claude Why?`,
  `run | -- tea --x | --keep-runs 3 --keep-mb 5 -- tea | --acp -- tea | --no-keep -- tea | --acp --once --prompt Hi -- tea`,
  `run | --read-only --acp -- tea | --prompt Hi -- tea`,
  `run | claude | --plain claude why does it | --read-only claude why | codex why? | opencode why | make all`,
  `run | opencode acp why not | codex-acp why | --acp claude-agent-acp why | --acp -- mine serve`,
  `run | -- claude why? | -- gemini -p x | --prompt why -- gemini --acp -m x`,
  `run -- | other --input-format --permission-prompt-tool stdio | codex exec --json hi | gemini -p hi -o stream-json`,
  `run -- | cursor-agent -p --output-format stream-json hi | grok -p hi --output-format streaming-json | pi --mode json hi`,
  `run -- | kimi -p hi --output-format stream-json | opencode run --format json hi | sh -c claude`,
  ...["claude -p", "/opt/bin/claude --print"].map(
    claude => `run -- ${claude} hi --output-format=stream-json --verbose --include-partial-messages`,
  ),
  `run OPENTUI_SESSION_DIR=/runs/2 -- tea`,
  `run -- | codex hi | cursor-agent hi | grok hi | kimi hi | opencode hi | pi hi`,
  `acp-tee | -- tea --x | tea | --record -- tea | --help | -h`,
  `| hook claude -h | hook --help | fold x OPENTUI_PRICES= | --version | --help | replay --help | --doctor --ascii`,
  `| \x1b[2J | help fold | completion zsh | replay @/session OPENTUI_SESSION_DIR=/runs/2`,
)

test.each(TYPED)("a person who types `%s`", line => expect(told(line)).toMatchSnapshot())

const PIPED = lines(
  `| attach | replay @/run.jsonl | replay @/run.jsonl --timing paced | run -- tea | run --acp -- tea | demo`,
  `run | claude why | --acp gemini why | opencode acp`,
)

test.each(["", ...PIPED])("without a terminal `%s`", line => expect(told(line, false)).toMatchSnapshot())

test("a time is so many minutes, hours, days or weeks ago", () => {
  const minutes = ["90m", "12h", "7d", "2w"].map(text => (9e12 - (since("--since", text, 9e12) ?? 0)) / 60_000)
  expect([minutes, since("--since", undefined)]).toEqual([[90, 720, 10_080, 20_160], null])
})

test("home opens what a person chooses with the options that it was started with", () => {
  const home = read("sessions --read-only --record @/a.jsonl --session-dir /runs/1 --speed 3")
  if (home.command !== "home") throw new Error("expected the options of home")
  const agent = { type: "agent", url: "ws://127.0.0.1:9/ws" } as const
  const talk = { command: ["tea"], sessionId: "s", directory: "/shop" }
  const opened = [
    ...([{ type: "demo" }, { type: "recording", path: recording }, { type: "talk", ...talk }] as const),
    ...[
      { ...agent, directory: null },
      { ...agent, directory: "/runs/2" },
    ],
  ].map(target => differences(home.open(target)))
  expect(opened).toMatchSnapshot()
  expect(() => home.open({ type: "recording", path: "/none" })).toThrow("no such file")
})

test("a TERM without 256 colours says them while something opens, unless no colour needs it", async () => {
  const before = process.env.TERM
  const seen = async (term: string | undefined, colors: ScreenOptions["colors"]) => {
    if (term === undefined) delete process.env.TERM
    else process.env.TERM = term
    return `${await withTermFallback(colors, async () => process.env.TERM)} ${process.env.TERM}`
  }
  const told = [await seen("xterm", "256"), await seen(undefined, "16"), await seen("xterm", "truecolor")]
  told.push(await seen("xterm", "none"), await seen("s-256color", "16"))
  await seen(before, "16")
  const alike = ["xterm xterm", "xterm xterm", "s-256color s-256color"]
  expect(told).toEqual(["xterm-256color xterm", "-256color undefined", ...alike])
})
