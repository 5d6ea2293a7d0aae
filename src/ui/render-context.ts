import type { Glyphs } from "./glyphs.ts"

/** What every line-maker needs beside the state. */
export interface RenderContext {
  readonly glyphs: Glyphs
  /** Epoch ms by the clock that the run goes by: the wall's while live, the frames' in a recording. */
  readonly now: number
  /** Whether anything may move. */
  readonly motion: boolean
}

/** The frame of the shimmer at this moment, four a second; still where nothing may move. */
export function shimmer(look: RenderContext): string {
  const { shimmer: frames } = look.glyphs
  const index = look.motion ? Math.floor(look.now / 250) % frames.length : 1
  return frames[index] ?? ""
}
