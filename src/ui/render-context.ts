// What drawing needs beside the state.
import type { Glyphs } from "./glyphs.ts"

export interface RenderContext {
  readonly glyphs: Glyphs
  /** Epoch ms: by the wall clock while live, by the frames in a recording. */
  readonly now: number
  readonly motion: boolean
}

/** The shimmer at this moment: four frames a second. */
export function shimmer({ glyphs, motion, now }: RenderContext): string {
  const { shimmer: frames } = glyphs
  const index = motion ? Math.floor(now / 250) % frames.length : 1
  return frames[index] ?? ""
}

/** The names of the chart and the session, as the agent gave them when it started us. */
export interface Title {
  readonly chart: string | null
  readonly session: string | null
}
