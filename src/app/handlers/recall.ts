// Reads back from the frame log what memory has let go of: the frames of log rows, and the texts of sessions.
import { fold } from "../../run/fold.ts"
import { hasEvicted } from "../../run/memory/pack-rows.ts"
import type { Recalled } from "../../run/memory/recalled-frames.ts"
import { listOf, type Packed } from "../../run/model/chunked-list.ts"
import { initialRun, type Run } from "../../run/model/run.ts"
import type { Entry } from "../../run/model/session.ts"
import type { TimelinePlayer } from "../../timeline/player.ts"
import { describeFileError } from "../../transport/recording-path.ts"
import { unreadChunks } from "../../view/recalled-texts.ts"
import type { RunContext } from "../run-context.ts"
import type { HandlersOf } from "./effect-handlers.ts"

/** Frames that are folded before keys and frames have their turn. */
const SLICE_FRAMES = 4096
/** Ms after which they have it while texts are read, and the entries that are read in one go: each may need a fold. */
const SLICE_MS = 12
const SLICE_ENTRIES = 2
/** Ms until the next slice, so that what was read is drawn first. */
const PAUSE_MS = 1

/** Reports what cannot be read. Only `whole` rejects. */
export class Recall {
  readonly handlers: HandlersOf<"frames/recall" | "log/scan" | "texts/recall"> = {
    "frames/recall": ({ lines }) => this.#context.store.dispatch({ type: "recalled", frames: this.#frames(lines) }),
    "log/scan": ({ lines }) => this.#scan(lines),
    "texts/recall": ({ sessions }) => this.#recallTexts(sessions),
  }
  readonly #context: RunContext
  readonly #player: TimelinePlayer
  #isScanning = false
  /** The sessions whose texts are needed, and what was read of them so far; null while nothing is being read. */
  #sessions: readonly number[] = []
  #found: Map<object, readonly Entry[]> | null = null
  /** What was read of the chunk that is being read. */
  #begun: { readonly chunk: Packed<Entry>; readonly entries: Entry[] } | null = null

  constructor(context: RunContext, player: TimelinePlayer) {
    this.#context = context
    this.#player = player
  }

  /** This run with all frames and texts: folded again where memory has let go of some. */
  async whole(run: Run): Promise<Run> {
    if (!hasEvicted(run)) return run
    const { signal } = this.#context
    let whole = initialRun({ ...run, rowWindow: Number.POSITIVE_INFINITY, textBudget: Number.POSITIVE_INFINITY })
    while (whole.frames.lines < run.frames.lines) {
      signal.throwIfAborted()
      const left = run.frames.lines - whole.frames.lines
      const frames = this.#player.past()?.linesAfter(whole, Math.min(SLICE_FRAMES, left)) ?? []
      if (frames.length === 0) break
      whole = fold(whole, frames)
      await new Promise(done => setTimeout(done, 0))
    }
    return whole
  }

  /** One scan at a time: each plans the next, so what is asked for meanwhile is not lost. */
  #scan(lines: readonly number[]): void {
    if (this.#isScanning) return
    this.#isScanning = true
    const { clock, ask } = this.#context
    const scan = (): void => {
      this.#isScanning = false
      ask({ type: "log/scan", lent: this.#frames(lines) })
    }
    clock.after(PAUSE_MS, scan, false)
  }

  /** Reads the first slice at once. */
  #recallTexts(sessions: readonly number[]): void {
    this.#sessions = sessions
    if (this.#found !== null) return
    this.#found = new Map()
    this.#readSlice(this.#found)
  }

  #readSlice(found: Map<object, readonly Entry[]>): void {
    const { store, clock } = this.#context
    const until = clock.elapsed() + SLICE_MS
    for (let next = this.#nextChunk(found); next !== null; next = this.#nextChunk(found)) {
      const { index, chunk } = next
      if (this.#begun?.chunk !== chunk) this.#begun = { chunk, entries: [] }
      const { entries } = this.#begun
      const packed = listOf(chunk)
      entries.push(...this.#entries(index, packed.slice(entries.length, entries.length + SLICE_ENTRIES)))
      if (entries.length === packed.length) found.set(chunk.id, entries)
      if (clock.elapsed() < until) continue
      clock.after(PAUSE_MS, () => this.#readSlice(found), false)
      return
    }
    this.#found = null
    store.dispatch({ type: "reread", texts: found })
  }

  #nextChunk(found: ReadonlyMap<object, readonly Entry[]>): { index: number; chunk: Packed<Entry> } | null {
    const state = this.#context.store.get()
    for (const index of this.#sessions) {
      const chunk = unreadChunks(state, index).find(({ id }) => !found.has(id))
      if (chunk !== undefined) return { index, chunk }
    }
    return null
  }

  #entries(session: number, packed: readonly Entry[]): readonly Entry[] {
    return this.#read(() => this.#player.past()?.recallEntries(session, packed)) ?? packed
  }

  #frames(lines: readonly number[]): Recalled {
    return this.#read(() => this.#player.past()?.readEvents(lines)) ?? new Map(lines.map(line => [line, null]))
  }

  #read<T>(work: () => T | undefined): T | null {
    try {
      return work() ?? null
    } catch (error) {
      this.#context.tell(`The past of this run cannot be read: ${describeFileError(error)}`)
      return null
    }
  }
}
