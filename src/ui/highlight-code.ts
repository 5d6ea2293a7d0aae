// Highlights code of any language by what most share: strings, comments, numbers and common words.
import { type ColorToken, type Line, type Span, span } from "./line.ts"
import { width } from "./text-width.ts"
import { wrap } from "./wrap.ts"

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
const MOST_UNITS = 262_144

/** Lines of at most `columns` columns, in linear time. The text must be sanitized. */
export function codeLines(text: string, columns: number): readonly Line[] {
  if (text.length > MOST_UNITS) return wrap(text, columns).map(one => ({ spans: [span(one)] }))
  return rowsOf(text.replaceAll("\t", "    "), columns)
}

function rowsOf(text: string, columns: number): readonly Line[] {
  const lines: Line[] = []
  let row: Span[] = []
  let room = columns
  const put = (piece: string, token: ColorToken): void => {
    for (const [i, part] of piece.split("\n").entries()) {
      if (i > 0) end()
      for (let rest = part; rest !== ""; ) {
        if (width(rest) <= room) {
          row.push(span(rest, token))
          room -= width(rest)
          break
        }
        const [head = ""] = room > 0 ? hardWrap(rest, room) : [""]
        if (head === "" && row.length === 0) {
          row.push(span(rest, token))
          break
        }
        if (head !== "") row.push(span(head, token))
        rest = rest.slice(head.length)
        end()
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

/** Cuts code at the column and not between words: a wrap at a blank would lose the blank. */
function hardWrap(text: string, room: number): readonly string[] {
  return wrap(text.slice(0, room * 4).replaceAll(" ", "\u00a0"), room).map(one => one.replaceAll("\u00a0", " "))
}

function tokenOf([, comment, text, number, word]: RegExpMatchArray): ColorToken {
  if (comment !== undefined) return "dim"
  if (text !== undefined) return "ok"
  if (number !== undefined) return "warn"
  return word !== undefined && WORDS.has(word.toLowerCase()) ? "accent" : "normal"
}
