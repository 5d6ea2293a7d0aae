import { brokenLines } from "../../ui/growing-lines.ts"
import { BlockReader, type MarkdownBlock } from "../../ui/markdown/block-reader.ts"
import { inlineSpans } from "../../ui/markdown/inline.ts"

const CODE_INDENT = 2

/** The lines of a sanitized text; a row of a table names its columns, and paragraphs stay apart. */
export function plainMarkdown(text: string): readonly string[] {
  const reader = new BlockReader()
  const blocks = brokenLines(text.trimEnd().replaceAll("\t", "    ")).flatMap(line => reader.take(line))
  return [...blocks, ...(reader.last === null ? [] : [reader.last])].flatMap(linesOf)
}

function linesOf(block: MarkdownBlock): readonly string[] {
  const { kind, indent, mark, quotes } = block
  if (kind === "blank") return [""]
  const code = kind === "code" || kind === "patch" ? CODE_INDENT : 0
  const margin = "> ".repeat(quotes) + " ".repeat(indent + code)
  const bullet = mark === "" ? "" : `${mark} `
  return wordsOf(block).map((line, i) => margin + (i === 0 ? bullet : " ".repeat(bullet.length)) + line)
}

function wordsOf({ kind, text, table }: MarkdownBlock): readonly string[] {
  switch (kind) {
    case "rule":
      return ["---"]
    case "table":
      return (table?.rows ?? []).map(cells => cells.map((cell, i) => cellWords(table?.head[i], cell)).join("; "))
    case "heading":
    case "text":
      return wordsIn(text).split("\n")
    default:
      return text.split("\n")
  }
}

function cellWords(head: string | undefined, cell: string): string {
  return head === undefined || head === "" ? wordsIn(cell) : `${wordsIn(head)}: ${wordsIn(cell)}`
}

function wordsIn(text: string): string {
  return inlineSpans(text, "normal")
    .map(span => span.text)
    .join("")
}
