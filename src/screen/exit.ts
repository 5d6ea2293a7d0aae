// Gives the terminal back on every way out: the renderer swallows faults and outlives signals (docs/opentui.md).
import type { CliRenderer } from "@opentui/core"
import { sanitizeFault } from "../protocol/sanitize.ts"
import type { TerminalOutput } from "./terminal-output.ts"

/** The renderer empties the title and leaves its way of measuring characters on. */
const KEEP_TITLE = "\x1b[22;2t"
const AS_IT_WAS = "\x1b[?2027l\x1b[23;2t"
const titled = (text: string): string => `\x1b]2;${text}\x07`

/** What was sent last gets this long to leave the process, ms. */
const FLUSH_MS = 40

/** A process that still runs after this time was not stopped: nobody could have brought it back, ms. */
const STOPPED_MS = 100

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const

/** What is done as the process ends. */
export interface ExitSteps {
  /** Ends the run; it may be called more than once. */
  readonly close: () => void
  /**
   * Called after a fault, once the terminal is given back: from then on the run is shown without a screen, and signals
   * are no longer ours.
   */
  readonly fall: (words: string, fault: unknown) => void
  /** Asked first whether a signal is for a guest, whose end is then waited for. */
  readonly forwardSignal: (signal: NodeJS.Signals) => boolean
}

/**
 * How the process ends while the terminal is ours: 128 + n after signal n, 1 after a fault, which is told on stderr.
 * Made before the renderer, so that no signal finds the terminal half taken.
 */
export class Exit {
  readonly #output: TerminalOutput
  readonly #steps: ExitSteps
  readonly #signals = Object.entries(SIGNALS).map(([signal, code]) => ({
    signal,
    end: (name: NodeJS.Signals) => void (this.#steps.forwardSignal(name) || this.#end(code)),
  }))
  #fallen = false
  #renderer: CliRenderer | null = null
  #title: string | null = null

  constructor(output: TerminalOutput, steps: ExitSteps) {
    this.#output = output
    this.#steps = steps
    process.on("exit", () => this.#restore())
    this.#hearFaults()
    for (const { signal, end } of this.#signals) process.on(signal, end)
    output.write(KEEP_TITLE)
  }

  /** What is to be taken down at the end. */
  guard(renderer: CliRenderer): void {
    this.#renderer = renderer
    this.#hearFaults()
  }

  /**
   * Faults are ours alone: the renderer would print them as they are, whatever they hold. What a key, a paste or the mouse
   * throws it catches, and tells the console, which would write it across the screen.
   */
  #hearFaults(): void {
    const mute = (): void => undefined
    const error = (...said: readonly unknown[]): void => {
      const fault = said.find(one => one instanceof Error)
      if (fault !== undefined) this.fail(fault)
    }
    Object.assign(console, { error, warn: mute, log: mute, info: mute, debug: mute, trace: mute })
    for (const event of ["uncaughtException", "unhandledRejection"]) {
      process.removeAllListeners(event)
      process.on(event, fault => this.fail(fault))
    }
  }

  /** Names the window; null gives it back the name that it had. The text is inert. */
  title(text: string | null): void {
    this.#title = text
    this.#output.write(text === null ? `${titled("")}\x1b[23;2t${KEEP_TITLE}` : titled(text))
  }

  /** Ends the process once what was sent has had its time; `words` go to stderr as one line. */
  leave(code: number, words?: string): void {
    this.#giveBack(words)
    setTimeout(() => process.exit(code), FLUSH_MS)
  }

  /**
   * Gives the terminal to the shell until it brings the job back. The whole job stops, as it does where the terminal
   * itself turns the key into a signal: an agent that waits for us and went on would keep the shell away.
   */
  suspend(): void {
    const renderer = this.#renderer
    if (renderer === null || renderer.isDestroyed) return
    this.#putDown(renderer)
    const resume = (): void => {
      process.off("SIGCONT", resume)
      clearTimeout(timer)
      this.#takeUp(renderer)
    }
    process.once("SIGCONT", resume)
    const timer = setTimeout(resume, STOPPED_MS)
    process.kill(0, "SIGTSTP")
  }

  /** Gives the terminal to another program until `work` is done; the run goes on meanwhile. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    const renderer = this.#renderer
    if (renderer === null || renderer.isDestroyed) return await work()
    this.#putDown(renderer)
    // The library leaves the keyboard open, and two readers would share what is typed.
    renderer.stdin.pause()
    try {
      return await work()
    } finally {
      this.#takeUp(renderer)
    }
  }

  #putDown(renderer: CliRenderer): void {
    renderer.suspend()
    this.#output.write(AS_IT_WAS)
    this.#output.flush()
  }

  #takeUp(renderer: CliRenderer): void {
    if (renderer.isDestroyed) return
    this.#output.write(KEEP_TITLE)
    if (this.#title !== null) this.#output.write(titled(this.#title))
    renderer.resume()
  }

  /** The first fault of a screen that stands costs the screen alone (docs/decisions.md section 4); any other ends us. */
  fail(fault: unknown): void {
    const words = sanitizeFault(fault)
    if (this.#fallen || this.#renderer === null) this.#end(1, words)
    this.#fallen = true
    this.#restore()
    for (const { signal, end } of this.#signals) process.off(signal, end)
    // A renderer that is destroyed while it draws goes with its last frame, and throws away what was typed until then.
    setTimeout(() => this.#steps.fall(words, fault), 0)
  }

  /** Before anything could be shown: one clear line, and the end. */
  give(fault: unknown): never {
    return this.#end(1, sanitizeFault(fault))
  }

  #end(code: number, words?: string): never {
    this.#giveBack(words)
    process.exit(code)
  }

  #giveBack(words?: string): void {
    this.#steps.close()
    this.#restore()
    if (words !== undefined) process.stderr.write(`opentui-sidecar: ${words}\n`)
  }

  #restore(): void {
    const renderer = this.#renderer
    if (renderer === null || renderer.isDestroyed) return
    renderer.destroy()
    this.#output.write(AS_IT_WAS)
    this.#output.flush()
  }
}
