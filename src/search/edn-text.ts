// Extracts the strings of an EDN file without parsing it, so that damaged files can be searched too.
import { endOfString } from "../export/json-text.ts"

/** A string in a file with escapes resolved, and the line on which it begins, from 1. */
interface CaptureText {
  readonly text: string
  readonly line: number
}

const ESCAPES: { readonly [letter: string]: string } = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" }

/** The strings of `edn`, in order, including one that the end of the file cuts off. */
export function* ednTexts(edn: string): Generator<CaptureText> {
  let line = 1
  let counted = 0
  const sign = /"|\\|;/g
  for (let found = sign.exec(edn); found !== null; found = sign.exec(edn)) {
    const from = found.index
    // Outside a string, a backslash begins a character and a semicolon a comment.
    if (found[0] === "\\") sign.lastIndex = from + 2
    else if (found[0] === ";") sign.lastIndex = endOfLine(edn, from)
    else {
      const to = endOfString(edn, from)
      line += countLineEnds(edn, counted, from)
      counted = from
      yield { text: resolved(edn.slice(from + 1, to)), line }
      sign.lastIndex = to + 1
    }
  }
}

/** The place of the next line end at or after `from`; the text's length if there is none. */
export function endOfLine(text: string, from: number): number {
  const at = text.indexOf("\n", from)
  return at === -1 ? text.length : at
}

/** Counts the line ends from `from` to before `to`. */
export function countLineEnds(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count++
  return count
}

function resolved(text: string): string {
  if (!text.includes("\\")) return text
  return text.replace(/\\(?:u([0-9A-Fa-f]{4})|(.))/gs, (_, code?: string, letter?: string) =>
    code === undefined ? (ESCAPES[letter ?? ""] ?? letter ?? "") : String.fromCharCode(Number.parseInt(code, 16)),
  )
}
