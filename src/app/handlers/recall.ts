// Reads evicted frames of log rows and evicted texts of sessions back from the frame log.
import { describeFileError } from "../../../packages/wire/src/files/recording-path.ts"
import { hasEvicted } from "../../run/memory/pack-rows.ts"
import type { Recalled } from "../../run/memory/recalled-frames.ts"
import { listOf, type Packed } from "../../run/model/chunked-list.ts"
import { frameNumber, type Run } from "../../run/model/run.ts"
import type { Entry } from "../../run/model/session.ts"
import { type RunTexts, textsInMemory } from "../../run/select/run-texts.ts"
import type { TimelinePlayer } from "../../timeline/player.ts"
import { runSlice } from "../../timeline/steps.ts"
import { foldWhole, WholeRun } from "../../timeline/whole-run.ts"
import { unreadChunks } from "../../view/recalled-texts.ts"
import type { RunContext } from "../run-context.ts"

/** Ms until the next slice, so that the last one is drawn first. */
const PAUSE_MS = 1
/** How often texts are shown while more of them are read, ms: the latest are read first. */
const TELL_MS = 250

/** Notifies the person if the log can't be read. Only `whole` rejects. */
export class Recall {
  #isScanning = false
  /** The sessions whose texts are needed, and the texts read so far; null while nothing is being read. */
  #sessions: readonly number[] = []
  #found: Map<object, readonly Entry[]> | null = null

  constructor(
    private readonly context: RunContext,
    private readonly player: TimelinePlayer,
  ) {}

  /**
   * This run with all its texts, folded again if some were evicted. Dispose of it. Rejects if the run can't be read.
   * The frames of its log rows may be evicted: see `read`.
   */
  async whole(run: Run, directory: string): Promise<RunTexts & Disposable> {
    if (!hasEvicted(run)) return { ...textsInMemory(run), [Symbol.dispose]: () => undefined }
    const whole = new WholeRun(run.options, directory)
    try {
      const past = this.player.past()
      if (past !== null) await this.#result(foldWhole(whole, past, run.frames.lines))
      return whole
    } catch (error) {
      whole[Symbol.dispose]()
      throw error
    }
  }

  /** The run after its frame with this number, found from its nearest snapshot. Rejects if the run can't be read. */
  async at(run: Run, frame: number): Promise<Run> {
    const past = this.player.past()
    if (past === null || frame >= frameNumber(run)) return run
    return await this.#result(past.runAtFrame(frame))
  }

  async #result<T>(steps: Generator<unknown, T>): Promise<T> {
    const { clock, signal } = this.context
    for (;;) {
      const next = runSlice(steps, clock)
      if (next.done === true) return next.value
      await new Promise(done => setTimeout(done, 0))
      signal.throwIfAborted()
    }
  }

  frames(lines: readonly number[]): void {
    this.context.store.dispatch({ type: "recalled", frames: this.read(lines) })
  }

  /** Continues a scan with these lines. Only one scan runs at a time: each plans the next, so no request is lost. */
  scan(lines: readonly number[]): void {
    if (this.#isScanning) return
    this.#isScanning = true
    const { clock, ask } = this.context
    const scan = (): void => {
      this.#isScanning = false
      ask({ type: "log/scan", recalled: this.read(lines) })
    }
    clock.after(PAUSE_MS, scan, false)
  }

  /** Reads back the texts of these sessions, the first slice at once unless a seek is under way. */
  texts(sessions: readonly number[]): void {
    this.#sessions = sessions
    if (this.#found !== null) return
    this.#found = new Map()
    this.#readSlice(this.#readTexts(this.#found))
  }

  /** Stops once the person seeks; the screen asks again for the texts that it lacks afterwards. */
  #readSlice(steps: Generator<unknown, void>): void {
    const { clock, store } = this.context
    if (store.get().time.seeking) this.#found = null
    else if (runSlice(steps, clock).done !== true) clock.after(PAUSE_MS, () => this.#readSlice(steps), false)
  }

  *#readTexts(found: Map<object, readonly Entry[]>): Generator<unknown, void> {
    const { clock, store } = this.context
    let toldAt = clock.elapsed()
    for (let next = this.#nextChunk(found); next !== null; next = this.#nextChunk(found)) {
      found.set(next.chunk, yield* this.#entries(next.index, listOf(next.chunk)))
      if (clock.elapsed() - toldAt < TELL_MS) continue
      store.dispatch({ type: "texts-recalled", texts: found })
      toldAt = clock.elapsed()
    }
    this.#found = null
    store.dispatch({ type: "texts-recalled", texts: found })
  }

  *#entries(session: number, packed: readonly Entry[]): Generator<unknown, readonly Entry[]> {
    try {
      const past = this.player.past()
      return past === null ? packed : yield* past.recallEntries(session, packed)
    } catch (error) {
      this.#report(error)
      return packed
    }
  }

  #nextChunk(found: ReadonlyMap<object, readonly Entry[]>): { index: number; chunk: Packed<Entry> } | null {
    const state = this.context.store.get()
    for (const index of this.#sessions) {
      const chunk = unreadChunks(state, index).find(one => !found.has(one))
      if (chunk !== undefined) return { index, chunk }
    }
    return null
  }

  /** The events at these lines, null for one that can't be read. */
  read(lines: readonly number[]): Recalled {
    try {
      const past = this.player.past()
      if (past !== null) return past.readEvents(lines)
    } catch (error) {
      this.#report(error)
    }
    return new Map(lines.map(line => [line, null]))
  }

  #report(error: unknown): void {
    this.context.notify(`Can't read the past of this run: ${describeFileError(error)}`)
  }
}
