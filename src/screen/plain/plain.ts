// Shows a run without a screen: lines to stdout as things happen, and answers from stdin.
import { type SafeText, sanitize } from "../../protocol/sanitize.ts"
import { initialRun } from "../../run/model/run.ts"
import { newRows } from "../../run/select/new-rows.ts"
import type { Intent } from "../../view/intent.ts"
import { answerable, isLive, isOver, type State } from "../../view/state.ts"
import type { Store } from "../../view/store.ts"
import { SIGNAL_CODES } from "../signals.ts"
import type { ShownRun, Surface, SurfaceOptions } from "../surface.ts"
import { TerminalOutput, writeError } from "../terminal-output.ts"
import { isPlayed, newLines, plainStatusLines } from "./run-lines.ts"
import { readTypedAnswer } from "./typed-answer.ts"

/** Changes are printed this long after the first, so that frames of one batch stay together, ms. */
const SOON_MS = 20

/** How long what was printed may wait for its reader once we leave, ms. */
const PATIENCE_MS = 1000

type PlainOptions = Pick<SurfaceOptions, "now" | "keys" | "onAgentExit">

/** Reads stdin from now on. It may end: then nobody answers, and the run is still printed. */
export class PlainSurface implements Surface {
  readonly terminal = null
  readonly #options: PlainOptions
  /** The runtime blocks on a terminal that does not read. What a pipe does not take waits in the background. */
  readonly #output = process.stdout.isTTY ? new TerminalOutput() : process.stdout
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
    for (const [signal, code] of SIGNAL_CODES) {
      process.on(signal, () => {
        if (this.#run?.forwardSignal(signal)) return
        if (signal === "SIGINT" && !this.#isLeaving) this.#printed?.ask({ type: "program/quit" })
        else this.leave(code)
      })
    }
  }

  show(run: ShownRun): void {
    this.#printed?.close()
    this.#run = run
    const played = (): void => this.#end(0)
    this.#printed = new PrintedRun(run, this.#options.now, text => void this.#output.write(text), played)
    if (this.#isSilent) this.#printed.silence()
  }

  leave(code: number, words?: SafeText): void {
    setTimeout(() => process.exit(code), PATIENCE_MS)
    this.#end(code, words)
  }

  agentGone({ link, present }: State): void {
    if (link.state === "exited") this.#end(link.code)
    if (this.#options.onAgentExit === "leave" && link.state === "lost" && isOver(present)) this.#end(0)
  }

  /** Ends the process once everything printed is read, for which a pager may take its time. */
  #end(code: number, words?: SafeText): void {
    if (this.#isLeaving) return
    this.#isLeaving = true
    this.#printed?.print()
    this.#run?.close()
    if (words !== undefined) writeError(sanitize(`opentui-sidecar: ${words}\n`))
    const exit = (): never => process.exit(code)
    if (this.#output === process.stdout) process.stdout.end(exit)
    else this.#output.write("", exit)
  }

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

/** The state before anything of it was printed. */
function unprinted(store: Store): State {
  const state = store.shown()
  return { ...state, run: initialRun(state.run), link: { state: "closed" } }
}

/** Prints one run as lines while it goes on, and plans what is typed for it. */
class PrintedRun {
  readonly #run: ShownRun
  readonly #now: () => number
  readonly #write: (text: SafeText) => void
  readonly #played: () => void
  readonly #unsubscribe: () => void
  /** The state as it was printed last. */
  #printed: State
  #soon: Timer | null = null
  /** Nobody can type any more: then nobody can quit once the run is over. */
  #isSilent = false

  /** `played` is called once playback of a recording is over. */
  constructor(run: ShownRun, now: () => number, write: (text: SafeText) => void, played: () => void) {
    const { store } = run
    this.#run = run
    this.#now = now
    this.#write = write
    this.#played = played
    this.#printed = unprinted(store)
    this.#unsubscribe = store.subscribe(() => {
      const { run: shown, time } = store.get()
      // The next round of a loop may begin at once.
      if (time.present?.frames.lines === shown.frames.lines) queueMicrotask(() => this.print())
      else this.#soon ??= setTimeout(() => this.print(), SOON_MS)
    })
    // After a screen that failed much has been seen already.
    if (store.shown().run.frames.lines > 0) {
      this.#printed = store.shown()
      this.#print(plainStatusLines(this.#printed))
    }
    this.print()
  }

  /** Prints what is new. */
  print(): void {
    if (this.#soon !== null) clearTimeout(this.#soon)
    this.#soon = null
    const { store } = this.#run
    // A recording that loops begins again.
    const isAgain = store.shown().run.frames.lines < this.#printed.run.frames.lines
    const before = isAgain ? unprinted(store) : this.#printed
    this.#run.showRows(newRows(before.run, store.shown().run))
    this.#printed = store.shown()
    this.#run.showRows(null)
    this.#print(newLines(before, this.#printed))
    if (isPlayed(this.#printed)) this.#played()
    if (this.#isSilent && isLive(this.#printed) && isOver(this.#printed.run)) this.ask({ type: "program/quit" })
  }

  ask(intent: Intent): void {
    this.#run.perform(this.#run.store.ask(intent, { now: this.#now(), page: 0, lines: 0 }))
  }

  typed(line: string): void {
    const meaning = readTypedAnswer(this.#run.store.shown(), line)
    if ("say" in meaning) this.#print(meaning.say)
    else this.ask(meaning.intent)
  }

  /** Nothing more will be typed. */
  silence(): void {
    this.#isSilent = true
    if (answerable(this.#run.store.shown()).length > 0)
      this.#print(["sidecar: stdin has ended, so nobody can answer here"])
    this.print()
  }

  close(): void {
    this.#unsubscribe()
    if (this.#soon !== null) clearTimeout(this.#soon)
  }

  #print(lines: readonly string[]): void {
    if (lines.length > 0) this.#write(sanitize(`${lines.join("\n")}\n`))
  }
}
