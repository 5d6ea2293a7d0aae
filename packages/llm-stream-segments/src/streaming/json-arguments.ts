// Reads the arguments of calls in JSON while they stream, split anywhere.
import { ARGUMENT_KEYS, NAME_KEYS } from "../parse/json-call.ts"
import { isBlank, isHighSurrogate } from "../parse/marker.ts"
import { ARGUMENT_NAME_LIMIT, NESTING_LIMIT } from "../parse/parser-state.ts"
import type { ArgumentPart } from "../parse/tag-arguments.ts"

/** The next characters of an argument of one of several calls. */
export interface JsonArgumentPart extends ArgumentPart {
  /** The last of its value, if that is a text. */
  readonly isLast: boolean
  /** The position of its call among those of the segment. */
  readonly call: number
  /** The call's name, if it came before; empty otherwise. */
  readonly name: string
}

interface Frame {
  readonly isObject: boolean
  wantsKey: boolean
  key: string
  /** The name of the call that this object may be. */
  name: string
}

const QUOTE = 34
const BACKSLASH = 92
const ESCAPES: { readonly [letter: string]: string } = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", u: "\\u" }
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g
/** An escape that the text's end cuts off, after whole ones of a backslash. */
const CUT_ESCAPE = /(?<!\\)(?:\\\\)*(\\(?:u[0-9a-fA-F]{0,3})?)$/

/** Decodes the text of a JSON string; a broken escape, such as `\u12"`, is taken literally. */
class StringText {
  /** The first half of a surrogate pair, and an incomplete escape. */
  #held = ""
  #isEscaped = false

  /** Reads up to the closing quote. `end` is after it if `isClosed`. The text never ends with half a surrogate pair. */
  read(chunk: string, from: number): { readonly text: string; readonly end: number; readonly isClosed: boolean } {
    let end = from
    let isClosed = false
    while (end < chunk.length && !isClosed) {
      const code = chunk.charCodeAt(end++)
      isClosed = !this.#isEscaped && code === QUOTE
      this.#isEscaped = !this.#isEscaped && code === BACKSLASH
    }
    const raw = this.#held + chunk.slice(from, isClosed ? end - 1 : end)
    // Most pieces end with no escape, and the expression is dear.
    const mayCut = !isClosed && raw.includes("\\", raw.length - 6)
    const [, cut = ""] = mayCut ? (CUT_ESCAPE.exec(raw) ?? []) : []
    const text = unescaped(cut === "" ? raw : raw.slice(0, -cut.length))
    const isHalf = !isClosed && isHighSurrogate(text.charCodeAt(text.length - 1))
    this.#held = isHalf ? text.slice(-1) + cut : cut
    return { text: isHalf ? text.slice(0, -1) : text, end, isClosed }
  }
}

function unescaped(text: string): string {
  if (!text.includes("\\")) return text
  return text.replace(ESCAPE, (_, hex?: string, letter = "") =>
    hex === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

/** Reads JSON: with `bare` the arguments' object itself, else calls that contain it, as an object or as its text. */
export class JsonArguments {
  readonly #frames: Frame[] = []
  /** How deep the arguments' object lies; 0 outside of one. */
  #depth = 0
  #role: "key" | "name" | "value" | "object" | "other" | null = null
  #text = new StringText()
  /** A key or a name so far. */
  #word = ""
  /** How deep the text is in a value that is no text; null outside of one. */
  #raw: number | null = null
  #isFirst = true
  #call = -1
  #name = ""
  #inner: JsonArguments | null = null
  #isDone = false

  constructor(private readonly bare: boolean) {}

  /** True once the outermost object or array is closed. */
  get isDone(): boolean {
    return this.#isDone
  }

  feed(text: string): JsonArgumentPart[] {
    const parts: JsonArgumentPart[] = []
    let at = 0
    let from = 0
    const tellRaw = () => {
      if (this.#raw !== null && at > from) this.#give(text.slice(from, at), true, false, parts)
    }
    while (at < text.length && !this.#isDone && this.#frames.length <= NESTING_LIMIT) {
      const char = text.charAt(at)
      if (this.#role !== null) at = this.#inString(text, at, parts)
      else if (this.#raw === null && this.#isRaw(char)) {
        this.#raw = 0
        this.#isFirst = true
        from = at
      } else if (this.#raw === 0 && ",}]".includes(char)) {
        tellRaw()
        this.#raw = null
      } else {
        if (this.#raw === null) this.#outside(char)
        else if (char === '"') this.#role = "other"
        else if ("{[".includes(char)) this.#raw++
        else if ("}]".includes(char)) this.#raw--
        at++
      }
    }
    tellRaw()
    return parts
  }

  /** True where the value of an argument is expected. */
  get #isValue(): boolean {
    return this.#depth > 0 && this.#frames.length === this.#depth && this.#frames.at(-1)?.wantsKey === false
  }

  #isRaw(char: string): boolean {
    return this.#isValue && !isBlank(char.charCodeAt(0)) && !':,}]"'.includes(char)
  }

  #outside(char: string): void {
    const top = this.#frames.at(-1)
    if (char === '"') this.#beginString(top, this.#isValue)
    else if (char === "{" || char === "[") this.#enter(char === "{", top)
    else if (char === "}" || char === "]") {
      if (this.#frames.length === this.#depth) this.#depth = 0
      this.#frames.pop()
      this.#isDone = top !== undefined && this.#frames.length === 0
    } else if (top !== undefined && char === ",") top.wantsKey = top.isObject
    else if (top !== undefined && char === ":") top.wantsKey = false
  }

  #enter(isObject: boolean, outer: Frame | undefined): void {
    const isArguments = this.bare ? outer === undefined : ARGUMENT_KEYS.includes(outer?.key ?? "")
    this.#frames.push({ isObject, wantsKey: isObject, key: "", name: "" })
    if (!isObject || !isArguments || this.#depth !== 0) return
    this.#depth = this.#frames.length
    this.#call++
    this.#name = outer?.name ?? ""
  }

  #beginString(top: Frame | undefined, isArgument: boolean): void {
    this.#text = new StringText()
    this.#word = ""
    this.#isFirst = true
    if (top?.wantsKey === true) this.#role = "key"
    else if (isArgument) this.#role = "value"
    else if (this.bare || this.#depth > 0) this.#role = "other"
    else if (ARGUMENT_KEYS.includes(top?.key ?? "")) {
      this.#role = "object"
      this.#inner = new JsonArguments(true)
      this.#call++
      this.#name = top?.name ?? ""
    } else this.#role = NAME_KEYS.includes(top?.key ?? "") ? "name" : "other"
  }

  #inString(chunk: string, from: number, parts: JsonArgumentPart[]): number {
    const { text, end, isClosed } = this.#text.read(chunk, from)
    if (this.#role === "value") this.#give(text, false, isClosed, parts)
    else if (this.#role === "object") {
      for (const part of this.#inner?.feed(text) ?? []) parts.push({ ...part, call: this.#call, name: this.#name })
    } else if (this.#word.length <= ARGUMENT_NAME_LIMIT) this.#word += text
    if (!isClosed) return end
    const top = this.#frames.at(-1)
    if (this.#role === "key" && top !== undefined) top.key = this.#word
    if (this.#role === "name" && top !== undefined) top.name = this.#word
    this.#role = null
    return end
  }

  #give(delta: string, isJson: boolean, isLast: boolean, parts: JsonArgumentPart[]): void {
    const argument = this.#frames.at(this.#depth - 1)?.key ?? ""
    const isFirst = this.#isFirst
    if (argument.length > ARGUMENT_NAME_LIMIT || (delta === "" && !isLast)) return
    this.#isFirst = false
    parts.push({ argument, delta, isJson, isFirst, isLast, call: this.#call, name: this.#name })
  }
}
