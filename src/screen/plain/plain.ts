// Shows a run without a screen: lines to stdout as things happen, and answers from stdin.
import { type SafeText, sanitize } from "../../../packages/wire/src/sanitize.ts"
import { isOver, type State } from "../../view/state.ts"
import { SIGNAL_CODES } from "../signals.ts"
import type { ShownRun, Surface, SurfaceOptions } from "../surface.ts"
import { exitAfter, TerminalOutput, writeError } from "../terminal-output.ts"
import { PrintedRun } from "./printed-run.ts"

/** How long printed text may wait for its reader once we leave, ms. */
const PATIENCE_MS = 1000
/** Printed text waits for its reader up to this size, UTF-16 units; then a source that can wait does. */
const MOST_UNTAKEN = 1024 * 1024

type PlainOptions = Pick<SurfaceOptions, "now" | "after" | "times" | "keys" | "onAgentExit">

/** Reads stdin from now on. It may end: then nobody answers, and the run is still printed. */
export class PlainSurface implements Surface {
  readonly terminal = null
  /** The runtime blocks on a terminal that does not read; text for a pipe waits in the background. */
  readonly #output = process.stdout.isTTY ? new TerminalOutput() : process.stdout
  #untaken = 0
  /** Resolved once little text waits; null while nobody needs to know. */
  #relief: PromiseWithResolvers<void> | null = null
  #run: ShownRun | null = null
  #printed: PrintedRun | null = null
  /** The lines of an answer so far, of which each ended with a backslash. */
  #begun = ""
  #isSilent = false
  /** The code that the process is ending with: a signal that follows only ends it sooner. */
  #leaving: number | null = null
  #sending: Promise<void> | null = null

  constructor(private readonly options: PlainOptions) {
    this.#readLines()
    // A reader that is gone ends it with 0. After another failure `leave` has set the code.
    process.stdout.on("error", () => exitAfter(this.#close(), this.#leaving ?? 0))
    for (const [signal, code] of SIGNAL_CODES) {
      process.on(signal, () => {
        if (this.#run?.forwardSignal(signal)) return
        if (signal === "SIGINT" && this.#leaving === null) this.#printed?.ask({ type: "program/quit" })
        // A second Ctrl-C only ends it sooner.
        else this.leave(signal === "SIGINT" ? (this.#leaving ?? code) : code)
      })
    }
  }

  show(run: ShownRun): void {
    this.#printed?.close()
    this.#run = run
    const output = { write: (text: SafeText) => this.#print(text), isFull: () => this.#untaken >= MOST_UNTAKEN }
    this.#printed = new PrintedRun(run, this.options, output, () => this.#end(0))
    if (this.#isSilent) this.#printed.silence()
  }

  taken(): Promise<void> | undefined {
    if (this.#untaken < MOST_UNTAKEN) return undefined
    this.#relief ??= Promise.withResolvers<void>()
    return this.#relief.promise
  }

  #print(text: SafeText): void {
    this.#untaken += text.length
    this.#output.write(text, () => {
      this.#untaken -= text.length
      const isRelieved = this.#untaken < MOST_UNTAKEN && this.#untaken + text.length >= MOST_UNTAKEN
      if (!isRelieved) return
      if (this.#leaving === null) this.#printed?.print()
      this.#relief?.resolve()
      this.#relief = null
    })
  }

  leave(code: number, words?: SafeText): void {
    setTimeout(() => process.exit(code), PATIENCE_MS)
    this.#end(code, words)
  }

  agentGone({ link, present }: State): void {
    if (link.state === "exited") this.#end(link.code)
    if (this.options.onAgentExit === "leave" && link.state === "lost" && isOver(present)) this.#end(0)
  }

  /** Ends the process once everything printed is read, for which a pager may take its time. */
  #end(code: number, words?: SafeText): void {
    if (this.#leaving !== null) return
    this.#leaving = code
    this.#printed?.print(true)
    const sending = this.#close()
    if (words !== undefined) writeError(sanitize(`opentui-sidecar: ${words}\n`))
    const exit = (): void => exitAfter(sending, code)
    if (this.#output === process.stdout) process.stdout.end(exit)
    else this.#output.write("", exit)
  }

  #close(): Promise<void> | null {
    this.#sending ??= this.#run?.close() ?? null
    return this.#sending
  }

  #readLines(): void {
    const { keys } = this.options
    if (keys === null) return
    // A screen keeps this surface for its own failure, and must not load a line reader at each start.
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
