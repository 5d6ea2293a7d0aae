import { SegmentType } from "../../parse/segment.ts"
import type { Entry, Part } from "../../store/session.ts"
import { codeLines, patchToken } from "../code.ts"
import { blank, type Line, line, type Span, span, type Token } from "../line.ts"
import type { Look } from "../look.ts"
import { clip, duration, pad, width } from "../text.ts"
import { wrap } from "../wrap.ts"

/** Columns of the label before a message that is not the model's own text. */
const GUTTER = 9
const ROOMY = 48

/** How a block looks: what stands before it, and in which colours. Without a label it is the model's own text. */
export interface Style {
  readonly label: string
  readonly token: Token
  readonly labelToken: Token
  readonly italic?: boolean
  /** Its text is code, or a patch. */
  readonly code?: "code" | "patch"
}

export const PROSE: Style = { label: "", token: "bright", labelToken: "bright" }
export const THINKING: Style = { label: "thinking", token: "dim", labelToken: "dim", italic: true }

export function styleOf(entry: Entry, look: Look): Style {
  switch (entry.type) {
    case "system":
      return { label: "system", token: "dim", labelToken: "dim" }
    case "user":
      return { label: "user", token: "normal", labelToken: "accent" }
    case "text":
      return PROSE
    case "thinking":
      return THINKING
    case "tool-call":
      return { label: entry.name ?? "tool", token: "normal", labelToken: "accent" }
    case "tool-result":
      return {
        label: `${look.glyphs.result} ${resultWords(entry)}`,
        token: entry.isError ? "error" : "normal",
        labelToken: entry.isError ? "error" : "dim",
      }
    case "error":
      return { label: `${look.glyphs.error} error`, token: "error", labelToken: "error" }
    case "note":
      return {
        label: entry.name ?? "note",
        token: entry.isError ? "error" : "dim",
        labelToken: entry.isError ? "error" : "dim",
      }
  }
}

/** Whose result it is, that it failed, and how long it took. */
function resultWords({ name, isError, elapsedMs }: Entry): string {
  const words = [name ?? "result", isError && "error", elapsedMs !== undefined && duration(elapsedMs)]
  return words.filter(Boolean).join(" ")
}

/** How a segment of the model's text looks: a file with its path, a command, a tool with its arguments. */
export function partStyle(part: Part): Style {
  if (part.type === SegmentType.TEXT) return PROSE
  if (part.type === SegmentType.REASONING) return THINKING
  const name = part.type === SegmentType.TOOL_CALL ? "" : part.type
  const label = [name, part.label].filter(Boolean).join(" ") || "tool"
  const code = part.type === SegmentType.EDIT_FILE ? "patch" : "code"
  return { label, token: "normal", labelToken: "accent", code }
}

/** The lines of segments; one that the end of the reply cut off says so. */
export function partLines(parts: readonly Part[], columns: number, look: Look): readonly Line[] {
  // A long segment is several parts of one id: they are one block.
  const segments = Map.groupBy(parts, part => part.id)
  return [...segments.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return []
    const text = [first, ...more].map(part => part.text).join("")
    const lines = blockLines(partStyle(first), text, columns, look)
    const isCut = (more.at(-1) ?? first).end === "cut"
    return isCut ? [...lines.slice(0, -1), line(span("cut off by the end of the reply", "warn")), blank] : lines
  })
}

/** The lines of a block: the model's text over the whole width, all else behind a label. A blank line ends it. */
export function blockLines(style: Style, text: string, columns: number, look: Look): readonly Line[] {
  if (style.label === "") return [...wrap(text, columns).map(one => line(span(one, style.token))), blank]
  const lines = wrap(text, columns - indentOf(style, columns)).map((one, i) =>
    line(...labelled(style, one, i === 0, columns)),
  )
  return isBeside(style, columns) ? [...lines, blank] : [labelRow(style, columns, look), ...lines, blank]
}

/** A label that stands above its text. */
export function labelRow(style: Style, columns: number, look: Look): Line {
  return line(span(clip(style.label, columns, look.glyphs.ellipsis), style.labelToken))
}

/** Whether the label has room beside its text; else it stands above. */
export function isBeside(style: Style, columns: number): boolean {
  return columns >= ROOMY && width(style.label) < GUTTER
}

export function indentOf(style: Style, columns: number): number {
  return isBeside(style, columns) ? GUTTER : 2
}

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
