// Folds a run with all its texts, which a private temporary file holds, so that memory need not.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { fold } from "../run/fold.ts"
import { packedCount, withoutTexts } from "../run/memory/pack-entries.ts"
import { slice } from "../run/model/chunked-list.ts"
import { type FoldOptions, initialRun, type Run } from "../run/model/run.ts"
import type { Entry } from "../run/model/session.ts"
import { Collector } from "../transport/collector.ts"
import type { Past } from "./past.ts"
import { Spool } from "./spool.ts"

/** UTF-16 units of texts held before they are moved to the file. */
const HELD_UNITS = 8 * 1024 * 1024
/** Latest log rows whose frames are held: frames may be long, and are read from the log as it is written. */
const ROW_WINDOW = 64
/** UTF-16 units of a text in one line of the file, well below the length that a line may have. */
const PIECE_UNITS = 1024 * 1024

/** Lines read and folded at a time: each may be long. */
const LINES = 64

/** The latest reply of each session stays in memory. `add` and `entries` throw if the file can't be used. */
export class WholeRun implements Disposable {
  #run: Run
  readonly #spool: Spool
  /** Where a session's entries are in the file: the first line of each, and the line after its last. */
  readonly #places: { readonly from: number[]; readonly to: number[] }[] = []
  readonly #garbage = new Collector()

  /** The file is in `directory`. It has no name there, so that nothing is left however the program ends. */
  constructor(
    given: Partial<FoldOptions>,
    directory: string,
    private readonly heldUnits = HELD_UNITS,
  ) {
    this.#run = initialRun({ ...given, textBudget: Infinity, rowWindow: ROW_WINDOW })
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const own = mkdtempSync(join(directory, "opentui-sidecar-"))
    this.#spool = new Spool(own)
    rmSync(own, { recursive: true, force: true })
  }

  get run(): Run {
    return this.#run
  }

  add(lines: readonly Decoded[]): void {
    this.#run = fold(this.#run, lines)
    const held = this.#run.sessions.reduce((sum, { heldUnits }) => sum + heldUnits, 0)
    if (held > this.heldUnits) this.#moveTexts()
  }

  /** The entries `from` to `to` of the session at this index, with their texts. */
  entries(session: number, from: number, to: number): readonly Entry[] {
    const all = this.#run.sessions[session]?.entries
    if (all === undefined) return []
    const stored = packedCount(all)
    return [...this.#read(session, from, Math.min(to, stored)), ...slice(all, Math.max(from, stored), to)]
  }

  [Symbol.dispose](): void {
    this.#spool.close()
  }

  /** Later frames no longer change entries before `replyFrom`. */
  #moveTexts(): void {
    const sessions = this.#run.sessions.map((session, index) => {
      const { entries, replyFrom } = session
      const stored = packedCount(entries)
      if (stored >= replyFrom) return session
      for (const entry of slice(entries, stored, replyFrom)) this.#store(index, entry)
      return withoutTexts(session)
    })
    this.#check()
    this.#run = { ...this.#run, sessions }
  }

  #store(session: number, { text, ...head }: Entry): void {
    const whole = text.join("")
    this.#garbage.add(whole.length)
    const lines = [JSON.stringify(head)]
    for (let at = 0; at < whole.length; at += PIECE_UNITS) lines.push(JSON.stringify(whole.slice(at, at + PIECE_UNITS)))
    this.#places[session] ??= { from: [], to: [] }
    this.#places[session].from.push(this.#spool.length)
    this.#spool.append(lines)
    this.#places[session].to.push(this.#spool.length)
  }

  /** Entries that were stored one after the other are read at once. */
  #read(session: number, from: number, to: number): readonly Entry[] {
    const places = this.#places[session]
    const entries: Entry[] = []
    for (let next = from; places !== undefined && next < to; ) {
      const first = next++
      while (next < to && places.from[next] === places.to[next - 1]) next++
      const lines = this.#spool.lines(places.from[first] ?? 0, places.to[next - 1] ?? 0)
      const texts = lines.filter(line => typeof line === "string")
      this.#garbage.add(texts.reduce((sum, { length }) => sum + length, 0))
      entries.push(...entriesIn(texts))
    }
    return entries
  }

  #check(): void {
    // Its size is known only once all is written.
    if (this.#spool.size >= 0 && this.#spool.error !== null) throw new Error(`texts: ${this.#spool.error}`)
  }
}

/**
 * Folds a run of which nothing was folded yet up to its first `lines` lines, and no further: it is the run of that
 * moment. Yields after a few lines, and returns early if the log has no more.
 */
export function* foldWhole(whole: WholeRun, past: Past, lines: number): Generator<void, void> {
  for (;;) {
    const frames = past.linesAfter(whole.run, Math.min(LINES, lines - whole.run.frames.lines))
    if (frames.length === 0) return
    whole.add(frames)
    yield
  }
}

/** Reads what `store` wrote: a head, then its text in pieces. */
function entriesIn(lines: readonly string[]): readonly Entry[] {
  const entries: (Entry & { readonly text: string[] })[] = []
  for (const line of lines) {
    const read: string | Omit<Entry, "text"> = JSON.parse(line)
    if (typeof read === "string") entries.at(-1)?.text.push(read)
    else entries.push({ ...read, text: [] })
  }
  return entries
}
