// Takes the marks of Markdown out of a text that is shown on one line.

/** The text without headings' marks, fences, the frames of tables, quotes' marks and bold. Code keeps its own. */
export function withoutMarks(text: string): string {
  return text
    .replace(/^[ \t]*(?:```|~~~).*$|^(?=.*---)[ \t|:-]+$/gm, "")
    .replace(/^[ \t]*(?:#{1,6} |> |\| ?)| ?\|$|\*\*/gm, "")
}
