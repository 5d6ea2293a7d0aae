// Reads calls and values that are written as in Python, or as Gemma writes them, by writing them as JSON.
import { type CallsReader, type JsonToolCall, objectFrom } from "../json-call.ts"
import { NESTING_LIMIT } from "../parser-state.ts"
import { jsonOf } from "../tag-arguments.ts"

const WORDS: { readonly [word: string]: string } = { True: "true", False: "false", None: "null" }
const NUMBER = /^[-+]?(\d[\d_]*\.?\d*|\.\d+)(e[-+]?\d+)?$/i
const ESCAPES: { readonly [letter: string]: string } = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "\n": "" }
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g
/** Blanks, or a word and the blanks after it. */
const WORD = /[\s]+|[^\s,()[\]{}:='"]+\s*/y
const CLOSING: { readonly [open: string]: string } = { "(": ")", "[": "]", "{": "}" }

/** Reads `[f(a=1), g()]`, or one call on each line. */
export const python: CallsReader = text => {
  const [, list] = /^\s*\[([\s\S]*)\]\s*$/.exec(text) ?? []
  const calls = jsonOf(`[${asJson(list ?? text, "", true) ?? "?"}]`)
  return Array.isArray(calls) ? calls : []
}

/** Reads the arguments `{name:value}`, whose texts stand between two of `quote`. */
export function gemma(text: string, name: string, quote: string): readonly JsonToolCall[] {
  const args = objectFrom(asJson(text, quote, false))
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

/** The JSON of a value, or of calls with commas between them; null or no JSON at all for anything else. */
function asJson(text: string, quote: string, isCalls: boolean): string | null {
  const out: string[] = []
  /** What closes each open bracket: here, and in JSON. */
  const open: (readonly [close: string, json: string])[] = []
  for (let at = 0; at < text.length; ) {
    const char = text.charAt(at)
    const isInside = open.length > 0
    if (quote !== "" && text.startsWith(quote, at)) {
      const end = text.indexOf(quote, at + quote.length)
      if (end === -1) return null
      out.push(JSON.stringify(text.slice(at + quote.length, end)))
      at = end + quote.length
    } else if ((char === '"' || char === "'") && isInside) {
      const close = text.startsWith(char.repeat(3), at) ? char.repeat(3) : char
      const from = at + close.length
      let end = from
      while (end < text.length && !text.startsWith(close, end)) end += text.charAt(end) === "\\" ? 2 : 1
      if (end >= text.length) return null
      out.push(JSON.stringify(unescaped(text.slice(from, end))))
      at = end + close.length
    } else if (char in CLOSING && (isInside || !isCalls)) {
      const close = CLOSING[char] ?? ""
      open.push([close, close === ")" ? "]" : close])
      out.push(char === "(" ? "[" : char)
      at++
    } else if (char === open.at(-1)?.[0]) {
      // A comma may stand before what closes a list.
      if (out.at(-1) === "," && !/[[{]$/.test(out.at(-2) ?? "")) out.pop()
      out.push(open.pop()?.[1] ?? "")
      if (isCalls && open.length === 0) out.push(",")
      at++
    } else if (isInside && (char === "," || (char === ":" && open.at(-1)?.[0] !== ")"))) {
      out.push(char)
      at++
    } else if (isCalls && char === "," && out.at(-1) === ",") at++
    else {
      WORD.lastIndex = at
      const [found = ""] = WORD.exec(text) ?? []
      at += found.length
      const word = found.trim()
      const next = text.charAt(at)
      if (found === "" || open.length > NESTING_LIMIT) return null
      if (word === "") continue
      if (next === "(" && isCalls && !isInside && /^[A-Za-z_][\w.-]*$/.test(word)) {
        out.push(`{"name":${JSON.stringify(word)},"arguments":{`)
        open.push([")", "}}"])
        at++
      } else if (next === "=" && isCalls && open.length === 1) {
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

/** A Python string's text without its escapes; one that Python doesn't know stays. */
function unescaped(text: string): string {
  return text.replace(ESCAPE, (all, short, long, wide, letter = "") => {
    const code = Number.parseInt(short ?? long ?? wide ?? "", 16)
    if (code <= 0x10ffff) return String.fromCodePoint(code)
    return ESCAPES[letter] ?? (/[\\'"]/.test(letter) ? letter : all)
  })
}
