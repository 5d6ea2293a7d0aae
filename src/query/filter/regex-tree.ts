// Parses a regular expression into a tree of single characters, so that it can be matched in linear time.

/** A pattern's syntax tree. It has nothing that needs backtracking, whose time an agent's text could blow up. */
export type Node =
  | { readonly type: "char"; readonly char: CharTest }
  | { readonly type: "look"; readonly look: Assertion }
  | { readonly type: "seq" | "either"; readonly parts: readonly Node[] }
  | { readonly type: "repeat"; readonly part: Node; readonly min: number; readonly max: number }

export type Assertion = "^" | "$" | "\\b" | "\\B"

export interface CharTest {
  readonly source: string
  test(code: number): boolean
}

/** Maximum size of a pattern with counted repeats expanded; each unit may cost a step per character of text. */
const SIZE = 500
const DEPTH = 64

const LIMIT = "this regular expression is too large"

/** Parses JavaScript's syntax as under its flag `u`. `flags` are of `i`, `m` and `s`. Never throws. */
export function readPattern(source: string, flags: string): { readonly node: Node } | { readonly error: string } {
  try {
    new RegExp(source, `${flags}u`)
  } catch (error) {
    return { error: error instanceof Error ? error.message : "invalid regular expression" }
  }
  const reader = new PatternReader(source, flags)
  const node = reader.either()
  if (node === null) return { error: reader.error }
  return sizeOf(node) > SIZE ? { error: LIMIT } : { node }
}

function sizeOf(node: Node): number {
  if ("parts" in node) return node.parts.reduce((sum, part) => sum + sizeOf(part), 1)
  if (node.type !== "repeat") return 1
  return (sizeOf(node.part) + 1) * Math.max(1, node.min, Number.isFinite(node.max) ? node.max : 1)
}

/** One character, class or escape. In valid source a simple expression finds its end. */
const ATOM =
  /\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u\{[^}]*\}|\\u....|\\x..|\\c.|\\[pP]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|./suy
const REPEAT = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y

/** A recursive descent parser for source that is known to be valid. Each method returns null once `error` is set. */
class PatternReader {
  error = ""
  private place = 0
  private depth = 0
  private readonly tests = new Map<string, CharTest>()

  constructor(
    private readonly source: string,
    private readonly flags: string,
  ) {}

  either(): Node | null {
    const parts: Node[] = []
    do {
      const part = this.seq()
      if (part === null) return null
      parts.push(part)
    } while (this.take("|"))
    const [only] = parts
    return parts.length === 1 && only !== undefined ? only : { type: "either", parts }
  }

  private seq(): Node | null {
    const parts: Node[] = []
    while (this.place < this.source.length && !/[|)]/.test(this.source[this.place] ?? "")) {
      const part = this.atom()
      if (part === null) return null
      parts.push(this.repeated(part))
    }
    return { type: "seq", parts }
  }

  private atom(): Node | null {
    if (this.take("(")) return this.group()
    const atom = this.match(ATOM)?.[0] ?? ""
    if (atom === "^" || atom === "$" || atom === "\\b" || atom === "\\B") return { type: "look", look: atom }
    if (/^\\[1-9k]/.test(atom)) return this.refuse("back-references are not supported")
    const known = this.tests.get(atom) ?? charTest(atom, this.flags)
    this.tests.set(atom, known)
    return { type: "char", char: known }
  }

  private group(): Node | null {
    const name = this.match(/\?<[^=!][^>]*>/y)
    if (name === null && !this.take("?:") && this.source[this.place] === "?") {
      return this.refuse("look-around and flags inside of a group are not supported")
    }
    if (this.depth === DEPTH) return this.refuse(LIMIT)
    this.depth++
    const node = this.either()
    this.depth--
    this.take(")")
    return node
  }

  /** The node with the quantifier that may follow. Greedy or lazy makes no difference to whether a text matches. */
  private repeated(part: Node): Node {
    const found = this.match(REPEAT)
    if (found === null) return part
    const [, sign, from, comma, to] = found
    if (sign !== undefined) return { type: "repeat", part, min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Infinity }
    const min = Number(from)
    if (comma === "") return { type: "repeat", part, min, max: min }
    return { type: "repeat", part, min, max: to === "" ? Infinity : Number(to) }
  }

  private take(token: string): boolean {
    if (!this.source.startsWith(token, this.place)) return false
    this.place += token.length
    return true
  }

  private match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.place
    const found = sticky.exec(this.source)
    if (found !== null) this.place += found[0].length
    return found
  }

  private refuse(why: string): null {
    this.error = why
    return null
  }
}

const ASCII = 128

/** Tests single characters with a native regular expression, which can't backtrack there. Caches results for ASCII. */
function charTest(atom: string, flags: string): CharTest {
  const one = new RegExp(`^${atom}$`, `${flags.replace("m", "")}u`)
  const known = new Uint8Array(ASCII)
  const test = (code: number) => {
    if (code >= ASCII) return one.test(String.fromCodePoint(code))
    if (known[code] === 0) known[code] = one.test(String.fromCharCode(code)) ? 2 : 1
    return known[code] === 2
  }
  return { source: atom, test }
}
