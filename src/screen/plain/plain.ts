// Shows a run without a screen: lines to stdout as things happen, and answers from stdin.
import { isOver, type State } from "../../view/state.ts"
import type { ShownRun, Surface, SurfaceOptions } from "../surface.ts"
import { PrintedRun } from "./printed-run.ts"

const SIGNALS = { SIGHUP: 129, SIGQUIT: 131, SIGTERM: 143 } as const

type PlainOptions = Pick<SurfaceOptions, "now" | "keys">

/** Reads stdin from now on. It may end: then nobody answers, and the run is still printed. */
export function openPlain(options: PlainOptions): Surface {
  return new PlainSurface(options)
}

class PlainSurface implements Surface {
  readonly #options: PlainOptions
  #run: ShownRun | null = null
  #printed: PrintedRun | null = null
  /** The lines of an answer so far, of which each ended with a backslash. */
  #begun = ""
  #isSilent = false
  #isLeaving = false

  constructor(options: PlainOptions) {
    this.#options = options
    this.#readLines()
    // Nobody may be left to read what we print.
    process.stdout.on("error", () => process.exit(0))
    process.on(
      "SIGINT",
      () => void (this.#run?.forwardSignal("SIGINT") || this.#printed?.ask({ type: "program/quit" })),
    )
    for (const [signal, code] of Object.entries(SIGNALS)) {
      process.on(signal, (name: NodeJS.Signals) => void (this.#run?.forwardSignal(name) || this.leave(code)))
    }
  }

  show(run: ShownRun): void {
    this.#printed?.close()
    this.#run = run
    this.#printed = new PrintedRun(run, this.#options.now)
    if (this.#isSilent) this.#printed.silence()
  }

  leave(code: number, words?: string): void {
    if (this.#isLeaving) return
    this.#isLeaving = true
    this.#printed?.print()
    this.#run?.close()
    if (words !== undefined) process.stderr.write(`opentui-sidecar: ${words}\n`)
    // Waits for what a pipe has not taken yet.
    process.stdout.end(() => process.exit(code))
  }

  agentGone({ link, present }: State): void {
    if (link.state === "exited") this.leave(link.code)
    if (link.state === "ended" || (link.state === "lost" && isOver(present))) this.leave(0)
  }

  lend<T>(work: () => Promise<T>): Promise<T> {
    return work()
  }

  focused(): boolean {
    return true
  }

  /** Nothing asks for a copy here: there are no keys. */
  copy(): boolean {
    return false
  }

  redraw(): void {}
  suspend(): void {}
  bell(): void {}
  title(): void {}
  notify(): void {}

  #readLines(): void {
    const { keys } = this.#options
    if (keys === null) return
    // A screen has this at hand for when it fails, and is not to load a reader of lines at each start.
    const { createInterface } = process.getBuiltinModule("node:readline")
    const input = createInterface({ input: keys, terminal: false })
    input.on("line", line => {
      const text = this.#begun + line
      this.#begun = text.endsWith("\\") ? `${text.slice(0, -1)}\n` : ""
      if (this.#begun === "") this.#printed?.typed(text)
    })
    input.on("close", () => {
      this.#isSilent = true
      this.#printed?.silence()
    })
  }
}
