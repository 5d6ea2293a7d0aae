// Keeps what the lines of CLIs are read as: those of recordings of the real ones, and of runs that are made up.
import { beforeAll, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { cp, readFile, utimes } from "node:fs/promises"
import { join } from "node:path"
import { chooseParser, startParser } from "../../src/guest/choose-parser.ts"
import { LogConversion } from "../../src/guest/convert-log.ts"
import { FrameWriter } from "../../src/guest/frame-writer.ts"
import { root } from "../fixtures.ts"
import { picture } from "../run/picture.ts"
import { fileScratch } from "../scratch.ts"
import { FrameDrawing } from "./drawn-frames.ts"
import { blocksOf, guestFixture, parserOf, printed, runFrom } from "./reading.ts"

const LOGS = [...new Bun.Glob("{agents,cli,paperclip}/**/*.{jsonl,log}").scanSync(join(root, "fixtures"))]
  .filter(log => !/subagents\/.*\/|\/agent-\d|rows/.test(log))
  .sort()

/** The frames of a log, drawn, and its sessions. */
export async function drawnLog(log: string): Promise<string> {
  const scratch = fileScratch()
  const parser = startParser(chooseParser(undefined, scratch))
  const conversion = await LogConversion.open(log, scratch, parser, { grows: false })
  const frames = (await readFile(conversion.path, "utf8")).trimEnd().split("\n")
  conversion.close()
  return drawnFrames(frames, true)
}

export function drawnFrames(frames: readonly string[], hasSessions = false): string {
  const drawing = new FrameDrawing()
  const lines = frames.map(frame => drawing.draw(frame).join(" "))
  return [...(hasSessions ? drawing.sessions : []), ...lines].join("\n")
}

/** Tests that keep the frames of each recording of these CLIs. */
export function keepLogs(...clis: readonly string[]): void {
  const scratch = fileScratch()
  const logs = LOGS.filter(log => clis.some(cli => new RegExp(`/${cli}[-.]`).test(log)))
  beforeAll(async () => {
    for (const place of ["agents", "cli", "paperclip"])
      await cp(join(root, "fixtures", place), join(scratch, place), { recursive: true })
    // A fork is the younger file.
    const age = (log: string, at: number) => 2_000_000_000 + at - (log.includes("704110b5") ? 1000 : 0)
    for (const [at, log] of logs.entries()) await utimes(join(scratch, log), age(log, at), age(log, at))
  })
  test.each(logs)("%s", async log => {
    expect(await drawnLog(join(scratch, log))).toMatchSnapshot()
  })
}

/** Runs of CLIs: a name, the CLI with its prompt, and the lines that it printed, `!` before those on stderr. */
const PRINTED = readFileSync(guestFixture("printed.txt"), "utf8")
  .split(/^# /m)
  .slice(1)
  .map(text => text.trimEnd().split("\n"))
  .map(([name = "", start = "", ...rest]) => [name, start.split(/ (.*)/, 2), rest] as const)

/** Tests that keep the runs of these CLIs; `""` for any other program. */
export function keepRuns(...clis: readonly string[]): void {
  const runs = PRINTED.filter(([, [cli = ""]]) => clis.includes(cli))
  test.each(runs)("a run of %s", async (_, [cli, prompt = null], texts) => {
    const [, code] = /^exits (\d+)$/.exec(texts.at(-1) ?? "") ?? []
    const all = printed(...texts.slice(0, code === undefined ? texts.length : -1))
    const lines = all.map(one =>
      one.text.startsWith("! ") ? { ...one, stream: "stderr" as const, text: one.text.slice(2) } : one,
    )
    const parser = await parserOf(cli || undefined)
    const writer = new FrameWriter("guest", { session: null, prompt })
    const frames = [...writer.begin(0), ...(await writer.write(parser, lines))]
    frames.push(
      ...(code === undefined ? writer.pause(99_000) : writer.end({ code: Number(code), signal: null }, 99_000)),
    )
    parser.close()
    if (code === undefined) expect(writer.pause(99_000)).toEqual([])
    const run = runFrom(frames)
    const shown = picture(run).filter(line => /^(report\.run(\.usage)?:|report.*sessions|finding)/.test(line))
    const told = code === undefined ? blocksOf(run) : [drawnFrames(frames)]
    expect([...told, ...shown].join("\n")).toMatchSnapshot()
  })
}
