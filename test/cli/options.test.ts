// Keeps what the command line and the environment become: what differs from the usual options.
import { beforeAll, expect, test } from "bun:test"
import { cp } from "node:fs/promises"
import { homedir } from "node:os"
import { join } from "node:path"
import type { Environment } from "../../src/cli/option-table.ts"
import { commandWords, since } from "../../src/cli/option-value.ts"
import { type Options, readOptions, withTermFallback } from "../../src/cli/options.ts"
import type { ScreenOptions } from "../../src/cli/screen-options.ts"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { lines } from "./called.ts"

const scratch = fileScratch()
const recording = join(scratch, "run.jsonl")
beforeAll(async () => {
  await cp(join(root, "fixtures/cases/options"), scratch, { recursive: true })
  for (const [name, more] of Object.entries({ full: 0, big: 1 }))
    await Bun.write(join(scratch, name, "bug.json"), '{"kind":"bug","at":3}'.padEnd(256 * 1024 + more))
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

/** Command lines, as `lines` reads them. */
const CALLS: Readonly<Record<"spawned" | "typed" | "piped", readonly string[]>> = await Bun.file(
  join(root, "fixtures/scripts/options.json"),
).json()

test.each(lines(...CALLS.spawned))("an agent that sets `%s`", line => expect(told(line)).toMatchSnapshot())

test.each(lines(...CALLS.typed))("a person who types `%s`", line => expect(told(line)).toMatchSnapshot())

test.each(["", ...lines(...CALLS.piped)])("without a terminal `%s`", line =>
  expect(told(line, false)).toMatchSnapshot(),
)

test("an editor's command is split as by a shell, and nothing in it is run", () => {
  const split = [
    ...["vi", "  code  --wait ", '"/opt/my editor/ed" -n', "'a b'c\\ d", 'emacs -e "(f \\"x\\")" \'\''],
    ...["ed; rm $HOME `x` | y", "'open", "a\\", "", '"a\\b\\$c"'],
  ].map(command => commandWords(command).join("|"))
  expect(split).toEqual([
    ...["vi", "code|--wait", "/opt/my editor/ed|-n", "a bc d", 'emacs|-e|(f "x")|'],
    ...["ed;|rm|$HOME|`x`|||y", "open", "a\\", "", "a\\b$c"],
  ])
})

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
