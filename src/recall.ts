// Reads back from the tape of the run what memory has let go of.
import type { Action } from "./store/action.ts"
import { fold } from "./store/fold.ts"
import type { Intent } from "./store/intent.ts"
import { letsGo } from "./store/pack.ts"
import type { Recalled } from "./store/recall.ts"
import { beginning, type Run } from "./store/run.ts"
import type { Past } from "./tape/past.ts"
import { fileWords } from "./wire/recording.ts"

/** Lines that are folded before keys and frames have their turn. */
const SLICE = 4096

export interface RecallOptions {
  /** The past of the run, null where it cannot be read. */
  readonly past: () => Past | null
  readonly dispatch: (action: Action) => void
  readonly want: (intent: Intent) => void
  readonly tell: (text: string) => void
}

/** The hands that read back. What cannot be read is told; nothing here throws, and only `whole` rejects. */
export function recaller({ past, dispatch, want, tell }: RecallOptions) {
  let isSifting = false
  const frames = (lines: readonly number[]): Recalled => {
    const lost: Recalled = new Map(lines.map(line => [line, null]))
    try {
      return past()?.frames(lines) ?? lost
    } catch (error) {
      tell(`The past of this run cannot be read: ${fileWords(error)}`)
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
    /** This run with the frames of all its rows: folded again where memory has let go of some. Rejects where it cannot be read. */
    async whole(run: Run): Promise<Run> {
      if (!letsGo(run)) return run
      let whole = beginning({ ...run, window: Number.POSITIVE_INFINITY })
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
