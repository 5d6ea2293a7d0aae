// Starts the program in a pseudo-terminal that only notes what comes and when, and asks the system what it costs.
import { readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const root = join(import.meta.dir, "../..")
export const bin = [
  process.execPath,
  "--config=/dev/null",
  "--no-env-file",
  "--tsconfig-override=/dev/null",
  join(root, "bin/opentui-sidecar"),
]

/** Clock ticks of the processor's time in a second. */
const TICKS = 100
const PAGE = 4096

export interface Started {
  readonly pid: number
  /** Bytes that the program has sent. */
  readonly bytes: () => number
  /** Frames that it has drawn: each ends a synchronised update. */
  readonly frames: () => number
  /** Ms of processor time, of all its threads. */
  readonly processorMs: () => number
  /** Bytes that are resident. */
  readonly rss: () => number
  /** Resolves with the moment (epoch ms, with fractions) at which `text` comes, from now on. */
  seen(text: string): Promise<number>
  press(text: string): void
  readonly exited: Promise<number>
  stop(): Promise<void>
}

export const now = (): number => performance.timeOrigin + performance.now()

/** Starts `cmd` in a terminal of this size, with nothing but `env` to tell it what to show. */
export async function start(
  cmd: readonly string[],
  options: {
    readonly columns?: number
    readonly rows?: number
    readonly cwd?: string
    readonly env?: Record<string, string>
  } = {},
): Promise<Started> {
  const home = await mkdtemp(join(tmpdir(), "bench-"))
  const waiting = new Map<string, (at: number) => void>()
  let bytes = 0
  let frames = 0
  let last = ""
  const program = Bun.spawn([...cmd], {
    cwd: options.cwd ?? root,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: home,
      TERM: "xterm-256color",
      COLORTERM: "truecolor",
      LANG: "C.UTF-8",
      ...options.env,
    },
    terminal: {
      cols: options.columns ?? 120,
      rows: options.rows ?? 40,
      data(_, chunk) {
        const at = now()
        bytes += chunk.length
        // What was cut off in the middle of the chunk before belongs to this one.
        const text = last + Buffer.from(chunk).toString("latin1")
        frames += text.split(FRAME_END).length - 1
        for (const [wanted, resolve] of waiting) {
          if (!text.includes(wanted)) continue
          waiting.delete(wanted)
          resolve(at)
        }
        const end = text.lastIndexOf(FRAME_END)
        last = text.slice(end < 0 ? -64 : Math.max(end + FRAME_END.length, text.length - 64))
      },
    },
  })
  const stat = (): readonly string[] =>
    readFileSync(`/proc/${program.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return {
    pid: program.pid,
    bytes: () => bytes,
    frames: () => frames,
    processorMs: () => ((Number(stat()[11]) + Number(stat()[12])) * 1000) / TICKS,
    rss: () => Number(stat()[21]) * PAGE,
    seen: text => new Promise(resolve => waiting.set(Buffer.from(text).toString("latin1"), resolve)),
    press: text => void program.terminal?.write(text),
    exited: program.exited,
    async stop() {
      program.kill("SIGKILL")
      await program.exited
      program.terminal?.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}

const FRAME_END = "\x1b[?2026l"

/** A streaming agent (`agent.ts`) in a process of its own, and what it says. */
export interface Agent {
  readonly url: string
  /** Resolves with the first result of `wanted` for its output from now on. Rejects after `ms`, or when it ends. */
  first<T>(wanted: (said: Said) => T | undefined, what: string, ms: number): Promise<T>
  hear(listener: (said: Said) => void): void
  signal(signal: NodeJS.Signals): void
  stop(): Promise<void>
}

export interface Said {
  readonly url?: string
  readonly attached?: boolean
  readonly letter?: string
  readonly at?: number
  readonly sent?: number
  readonly seq?: number
  readonly worstAnswerMs?: number
  readonly unanswered?: number
}

/** Ms that an agent may take to start on a machine that is busy. */
const STARTED_MS = 30_000

/** Starts an agent: sessions, deltas of each in a second, seconds, ms between two marks. */
export async function startAgent(...numbers: readonly number[]): Promise<Agent> {
  const agent = Bun.spawn([process.execPath, join(import.meta.dir, "agent.ts"), ...numbers.map(String)], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const listeners: ((said: Said) => void)[] = []
  const first = <T>(wanted: (said: Said) => T | undefined, what: string, ms: number): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const late = setTimeout(() => reject(new Error(`the agent has not said ${what} within ${ms / 1000} s`)), ms)
    // Whoever asked for several things may have failed at the first.
    promise.catch(() => undefined)
    void agent.exited.then(() => reject(new Error(`the agent has ended and not said ${what}`)))
    listeners.push(said => {
      const found = wanted(said)
      if (found === undefined) return
      clearTimeout(late)
      resolve(found)
    })
    return promise
  }
  void (async () => {
    let rest = ""
    for await (const chunk of agent.stdout) {
      const lines = (rest + Buffer.from(chunk).toString()).split("\n")
      rest = lines.pop() ?? ""
      for (const line of lines) {
        const said: Said = JSON.parse(line)
        for (const listener of listeners) listener(said)
      }
    }
  })()
  return {
    url: await first(({ url }) => url, "its address", STARTED_MS),
    first,
    hear: listener => void listeners.push(listener),
    signal: signal => agent.kill(signal),
    async stop() {
      agent.kill("SIGKILL")
      await agent.exited
    },
  }
}
