// Prints one run as lines while it goes on, and plans what is typed for it.
import { newRows } from "../../run/select/new-rows.ts"
import type { Intent } from "../../view/intent.ts"
import { answerable, isLive, isOver, type State } from "../../view/state.ts"
import type { ShownRun } from "../surface.ts"
import { newLines, plainStatusLines } from "./run-lines.ts"
import { readTypedAnswer } from "./typed-answer.ts"

/** Changes are printed this long after the first, so that frames of one batch stay together, ms. */
const SOON_MS = 20

export class PrintedRun {
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
