// Draws the footer: notice, key hints, pending ops.
import type { Pending } from "../keys/dispatch.ts"
import { hintsIn } from "../keys/hints.ts"
import { strokeText } from "../keys/key-text.ts"
import { scopeOf } from "../panels/front.ts"
import { type Line, lineWidth, type Span, span } from "../ui/line.ts"
import { clip } from "../ui/text-width.ts"
import { OP_WORDS } from "../view/pending-ops.ts"
import type { State } from "../view/state.ts"
import { isShort, noticeToken } from "./banner.ts"

/** The last row: a notice, then hints as far as they fit; at the right end pending ops and an incomplete key. */
export function footerLine(state: State, columns: number, now: number, typed: Pending): Line {
  const right = [...pendingSpans(state), ...typedSpans(typed)]
  const room = columns - lineWidth(right)
  const notice = noticeSpans(state, room, columns)
  const left = [...notice, ...hintSpans(state, room - lineWidth(notice), now)]
  const gap = " ".repeat(Math.max(0, room - lineWidth(left)))
  return { spans: right.length === 0 ? left : [...left, span(gap), ...right] }
}

/** A notice too long for the row stands in the banner. */
function noticeSpans({ view: { notice } }: State, room: number, columns: number): readonly Span[] {
  if (notice === null || !isShort(notice, columns)) return []
  return [span(` ${clip(notice.text, room - 2)}`, noticeToken(notice)), span("  ")]
}

/** Only hints that fit as a whole. */
function hintSpans(state: State, columns: number, now: number): readonly Span[] {
  const spans: Span[] = []
  let used = 0
  for (const { shown, hint, stroke } of hintsIn(scopeOf(state), state, now)) {
    const words = [span(shown, "accent"), span(` ${hint}`, "normal")]
    const pair = [span(used === 0 ? " " : "   "), ...words.map(one => ({ ...one, click: stroke }))]
    used += lineWidth(pair)
    if (used > columns) break
    spans.push(...pair)
  }
  return spans
}

/** A count that waits for its key, and the first of two strokes: `5`, `Ctrl-X`. */
function typedSpans({ count, first = "" }: Pending): readonly Span[] {
  const typed = `${count}${strokeText(first)}`
  return typed === "" ? [] : [span(`  ${typed} `, "bright", { bold: true })]
}

/** Ops without an effect so far. */
function pendingSpans(state: State): readonly Span[] {
  const { ops } = state.view
  if (ops.length === 0) return []
  return [span(`  ${ops.map(({ op }) => OP_WORDS[op].verb).join(", ")} pending `, "dim")]
}
