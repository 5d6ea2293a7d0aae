// Runs the real program for ten million deltas and reports its cost: `bun run soak [--deltas N] [--quiet S]`.
import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { randomOf } from "../../test/chaos/random.ts"
import { root } from "../../test/fixtures.ts"
import { cleanEnvironment } from "../../test/pty/terminal.ts"
import { scratch } from "../../test/scratch.ts"
import { startAgent } from "./soak-agent.ts"

/** Of ten deltas in a row, so many are warm-up; memory is compared from there to the end. */
const WARM_UP = 0.2
/** The part of the run between two looks at what is held. */
const LOOK = 0.02
/** MB that may be held more after a million deltas, as in the memory benchmark. */
const MOST_GROWTH = 5
/** A process rests if it uses at most so many ticks of processor time a second, so many seconds in a row. */
const CALM_TICKS = 5
const CALM_S = 3
const MOST_REST_S = 600
const KEY_MS = 100
const RESIZE_MS = 400

/** What a person presses who looks at everything, and changes nothing outside of the program. */
const KEYS = [
  ..."jkgGhlzmtewu}{][!TiSdvnN?",
  ..."1234567",
  "\t",
  "\r",
  "\x1b",
  "\x1b[5~",
  "\x1b[6~",
  "\x1b[F",
  "\x04",
  "\x15",
  "\x0c",
  "/tide\r",
  "f",
  ",",
  ".",
]

export interface SoakOptions {
  readonly deltas: number
  readonly sessions: number
  /** Seconds after which what was asked for last is drawn and told, notices gone. */
  readonly settleS: number
  /** Seconds in which nothing may be written then. */
  readonly quietS: number
  readonly seed: number
}

export interface Soak {
  readonly seconds: number
  readonly perSecond: number
  readonly keys: number
  readonly resizes: number
  /** Resident memory in MB: at the start, from the warm-up to the middle, and at the end. */
  readonly memory: { readonly start: number; readonly warm: number; readonly end: number; readonly most: number }
  /** The least MB on the engine's heap after a collection, early and late: what keys ask for comes on top, and goes. */
  readonly heap: { readonly warm: number; readonly end: number }
  /** MB by which that grew with a million deltas. Resident memory says little of it: most of it is garbage. */
  readonly growth: number
  /** Open files, listeners of the process and timers: after the warm-up and at the end. */
  readonly left: { readonly warm: Left; readonly end: Left }
  /** Seconds that it still read from disk, for what was asked for last, before the quiet time began. */
  readonly restS: number
  /** Bytes written to the terminal in all, and in the quiet time. */
  readonly bytes: number
  readonly quietBytes: number
  /** What was written then. */
  readonly quietText: string
}

/** MB at a part of the run. */
interface Sample {
  readonly at: number
  readonly mb: number
}

export interface Left {
  readonly files: number
  readonly listeners: number
  readonly timers: number
  /** MB on the engine's heap after a collection. */
  readonly heap: number
}

/** Runs the program in a terminal of its own against an agent that sends as fast as it is read. */
export async function soak(options: SoakOptions, say: (line: string) => void = () => undefined): Promise<Soak> {
  using home = scratch()
  const { deltas: frames, sessions, seed } = options
  const agent = startAgent({ frames, sessions, seed })
  const counts = join(home.path, "counts")
  let [bytes, isQuiet, quietText] = [0, false, ""]
  const written = (data: Uint8Array): void => {
    bytes += data.length
    if (isQuiet) quietText += Buffer.from(data).toString()
  }
  // What no product has: it tells what it holds when it is asked by a signal.
  const entry = join(home.path, "counting.ts")
  await Bun.write(entry, counting(counts))
  const program = Bun.spawn([process.execPath, "run", entry], {
    cwd: root,
    env: { ...cleanEnvironment(home.path), OPENTUI_WS_URL: agent.url, OPENTUI_BELL: "0" },
    terminal: { cols: 120, rows: 40, data: (_pty, data) => written(data) },
  })
  const pty = program.terminal
  const random = randomOf(seed)
  let [keys, resizes] = [0, 0]
  const typing = setInterval(() => {
    keys++
    pty?.write(KEYS[random.whole(0, KEYS.length - 1)] ?? "j")
  }, KEY_MS)
  const resizing = setInterval(() => {
    resizes++
    pty?.resize(random.whole(20, 200), random.whole(6, 60))
  }, RESIZE_MS)
  const held = async (): Promise<Left> => {
    await rm(counts, { force: true })
    program.kill("SIGURG")
    while (!(await Bun.file(counts).exists())) await Bun.sleep(20)
    // The file that it tells this in may still be open; what is left open is so at each look.
    let files = Number.POSITIVE_INFINITY
    for (let look = 0; look < 10; look++) {
      files = Math.min(files, (await readdir(`/proc/${program.pid}/fd`)).length)
      await Bun.sleep(20)
    }
    return { files, ...(await Bun.file(counts).json()) }
  }
  try {
    const began = performance.now()
    const samples: Sample[] = []
    const looks: Sample[] = []
    let warm: Left | null = null
    let next = WARM_UP
    let told = 0
    while (!agent.done()) {
      await Promise.race([Bun.sleep(250), program.exited])
      if (program.exitCode !== null) throw new Error(`the program has ended with ${program.exitCode}`)
      const at = agent.sent() / options.deltas
      samples.push({ at, mb: await resident(program.pid) })
      if (at >= next) {
        const look = await held()
        warm ??= look
        looks.push({ at, mb: look.heap })
        next = at + LOOK
      }
      if (at < told) continue
      told += 0.1
      const { mb } = samples.at(-1) ?? { mb: 0 }
      const heap = looks.at(-1)?.mb.toFixed(0) ?? "?"
      const seconds = ((performance.now() - began) / 1000).toFixed(0)
      say(`${Math.round(at * 100)} %: ${mb.toFixed(0)} MB, ${heap} MB of them held, ${seconds} s`)
    }
    const seconds = (performance.now() - began) / 1000
    clearInterval(typing)
    clearInterval(resizing)
    // Back to the panes, with nothing in front; then what was asked for is drawn, and all is quiet.
    pty?.resize(120, 40)
    for (let press = 0; press < 8; press++) {
      pty?.write("\x1b")
      await Bun.sleep(1200)
    }
    pty?.write("\x1b[F")
    await Bun.sleep(options.settleS * 1000)
    const restS = await untilRest(program.pid)
    const before = bytes
    isQuiet = true
    await Bun.sleep(options.quietS * 1000)
    isQuiet = false
    const quietBytes = bytes - before
    const end = await held()
    const heap = { warm: Math.min(...within(looks, WARM_UP, 0.4)), end: Math.min(...within(looks, 0.8, 1)) }
    return {
      seconds,
      perSecond: options.deltas / seconds,
      keys,
      resizes,
      memory: {
        start: samples[0]?.mb ?? 0,
        warm: median(within(samples, WARM_UP, 0.4)),
        end: median(within(samples, 0.8, 1)),
        most: Math.max(...samples.map(({ mb }) => mb)),
      },
      heap,
      growth: (heap.end - heap.warm) / (0.6 * (options.deltas / 1_000_000)),
      left: { warm: warm ?? end, end },
      bytes,
      restS,
      quietBytes,
      quietText,
    }
  } finally {
    clearInterval(typing)
    clearInterval(resizing)
    program.kill("SIGKILL")
    await program.exited
    pty?.close()
    agent.stop()
  }
}

/** The program, with its timers, listeners and live memory counted: these are told into a file at each SIGURG. */
function counting(path: string): string {
  return `
    const live = new Set()
    for (const kind of ["Timeout", "Interval"]) {
      const [set, clear] = [globalThis["set" + kind], globalThis["clear" + kind]]
      globalThis["set" + kind] = (run, ms, ...rest) => {
        const timer = set(() => { if (kind === "Timeout") live.delete(timer); run(...rest) }, ms)
        live.add(timer)
        return timer
      }
      globalThis["clear" + kind] = timer => { live.delete(timer); clear(timer) }
    }
    const heard = one => one.eventNames().reduce((sum, name) => sum + one.listenerCount(name), 0)
    const { heapStats } = await import("bun:jsc")
    process.on("SIGURG", () => {
      Bun.gc(true)
      Bun.write(${JSON.stringify(path)}, JSON.stringify({
        listeners: heard(process) + heard(process.stdin) + heard(process.stdout),
        timers: live.size,
        heap: heapStats().heapSize / 1e6,
      }))
    })
    await import(${JSON.stringify(join(root, "src/main.tsx"))})`
}

/** Waits until a process has used next to no processor time for a while; gives the seconds, at most `MOST_REST_S`. */
async function untilRest(pid: number): Promise<number> {
  let [seconds, calm, before] = [0, 0, await ticks(pid)]
  for (; calm < CALM_S && seconds < MOST_REST_S; seconds++) {
    await Bun.sleep(1000)
    const now = await ticks(pid)
    calm = now - before <= CALM_TICKS ? calm + 1 : 0
    before = now
  }
  return seconds
}

/** Processor time of a process, in ticks of 10 ms. */
async function ticks(pid: number): Promise<number> {
  const stat = await Bun.file(`/proc/${pid}/stat`).text()
  const fields = stat.slice(stat.lastIndexOf(")")).split(" ")
  return Number(fields[12]) + Number(fields[13])
}

/** Resident memory of a process, MB. */
async function resident(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text()
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

/** MB of the samples in this part of the run. */
function within(samples: readonly Sample[], from: number, to: number): readonly number[] {
  return samples.flatMap(({ at, mb }) => (at >= from && at <= to ? [mb] : []))
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}

/** What is wrong with it; nothing where all is well. A short run says nothing of memory. */
export function faultsOf({ growth, left, restS, quietBytes, quietText }: Soak): readonly string[] {
  const grown = (["files", "listeners", "timers"] as const).filter(key => left.end[key] > left.warm[key])
  return [
    ...(growth > MOST_GROWTH ? [`memory grew by ${growth.toFixed(1)} MB per million deltas`] : []),
    ...grown.map(key => `${key}: ${left.warm[key]} after the warm-up, ${left.end[key]} at the end`),
    ...(restS >= MOST_REST_S ? [`it was still busy ${restS} s after the run`] : []),
    ...(quietBytes > 0 ? [`${quietBytes} bytes were written in the quiet time: ${JSON.stringify(quietText)}`] : []),
  ]
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      deltas: { type: "string", default: "10000000" },
      sessions: { type: "string", default: "2000" },
      quiet: { type: "string", default: "60" },
      seed: { type: "string", default: "1" },
    },
  })
  const { deltas, sessions, quiet, seed } = values
  const result = await soak(
    { deltas: Number(deltas), sessions: Number(sessions), settleS: 12, quietS: Number(quiet), seed: Number(seed) },
    print,
  )
  print(JSON.stringify(result, null, 2))
  const faults = faultsOf(result)
  for (const fault of faults) print(`FAILED: ${fault}`)
  process.exit(faults.length === 0 ? 0 : 1)
}
