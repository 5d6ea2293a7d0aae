// The text of a pager, which makes its lines one by one.
import { type JsonLine, PART, partEnd } from "../../../run/select/json-lines.ts"
import { type Line, line, span } from "../../../ui/line.ts"
import { lineText } from "../../../ui/mark-hits.ts"

/** Sanitized lines without tabs and newlines, none longer than `PART`: each frame measures the visible ones. */
export interface PageText {
  readonly length: number
  line(index: number): Line
  plain(index: number): string
  /** True for a line that continues the one before. */
  part(index: number): boolean
  /** First lines of folds, ascending; empty where nothing folds. */
  readonly heads: readonly number[]
  /** The last line of the fold that begins at this one, null where none does. */
  end(index: number): number | null
  /** The line shown for a closed fold. */
  closed(index: number): Line
}

export interface Pager {
  readonly title: string
  readonly text: PageText
}

function unfolded(length: number, at: (index: number) => Line): PageText {
  const plain = (index: number) => lineText(at(index))
  return { length, line: at, plain, part: () => false, heads: [], end: () => null, closed: at }
}

/** Made lines, without folds. */
export function linesText(lines: readonly Line[]): PageText {
  return unfolded(lines.length, index => lines[index] ?? { spans: [] })
}

/** A sanitized text: an artifact, a reply, a log. */
export function plainText(text: string): PageText {
  const parts: string[] = []
  const continued: boolean[] = []
  for (const whole of text.replaceAll("\t", "    ").split("\n")) {
    for (let from = 0; from === 0 || from < whole.length; ) {
      const to = whole.length <= PART ? whole.length : partEnd(whole, from)
      parts.push(whole.slice(from, to))
      continued.push(from > 0)
      if (to === from) break
      from = to
    }
  }
  const at = (index: number): Line => line(span(parts[index] ?? ""))
  return { ...unfolded(parts.length, at), part: index => continued[index] === true }
}

/** JSON below a few head lines. */
export function jsonText(head: readonly Line[], json: readonly JsonLine[]): PageText {
  const before = head.length
  const heads = json.flatMap((one, i) => (one.end > i ? [i + before] : []))
  const at = (index: number): Line => {
    const above = head[index]
    if (above !== undefined) return above
    const one = json[index - before]
    return one === undefined ? { spans: [] } : jsonLine(one, one.text)
  }
  return {
    length: before + json.length,
    line: at,
    plain: index => lineText(at(index)),
    part: index => json[index - before]?.part === true,
    heads,
    end: index => {
      const one = json[index - before]
      return one === undefined || one.end === index - before ? null : one.end + before
    },
    closed: index => {
      const one = json[index - before]
      if (one === undefined) return at(index)
      const close = json[one.end]?.text ?? ""
      return jsonLine(one, `${one.text} … ${one.count} ${close}`)
    },
  }
}

function jsonLine({ depth, name, part }: JsonLine, text: string): Line {
  const indent = " ".repeat(depth * 2 + (part ? 2 : 0))
  return line(...(indent === "" ? [] : [span(indent)]), ...(name === "" ? [] : [span(name, "accent")]), span(text))
}
