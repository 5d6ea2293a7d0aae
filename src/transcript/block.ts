// How the text pane and the reader show an entry: labels, colours, lines.
import { SegmentType } from "../parse/segment.ts"
import type { Entry, SegmentPart } from "../run/model/session.ts"
import type { Glyphs } from "../ui/glyphs.ts"
import { codeLines, patchToken } from "../ui/highlight-code.ts"
import { type ColorToken, clipSpans, type Line, line, type Span, span, wrap } from "../ui/line.ts"
import { clip, duration, pad, width } from "../ui/text-width.ts"

/** Columns of a label beside its text. */
const GUTTER = 9
/** With fewer columns labels stand above their text. */
const ROOMY = 48

/** The label and the colours of a block; the model's own text has no label. */
export interface Style {
  readonly label: string
  readonly token: ColorToken
  readonly labelToken: ColorToken
  readonly italic?: boolean
  /** Set where the text is code or a patch. */
  readonly code?: "code" | "patch"
  /** The label while folded; absent where it does not fold. */
  readonly folded?: string
}

export const PROSE: Style = { label: "", token: "bright", labelToken: "bright" }

/** The style of a model's thinking. */
export function thinkingStyle(glyphs: Glyphs): Style {
  return folding({ label: "thinking", token: "dim", labelToken: "dim", italic: true }, glyphs)
}

/** The style of a block that can be folded. */
export function folding(style: Style, glyphs: Glyphs): Style {
  const { label } = style
  return { ...style, label: `${glyphs.unfolded} ${label}`, folded: `${glyphs.folded} ${label}` }
}

/** A tool's result folds with its call, so its own style does not fold. */
export function styleOf(entry: Entry, glyphs: Glyphs): Style {
  switch (entry.type) {
    case "system":
      return { label: "system", token: "dim", labelToken: "dim" }
    case "user":
      return { label: "user", token: "normal", labelToken: "accent" }
    case "text":
      return PROSE
    case "thinking":
      return thinkingStyle(glyphs)
    case "tool-call":
      return folding({ label: entry.name ?? "tool", token: "normal", labelToken: "accent" }, glyphs)
    case "tool-result":
      return {
        label: [glyphs.result, entry.name ?? "result", resultWords(entry)].filter(Boolean).join(" "),
        token: entry.isError ? "error" : "normal",
        labelToken: entry.isError ? "error" : "dim",
      }
    case "error":
      return { label: `${glyphs.error} error`, token: "error", labelToken: "error" }
    case "note":
      return {
        label: entry.name ?? "note",
        token: entry.isError ? "error" : "dim",
        labelToken: entry.isError ? "error" : "dim",
      }
  }
}

/** Whether a result is an error, and how long the call took. */
export function resultWords({ isError, elapsedMs }: Pick<Entry, "isError" | "elapsedMs">): string {
  return [isError && "error", elapsedMs !== undefined && duration(elapsedMs)].filter(Boolean).join(" ")
}

/** The style of a segment of a reply: a file with its path, a command, a tool with its arguments. */
export function partStyle(part: Pick<SegmentPart, "type" | "label">, glyphs: Glyphs): Style {
  if (part.type === SegmentType.TEXT) return PROSE
  if (part.type === SegmentType.REASONING) return thinkingStyle(glyphs)
  const name = part.type === SegmentType.TOOL_CALL ? "" : part.type
  const label = [name, part.label].filter(Boolean).join(" ") || "tool"
  const code = part.type === SegmentType.EDIT_FILE ? "patch" : "code"
  return folding({ label, token: "normal", labelToken: "accent", code }, glyphs)
}

/** A text with its style. */
export interface LabeledText {
  readonly style: Style
  readonly text: string
  /** The reply ended within it. */
  readonly isCut: boolean
}

/** A folded card in one line: what it is about, and of a call its outcome. */
export function foldedLine(
  { style, text }: LabeledText,
  results: readonly Entry[],
  columns: number,
  glyphs: Glyphs,
): Line {
  const about = text.trimStart().split("\n", 1)[0] ?? ""
  const label = `${style.folded ?? style.label}  `
  const last = results.at(-1)
  const outcome = last === undefined ? "" : `  ${glyphs.result} ${resultWords(last) || "ok"}`
  const room = Math.max(0, columns - width(label) - width(outcome))
  const spans = [
    span(label, style.labelToken),
    span(clip(about, room, glyphs.ellipsis), "dim"),
    span(outcome, results.some(({ isError }) => isError) ? "error" : "dim"),
  ]
  return { spans: clipSpans(spans, columns, glyphs.ellipsis) }
}

/** The model's own text in full width, all else behind or below its label. */
export function blockLines({ style, text, isCut }: LabeledText, columns: number, glyphs: Glyphs): readonly Line[] {
  const end = isCut ? [line(span("cut off by the end of the reply", "warn"))] : []
  if (style.label === "") return [...wrap(text, columns).map(one => line(span(one, style.token))), ...end]
  const lines = wrap(text, columns - indentOf(style, columns)).map((one, i) =>
    line(...labelled(style, one, i === 0, columns)),
  )
  const above = isBeside(style, columns) ? [] : [labelRow(style, columns, glyphs)]
  return [...above, ...lines, ...end]
}

/** A label above its text. */
export function labelRow(style: Style, columns: number, glyphs: Glyphs): Line {
  return line(span(clip(style.label, columns, glyphs.ellipsis), style.labelToken))
}

/** Whether the label fits beside its text; else it stands above. */
export function isBeside(style: Style, columns: number): boolean {
  return columns >= ROOMY && width(style.label) < GUTTER
}

/** Columns left of the text of a style with a label. */
export function indentOf(style: Style, columns: number): number {
  return isBeside(style, columns) ? GUTTER : 2
}

/** A line of text beside its label, which only the first line shows. */
export function labelled(style: Style, text: string, first: boolean, columns: number): readonly Span[] {
  const weight = style.italic === true ? { italic: true } : {}
  const label =
    first && isBeside(style, columns)
      ? span(pad(style.label, GUTTER), style.labelToken)
      : span(" ".repeat(indentOf(style, columns)))
  if (style.code === "patch") return [label, span(text, patchToken(text))]
  if (style.code === "code") return [label, ...(codeLines(text, Number.POSITIVE_INFINITY)[0]?.spans ?? [])]
  return [label, span(text, style.token, weight)]
}
