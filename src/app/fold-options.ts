// Tells how the runs that a screen shows are folded.
import type { ScreenOptions } from "../cli/screen-options.ts"
import { TEXT_BUDGET } from "../run/memory/pack-entries.ts"
import { ROW_WINDOW } from "../run/memory/pack-rows.ts"
import type { FoldOptions } from "../run/model/run.ts"

export type RunOptions = Pick<ScreenOptions, "segments" | "limits" | "prices">

/** The options of a run that the screen shows. */
export function foldOptions({ segments, limits, prices }: RunOptions): FoldOptions {
  return { strategy: segments, rowWindow: ROW_WINDOW, textBudget: TEXT_BUDGET, limits, prices }
}
