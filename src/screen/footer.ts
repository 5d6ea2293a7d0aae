import type { Pending } from "../keys/dispatch.ts"
import { type Hint, hintsIn, keyOf, strokeText } from "../keys/key-text.ts"
import { help, shut } from "../panels/common/keys.ts"
import { scopeOf } from "../panels/front.ts"
import { type Line, lineWidth, type Span, span } from "../ui/line.ts"
import { clip } from "../ui/text-width.ts"
import { OP_WORDS } from "../view/pending-ops.ts"
import { goneFor, type State } from "../view/state.ts"
import { IGNORED, isShort, noticeToken } from "./banner.ts"

const GAP = "   "
/** With fewer columns hints that don't all fit stand closer. */
const WIDE = 100
/** Columns from which on the key that shows all keys has a place of its own. */
const KEPT_FROM = 60

/** The last row: a notice, then hints as far as they fit; at the right end pending ops and an incomplete key. */
export function footerLine(state: State, columns: number, now: number, typed: Pending): Line {
  const right = [...pendingSpans(state, columns), ...typedSpans(typed)]
  const room = columns - lineWidth(right)
  const before = [...noticeSpans(state, room, columns), ...ignoredSpans(state), ...goneSpans(state, now)]
  const left = [...before, ...hintSpans(state, room - lineWidth(before), now, columns)]
  const gap = " ".repeat(Math.max(0, room - lineWidth(left)))
  return { spans: right.length === 0 ? left : [...left, span(gap), ...right] }
}

function goneSpans(state: State, now: number): readonly Span[] {
  if (goneFor(state, now) === null) return []
  const [key, does] = state.view.setup.isFromHome ? [keyOf(state.view, shut), "goes back"] : ["Ctrl-C", "leaves"]
  return [span(" reconnecting…", "warn"), span(GAP), span(key, "accent"), span(` ${does}  `, "normal")]
}

/** A notice too long for the row stands in the banner. */
function noticeSpans(state: State, room: number, columns: number): readonly Span[] {
  const { notice } = state.view
  if (notice === null || !isShort(state, columns)) return []
  return [span(` ${clip(notice.text, room - 2)}`, noticeToken(notice)), span("  ")]
}

function ignoredSpans(state: State): readonly Span[] {
  return state.view.questions.ignored?.keys === "all" ? [span(` ${IGNORED}`, "warn"), span("  ")] : []
}

/** Only hints that fit as a whole; the key that shows all keys stands last, and goes last where there is room. */
function hintSpans(state: State, free: number, now: number, columns: number): readonly Span[] {
  const hints = hintsIn(scopeOf(state), state, now)
  const all = lineWidth(hints.flatMap(hint => pairSpans(hint, GAP))) - GAP.length + 1
  const between = columns < WIDE && all > free ? GAP.slice(1) : GAP
  const isKept = ({ id }: Hint) => id === help.id && free >= KEPT_FROM
  const last = hints.filter(isKept).flatMap(hint => pairSpans(hint, between))
  const spans: Span[] = []
  // The first pair stands one column from the edge.
  let room = free + between.length - 1 - lineWidth(last)
  for (const hint of hints) {
    if (isKept(hint)) continue
    const pair = pairSpans(hint, between)
    room -= lineWidth(pair)
    if (room < 0) break
    spans.push(...pair)
  }
  const [gap, ...rest] = [...spans, ...last]
  return gap === undefined ? [] : [span(" "), ...rest]
}

function pairSpans({ shown, hint, stroke }: Hint, between: string): readonly Span[] {
  const words = [span(shown, "accent"), span(` ${hint}`, "normal")]
  return [span(between), ...words.map(one => ({ ...one, click: stroke }))]
}

/** A count that waits for its key, and the first of two strokes: `5`, `Ctrl-X`. */
function typedSpans({ count, first = "" }: Pending): readonly Span[] {
  const typed = `${count}${strokeText(first)}`
  return typed === "" ? [] : [span(`  ${typed} `, "bright", { bold: true })]
}

/** Ops without an effect so far; how many of them where their words would take the room of the keys. */
function pendingSpans({ view }: State, columns: number): readonly Span[] {
  const { ops } = view.control
  if (ops.length === 0) return []
  const words = `  ${ops.map(({ op }) => OP_WORDS[op].verb).join(", ")} pending `
  return [span(words.length < columns / 3 ? words : `  ${ops.length} pending `, "dim")]
}
