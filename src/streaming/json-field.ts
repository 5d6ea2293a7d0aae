// Decodes selected string fields of a JSON object while its text streams in: the content of a write or edit call.
import { isHighSurrogate } from "../parse/marker.ts"
import { ARGUMENT_NAME_LIMIT } from "../parse/parser-state.ts"

export interface JsonStringFieldExtraction {
  /** New characters of each streamed field. Never empty, never half a surrogate pair. */
  readonly deltas: { readonly [field: string]: string }
  /** The full value of each `whole` field that ended in this feed. */
  readonly completed: { readonly [field: string]: string }
}

/** The new pieces of each streamed field. */
type Deltas = Map<string, string[]>

const QUOTE = 34
const BACKSLASH = 92
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ...["b\b", "f\f", "n\n", "r\r", "t\t"].map(pair => [pair.charAt(0), pair.charAt(1)] as const),
])

/** Reads fields of the outermost object, split anywhere. The first of a repeated name counts; the rest is ignored. */
export class JsonStringFieldExtractor {
  readonly #streamed: ReadonlySet<string>
  readonly #whole: ReadonlySet<string>
  readonly #seen = new Set<string>()
  #depth = 0
  #done = false
  #isObject = false
  /** True if the next string at depth 1 is a field name. */
  #expectsName = false
  #name = ""
  #role: "name" | "value" | "other" | null = null
  #parts: string[] = []
  /** An incomplete escape: the backslash and the characters after it. */
  #escape = ""
  /** The first half of a surrogate pair. */
  #high = ""

  /** `streamed` fields give deltas, and `whole` fields the full value: by default the streamed ones give both. */
  constructor(streamed: Iterable<string>, whole: Iterable<string> = streamed) {
    this.#streamed = new Set(streamed)
    this.#whole = new Set(whole)
  }

  /** True once the outermost object or array is closed. */
  get isDone(): boolean {
    return this.#done
  }

  feed(chunk: string): JsonStringFieldExtraction {
    const deltas = new Map<string, string[]>()
    const completed = new Map<string, string>()
    let at = 0
    while (at < chunk.length && !this.#done) {
      at = this.#role === null ? this.#outside(chunk, at) : this.#inside(chunk, at, deltas, completed)
    }
    const joined = [...deltas].map(([field, pieces]) => [field, pieces.join("")] as const)
    return { deltas: Object.fromEntries(joined), completed: Object.fromEntries(completed) }
  }

  #outside(chunk: string, at: number): number {
    const char = chunk[at]
    if (char === '"') this.#beginString()
    else if (char === "{" || char === "[") {
      if (++this.#depth === 1) this.#isObject = this.#expectsName = char === "{"
    } else if (char === "}" || char === "]") {
      if (this.#depth > 0 && --this.#depth === 0) this.#done = true
    } else if (this.#depth === 1 && this.#isObject) {
      if (char === ",") this.#expectsName = true
      if (char === ":") this.#expectsName = false
    }
    return at + 1
  }

  #beginString(): void {
    const isTop = this.#depth === 1 && this.#isObject
    const isWanted = (this.#streamed.has(this.#name) || this.#whole.has(this.#name)) && !this.#seen.has(this.#name)
    this.#role = isTop && this.#expectsName ? "name" : isTop && isWanted ? "value" : "other"
    this.#parts = []
  }

  #inside(chunk: string, from: number, deltas: Deltas, completed: Map<string, string>): number {
    if (this.#escape !== "") return this.#escaped(chunk, from, deltas)
    let at = from
    while (at < chunk.length && chunk.charCodeAt(at) !== QUOTE && chunk.charCodeAt(at) !== BACKSLASH) at++
    this.#add(chunk.slice(from, at), deltas)
    if (at === chunk.length) return at
    if (chunk.charCodeAt(at) === BACKSLASH) this.#escape = "\\"
    else this.#endString(deltas, completed)
    return at + 1
  }

  /** Continues an escape; a broken one, such as `\u12"`, is taken literally. */
  #escaped(chunk: string, at: number, deltas: Deltas): number {
    const char = chunk.charAt(at)
    if (this.#escape === "\\" && char !== "u") {
      this.#escape = ""
      this.#add(ESCAPES.get(char) ?? char, deltas)
      return at + 1
    }
    if (this.#escape === "\\" || /^[0-9a-fA-F]$/.test(char)) {
      this.#escape += char
      if (this.#escape.length < 6) return at + 1
      const unit = String.fromCharCode(Number.parseInt(this.#escape.slice(2), 16))
      this.#escape = ""
      this.#add(unit, deltas)
      return at + 1
    }
    const broken = this.#escape
    this.#escape = ""
    this.#add(broken, deltas)
    return at
  }

  #add(text: string, deltas: Deltas): void {
    if (text === "" || this.#role === "other") return
    if (this.#role === "name") {
      if (this.#parts.join("").length <= ARGUMENT_NAME_LIMIT) this.#parts.push(text)
      return
    }
    const ready = this.#high + text
    const isHalf = isHighSurrogate(ready.charCodeAt(ready.length - 1))
    this.#high = isHalf ? ready.slice(-1) : ""
    this.#keep(isHalf ? ready.slice(0, -1) : ready, deltas)
  }

  #keep(text: string, deltas: Deltas): void {
    if (text === "") return
    if (this.#whole.has(this.#name)) this.#parts.push(text)
    if (!this.#streamed.has(this.#name)) return
    const pieces = deltas.get(this.#name)
    if (pieces === undefined) deltas.set(this.#name, [text])
    else pieces.push(text)
  }

  #endString(deltas: Deltas, completed: Map<string, string>): void {
    const role = this.#role
    if (role === "value") {
      this.#keep(this.#high, deltas)
      this.#high = ""
      this.#seen.add(this.#name)
      if (this.#whole.has(this.#name)) completed.set(this.#name, this.#parts.join(""))
    }
    if (role === "name") this.#name = this.#parts.join("")
    this.#role = null
    this.#parts = []
  }
}

export interface FileContentUpdate {
  /** New decoded content; may be empty. */
  readonly contentDelta: string
  /** The path, once it is complete and not empty. */
  readonly path: string | undefined
  /** The whole content, in the feed that closes its string; before and after that undefined. */
  readonly contentComplete: string | undefined
}

class FileContentStreamer {
  readonly #extractor: JsonStringFieldExtractor
  readonly #deltas: string[] = []
  #path: string | undefined

  constructor(private readonly field: string) {
    this.#extractor = new JsonStringFieldExtractor([field], ["path", field])
  }

  /** Takes the next piece of the arguments' JSON text, split anywhere. */
  feed(argumentsDelta: string): FileContentUpdate {
    const { deltas, completed } = this.#extractor.feed(argumentsDelta)
    const contentDelta = deltas[this.field] ?? ""
    if (contentDelta !== "") this.#deltas.push(contentDelta)
    this.#path ??= completed.path?.trim() || undefined
    return { contentDelta, path: this.#path, contentComplete: completed[this.field] }
  }

  get path(): string | undefined {
    return this.#path
  }

  get content(): string {
    return this.#deltas.join("")
  }
}

/** `{"path", "content"}`. */
export class WriteFileContentStreamer extends FileContentStreamer {
  constructor() {
    super("content")
  }
}

/** `{"path", "patch"}`. */
export class EditFileContentStreamer extends FileContentStreamer {
  constructor() {
    super("patch")
  }
}
