// Shows a run without a screen: lines to stdout as things happen, and answers from stdin.
import { newRows } from "../../run/select/new-rows.ts"
import type { Intent } from "../../view/intent.ts"
import { answerable, isLive, isOver, type State } from "../../view/state.ts"
import type { ShownRun, Surface, SurfaceOptions } from "../surface.ts"
import { newLines, plainStatusLines } from "./run-lines.ts"
import { readTypedAnswer } from "./typed-answer.ts"

const SIGNALS = { SIGHUP: 129, SIGQUIT: 131, SIGTERM: 143 } as const

/** Changes are printed this long after the first, so that frames of one batch stay together, ms. */
const SOON_MS = 20

/** Reads stdin from now on. It may end: then nobody answers, and the run is still printed. */
export class PlainSurface implements Surface {
  readonly #options: Pick<SurfaceOptions, "now" | "keys">
  #run: ShownRun | null = null
  #printed: PrintedRun | null = null
  /** The lines of an answer so far, of which each ended with a backslash. */
  #begun = ""
  #isSilent = false
  #isLeaving = false

  constructor(options: Pick<SurfaceOptions, "now" | "keys">) {
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

  toggleMouse(): null {
    return null
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

/** Prints one run as lines while it goes on, and plans what is typed for it. */
class PrintedRun {
  readonly #run: ShownRun
  readonly #now: () => number
  readonly #unsubscribe: () => void
  /** The state as it was printed last. */
  #printed: State
  #soon: Timer | null = null
  /** Nobody can type any more: then nobody can quit once the run is over. */
  #isSilent = false

  constructor(run: ShownRun, now: () => number) {
    const { store } = run
    this.#run = run
    this.#now = now
    this.#printed = { ...store.shown(), link: { state: "closed" } }
    this.#unsubscribe = store.subscribe(() => {
      this.#soon ??= setTimeout(() => this.print(), SOON_MS)
    })
    // After a screen that failed much has been seen already.
    if (this.#printed.run.frames.lines > 0) {
      this.#printed = store.shown()
      print(plainStatusLines(this.#printed))
    }
    this.print()
  }

  /** Prints what is new. */
  print(): void {
    if (this.#soon !== null) clearTimeout(this.#soon)
    this.#soon = null
    const before = this.#printed
    const { store } = this.#run
    this.#run.showRows(newRows(before.run, store.shown().run))
    this.#printed = store.shown()
    this.#run.showRows(null)
    print(newLines(before, this.#printed))
    if (this.#isSilent && isLive(this.#printed) && isOver(this.#printed.run)) this.ask({ type: "program/quit" })
  }

  ask(intent: Intent): void {
    this.#run.perform(this.#run.store.ask(intent, { now: this.#now(), page: 0, lines: 0 }))
  }

  typed(line: string): void {
    const meaning = readTypedAnswer(this.#run.store.shown(), line)
    if ("say" in meaning) print(meaning.say)
    else this.ask(meaning.intent)
  }

  /** Nothing more will be typed. */
  silence(): void {
    this.#isSilent = true
    if (answerable(this.#run.store.shown()).length > 0) print(["sidecar: stdin has ended, so nobody can answer here"])
    this.print()
  }

  close(): void {
    this.#unsubscribe()
    if (this.#soon !== null) clearTimeout(this.#soon)
  }
}

function print(lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`${lines.join("\n")}\n`)
}
