// Keeps what becomes of the frames of real CLIs where a field of a line is missing, or has a value of another type.
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { isObject, type Json, type JsonObject, parseJson } from "../../packages/wire/src/json.ts"
import { CliLines } from "../../src/guest/cli-lines.ts"
import { cliOfLine } from "../../src/guest/cli-names.ts"
import { Output } from "../../src/guest/common/output.ts"
import { GuestEvents } from "../../src/guest/guest-events.ts"
import { root } from "../fixtures.ts"
import { changes, type DrawnFrame, FrameDrawing } from "./drawn-frames.ts"

const LOGS = [...new Bun.Glob("{agents,cli}/**/*.jsonl").scanSync(join(root, "fixtures"))]
  .filter(log => !/subagents|rows|retried|helpers|twice|20-39/.test(log))
  .sort()

/** The frames of a log's lines, and how its run ended. */
function framesOf(lines: readonly string[]): readonly DrawnFrame[] {
  const out = new Output()
  const events = new GuestEvents("run")
  const drawing = new FrameDrawing()
  const [cli] = lines.flatMap(line => cliOfLine(line) ?? [])
  if (cli === undefined) return [["of no CLI"]]
  const reader = new CliLines(out, cli, { session: null, prompt: null }, false)
  for (const text of lines) reader.read({ stream: "stdout", text, ts: null })
  reader.pause()
  const frames = out.take().map(event => drawing.draw(events.ofReader(event)))
  return [
    ...frames,
    [`ended: ${JSON.stringify(reader.ending)}`],
    [`late: ${JSON.stringify([...(reader.late?.left ?? [])])}`],
  ]
}

type Path = readonly string[]

/** The places of all values in a line; places in a list have the same name. */
function* placesIn(value: Json, path: Path = [], name = ""): Generator<{ path: Path; name: string; value: Json }> {
  if (path.length > 0) yield { path, name, value }
  if (typeof value !== "object" || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    yield* placesIn(inner, [...path, key], Array.isArray(value) ? `${name}[]` : name === "" ? key : `${name}.${key}`)
  }
}

/** A copy of a line with another value at a place, or with none. */
function damaged(value: Json, [key = "", ...rest]: Path, by: Json | undefined): Json {
  if (Array.isArray(value)) {
    const inner = value.map((one, at) => (`${at}` === key ? (rest.length === 0 ? by : damaged(one, rest, by)) : one))
    return inner.filter(one => one !== undefined)
  }
  if (!isObject(value)) return value
  const inner = rest.length === 0 ? by : damaged(value[key] ?? null, rest, by)
  const { [key]: _, ...others } = value
  return inner === undefined ? others : { ...others, [key]: inner }
}

function otherType(value: Json): Json {
  return typeof value === "string" ? 7 : typeof value === "number" ? "x" : "other"
}

/** The kind of a line, by what tells it in the log of some CLI. */
function kindOf(line: JsonObject): string {
  const inner = ["message", "payload", "event", "part", "assistantMessageEvent"].flatMap(key => {
    const value = line[key]
    return isObject(value) ? [value.type ?? value.role ?? ""] : []
  })
  return [line.type ?? line.role ?? Object.keys(line)[0], line.subtype ?? "", ...inner].filter(Boolean).join("/")
}

/** What becomes of a log for each place of its lines that is not in `done`. */
function damages(log: string, done: Set<string>): string {
  const lines = readFileSync(join(root, "fixtures", log), "utf8")
    .trimEnd()
    .split("\n")
  const whole = framesOf(lines)
  const cli = lines.flatMap(line => cliOfLine(line) ?? []).at(0)
  const found = new Map<string, string[]>()
  for (const [at, text] of lines.entries()) {
    const line = parseJson(text)
    if (!isObject(line)) continue
    for (const { path, name, value } of placesIn(line)) {
      const key = `${cli} ${log.includes("sessions")} ${kindOf(line)} ${name}`
      // A part of a message that the line tells as a whole, too.
      if (name.includes("partial") || done.has(key)) continue
      done.add(key)
      const told = ([undefined, otherType(value)] as const).map(by => {
        const copy = lines.with(at, JSON.stringify(damaged(line, path, by)))
        return changes(whole, framesOf(copy)).join("\n    ")
      })
      const [missing = "", other = ""] = told
      const label = `${kindOf(line)} ${name}`
      const add = (change: string, words: string) => found.set(change, [...(found.get(change) ?? []), words])
      if (missing === other) add(missing, label)
      else {
        add(missing, `${label} missing`)
        add(other, `${label} of another type`)
      }
    }
  }
  found.delete("")
  const drawn = [...found].map(([change, labels]) => `${labels.join(", ")}\n    ${change}`)
  return drawn.join("\n")
}

test.each(["claude", "codex", "cursor", "gemini", "grok", "kimi", "opencode", "pi"])("lines of %s", cli => {
  const done = new Set<string>()
  const logs = LOGS.filter(log => new RegExp(`/${cli}[-.]`).test(log))
  for (const log of logs) expect(damages(log, done)).toMatchSnapshot(log)
})
