import { type SafeText, sanitize } from "../../../packages/wire/src/sanitize.ts"
import { jump } from "../../query/jump.ts"
import { at } from "../../run/model/chunked-list.ts"
import type { PromptKey } from "../../run/model/id.ts"
import { eventTypeOf } from "../../run/model/row.ts"
import { initialRun, type Row, type Run } from "../../run/model/run.ts"
import { isAtWork } from "../../run/select/figures.ts"
import { newRows } from "../../run/select/new-rows.ts"
import { counted } from "../../ui/text-width.ts"
import type { Intent } from "../../view/intent.ts"
import { answerable, isLive, isOver, type State } from "../../view/state.ts"
import type { Store } from "../../view/store.ts"
import type { ShownRun, SurfaceOptions } from "../surface.ts"
import { LineStyle } from "./line-style.ts"
import { isPlayed, newLines, plainStatusLines, rowLines } from "./run-lines.ts"
import { readTypedLine } from "./typed-line.ts"

/** Changes are printed this long after the first, so that frames of one batch stay together, ms. */
const SOON_MS = 20
/** While a model writes, a line says so whenever nothing else was printed for this long, ms. */
const WRITING_MS = 5000

function unprinted(store: Store): State {
  const state = store.shown()
  return { ...state, run: initialRun(state.run.options), link: { state: "closed" } }
}

export interface PlainOutput {
  write(text: SafeText): void
  /** True while its reader is so far behind that nothing more is to be written. */
  isFull(): boolean
}

/** Rows of a live run that are printed at once when a reader comes back: no more than memory holds with their texts. */
const MOST_ROWS = 1000

/** A run that is printed from now on. */
export class PrintedRun {
  readonly #style: LineStyle
  readonly #unsubscribe: () => void
  #printed: State
  #soon: (() => void) | null = null
  #silence: (() => void) | null = null
  /** The latest line about sessions that write. */
  #written: string | null = null
  /** The question that a line answers: the one that was in front when it was begun. */
  #front: PromptKey | null = null
  /** Something was not printed, since the output was full. */
  #isBehind = false
  /** Nobody can type any more: then nobody can quit once the run is over. */
  #isSilent = false

  /** `played` is called once playback of a recording is over. */
  constructor(
    private readonly run: ShownRun,
    private readonly options: Pick<SurfaceOptions, "now" | "after" | "times">,
    private readonly output: PlainOutput,
    private readonly played: () => void,
  ) {
    const { store } = run
    this.#style = new LineStyle(options.times)
    this.#printed = unprinted(store)
    this.#unsubscribe = store.subscribe(() => {
      const { run: shown, time } = store.get()
      // The next round of a loop may begin at once.
      if (time.present?.frames.lines === shown.frames.lines) queueMicrotask(() => this.print())
      else this.#soon ??= options.after(SOON_MS, () => this.print())
    })
    // A screen that failed has shown the earlier rows.
    if (store.shown().run.frames.lines > 0) {
      this.#printed = store.shown()
      this.#print(plainStatusLines(this.#printed))
    }
    this.print()
  }

  /** Prints new rows, unless the output is full: then call this again, or with `isLast` at the end. */
  print(isLast = false): void {
    this.#soon?.()
    this.#soon = null
    const { store } = this.run
    if (!isLast && this.output.isFull()) {
      this.#isBehind = true
      return
    }
    // A recording that loops begins again.
    const isAgain = store.shown().run.frames.lines < this.#printed.run.frames.lines
    const before = isAgain ? unprinted(store) : this.#printed
    const all = newRows(before.run, store.shown().run)
    // A recording or a command waits for its reader, so that nothing of it is left out.
    const rows = this.#isBehind && "url" in store.shown().link ? all.slice(-MOST_ROWS) : all
    this.#isBehind = false
    this.#printed = this.#recalled(rows)
    if (rows.length < all.length)
      this.#print([`sidecar: ${all.length - rows.length} rows are left out, which nobody read`])
    this.#print(newLines(before, this.#printed, rows, this.#style))
    this.#front ??= answerable(this.#printed)[0]?.key ?? null
    if (isPlayed(this.#printed)) this.played()
    if (this.#isSilent && isLive(this.#printed) && isOver(this.#printed.run)) this.ask({ type: "program/quit" })
  }

  ask(intent: Intent): void {
    this.run.perform(this.run.store.ask(intent, { now: this.options.now(), page: 0, lines: 0 }))
  }

  typed(line: string): void {
    const front = this.#front
    this.print()
    const meaning = readTypedLine(this.run.store.shown(), line, front)
    if ("intent" in meaning) this.ask(meaning.intent)
    else if ("say" in meaning) this.#print(meaning.say)
    else this.#print(this.#look(meaning.look))
    this.#front = answerable(this.run.store.shown())[0]?.key ?? null
  }

  #look(what: "errors" | "last"): readonly string[] {
    const { run } = this.run.store.shown()
    const rows = what === "errors" ? lastErrors(run) : lastReply(run)
    if (rows.length === 0) return [what === "errors" ? "no error so far" : "no reply so far"]
    const state = this.#recalled(rows)
    return rows.flatMap(row => rowLines(state, row, this.#style))
  }

  /** The state with the frames of these rows, which may have left memory. */
  #recalled(rows: readonly Row[]): State {
    this.run.showRows(rows)
    const state = this.run.store.shown()
    this.run.showRows(null)
    return state
  }

  /** From now on a long silence is broken while a model writes; not where it has written nothing since. */
  #watchSilence(): void {
    this.#silence?.()
    this.#silence = this.options.after(WRITING_MS, () => {
      const line = isLive(this.#printed) ? writingLine(this.run.store.shown().run, this.#style) : null
      if (line !== null && line !== this.#written && !this.output.isFull()) this.#print([line])
      else this.#watchSilence()
      this.#written = line
    })
  }

  silence(): void {
    this.#isSilent = true
    if (answerable(this.run.store.shown()).length > 0)
      this.#print(["sidecar: stdin has ended, so nobody can answer here"])
    this.print()
  }

  close(): void {
    this.#unsubscribe()
    this.#soon?.()
    this.#silence?.()
  }

  #print(lines: readonly string[]): void {
    if (lines.length === 0) return
    this.output.write(sanitize(`${lines.join("\n")}\n`))
    this.#watchSilence()
  }
}

/** As many errors as are read aloud without tiring. */
const ERRORS = 10
/** Writers that are named; more are counted. */
const WRITERS = 3

/** The last errors of the log, oldest first. */
function lastErrors(run: Run): readonly Row[] {
  const found: Row[] = []
  let index = jump(run, "error", -1, run.log.rows.length)
  while (index !== null && found.length < ERRORS) {
    const row = at(run.log.rows, index)
    if (row !== undefined) found.push(row)
    index = jump(run, "error", -1, index)
  }
  return found.reverse()
}

/** The last reply that may have a text; none before the first. */
function lastReply(run: Run): readonly Row[] {
  for (let index = run.log.rows.length - 1; index >= 0; index--) {
    const row = at(run.log.rows, index)
    if (row !== undefined && isReply(row)) return [row]
  }
  return []
}

/** A reply that only calls tools has no text; one that has left memory may have. */
function isReply(row: Row): boolean {
  const { what } = row
  if (what.kind !== "event" || what.body.type !== "llm/response") return eventTypeOf(row) === "llm/response"
  return what.body.content?.some(block => block.type === "text") === true
}

/** Who writes a reply at this moment, and how much so far; null if nobody does. */
function writingLine(run: Run, style: LineStyle): string | null {
  const writers = run.turnBuffers.flatMap((buffer, index) => {
    const writes = buffer.turn.status === "streaming" && isAtWork(run, index)
    return writes ? [{ index, tokens: buffer.tokens }] : []
  })
  if (writers.length === 0) return null
  if (writers.length > WRITERS) {
    const sum = writers.reduce((all, { tokens }) => all + tokens, 0)
    return `${writers.length} sessions are writing, ${counted(sum, "token")}`
  }
  return writers
    .map(({ index, tokens }) => `${style.name(run, index)} is writing, ${counted(tokens, "token")}`)
    .join("; ")
}
