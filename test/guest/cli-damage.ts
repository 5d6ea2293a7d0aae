// Keeps what becomes of the frames of a real CLI where a field of a line is missing, or has a value of another type.
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { isObject, type JsonObject } from "../../packages/wire/src/json.ts"
import { CliLines } from "../../src/guest/cli-lines.ts"
import { cliOfLine } from "../../src/guest/cli-names.ts"
import { Output } from "../../src/guest/common/output.ts"
import { GuestEvents } from "../../src/guest/guest-events.ts"
import { root } from "../fixtures.ts"
import { damagesOf } from "./damage.ts"
import { type DrawnFrame, FrameDrawing } from "./drawn-frames.ts"

const LOGS = [...new Bun.Glob("{agents,cli}/**/*.jsonl").scanSync(join(root, "fixtures"))]
  .filter(log => !/subagents|rows|retried|helpers|twice|20-39/.test(log))
  .sort()

/** The frames of a log's lines, and how its run ended. */
function framesOf(lines: readonly string[]): readonly DrawnFrame[] {
  const out = new Output()
  const [events, drawing] = [new GuestEvents("run"), new FrameDrawing()]
  const [cli] = lines.flatMap(line => cliOfLine(line) ?? [])
  if (cli === undefined) return [["of no CLI"]]
  const reader = new CliLines(out, cli, { session: null, prompt: null }, false)
  for (const text of lines) reader.read({ stream: "stdout", text, ts: null })
  reader.pause()
  const frames = out.take().map(event => drawing.draw(events.ofReader(event)))
  const left = [...(reader.late?.left ?? [])]
  return [...frames, [`ended: ${JSON.stringify(reader.ending)}`], [`late: ${JSON.stringify(left)}`]]
}

/** The kind of a line, by what tells it in the log of some CLI. */
function kindOf(line: JsonObject): string {
  const inner = ["message", "payload", "event", "part", "assistantMessageEvent"].flatMap(key => {
    const value = line[key]
    return isObject(value) ? [value.type ?? value.role ?? ""] : []
  })
  return [line.type ?? line.role ?? Object.keys(line)[0], line.subtype ?? "", ...inner].filter(Boolean).join("/")
}

/** Tests that keep what becomes of the lines of CLIs. */
export function keepDamages(...clis: readonly string[]): void {
  test.each(clis)("lines of %s", cli => {
    const [printed, stored] = [new Map<string, number>(), new Map<string, number>()]
    for (const log of LOGS.filter(one => new RegExp(`/${cli}[-.]`).test(one))) {
      const lines = readFileSync(join(root, "fixtures", log), "utf8")
        .trimEnd()
        .split("\n")
      const done = log.includes("sessions") ? stored : printed
      expect(damagesOf(lines, framesOf, kindOf, done).join("\n")).toMatchSnapshot(log)
    }
  })
}
