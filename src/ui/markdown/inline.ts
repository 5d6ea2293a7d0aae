// Reads the marks within a text: emphasis, code, links. All else stays as written.
import { type ColorToken, type Span, span } from "../line.ts"

/** Begins each line and parts entities: white space that is no mark, so that no line begins a block, or gets lost. */
const GUARD = "\u205f"

/** What the parser's output holds around a style, a piece of code, a label and an address: no sanitized text has it. */
const MARKS = { bold: "\x01", italic: "\x02", code: "\x03", label: "\x04", url: "\x05" } as const
const END = "\x06"

const enclosed = (mark: string) => (text: string) => mark + text + END
const labelled = (label: string, url: string) =>
  url === "" ? `[${label}]()` : MARKS.label + label + END + MARKS.url + url + END

const CALLBACKS: Bun.markdown.RenderCallbacks = {
  strong: enclosed(MARKS.bold),
  emphasis: enclosed(MARKS.italic),
  codespan: code => MARKS.code + code.replaceAll("\n", " ") + END,
  link: (label, { href }) => labelled(label, href),
  image: (label, { src }) => labelled(label, src),
}
const OPTIONS = {
  tables: false,
  strikethrough: false,
  tasklists: false,
  noHtmlBlocks: true,
  noIndentedCodeBlocks: true,
}

/** The spans of one sanitized text, plain parts in `token`. Takes linear time. */
export function inlineSpans(text: string, token: ColorToken): readonly Span[] {
  const guarded =
    GUARD +
    text
      .replaceAll(GUARD, " ")
      .replaceAll("\n", `\n${GUARD}`)
      .replace(/&(?=#?\w+;)/g, `&${GUARD}`)
  const read = Bun.markdown.render(guarded, CALLBACKS, OPTIONS).replaceAll(GUARD, "")
  const spans: Span[] = []
  const open: string[] = []
  for (const piece of read.split(/([\x01-\x06])/)) {
    if (piece === END) open.pop()
    else if (/^[\x01-\x05]$/.test(piece)) open.push(piece)
    else if (piece !== "") put(spans, piece, open, token)
  }
  return spans
}

function put(spans: Span[], text: string, open: readonly string[], token: ColorToken): void {
  const has = (mark: string) => open.includes(mark)
  const last = spans.at(-1)
  // The label of an address in angle brackets is the address.
  if (has(MARKS.url) && last?.text === text) return
  const as = has(MARKS.url) ? "dim" : has(MARKS.code) || has(MARKS.label) ? "accent" : token
  const style = { ...(has(MARKS.bold) && { bold: true }), ...(has(MARKS.italic) && { italic: true }) }
  const shown = has(MARKS.url) ? ` (${text})` : text
  const isSame = last?.token === as && last.bold === style.bold && last.italic === style.italic
  if (isSame) spans[spans.length - 1] = { ...last, text: last.text + shown }
  else spans.push(span(shown, as, style))
}
