// Shows the key table.
import type { KeyLine } from "../../keys/hints.ts"
import { blank, type Line, line, span } from "../../ui/line.ts"
import { wrap } from "../../ui/wrap.ts"

export function helpLines(keys: readonly KeyLine[], columns: number): readonly Line[] {
  const lines: Line[] = []
  let group = ""
  for (const one of keys) {
    if (one.group !== group)
      lines.push(...(group === "" ? [] : [blank]), line(span(one.group, "bright", { bold: true })))
    group = one.group
    const keyColumns = Math.max(14, one.shown.length + 3)
    wrap(one.title, columns - keyColumns).forEach((text, i) => {
      lines.push(line(span((i === 0 ? `  ${one.shown}` : "").padEnd(keyColumns), "accent"), span(text)))
    })
  }
  return lines
}
