// Reads calls and values that are written as in Python, or as Gemma writes them, by writing them as JSON.
import { type CallsReader, type JsonToolCall, objectFrom } from "../json-call.ts"
import { NESTING_LIMIT } from "../parser-state.ts"
import { jsonOf } from "../tag-arguments.ts"

const WORDS: { readonly [word: string]: string } = { True: "true", False: "false", None: "null" }
/** A whole number may begin with zeros, as servers let models write it. */
const NUMBER = /^[-+]?(?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:e[-+]?\d(?:_?\d)*)?$/i
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", "\n": "" }
const ESCAPE = /\\(?:(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|([0-7]{1,3})|([\s\S]))/g
const NAME = /^(?!(?:True|False|None)$)[\p{L}_][\p{L}\p{N}_]*$/u
/** Blanks, or words. */
const WORD = /\s+|[^\s,()[\]{}:='"][^,()[\]{}:='"]*/y
/** The text between two calls. */
const GAP = /\s*,?\s*/y
const CLOSING: { readonly [open: string]: string } = { "(": ")", "[": "]", "{": "}" }

/** Reads `[f(a=1), g()]`, or one call on each line. */
export const python: CallsReader = text => {
  const [, list] = /^\s*\[([\s\S]*)\]\s*$/.exec(text) ?? []
  const calls = jsonOf(`[${asJson(list ?? text, "", list === undefined ? /[,\n]/ : /,/) ?? "?"}]`)
  return Array.isArray(calls) ? calls : []
}

/** Reads the arguments `{name:value}`, whose texts stand between two of `quote`. */
export function gemma(text: string, name: string, quote: string): readonly JsonToolCall[] {
  const args = objectFrom(asJson(text, quote, null))
  return args === null ? [] : [{ name, arguments: args }]
}

/** Reads `[{"name": {…}}]`. */
export const keyed: CallsReader = text => {
  const list = jsonOf(text)
  const calls = (Array.isArray(list) ? list : []).map(each => Object.entries(objectFrom(each) ?? {}))
  return calls.every(([first, second]) => first !== undefined && second === undefined && objectFrom(first[1]) !== null)
    ? calls.flatMap(entries => entries.map(([name, args]) => ({ name, arguments: objectFrom(args) ?? {} })))
    : []
}

/** An open bracket: its end in the text and in JSON, its place in the JSON, and whether a comma or a colon came. */
interface Bracket {
  readonly close: string
  readonly json: string
  readonly from: number
  isList: boolean
  isMap: boolean
}

/** The JSON of a value, or of the calls that `parts` separates. Null, or a text that is no JSON, for anything else. */
function asJson(text: string, quote: string, parts: RegExp | null): string | null {
  const out: string[] = []
  const open: Bracket[] = []
  const isCalls = parts !== null
  let names = new Set<string>()
  for (let at = 0; at < text.length; ) {
    const char = text.charAt(at)
    const last = open.at(-1)
    const isInside = last !== undefined
    GAP.lastIndex = at
    const [gap = ""] = isCalls && !isInside ? (GAP.exec(text) ?? []) : []
    if (gap !== "") {
      if (parts?.test(gap) && (out.length > 0 || gap.includes(","))) out.push(",")
      at += gap.length
    } else if (quote !== "" && text.startsWith(quote, at)) {
      const end = text.indexOf(quote, at + quote.length)
      if (end === -1) return null
      out.push(JSON.stringify(text.slice(at + quote.length, end)))
      at = end + quote.length
    } else if ((char === '"' || char === "'") && isInside) {
      const close = text.startsWith(char.repeat(3), at) ? char.repeat(3) : char
      const from = at + close.length
      let end = from
      while (end < text.length && !text.startsWith(close, end)) end += text.charAt(end) === "\\" ? 2 : 1
      if (!text.startsWith(close, end)) return null
      const value = unescaped(text.slice(from, end))
      if (value === null) return null
      out.push(JSON.stringify(value))
      at = end + close.length
    } else if (char in CLOSING && (isInside || !isCalls)) {
      const close = CLOSING[char] ?? ""
      open.push({ close, json: close === ")" ? "]" : close, from: out.length, isList: false, isMap: false })
      out.push(char === "(" ? "[" : char)
      at++
    } else if (char === last?.close) {
      // A comma may stand before what closes a list, and brackets around one value are none.
      if (out.at(-1) === "," && !/[[{]$/.test(out.at(-2) ?? "")) out.pop()
      const isValue = last.json === "]" && char === ")" && !last.isList && out.length > last.from + 1
      const isSet = last.json === "}" && !last.isMap && out.length > last.from + 1
      if (isValue || isSet) out[last.from] = isSet ? "[" : ""
      out.push(isValue ? "" : isSet ? "]" : last.json)
      open.pop()
      at++
    } else if (isInside && (char === "," || (char === ":" && last.close !== ")"))) {
      last.isList ||= char === ","
      last.isMap ||= char === ":"
      out.push(char)
      at++
    } else {
      WORD.lastIndex = at
      const [found = ""] = WORD.exec(text) ?? []
      at += found.length
      const word = found.trim()
      const next = text.charAt(at)
      if (found === "" || open.length > NESTING_LIMIT) return null
      if (word === "") continue
      if (next === "(" && isCalls && !isInside && word.split(".").every(part => NAME.test(part))) {
        out.push(`{"name":${JSON.stringify(word)},"arguments":{`)
        open.push({ close: ")", json: "}}", from: out.length, isList: false, isMap: false })
        names = new Set()
        at++
      } else if (next === "=" && isCalls && open.length === 1 && NAME.test(word) && !names.has(word)) {
        names.add(word)
        out.push(JSON.stringify(word), ":")
        at++
      } else if (next === ":" && (quote !== "" || NUMBER.test(word) || word in WORDS)) out.push(JSON.stringify(word))
      else if (!isInside) return null
      else if (NUMBER.test(word)) out.push(String(Number(word.replaceAll("_", ""))))
      else out.push(WORDS[word] ?? word)
    }
  }
  if (out.at(-1) === ",") out.pop()
  return open.length === 0 ? out.join(" ") : null
}

/** A Python string's text without its escapes: one that Python doesn't know stays; null if one is broken. */
function unescaped(text: string): string | null {
  let isBroken = false
  const value = text.replace(ESCAPE, (all, hex = "", octal = "", letter = "") => {
    const code = hex === "" ? Number.parseInt(octal, 8) : Number.parseInt(hex.slice(1), 16)
    if (code <= 0x10ffff) return String.fromCodePoint(code)
    isBroken ||= /[xuUN]/.test(letter) || letter === ""
    return ESCAPES[letter] ?? (/[\\'"]/.test(letter) ? letter : letter === "a" ? "\x07" : all)
  })
  return isBroken ? null : value
}
