// Reads the marks within a text: emphasis, code, links. All else stays as written.
import { type ColorToken, type Span, span } from "../line.ts"

/** A piece of the text on its way to a span. */
type Node =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "label"; readonly open: boolean; readonly url: string }
  | Run

/** Several `*` or `_` in a row: how many are left, and the weights that begin and end here. */
interface Run {
  readonly type: "run"
  readonly char: string
  readonly opens: boolean
  readonly closes: boolean
  left: number
  begin: Weight[]
  end: Weight[]
}
type Weight = "bold" | "italic"

const URL_UNITS = 1000
/** A longer row of `*` or `_` is not emphasis. */
const RUN = 6

/** The spans of one text, plain parts in `token`. Takes linear time. */
export function inlineSpans(text: string, token: ColorToken): readonly Span[] {
  const nodes = nodesOf(text)
  weigh(nodes.filter(node => node.type === "run"))
  const spans: Span[] = []
  const depth = { bold: 0, italic: 0, label: 0 }
  const put = (shown: string, as: ColorToken): void => {
    if (shown === "") return
    const style = { ...(depth.bold > 0 ? { bold: true } : {}), ...(depth.italic > 0 ? { italic: true } : {}) }
    const last = spans.at(-1)
    const same = last?.token === as && last.bold === style.bold && last.italic === style.italic
    if (same) spans[spans.length - 1] = { ...last, text: last.text + shown }
    else spans.push(span(shown, as, style))
  }
  const plain = (shown: string): void => put(shown, depth.label > 0 ? "accent" : token)
  for (const node of nodes) {
    if (node.type === "text") plain(node.text)
    else if (node.type === "code") put(node.text, "accent")
    else if (node.type === "run") {
      for (const weight of node.end) depth[weight]--
      plain(node.char.repeat(node.left))
      for (const weight of node.begin) depth[weight]++
    } else {
      depth.label += node.open ? 1 : -1
      if (node.url !== "" && spans.at(-1)?.text !== node.url) put(` (${node.url})`, "dim")
    }
  }
  return spans
}

function nodesOf(text: string): readonly Node[] {
  const nodes: Node[] = []
  const brackets = bracketsOf(text)
  /** Links whose label is open, the innermost last. */
  const labels: Link[] = []
  const ticks = new Ticks(text)
  let from = 0
  let at = 0
  const put = (node: Node | null, length: number): void => {
    if (at > from) nodes.push({ type: "text", text: text.slice(from, at) })
    if (node !== null) nodes.push(node)
    at += length
    from = at
  }
  for (const special = /[\\`*_[\]!<]/g; ; ) {
    special.lastIndex = at
    const found = special.exec(text)
    if (found === null) break
    at = found.index
    const char = text.charAt(at)
    const label = labels.at(-1)
    const room = (label?.close ?? text.length) - at
    if (label !== undefined && at === label.close) {
      labels.pop()
      put({ type: "label", open: false, url: label.url }, label.next - at)
    } else if (char === "\\" && text.charAt(at + 1) === "\n") {
      put({ type: "text", text: "" }, 1)
    } else if (char === "\\" && /^[!-/:-@[-`{-~]$/.test(text.charAt(at + 1))) {
      put({ type: "text", text: text.charAt(at + 1) }, 2)
    } else if (char === "`") {
      const length = runAt(text, at)
      const close = ticks.after(at + length, length)
      if (close === null || close + length - at > room) at += length
      else put({ type: "code", text: codeText(text.slice(at + length, close)) }, close + length - at)
    } else if (char === "*" || char === "_") {
      const length = runAt(text, at)
      put(runOf(text, at, length), length)
    } else if (char === "[" || (char === "!" && text.charAt(at + 1) === "[")) {
      const open = char === "[" ? at : at + 1
      const link = linkAt(text, brackets.get(open))
      if (link === null) at = open + 1
      else {
        labels.push(link)
        put({ type: "label", open: true, url: "" }, open + 1 - at)
      }
    } else if (char === "<") {
      const [all, url] = /^<(https?:\/\/[^\s<>]{1,1000})>/.exec(text.slice(at, at + URL_UNITS + 2)) ?? []
      if (all === undefined || url === undefined || all.length > room) at++
      else put({ type: "text", text: url }, all.length)
    } else at++
  }
  at = text.length
  put(null, 0)
  return nodes
}

/** The `]` of each `[` that has one. */
function bracketsOf(text: string): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>()
  const open: number[] = []
  for (const { 0: char, index } of text.matchAll(/\\.|[[\]]/gs)) {
    if (char === "[") open.push(index)
    else if (char === "]") {
      const start = open.pop()
      if (start !== undefined) pairs.set(start, index)
    }
  }
  return pairs
}

interface Link {
  readonly close: number
  readonly url: string
  /** Where the text goes on behind its address. */
  readonly next: number
}

/** The link whose label ends at `close`, or null. */
function linkAt(text: string, close: number | undefined): Link | null {
  if (close === undefined || text.charAt(close + 1) !== "(") return null
  const rest = text.slice(close + 2, close + 2 + URL_UNITS)
  const found = /^<?((?:[^\s()<>]|\([^\s()<>]*\))+)>?(?: +"[^"\n]*")?\)/.exec(rest)
  return found === null ? null : { close, url: found[1] ?? "", next: close + 2 + found[0].length }
}

/** Finds the backticks that end code, in one pass for each length. */
class Ticks {
  private readonly runs: Map<number, RegExpExecArray[]>

  constructor(text: string) {
    this.runs = Map.groupBy([...text.matchAll(/`+/g)].reverse(), ([run]) => run.length)
  }

  /** The next run of this length at or behind `from`, which never decreases from call to call. */
  after(from: number, length: number): number | null {
    const runs = this.runs.get(length) ?? []
    while ((runs.at(-1)?.index ?? from) < from) runs.pop()
    return runs.at(-1)?.index ?? null
  }
}

/** Removes the blanks that separate backticks from the code. */
function codeText(code: string): string {
  const flat = code.replaceAll("\n", " ")
  return flat.startsWith(" ") && flat.endsWith(" ") && flat.trim() !== "" ? flat.slice(1, -1) : flat
}

function runAt(text: string, at: number): number {
  const char = text.charAt(at)
  let end = at + 1
  while (text.charAt(end) === char) end++
  return end - at
}

/** Its neighbours decide whether a run may begin or end emphasis, as in CommonMark. */
function runOf(text: string, at: number, length: number): Run {
  const char = text.charAt(at)
  const before = text.charAt(at - 1) || " "
  const after = text.charAt(at + length) || " "
  if (length > RUN) return { type: "run", char, opens: false, closes: false, left: length, begin: [], end: [] }
  const left = !isBlank(after) && (!isSign(after) || isBlank(before) || isSign(before))
  const right = !isBlank(before) && (!isSign(before) || isBlank(after) || isSign(after))
  const inWord = char === "_" && left && right
  const opens = left && (!inWord || isSign(before))
  const closes = right && (!inWord || isSign(after))
  return { type: "run", char, opens, closes, left: length, begin: [], end: [] }
}

function isBlank(char: string): boolean {
  return /^\s$/.test(char)
}

function isSign(char: string): boolean {
  return /^[\p{P}\p{S}]$/u.test(char)
}

/** Pairs each closing run with the last open run of its character. Runs left between the two are plain text. */
function weigh(runs: readonly Run[]): void {
  const open: Run[] = []
  const count: { [char: string]: number } = { "*": 0, _: 0 }
  const drop = (): void => {
    const gone = open.pop()
    if (gone !== undefined) count[gone.char] = (count[gone.char] ?? 1) - 1
  }
  for (const run of runs) {
    while (run.closes && run.left > 0 && (count[run.char] ?? 0) > 0) {
      while (open.at(-1)?.char !== run.char) drop()
      const opener = open.at(-1)
      if (opener === undefined) break
      const size = Math.min(2, opener.left, run.left)
      opener.left -= size
      run.left -= size
      opener.begin.unshift(size === 2 ? "bold" : "italic")
      run.end.push(size === 2 ? "bold" : "italic")
      if (opener.left === 0) drop()
    }
    if (run.opens && run.left > 0) {
      open.push(run)
      count[run.char] = (count[run.char] ?? 0) + 1
    }
  }
}
