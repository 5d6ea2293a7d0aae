// Presses random keys and resizes the window while the files of a run change.
import { appendFile, lstat, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type Random, randomOf } from "../chaos/random.ts"
import { fixture } from "../fixtures.ts"
import { isOurs, STEERING, takeApart } from "../pty/sequences.ts"
import { openLive, openSidecar, spawned } from "../pty/sidecar.ts"
import type { Terminal } from "../pty/terminal.ts"
import { scratch } from "../scratch.ts"
import { hostileLines } from "./hostile.ts"

/** Keys and what else a terminal sends; Ctrl-C and `q`, which leave, and Ctrl-Z are not among them. */
const TYPED: readonly [string, ...string[]] = [
  "j",
  ..."abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ0123456789 /?!'\"<>,.:{}[]()*~=é漢",
  ..."\t\r\x7f\x01\x02\x04\x05\x06\x07\x08\x0a\x0b\x0c\x0e\x10\x12\x15\x17\x18",
  ...[..."ABCDFHZ"].map(final => `\x1b[${final}`),
  ...[1, 2, 3, 5, 6, 15, 20, 24].map(number => `\x1b[${number}~`),
  ...["\x18\x05", "\x1bh", "\x1bm", "\x1b\r", "\x1b[O", "\x1b[I", "\x1b[<0;10;10M", "\x1b[?997;1n"],
  ...["\x1b]11;rgb:ffff/ffff/ffff\x07", "\x1b[200~pasted\n\x1b[2Jtwice\x1b[201~"],
  ...[":goto 3\r", "/tea\r", "ferror or text~x\r"],
]
const ESC = "\x1b"
type Size = readonly [cols: number, rows: number]
const SIZES: readonly [Size, ...Size[]] = [
  [1, 1],
  [250, 60],
  [2, 40],
  [200, 2],
  [20, 5],
  [120, 36],
  [80, 24],
]

export type Kind = "recording" | "directory" | "live"

/** Does so many things by chance to a run of that kind; gives what was wrong, in words. */
export async function hammer(kind: Kind, seed: number, steps: number): Promise<readonly string[]> {
  const random = randomOf(seed)
  using place = scratch()
  const run = join(place.path, "run")
  await mkdir(join(run, "artifacts"), { recursive: true })
  const path = join(run, kind === "recording" ? "run.jsonl" : "transcript.jsonl")
  const whole = await readFile(fixture(random.pick(["demo", "parallel-60", "debugger"])), "utf8")
  const files = [path, join(run, "escapement.log"), join(run, "artifacts/poem.txt")]
  for (const file of files) await writeFile(file, whole)
  const env = { VISUAL: "true", EDITOR: "true", PAGER: "true", OPENTUI_BELL: "0" }
  const meanwhile = async (): Promise<void> => {
    for (const file of files) if (random.next() < 0.5) await befall(file, whole, random)
  }
  if (kind === "live") {
    await using live = await openLive(fixture("demo"), {
      env: { ...env, ESCAPEMENT_SESSION_DIR: run },
      agent: { debug: true, speed: 5, hold: true },
    })
    await live.waitFor("─ SESSIONS")
    const cut = () => (random.next() < 0.3 ? live.agent.disconnectAll() : meanwhile())
    return await faultsOf(live, () => press(live, random, steps, cut))
  }
  const cmd = [...spawned, "replay", kind === "recording" ? path : run, "--speed", "20"]
  await using terminal = await openSidecar({ cmd, env })
  await terminal.waitFor("─ LOG")
  return await faultsOf(terminal, () => press(terminal, random, steps, meanwhile))
}

async function press(
  terminal: Terminal,
  random: Random,
  steps: number,
  meanwhile: () => Promise<void> | void,
): Promise<void> {
  for (let step = 0; step < steps; step++) {
    const chance = random.next()
    const [cols, rows] = random.pick(SIZES)
    if (chance < 0.06) await terminal.resize(cols, rows)
    else if (chance < 0.08) for (let n = 0; n < 50; n++) terminal.kill("SIGWINCH")
    else if (chance < 0.2) await meanwhile()
    else terminal.type(random.pick(TYPED))
    // Some come in a burst, some one by one, some as themselves alone.
    if (random.next() < 0.3) await Bun.sleep(random.whole(1, 40))
    if (random.next() < 0.1) terminal.press(ESC)
  }
}

/** The program must still take a size, draw, and leave when it is told to; what it wrote must be its own. */
async function faultsOf(terminal: Terminal, work: () => Promise<void>): Promise<readonly string[]> {
  await work()
  // The terminal may be lent to a text that waits for Enter.
  terminal.press("\r")
  await terminal.resize(120, 36)
  await terminal.waitFor(rows => (rows.at(-1) ?? "").trim() !== "")
  terminal.kill("SIGTERM")
  const code = await terminal.exited
  const { sequences, text: all } = takeApart(terminal.raw)
  // While the terminal is lent, it echoes an erased key itself.
  const text = all.replace(/\x08* +\x08+/g, "")
  const steering = STEERING.exec(text)
  const around =
    steering === null ? "" : JSON.stringify(text.slice(Math.max(0, steering.index - 40), steering.index + 40))
  return [
    ...(code === 143 ? [] : [`exit code ${code}: ${text.slice(-2000)}`]),
    ...(text.includes("screen has failed") ? [`the screen has failed: ${text.slice(-4000)}`] : []),
    ...(steering === null ? [] : [`a control: ${around}`]),
    ...sequences.filter(one => !isOurs(one)).map(one => `not ours: ${JSON.stringify(one)}`),
  ]
}

/** Changes a file at random: it grows, shrinks, is removed, or replaced by another, a device, a link or a folder. */
async function befall(path: string, whole: string, random: Random): Promise<void> {
  const lines = hostileLines(random)
  const back = async (): Promise<void> => {
    await rm(path, { recursive: true, force: true })
    await writeFile(path, whole)
  }
  // Never through a link: what it leads to is not ours to write.
  const found = await lstat(path).catch(() => null)
  if (found?.isFile() !== true) return await back()
  switch (random.pick(["grow", "grow", "tear", "shrink", "go", "replace", "link", "folder"])) {
    case "grow":
      return await appendFile(path, `${Array.from({ length: 40 }, () => lines.next().value).join("\n")}\n`)
    case "tear":
      return await appendFile(path, lines.next().value.slice(0, 40))
    case "shrink":
      return await truncate(path, random.whole(0, found.size))
    case "go":
      return await rm(path)
    case "replace":
      await writeFile(`${path}.new`, whole.slice(random.whole(0, 1000)))
      return await rename(`${path}.new`, path)
    case "link":
      await rm(path)
      return await symlink(random.pick(["/dev/zero", "/dev/full", path, "..", "nowhere"]), path)
    default:
      await rm(path)
      return void (await mkdir(path))
  }
}
