import { type ColorToken, type Line, type Span, span, wrap } from "./line.ts"
import { firstGrapheme, fitting, width } from "./text-width.ts"

const WORDS = new Set(
  (
    "and as assert async await break case catch class const continue def default defer defn delete do done elif else " +
    "end enum export extends false fi final finally fn for from func function go if impl import in interface is lambda " +
    "let match mod mut new nil none not null or package pass private protected pub public raise return self static " +
    "struct super switch then this throw trait true try type undefined union use using var void when while with yield"
  ).split(" "),
)

/** A comment, a string, a number, a word. A quote without its end on the same line begins no string. */
const PIECES =
  /(\/\*[\s\S]*?(?:\*\/|$)|(?<![:\w])\/\/[^\n]*|(?<![^\s])(?:#|--|;;)[^\n]*)|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|(?<![\w.])(\d[\w.]*)|([A-Za-z_][\w-]*)/g

/** UTF-16 units above which code is shown without colours. */
export const MOST_COLOURED = 262_144

/** Lines of at most `columns` columns, in linear time. The text must be sanitized. */
export function codeLines(text: string, columns: number): readonly Line[] {
  if (text.length > MOST_COLOURED) return wrap(text, columns).map(one => ({ spans: [span(one)] }))
  return rowsOf(text.replaceAll("\t", "    "), Math.max(1, columns))
}

/** Breaks behind a blank or before a word where there is one, so that no blank is lost and no word is cut. */
function rowsOf(text: string, columns: number): readonly Line[] {
  const lines: Line[] = []
  let row: Span[] = []
  let room = columns
  const put = (piece: string, token: ColorToken): void => {
    for (const [i, part] of piece.split("\n").entries()) {
      if (i > 0) end()
      for (let rest = part; rest !== ""; ) {
        // A cell holds few units: more of a long line need not be measured.
        const fit = fitting(rest.slice(0, room * 16), room)
        const isBlank = row.every(({ text }) => text.trim() === "")
        const whole = fit.units < rest.length ? rest.slice(0, fit.units).lastIndexOf(" ") + 1 : fit.units
        const isCut = isBlank && rest.slice(0, whole).trim() === ""
        // A grapheme wider than the row stands alone.
        const units = fit.units === 0 && row.length === 0 ? firstGrapheme(rest) : isCut ? fit.units : whole
        if (units > 0) row.push(span(rest.slice(0, units), token))
        room -= width(rest.slice(0, units))
        rest = rest.slice(units)
        if (rest !== "") end()
      }
    }
  }
  const end = (): void => {
    lines.push({ spans: row })
    row = []
    room = columns
  }
  let from = 0
  for (const found of text.matchAll(PIECES)) {
    put(text.slice(from, found.index), "normal")
    from = found.index + found[0].length
    put(found[0], tokenOf(found))
  }
  put(text.slice(from), "normal")
  end()
  return lines
}

/** The colour of a line of a patch. */
export function patchToken(line: string): ColorToken {
  if (/^(?:\+\+\+|---|@@|diff |index )/.test(line)) return "dim"
  if (line.startsWith("+")) return "ok"
  return line.startsWith("-") ? "error" : "normal"
}

function tokenOf([, comment, text, number, word]: RegExpMatchArray): ColorToken {
  if (comment !== undefined) return "dim"
  if (text !== undefined) return "ok"
  if (number !== undefined) return "warn"
  return word !== undefined && WORDS.has(word.toLowerCase()) ? "accent" : "normal"
}
