// Runs a program in a tmux server of its own, for what only a real multiplexer does to a screen and its keys.
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Expected, untilShown, type Wait } from "../until.ts"
import { cleanEnvironment } from "./terminal.ts"

export interface TmuxOptions {
  readonly cmd: readonly string[]
  readonly cols?: number
  readonly rows?: number
  readonly cwd?: string
  /** Added to a clean environment. `TERM` is tmux's to set. */
  readonly env?: Readonly<Record<string, string>>
}

export interface Tmux extends AsyncDisposable {
  /** An empty directory of this server's own, gone after `close`. */
  readonly home: string
  /** The rows of the pane, as many as it has; with `ansi`, its colours and styles as escape sequences. */
  screen(options?: { readonly ansi?: boolean }): Promise<readonly string[]>
  /** Resolves with the rows once they match; see `untilShown`. */
  waitFor(expected: Expected, options?: Wait): Promise<readonly string[]>
  /** Presses keys by tmux's names: `"Enter"`, `"C-c"`, `"M-x"`, `"Up"`. */
  press(...keys: readonly string[]): Promise<void>
  type(text: string): Promise<void>
  resize(cols: number, rows: number): Promise<void>
  /** Evaluates a tmux format: `ask("#{alternate_on}")`, `ask("#{mouse_any_flag}")`. */
  ask(format: string): Promise<string>
  /** Resolves with the exit code (128 + n after signal n) once the program has ended. The pane stays readable. */
  exited(): Promise<number>
  /** Ends the server and its programs. May be called twice. */
  close(): Promise<void>
}

/** Why tests that need tmux are skipped here, or null if they can run. */
export function missingTmux(): string | null {
  return Bun.which("tmux") === null ? "not run: tmux is missing" : null
}

/** Starts `cmd` in a detached pane (80 by 24 by default), without status line or configuration. */
export async function openTmux(options: TmuxOptions): Promise<Tmux> {
  const { cmd, cols = 80, rows = 24, cwd = process.cwd() } = options
  const home = await mkdtemp(join(tmpdir(), "sidecar-tmux-"))
  const env = { ...cleanEnvironment(home), TMUX_TMPDIR: home, ...options.env }
  const tmux = async (...args: readonly string[]): Promise<string> => {
    const client = Bun.spawn(["tmux", "-L", "sidecar", "-f", "/dev/null", ...args], { env, stderr: "pipe" })
    const [out, problem, code] = await Promise.all([client.stdout.text(), client.stderr.text(), client.exited])
    if (code !== 0) throw new Error(`tmux ${args[0]} failed: ${problem.trim()}`)
    return out
  }
  const stop = async (): Promise<void> => {
    // The server may be gone with its last pane.
    await tmux("kill-server").catch(() => "")
    await rm(home, { recursive: true, force: true })
  }
  let closing: Promise<void> | null = null
  const close = (): Promise<void> => (closing ??= stop())

  const size = (width: number, height: number) => ["-x", String(width), "-y", String(height)]
  try {
    // One call, so that the options stand before the program can have ended. `env` keeps a command of one word from
    // going through a shell.
    await tmux(
      ...["set-option", "-g", "remain-on-exit", "on", ";", "set-option", "-g", "status", "off", ";"],
      ...["set-option", "-g", "escape-time", "0", ";"],
      ...["new-session", "-d", ...size(cols, rows), "-c", cwd, "--", "env", ...cmd.map(plain)],
    )
  } catch (error) {
    await close()
    throw error
  }

  const screen: Tmux["screen"] = async (how = {}) => {
    const text = await tmux("capture-pane", "-p", ...(how.ansi === true ? ["-e"] : []))
    return text.split("\n").slice(0, -1)
  }
  const ask: Tmux["ask"] = async format => (await tmux("display-message", "-p", format)).replace(/\n$/, "")
  return {
    home,
    screen,
    waitFor: (expected, limits) => untilShown({ screen }, expected, limits),
    press: async (...keys) => void (await tmux("send-keys", "--", ...keys)),
    type: async text => void (await tmux("send-keys", "-l", "--", plain(text))),
    resize: async (width, height) => void (await tmux("resize-window", ...size(width, height))),
    ask,
    exited: async () => {
      for (;;) {
        const end = await ask("#{pane_dead}:#{pane_dead_status}:#{pane_dead_signal}:#{pid}")
        const [dead, code, signal, server] = end.split(":")
        if (signal) return 128 + Number(signal)
        if (code) return Number(code)
        // tmux may miss the end of its child; a second SIGCHLD makes it look.
        if (dead === "1") process.kill(Number(server), "SIGCHLD")
        await Bun.sleep(10)
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** An argument that ends in a semicolon would end the tmux command. */
function plain(argument: string): string {
  return argument.replace(/;$/, "\\;")
}
