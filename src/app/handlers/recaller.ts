// Reads back from the tape of the run what memory has let go of.

import { fold } from "../../run/fold.ts"
import { letsGo } from "../../run/memory/pack-rows.ts"
import type { Recalled } from "../../run/memory/recalled-frames.ts"
import { listOf, type Packed } from "../../run/model/chunked-list.ts"
import { beginning, type Run } from "../../run/model/run.ts"
import type { Entry } from "../../run/model/session.ts"
import type { Past } from "../../timeline/past.ts"
import { describeFileError } from "../../transport/recording-path.ts"
import type { Action } from "../../view/action.ts"
import type { Intent } from "../../view/intent.ts"
import { unreadChunks } from "../../view/recalled-texts.ts"
import type { State } from "../../view/state.ts"

/** Lines that are folded before keys and frames have their turn. */
const SLICE = 4096
/** Ms after which they have it while texts are read, so many entries in one go: each may be a fold. */
const SLICE_MS = 12
const FEW = 2

export interface RecallOptions {
  readonly get: () => State
  /** The past of the run, null where it cannot be read. */
  readonly past: () => Past | null
  readonly dispatch: (action: Action) => void
  readonly want: (intent: Intent) => void
  readonly tell: (text: string) => void
}

/** The hands that read back. What cannot be read is told; nothing here throws, and only `whole` rejects. */
export function recaller({ get, past, dispatch, want, tell }: RecallOptions) {
  let isSifting = false
  /** Whose texts are wanted, and what was read of them so far; null while nobody reads. */
  let wanted: readonly number[] = []
  let found: Map<object, readonly Entry[]> | null = null
  /** Of the chunk that is being read: what was read of it. */
  let begun: { readonly chunk: Packed<Entry>; readonly entries: Entry[] } | null = null
  const readTexts = (): void => {
    const until = performance.now() + SLICE_MS
    for (;;) {
      const next = wanted
        .flatMap(index => unreadChunks(get(), index).flatMap(chunk => ({ index, chunk })))
        .find(({ chunk }) => found?.has(chunk.id) !== true)
      if (next === undefined) break
      const { index, chunk } = next
      if (begun?.chunk !== chunk) begun = { chunk, entries: [] }
      const gone = listOf(chunk)
      const { length } = begun.entries
      begun.entries.push(...texts(index, gone.slice(length, length + FEW)))
      if (begun.entries.length === gone.length) found?.set(chunk.id, begun.entries)
      if (performance.now() < until) continue
      setTimeout(readTexts, 0).unref()
      return
    }
    const all = found ?? new Map()
    found = null
    dispatch({ type: "reread", texts: all })
  }
  const texts = (index: number, gone: readonly Entry[]): readonly Entry[] => {
    try {
      return past()?.entries(index, gone) ?? gone
    } catch (error) {
      tell(`The past of this run cannot be read: ${describeFileError(error)}`)
      return gone
    }
  }
  const frames = (lines: readonly number[]): Recalled => {
    const lost: Recalled = new Map(lines.map(line => [line, null]))
    try {
      return past()?.frames(lines) ?? lost
    } catch (error) {
      tell(`The past of this run cannot be read: ${describeFileError(error)}`)
      return lost
    }
  }
  return {
    recall: (lines: readonly number[]): void => dispatch({ type: "recalled", frames: frames(lines) }),
    /** One at a time: what is asked for meanwhile is asked again by the plan of this one. */
    sift(lines: readonly number[]): void {
      if (isSifting) return
      isSifting = true
      const look = (): void => {
        isSifting = false
        want({ type: "sift", lent: frames(lines) })
      }
      setTimeout(look, 0).unref()
    },
    /** A slice at once, the rest when keys and frames had their turn. */
    reread(sessions: readonly number[]): void {
      wanted = sessions
      if (found !== null) return
      found = new Map()
      readTexts()
    },
    /** This run with all frames and texts: folded again where memory has let go of some. Rejects where it cannot be read. */
    async whole(run: Run): Promise<Run> {
      if (!letsGo(run)) return run
      let whole = beginning({ ...run, window: Number.POSITIVE_INFINITY, texts: Number.POSITIVE_INFINITY })
      while (whole.frames.lines < run.frames.lines) {
        const lines = past()?.next(whole, Math.min(SLICE, run.frames.lines - whole.frames.lines)) ?? []
        if (lines.length === 0) break
        whole = fold(whole, lines)
        await new Promise(done => setTimeout(done, 0))
      }
      return whole
    },
  }
}
