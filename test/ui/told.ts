// Tells lines as texts that can be kept.
import type { Line, Span } from "../../src/ui/line.ts"

/** Spans as they are told: `dim"so"`, with * for bold, / for italic, ~ for faint and ! for a hit. */
export function spansWords(spans: readonly Span[]): string {
  return spans
    .map(({ token, bold, italic, faint, hit, text }) => {
      const style = [bold && "*", italic && "/", faint && "~", hit && "!"].filter(Boolean).join("")
      return `${token}${style}${JSON.stringify(text)}`
    })
    .join(" ")
}

export const told = (all: readonly Line[]): string => all.map(({ spans }) => spansWords(spans)).join("\n")
