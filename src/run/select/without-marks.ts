// Takes the marks of Markdown out of a text that is shown on one line.

/** A piece of code, or a text that stands out. */
const EMPHASIS = /(`[^`\n]*`)|(?<![\w*])\*(?=\S)([^*\n]*[^*\s])\*(?![\w*])/g

/** The text without headings' marks, fences, the frames of tables, quotes' marks and emphasis. Code keeps its own. */
export function withoutMarks(text: string): string {
  return text
    .replace(/^[ \t]*(?:```|~~~).*$|^(?=.*---)[ \t|:-]+$/gm, "")
    .replace(/^[ \t]*(?:#{1,6} |> |\| ?)| ?\|$|\*\*/gm, "")
    .replace(EMPHASIS, (_, code: string | undefined, said: string) => code ?? said)
}
