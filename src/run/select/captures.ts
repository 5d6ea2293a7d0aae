// Keeps what was read of the agent's captures.
import type { Captured } from "../../protocol/capture.ts"
import type { Block } from "../../protocol/frame.ts"

/** By `io/ref`, raw; read first stands first. */
export type Captures = ReadonlyMap<string, Captured>

/** UTF-16 units of captures that are kept in all, about. */
const MOST_UNITS = 48 * 1024 * 1024

/** The captures with one more; those read first make room for it. */
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
  return blocks.reduce((sum, block) => {
    if (block.type === "tool-call") return sum + block.input.length
    return sum + (block.type === "other" ? block.shown.length : block.text.length)
  }, 0)
}
