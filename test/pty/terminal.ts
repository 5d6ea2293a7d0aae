// Runs a program in a pseudo-terminal of its own and lets a test see its screen and press its keys.
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { EmbeddedTerminalRenderable } from "@opentui/core"
import { createTestRenderer } from "@opentui/core/testing"
import { EARLY_MS, type Expected, untilShown, type Wait } from "../until.ts"

export interface TerminalOptions {
  readonly cmd: readonly string[]
  readonly cols?: number
  readonly rows?: number
  readonly cwd?: string
  /** Added to a clean environment; `undefined` takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** A Bun program's clock stands still but for `pass`; see `held-clock.ts`. */
  readonly held?: boolean
  /** How late the terminal answers queries, as over a slow line; 0 by default. */
  readonly replyMs?: number
}

export interface Terminal extends AsyncDisposable {
  readonly pid: number
  /** An empty directory of this terminal's own, gone after `close`. */
  readonly home: string
  /** Every byte that the program has written so far, as latin1. */
  readonly raw: string
  /** Resolves with the exit code (128 + n after signal n) once the program's output has been read. */
  readonly exited: Promise<number>
  /** Line discipline flags (input, output, local, control): those of now, and those from before the program. */
  readonly flags: readonly number[]
  readonly before: readonly number[]
  /** Answers to queries that the terminal has sent. */
  readonly replies: number
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean }
  /** The current rows of the screen, without trailing spaces. */
  screen(): Promise<readonly string[]>
  /** Resolves with the rows once they match; see `untilShown`. */
  waitFor(expected: Expected, options?: Wait): Promise<readonly string[]>
  /** Sends bytes, one per character (latin1): `"\x1b[A"`, `"\x03"`. */
  press(bytes: string): this
  /** Sends text as UTF-8. */
  type(text: string): this
  resize(cols: number, rows: number): Promise<void>
  /** Lets so many ms pass for a program whose clock is held. */
  pass(ms: number): Promise<void>
  /** Signals the program only, not its children. */
  kill(signal?: NodeJS.Signals): void
  /** Ends the program and its children, and leaves nothing behind. May be called twice. */
  close(): Promise<void>
}

const HELD_CLOCK = join(import.meta.dir, "held-clock.ts")

/** The wait for the last bytes if a child still holds the terminal open, and for the rest of a frame. */
const DRAIN_MS = 1000

/**
 * Starts `cmd` (80 columns by 24 rows unless said otherwise). The terminal is xterm-like with true colour and answers
 * the queries that Ghostty answers. `HOME` and `XDG_STATE_HOME` are empty directories, `bun` is the one that runs the
 * test, and nothing else of the test's environment is seen.
 */
export async function openTerminal(options: TerminalOptions): Promise<Terminal> {
  const { cmd, cols = 80, rows = 24 } = options
  const home = await mkdtemp(join(tmpdir(), "sidecar-pty-"))
  const host = await createTestRenderer({ width: cols, height: rows })
  const screen = new EmbeddedTerminalRenderable(host.renderer, {
    cols,
    rows,
    width: cols,
    height: rows,
    onData: (bytes, source) => {
      const reply = Uint8Array.from(bytes)
      if (source !== "response") return
      setTimeout(() => {
        send(reply)
        replies++
      }, options.replyMs ?? 0)
    },
  })
  host.renderer.root.add(screen)

  let replies = 0
  let raw = ""
  const drained = Promise.withResolvers<void>()
  let ended = false
  let acknowledged = Promise.withResolvers<void>()
  const [bun = "", run = "", ...words] = cmd
  const program = Bun.spawn(options.held === true ? [bun, run, "--preload", HELD_CLOCK, ...words] : [...cmd], {
    ...(options.held === true ? { ipc: () => acknowledged.resolve() } : {}),
    terminal: {
      cols,
      rows,
      data(_pty, bytes) {
        raw += Buffer.from(bytes).toString("latin1")
        screen.write(bytes)
        changed = true
        heardAt = performance.now()
      },
      exit() {
        ended = true
        drained.resolve()
      },
    },
    env: { ...cleanEnvironment(home), ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  })
  const pty = program.terminal
  if (pty === undefined) throw new Error(`No terminal was opened for ${cmd.join(" ")}`)
  const flags = () => [pty.inputFlags, pty.outputFlags, pty.localFlags, pty.controlFlags]
  const before = flags()
  const send = (bytes: string | Uint8Array<ArrayBuffer>): void => {
    if (!pty.closed) pty.write(bytes)
  }

  let shown: readonly string[] = []
  /** Whether there is more than `shown`; to draw costs more than to wait. */
  let changed = true
  let heardAt = 0
  /** Between these two modes a frame is incomplete. A terminal shows the one before it, until it gives up waiting. */
  const isHalf = () =>
    raw.lastIndexOf("\x1b[?2026h") > raw.lastIndexOf("\x1b[?2026l") && performance.now() - heardAt < DRAIN_MS
  const look = async (): Promise<readonly string[]> => {
    if (!changed || (!ended && isHalf())) return shown
    changed = false
    // The emulator updates its screen only when it is drawn.
    await host.renderOnce()
    const { lines, rows: height } = screen.screen()
    shown = Array.from({ length: height }, (_, row) => (lines[row] ?? "").trimEnd())
    return shown
  }
  const pass = (ms: number): Promise<void> => {
    acknowledged = Promise.withResolvers()
    program.send(ms)
    return acknowledged.promise
  }
  const end = async (): Promise<void> => {
    killGroup(program.pid)
    await program.exited
    pty.close()
    host.renderer.destroy()
    await rm(home, { recursive: true, force: true })
  }
  let closing: Promise<void> | null = null
  const close = (): Promise<void> => (closing ??= end())

  const terminal: Terminal = {
    pid: program.pid,
    home,
    exited: program.exited.then(async code => {
      await Promise.race([drained.promise, Bun.sleep(DRAIN_MS)])
      return code
    }),
    get raw() {
      return raw
    },
    before,
    get flags() {
      return flags()
    },
    get replies() {
      return replies
    },
    get cursor() {
      return screen.screen().cursor
    },
    screen: look,
    waitFor: (expected, limits) =>
      untilShown(
        {
          screen: look,
          ended: () => (ended ? "the program has ended" : null),
          ...(options.held === true ? { hurry: () => pass(EARLY_MS) } : {}),
        },
        expected,
        limits,
      ),
    press(bytes) {
      send(Buffer.from(bytes, "latin1"))
      return this
    },
    type(text) {
      send(text)
      return this
    },
    resize: async (width, height) => {
      host.resize(width, height)
      screen.width = width
      screen.height = height
      // The emulator takes its new size when it is laid out, so the program gets it after that.
      await host.renderOnce()
      changed = true
      pty.resize(width, height)
    },
    pass,
    kill: signal => program.kill(signal),
    close,
    [Symbol.asyncDispose]: close,
  }
  return terminal
}

/** The environment of every program in a test terminal. */
export function cleanEnvironment(home: string): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ""}`,
    HOME: home,
    XDG_STATE_HOME: join(home, "state"),
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
    LANG: "C.UTF-8",
    TZ: "UTC",
  }
}

/** Kills the process group of a program, which includes its children. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // No process of the group is left.
  }
}
