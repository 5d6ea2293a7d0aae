import { hints } from "../keys/hints.ts"
import type { State } from "../store/state.ts"
import { type Line, lineWidth, type Span, span } from "./line.ts"
import { clip } from "./text.ts"

/** The last row: what was just done or refused, else the keys that make sense now; at its end the ops under way. */
export function footerLine(state: State, columns: number, now: number): Line {
  const pending = pendingSpans(state)
  const room = columns - lineWidth(pending)
  const left = noticeSpans(state, room) ?? hintSpans(state, room, now)
  const gap = " ".repeat(Math.max(0, room - lineWidth(left)))
  return { spans: pending.length === 0 ? left : [...left, span(gap), ...pending] }
}

function noticeSpans(state: State, columns: number): readonly Span[] | null {
  const { notice } = state.view
  if (notice === null) return null
  return [span(` ${clip(notice.text, columns - 2)}`, notice.level === "warning" ? "warn" : "bright")]
}

/** Keys whole or not at all. */
function hintSpans(state: State, columns: number, now: number): readonly Span[] {
  const spans: Span[] = []
  let used = 1
  for (const { shown, hint } of hints(state, now)) {
    const pair = [span(used === 1 ? " " : "   "), span(shown, "accent"), span(` ${hint}`, "normal")]
    used += lineWidth(pair)
    if (used > columns) break
    spans.push(...pair)
  }
  return spans
}

/** Ops that were sent and whose effect has not shown yet. */
function pendingSpans(state: State): readonly Span[] {
  const { ops } = state.view
  if (ops.length === 0) return []
  return [span(`  ${ops.map(({ op }) => op).join(", ")} pending `, "dim")]
}
