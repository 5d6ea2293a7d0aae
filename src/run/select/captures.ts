import { type Block, type Captured, textOfBlock } from "../../../packages/wire/src/capture.ts"
import type { Run } from "../model/run.ts"

/** By raw `io/ref`, in the order they were read. */
export type Captures = ReadonlyMap<string, Captured>

/** A run and its captures as far as they were read. */
export interface CapturedRun {
  readonly run: Run
  readonly captures: Captures
}

/** Approximate limit of cached captures, in UTF-16 units. */
const MOST_UNITS = 48 * 1024 * 1024

/** Adds a capture and drops the oldest ones beyond the limit. */
export function withCapture(captures: Captures, ref: string, captured: Captured): Captures {
  const kept = new Map(captures).set(ref, captured)
  let units = 0
  for (const one of kept.values()) units += unitsOf(one)
  for (const [known, one] of kept) {
    if (units <= MOST_UNITS || known === ref) break
    units -= unitsOf(one)
    kept.delete(known)
  }
  return kept
}

function unitsOf(captured: Captured): number {
  if ("why" in captured) return captured.why.length
  const { capture } = captured
  if (capture.type === "result") return capture.text.length
  if (capture.type === "response") return blocksUnits(capture.blocks)
  const named = [...capture.tools, ...capture.params].reduce((sum, one) => sum + one.text.length, 0)
  const messages = capture.messages.reduce((sum, one) => sum + blocksUnits(one.blocks), 0)
  return (capture.system?.length ?? 0) + named + messages
}

function blocksUnits(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + textOfBlock(block).length, 0)
}
