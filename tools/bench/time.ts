// Measures how soon a long recording is open, and any moment of it shown, against reading the file's bytes: the past alone
// on a million frames, and the program in a terminal on a gigabyte.
import { closeSync, openSync, readdirSync, readFileSync, readSync, statfsSync } from "node:fs"
import { join } from "node:path"
import { readLines } from "../../packages/wire/src/files/file-reader.ts"
import { fold } from "../../src/run/fold.ts"
import { TEXT_BUDGET } from "../../src/run/memory/pack-entries.ts"
import { ROW_WINDOW } from "../../src/run/memory/pack-rows.ts"
import { Snapshots } from "../../src/run/memory/snapshots.ts"
import { frameNumber, initialRun, type Run } from "../../src/run/model/run.ts"
import { Past } from "../../src/timeline/past.ts"
import { RecordingLog } from "../../src/timeline/recording-log.ts"
import { resultOf } from "../../src/timeline/steps.ts"
import { decodeLine } from "../../src/transport/message.ts"
import { root } from "../../test/fixtures.ts"
import { spawned } from "../../test/pty/sidecar.ts"
import { openTerminal, type Terminal } from "../../test/pty/terminal.ts"
import { scratch } from "../../test/scratch.ts"
import { until } from "../../test/until.ts"
import { write } from "./generate.ts"
import { runToEnd } from "./process.ts"
import { type Found, report } from "./results.ts"

const FRAMES = 1_000_000
const BYTES = 1_000_000_000
const LOAD = { sessions: 256, seed: 20260314 }
const SEEKS = 100
/** Of the hundred seeks in the program: as good as at random, each percent of the file at most once. */
const MANY = Array.from({ length: 100 }, (_, i) => ((i + 1) * 37) % 101)
/** Lines that a replay hands over at most in one go. */
const BATCH = 1000
const PATIENCE = { timeoutMs: 600_000 }

const part = process.argv.find(word => word === "open" || word === "seek")
using home = scratch()
const seeks = part === "open" ? [] : await past(join(home.path, "run.jsonl"))
const opens = part === "seek" ? [] : await program(join(home.path, "long.jsonl"))
report("time", [...seeks, ...opens])

/** What reaching a moment costs, without a screen. */
async function past(path: string): Promise<readonly Found[]> {
  const bytes = write(path, { ...LOAD, frames: FRAMES })
  const read = least(() => readAll(path))
  const floor = jsonFloor(path)
  const tape = new RecordingLog(path)
  const first = initialRun({ rowWindow: ROW_WINDOW, textBudget: TEXT_BUDGET })
  const kept = new Snapshots(first)
  const past = new Past(tape, first, kept)
  const began = performance.now()
  let run: Run = first
  for await (const { lines } of readLines(path)) {
    for (let from = 0; from < lines.length; from += BATCH) {
      run = fold(run, lines.slice(from, from + BATCH).map(decodeLine))
      tape.indexUpTo(run.frames.lines)
      past.setPresent(run)
    }
  }
  const index = performance.now() - began
  const frames = Array.from({ length: SEEKS }, (_, i) => 1 + ((i * 7_919_777) % frameNumber(run)))
  const seeks = frames.map(frame => time(() => resultOf(past.runAtFrame(frame))))
  tape.close()
  const load = `${FRAMES.toLocaleString("en")} frames, ${Math.round(bytes / 1e6)} MB`
  return [
    row(`${load}: reading the bytes, the floor`, [read]),
    row("JSON.parse of its lines, and nothing else", [floor]),
    row("the whole decoded and folded", [index]),
    row("a seek anywhere", seeks, "< 100 ms"),
  ]
}

/** What a person waits for: from the command to the first screen, and from a key to its picture. */
async function program(path: string): Promise<readonly Found[]> {
  const { bavail, bsize } = statfsSync(home.path)
  if (bavail * bsize < 2 * BYTES) {
    process.stderr.write("The program on a gigabyte: not measured, the disk has no room for it\n")
    return []
  }
  // A start that finds the bundle stale would have it made meanwhile.
  runToEnd(root, process.execPath, "build.ts", "app")
  const bytes = write(path, { ...LOAD, frames: Number.POSITIVE_INFINITY }, BYTES)
  const env = { XDG_STATE_HOME: join(home.path, "state") }
  const first = await firstOpening(path, env, `${Math.round(bytes / 1e6)} MB in the program`)
  const again = [await openedAgain(path, env), await openedAgain(path, env), await openedAgain(path, env)]
  return [...first, row("a second opening: from the command to a moment at 9/10", again, "≤ 300 ms")]
}

/** Reads the recording, seeks in it, and leaves its index behind. `name` is what the floor is called by. */
async function firstOpening(
  path: string,
  env: Readonly<Record<string, string>>,
  name: string,
): Promise<readonly Found[]> {
  const read = least(() => readAll(path))
  const began = performance.now()
  await using terminal = await openTerminal({ cmd: [...spawned, "replay", path], cwd: root, cols: 120, rows: 36, env })
  await terminal.waitFor(/writer-\d+[\s\S]*reading \d+%/, PATIENCE)
  const first = performance.now() - began
  let most = 0
  const sampling = setInterval(() => {
    most = Math.max(most, rssOf(terminal.pid))
  }, 200)
  const early = [await toPercent(terminal, 0, / 0\/[\d,]+ {2}/), await keyed(terminal, ".", / 1\/[\d,]+ {2}/)]
  await terminal.waitFor(rows => !rows.join("\n").includes("reading "), PATIENCE)
  const index = performance.now() - began
  clearInterval(sampling)
  const times: number[] = []
  for (const tenth of [5, 2, 8, 3, 9, 1, 7, 4, 6, 0]) times.push(await toPercent(terminal, tenth * 10, at(tenth * 10)))
  const end = rssOf(terminal.pid)
  const many: number[] = []
  for (const percent of MANY) many.push(await toPercent(terminal, percent, at(percent)))
  const after = rssOf(terminal.pid)
  await until(() => readdirSync(join(home.path, "state/opentui-sidecar/index")).some(name => name.endsWith(".index")))
  return [
    row(`${name}: reading the bytes, the floor`, [read]),
    row("from the command to the first screen", [first], "≤ 1000 ms"),
    row("a key to its picture, while the rest is read", early),
    row("from the command to the whole file folded", [index], "≤ 8000 ms"),
    { what: "the same, to reading the bytes", values: [index / read], unit: "×" },
    row("a seek to a tenth, from the key to its picture", times, "< 100 ms"),
    { what: "RSS while it was read, at most", values: [most / 1e6], unit: "MB", goal: "< 350 MB" },
    { what: "RSS at the end", values: [end / 1e6], unit: "MB", goal: "< 350 MB" },
    row("each of a hundred seeks more", many),
    { what: "RSS after a hundred seeks", values: [after / 1e6], unit: "MB", goal: "< 400 MB" },
  ]
}

/** Ms from the command until the moment at 9/10 is shown. */
async function openedAgain(path: string, env: Readonly<Record<string, string>>): Promise<number> {
  const cmd = [...spawned, "replay", path, "--at", "90%"]
  const began = performance.now()
  await using terminal = await openTerminal({ cmd, cwd: root, cols: 120, rows: 36, env })
  await terminal.waitFor(at(90), PATIENCE)
  return performance.now() - began
}

/** Ms from Enter behind `:50%` until the bar says that it leads there. */
async function toPercent(terminal: Terminal, percent: number, bar: Parameters<typeof keyed>[2]): Promise<number> {
  terminal.press(":")
  await terminal.waitFor("COMMANDS", PATIENCE)
  terminal.type(`${percent}%`)
  await terminal.waitFor(`${percent}%`, PATIENCE)
  return await keyed(terminal, "\r", bar)
}

/** Ms from a key until the bar says where it leads. */
async function keyed(
  terminal: Terminal,
  key: string,
  bar: RegExp | ((rows: readonly string[]) => boolean),
): Promise<number> {
  const began = performance.now()
  terminal.press(key)
  await terminal.waitFor(bar, PATIENCE)
  return performance.now() - began
}

/** Whether the bar says that it leads to this percent of the frames. */
function at(percent: number): (rows: readonly string[]) => boolean {
  return rows => {
    const [, frame = "", of = ""] = / ([\d,]+)\/([\d,]+) /.exec(rows.findLast(row => /^ paused /.test(row)) ?? "") ?? []
    const number = (text: string) => Number(text.replaceAll(",", ""))
    // Before anything is read the bar says 0/0, which is any percent.
    return number(of) > 0 && number(frame) === Math.round(number(of) * (percent / 100))
  }
}

/** Bytes that the process holds in memory, 0 where the system does not tell. */
function rssOf(pid: number): number {
  try {
    return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Ms that the lines take to be parsed as JSON, once they are in memory: what no reader of them can do without. */
function jsonFloor(path: string): number {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n")
  return time(() => {
    for (const line of lines) JSON.parse(line)
  })
}

function readAll(path: string): void {
  const fd = openSync(path, "r")
  const chunk = Buffer.allocUnsafe(256 * 1024)
  while (readSync(fd, chunk) > 0) {
    // Only the reading is measured.
  }
  closeSync(fd)
}

/** The least of a few: what the disk does, and not what else the machine does. */
function least(work: () => void): number {
  return Math.min(...Array.from({ length: 3 }, () => time(work)))
}

function time(work: () => void): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

function row(what: string, values: readonly number[], goal = ""): Found {
  return { what, values, unit: "ms", goal }
}
