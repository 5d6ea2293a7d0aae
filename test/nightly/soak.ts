// Runs the real program for ten million deltas and reports its cost: `bun run soak [--deltas N] [--quiet S]`.
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { ServerWebSocket } from "bun"
import { linesOf } from "../bench/generate.ts"
import { randomOf } from "../chaos/random.ts"
import { root } from "../fixtures.ts"
import { cleanEnvironment } from "../pty/terminal.ts"

/** Of ten deltas in a row, so many are warm-up; memory is compared from there to the end. */
const WARM_UP = 0.2
const MOST_GROWTH = 0.1
/** Bytes that may wait for the sidecar before the agent stops and lets it read. */
const MOST_UNSENT = 1024 * 1024
const BURST = 512
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
  readonly growth: number
  /** Open files, listeners of the process and timers: after the warm-up and at the end. */
  readonly left: { readonly warm: Left; readonly end: Left }
  /** Bytes written to the terminal in all, and in the quiet time. */
  readonly bytes: number
  readonly quietBytes: number
}

export interface Left {
  readonly files: number
  readonly listeners: number
  readonly timers: number
}

/** Runs the program in a terminal of its own against an agent that sends as fast as it is read. */
export async function soak(options: SoakOptions, say: (line: string) => void = () => undefined): Promise<Soak> {
  const home = await mkdtemp(join(tmpdir(), "sidecar-soak-"))
  const agent = startAgent(options)
  const counts = join(home, "counts")
  let bytes = 0
  const count = (more: number): void => {
    bytes += more
  }
  // What no product has: it tells what it holds when it is asked by a signal.
  const entry = join(home, "counting.ts")
  await Bun.write(entry, counting(counts))
  const program = Bun.spawn([process.execPath, "run", entry], {
    cwd: root,
    env: { ...cleanEnvironment(home), OPENTUI_WS_URL: agent.url, OPENTUI_BELL: "0" },
    terminal: { cols: 120, rows: 40, data: (_pty, data) => count(data.length) },
  })
  const pty = program.terminal
  const random = randomOf(options.seed)
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
    const samples: { readonly at: number; readonly mb: number }[] = []
    let warm: Left | null = null
    let told = 0
    while (!agent.done()) {
      await Promise.race([Bun.sleep(250), program.exited])
      if (program.exitCode !== null) throw new Error(`the program has ended with ${program.exitCode}`)
      const at = agent.sent() / options.deltas
      samples.push({ at, mb: await resident(program.pid) })
      if (warm === null && at >= WARM_UP) warm = await held()
      if (at < told) continue
      told += 0.1
      const { mb } = samples.at(-1) ?? { mb: 0 }
      say(`${Math.round(at * 100)} %: ${mb.toFixed(0)} MB, ${((performance.now() - began) / 1000).toFixed(0)} s`)
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
    const before = bytes
    await Bun.sleep(options.quietS * 1000)
    const quietBytes = bytes - before
    const end = await held()
    const between = (from: number, to: number) =>
      median(samples.flatMap(({ at, mb }) => (at >= from && at <= to ? [mb] : [])))
    const [first, last] = [between(WARM_UP, 0.4), between(0.8, 1)]
    return {
      seconds,
      perSecond: options.deltas / seconds,
      keys,
      resizes,
      memory: { start: samples[0]?.mb ?? 0, warm: first, end: last, most: Math.max(...samples.map(({ mb }) => mb)) },
      growth: last / first - 1,
      left: { warm: warm ?? end, end },
      bytes,
      quietBytes,
    }
  } finally {
    clearInterval(typing)
    clearInterval(resizing)
    program.kill("SIGKILL")
    await program.exited
    pty?.close()
    agent.stop()
    await rm(home, { recursive: true, force: true })
  }
}

/** The program, with its timers and listeners counted: that many are told into a file at each SIGURG. */
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
    process.on("SIGURG", () => Bun.write(${JSON.stringify(path)}, JSON.stringify({
      listeners: heard(process) + heard(process.stdin) + heard(process.stdout),
      timers: live.size,
    })))
    await import(${JSON.stringify(join(root, "src/main.tsx"))})`
}

interface Agent {
  readonly url: string
  /** Frames that were handed to the line. */
  sent(): number
  done(): boolean
  stop(): void
}

/** Sends the load to whoever attaches first, as fast as that one reads, and then says that the run is over. */
function startAgent({ deltas, sessions, seed }: SoakOptions): Agent {
  const lines = linesOf({ frames: deltas, sessions, seed })
  let [sent, done] = [0, false]
  const pump = (socket: ServerWebSocket<unknown>): void => {
    for (let burst = 0; burst < BURST; burst++) {
      // The rest goes when this has been read.
      if (socket.getBufferedAmount() > MOST_UNSENT) return
      const next = lines.next()
      if (next.done === true) {
        if (!done)
          socket.send(
            JSON.stringify({
              kind: "event",
              seq: deltas + 1,
              ts: Date.now(),
              event: "runner/done",
              data: { status: "done" },
            }),
          )
        done = true
        return
      }
      socket.send(next.value)
      sent++
    }
    setImmediate(() => pump(socket))
  }
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, own) => (own.upgrade(request, { data: null }) ? undefined : new Response(null, { status: 426 })),
    websocket: {
      open: pump,
      drain: pump,
      message: () => undefined,
      idleTimeout: 0,
      backpressureLimit: 64 * MOST_UNSENT,
    },
  })
  return {
    url: `ws://127.0.0.1:${server.port}/ws`,
    sent: () => sent,
    done: () => done,
    stop: () => void server.stop(true),
  }
}

/** Resident memory of a process, MB. */
async function resident(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text()
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}

/** What is wrong with it; nothing where all is well. A short run says nothing of memory. */
export function faultsOf({ growth, left, quietBytes }: Soak): readonly string[] {
  const grown = (["files", "listeners", "timers"] as const).filter(key => left.end[key] > left.warm[key])
  return [
    ...(growth > MOST_GROWTH ? [`memory grew by ${(growth * 100).toFixed(1)} % after the warm-up`] : []),
    ...grown.map(key => `${key}: ${left.warm[key]} after the warm-up, ${left.end[key]} at the end`),
    ...(quietBytes > 0 ? [`${quietBytes} bytes were written while all was quiet`] : []),
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
