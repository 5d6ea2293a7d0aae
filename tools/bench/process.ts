// Starts the program in a pseudo-terminal that only notes what comes and when, and asks the system what it costs.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { atEnd, killGroup, ownDirectory } from "./left-behind.ts"
import { Watched } from "./watched.ts"

export const root = join(import.meta.dir, "../..")
export const bin = [
  process.execPath,
  "--config=/dev/null",
  "--no-env-file",
  "--tsconfig-override=/dev/null",
  join(root, "bin/opentui-sidecar"),
]

/** Ms that packing or compiling may take on a busy machine. */
const RUN_MS = 180_000
/** Ms for the last bytes of a program whose child still holds the terminal open. */
const DRAIN_MS = 1000
/** Clock ticks of the processor's time in a second. */
const TICKS = 100
const PAGE = 4096

export interface Started extends AsyncDisposable {
  readonly pid: number
  /** Bytes that the program has sent. */
  readonly bytes: () => number
  /** Frames that it has drawn: each ends a synchronised update. */
  readonly frames: () => number
  /** Ms of processor time, of all its threads. */
  readonly processorMs: () => number
  /** Bytes that are resident. */
  readonly rss: () => number
  /**
   * Resolves with the moment (epoch ms, with fractions) at which `text` comes, from now on. Rejects after a while, or
   * when the program ends, and calls the text `what`.
   */
  seen(text: string, what: string): Promise<number>
  press(text: string): void
  readonly exited: Promise<number>
  stop(): Promise<void>
}

export const now = (): number => performance.timeOrigin + performance.now()

/** Runs a command to its end. Throws with what it said if it fails or does not end. */
export function runToEnd(cwd: string, ...cmd: readonly string[]): void {
  const options = { cwd, stdout: "ignore", stderr: "pipe", timeout: RUN_MS, killSignal: "SIGKILL" } as const
  const { exitCode, signalCode, stderr } = Bun.spawnSync([...cmd], options)
  if (exitCode !== 0) throw new Error(`${cmd.join(" ")}: ended by ${signalCode ?? exitCode}: ${stderr.toString()}`)
}

/** Those of the commands that this machine has. */
export function installed(...commands: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return commands.filter(([name = ""]) => {
    const isThere = Bun.which(name) !== null
    if (!isThere) process.stderr.write(`${name} is not installed: not measured beside it\n`)
    return isThere
  })
}

/** Ms of the processor, of all threads, that a command takes, with `env` besides. Throws if it fails. */
export function processorMs(cmd: readonly string[], env: Readonly<Record<string, string>> = {}): number {
  return Number(usage(cmd, env).cpuTime.total) / 1000
}

/** Ms between two looks at what a process has held at most. */
const LOOK_MS = 10

/** The MB (1,000,000 bytes) that a command holds at most. Rejects if it fails. Linux only. */
export async function mostMegabytes(cmd: readonly string[]): Promise<number> {
  const program = Bun.spawn([...cmd], { stdout: "ignore", stderr: "inherit" })
  let most = 0
  // What the system tells at the end counts this process too, as it was when it forked.
  while (program.exitCode === null) {
    const status = await Bun.file(`/proc/${program.pid}/status`)
      .text()
      .catch(() => "")
    most = Math.max(most, Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0))
    await Bun.sleep(LOOK_MS)
  }
  if (program.exitCode !== 0) throw new Error(`${cmd.join(" ")}: ended by ${program.exitCode}`)
  return (most * 1024) / 1e6
}

function usage(cmd: readonly string[], env: Readonly<Record<string, string>> = {}): Bun.ResourceUsage {
  // A pipe, since grep stops at its first match where nobody reads.
  const options = { env: { ...process.env, ...env }, stdout: "pipe", stderr: "inherit" } as const
  const { exitCode, resourceUsage } = Bun.spawnSync([...cmd], options)
  if (exitCode !== 0) throw new Error(`${cmd.join(" ")}: ended by ${exitCode}`)
  return resourceUsage
}

/** Starts `cmd` in a terminal of this size, with nothing but `env` to tell it what to show. */
export function start(
  cmd: readonly string[],
  options: {
    readonly columns?: number
    readonly rows?: number
    readonly cwd?: string
    readonly env?: Record<string, string>
  } = {},
): Started {
  const home = ownDirectory("home")
  const watched = new Watched(cmd.join(" "))
  const drained = Promise.withResolvers<void>()
  let bytes = 0
  const program = Bun.spawn([...cmd], {
    cwd: options.cwd ?? root,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: home.path,
      TERM: "xterm-256color",
      COLORTERM: "truecolor",
      LANG: "C.UTF-8",
      ...options.env,
    },
    terminal: {
      cols: options.columns ?? 120,
      rows: options.rows ?? 40,
      data(_, chunk) {
        bytes += chunk.length
        watched.take(Buffer.from(chunk).toString("latin1"), now())
      },
      exit: () => drained.resolve(),
    },
  })
  const kill = atEnd(() => killGroup(program.pid))
  const exited = program.exited.then(async code => {
    const timer = setTimeout(drained.resolve, DRAIN_MS)
    await drained.promise
    clearTimeout(timer)
    watched.end(`exit code ${code}`)
    return code
  })
  const stat = (): readonly string[] => {
    try {
      return readFileSync(`/proc/${program.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
    } catch {
      throw watched.failure("what it costs", "it has ended")
    }
  }
  const stop = async (): Promise<void> => {
    kill()
    await exited
    program.terminal?.close()
    home.remove()
  }
  return {
    pid: program.pid,
    bytes: () => bytes,
    frames: () => watched.frames,
    processorMs: () => ((Number(stat()[11]) + Number(stat()[12])) * 1000) / TICKS,
    rss: () => Number(stat()[21]) * PAGE,
    seen: (text, what) => watched.seen(text, what),
    press: text => void program.terminal?.write(text),
    exited,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** A streaming agent (`agent.ts`) in a process of its own, and what it says. */
export interface Agent extends AsyncDisposable {
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
  const kill = atEnd(() => agent.kill("SIGKILL"))
  const listeners: ((said: Said) => void)[] = []
  const first = <T>(wanted: (said: Said) => T | undefined, what: string, ms: number): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const late = setTimeout(() => reject(new Error(`the agent has not said ${what} within ${ms / 1000} s`)), ms)
    // Whoever asked for several things may have failed at the first.
    promise.catch(() => undefined)
    void agent.exited.then(code => {
      clearTimeout(late)
      reject(new Error(`the agent has ended (exit code ${code}) and not said ${what}`))
    })
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
  const stop = async (): Promise<void> => {
    kill()
    await agent.exited
  }
  return {
    url: await first(({ url }) => url, "its address", STARTED_MS),
    first,
    hear: listener => void listeners.push(listener),
    signal: signal => agent.kill(signal),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
