// Reads the arguments of a call while they stream, from JSON or from tags, split anywhere.
import { findMarker, firstNonBlank, isHighSurrogate } from "../parse/marker.ts"
import { ARGUMENT_NAME_LIMIT, HEADER_LIMIT, NESTING_LIMIT } from "../parse/parser-state.ts"
import { attributeOf } from "../parse/tag.ts"

/** The next characters of an argument. */
export interface ArgumentPart {
  readonly argument: string
  readonly delta: string
  /** The value is no text: its deltas join to JSON. */
  readonly isJson: boolean
  /** The position of its call among those of the segment. */
  readonly call: number
  /** The call's name, if it came before; empty otherwise. */
  readonly name: string
}

export interface PartialArguments {
  feed(text: string): ArgumentPart[]
}

interface Frame {
  readonly isObject: boolean
  wantsKey: boolean
  key: string
  /** The name of the call that this object may be. */
  name: string
}

const ARGUMENT_KEYS: readonly string[] = ["arguments", "parameters", "args", "input"]
const NAME_KEYS: readonly string[] = ["name", "function", "tool"]
/** Longer runs of backslashes are not held back. */
const ESCAPE_LIMIT = 64

/** Reads JSON: with `bare` the arguments' object itself, else calls that contain it, as an object or as its text. */
export class JsonArguments implements PartialArguments {
  readonly #frames: Frame[] = []
  /** How deep the arguments' object lies; 0 outside of one. */
  #depth = 0
  #string: "key" | "name" | "value" | "object" | "other" | null = null
  #escaped = false
  /** A key or name so far, or the end of a text that may be half an escape or half a pair. */
  #held = ""
  /** A value that is no text is being read. */
  #raw = false
  #call = -1
  #name = ""
  #inner: JsonArguments | null = null

  constructor(private readonly bare: boolean) {}

  feed(text: string): ArgumentPart[] {
    const parts: ArgumentPart[] = []
    let from = 0
    for (let at = 0; at < text.length && this.#frames.length <= NESTING_LIMIT; at++) {
      const char = text.charAt(at)
      if (this.#string !== null) {
        if (this.#escaped) this.#escaped = false
        else if (char === "\\") this.#escaped = true
        else if (char === '"') this.#endString(text.slice(from, at), parts)
        continue
      }
      const top = this.#frames.at(-1)
      const isArgument = this.#depth > 0 && this.#frames.length === this.#depth
      if (isArgument && this.#raw && (char === "," || char === "}")) {
        this.#give(text.slice(from, at), true, parts)
        this.#raw = false
      }
      const isValue = top?.wantsKey === false && /[^\s:,}\]]/.test(char)
      if (isArgument && isValue && char !== '"' && !this.#raw) {
        this.#raw = true
        from = at
      }
      if (char === '"') {
        this.#beginString(top, isArgument)
        if (!this.#raw) from = at + 1
      } else this.#structure(char, top)
    }
    if (this.#raw) this.#give(text.slice(from), true, parts)
    else if (this.#string !== null) this.#text(text.slice(from), false, parts)
    return parts
  }

  #structure(char: string, top: Frame | undefined): void {
    if (char === "{" || char === "[") {
      const isObject = char === "{"
      const isArguments = this.bare ? top === undefined : ARGUMENT_KEYS.includes(top?.key ?? "")
      this.#frames.push({ isObject, wantsKey: isObject, key: "", name: "" })
      if (isObject && isArguments && this.#depth === 0) this.#enter(top)
    } else if (char === "}" || char === "]") {
      if (this.#frames.length === this.#depth) this.#depth = 0
      this.#frames.pop()
    } else if (top !== undefined && char === ",") top.wantsKey = top.isObject
    else if (top !== undefined && char === ":") top.wantsKey = false
  }

  /** Enters the arguments of the call that `outer` is. */
  #enter(outer: Frame | undefined): void {
    this.#depth = this.#frames.length
    this.#call++
    this.#name = outer?.name ?? ""
  }

  #beginString(top: Frame | undefined, isArgument: boolean): void {
    this.#held = ""
    if (this.#raw) this.#string = "other"
    else if (top?.wantsKey === true) this.#string = "key"
    else if (isArgument) this.#string = "value"
    else if (this.bare || this.#depth > 0) this.#string = "other"
    else if (ARGUMENT_KEYS.includes(top?.key ?? "")) {
      this.#string = "object"
      this.#inner = new JsonArguments(true)
      this.#call++
      this.#name = top?.name ?? ""
    } else this.#string = NAME_KEYS.includes(top?.key ?? "") ? "name" : "other"
  }

  #endString(text: string, parts: ArgumentPart[]): void {
    this.#text(text, true, parts)
    const top = this.#frames.at(-1)
    if (this.#string === "key" && top !== undefined) top.key = decoded(this.#held)
    if (this.#string === "name" && top !== undefined) top.name = decoded(this.#held)
    this.#string = null
  }

  #text(text: string, isWhole: boolean, parts: ArgumentPart[]): void {
    if (this.#string === "key" || this.#string === "name") {
      if (this.#held.length <= ARGUMENT_NAME_LIMIT) this.#held += text
      return
    }
    if (this.#string === "other") return
    const whole = this.#held + text
    const end = isWhole ? whole.length : whole.length - heldBack(whole)
    this.#held = whole.slice(end)
    const delta = decoded(whole.slice(0, end))
    if (this.#string === "value") this.#give(delta, false, parts)
    else for (const part of this.#inner?.feed(delta) ?? []) parts.push({ ...part, call: this.#call, name: this.#name })
  }

  #give(delta: string, isJson: boolean, parts: ArgumentPart[]): void {
    const argument = this.#frames.at(this.#depth - 1)?.key ?? ""
    if (delta !== "" && argument.length <= ARGUMENT_NAME_LIMIT)
      parts.push({ argument, delta, isJson, call: this.#call, name: this.#name })
  }
}

/** How many characters at the end of a JSON string's text may be half an escape, or the first half of a pair. */
function heldBack(text: string): number {
  const tail = text.slice(-ESCAPE_LIMIT)
  // With all backslashes before it, because one of them may escape the next.
  const [pair = ""] = tail.match(/\\+u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u[0-9a-fA-F]{0,3})?)?$/) ?? []
  if (pair !== "") return pair.length
  const [half = ""] = tail.match(/\\+(?:u[0-9a-fA-F]{0,3})?$/) ?? []
  return half.length || (isHighSurrogate(text.charCodeAt(text.length - 1)) ? 1 : 0)
}

/** The text of a JSON string without its quotes; what is not JSON, as it is. */
function decoded(text: string): string {
  if (!text.includes("\\")) return text
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
  }
}

const OPENING = /^<([A-Za-z_][\w.:-]*)(?:=([\w.:-]+)|\s[^<>]*)?>$/

/** Reads `<arg name="x">`, `<parameter name="x">`, `<parameter=x>` or `<x>`. Elements in a value are its text. */
export class TagArguments implements PartialArguments {
  #held = ""
  #open: { readonly argument: string; readonly close: string } | null = null
  /** Blanks after the value so far: at its end they are no part of it. */
  #blanks = ""
  #isEmpty = true

  feed(text: string): ArgumentPart[] {
    const parts: ArgumentPart[] = []
    const rest = this.#held + text
    this.#held = ""
    for (let at = 0; at < rest.length; ) {
      if (this.#open === null) at = this.#outside(rest, at)
      else {
        const { close } = this.#open
        const end = findMarker(rest, at, close, false)
        this.#value(rest.slice(at, end === -1 ? rest.length : end), parts)
        if (end === -1) break
        const isClosed = rest.startsWith(close, end)
        if (isClosed) this.#open = null
        else this.#held = rest.slice(end)
        at = isClosed ? end + close.length : rest.length
      }
    }
    return parts
  }

  /** Reads up to the next opening tag; returns where to go on. */
  #outside(text: string, from: number): number {
    const start = text.indexOf("<", from)
    if (start === -1) return text.length
    const end = text.indexOf(">", start)
    if (end === -1) {
      if (text.length - start <= HEADER_LIMIT) this.#held = text.slice(start)
      return text.length
    }
    const header = text.slice(start, end + 1)
    const [whole, tag = "", inline] = end - start < HEADER_LIMIT ? (OPENING.exec(header) ?? []) : []
    if (whole === undefined) return start + 1
    const isNamed = tag === "arg" || tag === "parameter"
    const argument = inline ?? (isNamed ? attributeOf(header, "name") : undefined) ?? tag
    if (tag === "arguments" || argument.length > ARGUMENT_NAME_LIMIT) return end + 1
    this.#open = { argument, close: `</${tag}>` }
    this.#blanks = ""
    this.#isEmpty = true
    return end + 1
  }

  #value(text: string, parts: ArgumentPart[]): void {
    const body = this.#isEmpty ? text.trimStart() : text
    const value = body.trimEnd()
    if (value === "" || this.#open === null) {
      this.#blanks += body
      return
    }
    const delta = this.#blanks + value
    this.#blanks = body.slice(value.length)
    this.#isEmpty = false
    parts.push({ argument: this.#open.argument, delta, isJson: false, call: 0, name: "" })
  }
}

/** Reads whichever of both the first character that is no blank begins. */
export class NamedArguments implements PartialArguments {
  #reader: PartialArguments | null = null

  feed(text: string): ArgumentPart[] {
    if (this.#reader === null) {
      const first = firstNonBlank(text, 0)
      if (first === text.length) return []
      this.#reader = /[{[]/.test(text.charAt(first)) ? new JsonArguments(true) : new TagArguments()
    }
    return this.#reader.feed(text)
  }
}
