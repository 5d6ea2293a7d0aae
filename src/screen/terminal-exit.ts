// Restores the terminal on every way out: the renderer swallows faults and survives signals (docs/opentui.md).
import { isatty } from "node:tty"
import type { CliRenderer } from "@opentui/core"
import { type SafeText, sanitize, sanitizeFault } from "../../packages/wire/src/sanitize.ts"
import { SIGNAL_CODES } from "./signals.ts"
import { exitInBackground, ignoreBackgroundStops, isForeground } from "./terminal-control.ts"
import { exitAfter, type TerminalOutput, writeError } from "./terminal-output.ts"

/** The renderer clears the title and leaves mode 2027 set, and 2026 if it is stopped while it draws. */
const KEEP_TITLE = "\x1b[22;2t"
const RESTORE = "\x1b[?2026l\x1b[?2027l\x1b[23;2t"
const titled = (text: SafeText | ""): string => `\x1b]2;${text}\x07`

/** Time for the last sends to leave the process, ms. */
const FLUSH_MS = 40

/** A process that still runs after this time was not stopped and gets no SIGCONT, ms. */
const STOPPED_MS = 100
/** How often a process that was continued in the background checks whether it has the terminal again, ms. */
const BACKGROUND_MS = 200

export interface ExitSteps {
  /** Ends the run; may be called more than once. A promise if something is still being sent, for a moment. */
  readonly close: () => Promise<void> | null
  /** Called after a fault, once the terminal is restored; signals are no longer ours. */
  readonly afterFault: (words: SafeText, fault: unknown) => void
  /** Forwards a signal to a guest; returns true if there is one, whose end we then wait for. */
  readonly forwardSignal: (signal: NodeJS.Signals) => boolean
}

/** Ends the process: code 128 + n after signal n, 1 after a fault. Made before the renderer, to miss no signal. */
export class Exit {
  readonly #signals = [...SIGNAL_CODES].map(([signal, code]) => ({
    signal,
    end: (name: NodeJS.Signals) => void (this.#isLentKey(name) || this.steps.forwardSignal(name) || this.#exit(code)),
  }))
  readonly #strays = new StrayWrites()
  #failed = false
  /** The code that the process is ending with: a key or signal that follows only ends it sooner. */
  #leaving: number | null = null
  #renderer: CliRenderer | null = null
  #title: SafeText | null = null
  /** True while the shell has the terminal: then nothing may touch it. */
  #isSuspended = false
  #isLent = false

  constructor(
    private readonly output: TerminalOutput,
    private readonly steps: ExitSteps,
  ) {
    process.on("exit", code => {
      this.#restore()
      if (this.#isSuspended || !isForeground()) exitInBackground(code)
    })
    this.#catchFaults()
    for (const { signal, end } of this.#signals) process.on(signal, end)
    output.write(KEEP_TITLE)
  }

  guard(renderer: CliRenderer): void {
    this.#renderer = renderer
    this.#strays.divert()
    this.#catchFaults()
    const { stdin } = renderer
    const fd = "fd" in stdin && typeof stdin.fd === "number" ? stdin.fd : 0
    const setRawMode = stdin.setRawMode?.bind(stdin)
    Object.assign(stdin, {
      setRawMode(isRaw: boolean) {
        // In the background the modes are those of the shell, and without a terminal there are none.
        if (isForeground() && isatty(fd)) setRawMode(isRaw)
        return stdin
      },
    })
  }

  /** The renderer would print faults raw, and logs those of its key, paste and mouse handlers to the console. */
  #catchFaults(): void {
    const mute = (): void => undefined
    const error = (...logged: readonly unknown[]): void => {
      const fault = logged.find(one => one instanceof Error)
      if (fault !== undefined) this.fail(fault)
    }
    Object.assign(console, { error, warn: mute, log: mute, info: mute, debug: mute, trace: mute })
    for (const event of ["uncaughtException", "unhandledRejection"]) {
      process.removeAllListeners(event)
      process.on(event, fault => this.fail(fault))
    }
  }

  /** Sets the title of the window; null restores the earlier one. */
  title(text: SafeText | null): void {
    this.#title = text
    if (!this.#isSuspended) this.output.write(text === null ? `${titled("")}\x1b[23;2t${KEEP_TITLE}` : titled(text))
  }

  /** Ends the process after a moment for the last sends; `words` go to stderr as one line. */
  leave(code: number, words?: SafeText): void {
    this.#leaving ??= code
    const sending = this.#giveBack(words)
    setTimeout(() => exitAfter(sending, code), FLUSH_MS)
  }

  /**
   * Gives the terminal to the shell, after a line with `words`. The whole process group stops: a running agent would
   * hold the shell back.
   */
  suspend(words: SafeText | null): void {
    const renderer = this.#renderer
    if (renderer === null || renderer.isDestroyed) return
    this.#release(renderer)
    if (words !== null) this.output.write(`opentui-sidecar: ${words}\r\n`)
    this.#isSuspended = true
    const resume = (): void => {
      clearTimeout(timer)
      if (!isForeground()) {
        timer = setTimeout(resume, BACKGROUND_MS)
        return
      }
      process.off("SIGCONT", resume)
      this.#isSuspended = false
      this.#acquire(renderer)
    }
    process.on("SIGCONT", resume)
    let timer = setTimeout(resume, STOPPED_MS)
    process.kill(0, "SIGTSTP")
  }

  /** Releases the terminal for another program until `work` is done; the run goes on meanwhile. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    const renderer = this.#renderer
    if (renderer === null || renderer.isDestroyed) return await work()
    this.#release(renderer)
    // The library keeps reading the keyboard, and the two programs would share what is typed.
    renderer.stdin.pause()
    this.#isLent = true
    try {
      return await work()
    } finally {
      this.#isLent = false
      this.#acquire(renderer)
    }
  }

  /** Keys such as Ctrl-C in another program's terminal signal the whole group, and are meant for that program. */
  #isLentKey(name: NodeJS.Signals): boolean {
    return this.#isLent && (name === "SIGINT" || name === "SIGQUIT")
  }

  #release(renderer: CliRenderer): void {
    renderer.suspend()
    this.output.write(RESTORE)
    this.output.flush()
    this.#strays.pause()
  }

  #acquire(renderer: CliRenderer): void {
    if (renderer.isDestroyed) return
    this.#strays.divert()
    this.output.write(KEEP_TITLE)
    if (this.#title !== null) this.output.write(titled(this.#title))
    renderer.resume()
    // A stopped process is not told of a new size.
    process.kill(process.pid, "SIGWINCH")
  }

  /** Writes to the terminal, unless the shell has it. */
  write(text: string): void {
    if (!this.#isSuspended) this.output.write(text)
  }

  /** The first fault of the screen closes only the screen (docs/decisions.md section 4); any other ends the process. */
  fail(fault: unknown): void {
    const words = sanitizeFault(fault)
    if (this.#failed || this.#renderer === null) {
      exitAfter(this.#giveBack(words), 1)
      return
    }
    this.#failed = true
    this.#restore()
    for (const { signal, end } of this.#signals) process.off(signal, end)
    // A renderer destroyed while drawing ends with its last frame, and drops what was typed until then.
    setTimeout(() => this.steps.afterFault(words, fault), 0)
  }

  /** Ends the process before there is a screen, with one line. */
  give(fault: unknown): never {
    this.#giveBack(sanitizeFault(fault))
    process.exit(1)
  }

  #exit(code: number): void {
    exitAfter(this.#giveBack(), this.#leaving ?? code)
  }

  #giveBack(words?: SafeText): Promise<void> | null {
    const sending = this.steps.close()
    this.#restore()
    if (words !== undefined) writeError(sanitize(`opentui-sidecar: ${words}\n`))
    return sending
  }

  #restore(): void {
    this.#endPicture()
    const strays = sanitize(this.#strays.end())
    if (strays !== "") writeError(strays)
  }

  #endPicture(): void {
    const renderer = this.#renderer
    if (renderer === null || renderer.isDestroyed || this.#isSuspended) return
    // Another program has the terminal, but it still shows our screen.
    if (!isForeground()) ignoreBackgroundStops()
    this.output.beginEnd()
    renderer.destroy()
    this.output.write(RESTORE)
    this.output.flush()
  }
}

/** The most that is kept, UTF-16 units; the rest is counted. */
const MOST_KEPT = 64 * 1024

/** Writes of libraries and warnings of the runtime, which would stand in the middle of the picture. */
class StrayWrites {
  #kept = ""
  #dropped = 0
  #giveBack: (() => void) | null = null

  /** Diverts both streams from now on. A second call changes nothing. */
  divert(): void {
    if (this.#giveBack !== null) return
    const streams = [process.stdout, process.stderr].map(stream => ({ stream, write: stream.write }))
    const write = (data: Uint8Array | string, ...rest: readonly unknown[]): boolean => {
      this.#keep(typeof data === "string" ? data : new TextDecoder().decode(data))
      const done = rest.at(-1)
      if (typeof done === "function") queueMicrotask(() => done())
      return true
    }
    for (const { stream } of streams) Object.assign(stream, { write })
    this.#giveBack = () => {
      for (const { stream, write } of streams) Object.assign(stream, { write })
    }
  }

  /** Gives the streams back, while another program has the terminal; what was kept stays. */
  pause(): void {
    this.#giveBack?.()
    this.#giveBack = null
  }

  /** Ends the diversion. Returns what was kept, raw; empty if nothing was written. */
  end(): string {
    this.pause()
    const kept = this.#dropped === 0 ? this.#kept : `${this.#kept}\n… ${this.#dropped} more characters\n`
    this.#kept = ""
    this.#dropped = 0
    return kept === "" || kept.endsWith("\n") ? kept : `${kept}\n`
  }

  #keep(text: string): void {
    const room = MOST_KEPT - this.#kept.length
    this.#kept += text.slice(0, room)
    this.#dropped += Math.max(0, text.length - room)
  }
}
