// Draws a turn's context as a bar: a letter for each kind of part, a small one where it was cached.
import type { ContextPart, PartKind, TurnContext } from "../../run/select/context.ts"
import type { Glyphs } from "../../ui/glyphs.ts"
import { type ColorToken, type Span, span } from "../../ui/line.ts"

/** How the parts of a kind are drawn and called. */
export const KINDS: { readonly [kind in PartKind]: { readonly name: string; readonly token: ColorToken } } = {
  system: { name: "system", token: "hue0" },
  tools: { name: "definitions", token: "hue1" },
  message: { name: "messages", token: "hue2" },
  result: { name: "results", token: "hue3" },
  thinking: { name: "thinking", token: "hue4" },
}

/** The letter of a kind: the first of its name. */
export function kindLetter(kind: PartKind): string {
  return KINDS[kind].name[0] ?? ""
}

/** The bar of a turn in so many columns, which stand for `whole` tokens; what is left of them is dotted. */
export function barSpans(context: TurnContext, whole: number, columns: number, { dot }: Glyphs): readonly Span[] {
  const { input, cached, first, parts } = context
  if (input === null || whole === 0) return [span(" ".repeat(columns))]
  const filled = Math.min(columns, Math.max(1, Math.round((columns * input) / whole)))
  const fromCache = Math.round((filled * (cached ?? 0)) / Math.max(1, input))
  // What the requests after the first added is not captured.
  const known = Math.min(filled, Math.round((filled * (first ?? input)) / Math.max(1, input)))
  const kinds = parts === null || context.characters === 0 ? [] : kindsOf(parts, context.characters, known)
  const spans: Span[] = []
  for (let column = 0; column < filled; column++) {
    const kind = kinds[column]
    const letter = kind === undefined ? "?" : kindLetter(kind)
    const isCached = column < fromCache
    const token = kind === undefined ? "dim" : KINDS[kind].token
    spans.push(span(isCached ? letter : letter.toUpperCase(), token, { bold: !isCached }))
  }
  return [...spans, span(dot.repeat(columns - filled), "dim")]
}

/** The kind of the part that lies in the middle of each column. */
function kindsOf(parts: readonly ContextPart[], characters: number, columns: number): readonly PartKind[] {
  const kinds: PartKind[] = []
  let end = 0
  for (const { kind, characters: own } of parts) {
    end += own
    while (kinds.length < columns && (kinds.length + 0.5) * characters <= end * columns) kinds.push(kind)
  }
  return kinds
}
