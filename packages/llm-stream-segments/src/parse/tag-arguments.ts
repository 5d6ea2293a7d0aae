// Reads the values of arguments in tags while they stream, split anywhere; joined they are the call's arguments.
import {
  type ArgumentHeader,
  type ArgumentSink,
  beginArguments,
  ELEMENTS,
  endArguments,
  scanArguments,
} from "./argument-scan.ts"
import type { ToolArguments } from "./json-call.ts"
import { NESTING_LIMIT } from "./parser-state.ts"
import type { ArgumentStyle } from "./rules.ts"

/** The next characters of an argument. */
export interface ArgumentPart {
  readonly argument: string
  /** Empty if the value is an empty text. */
  readonly delta: string
  /** The value is no text: its deltas join to JSON. */
  readonly isJson: boolean
  /** The first of its value; one of an argument that came before begins it anew. */
  readonly isFirst: boolean
}

/** Makes an argument's value of its text; null if the text is the value, and may be told before it is whole. */
export type CastOf = (argument: string) => ((text: string) => unknown) | null

interface OpenArgument extends ArgumentHeader {
  readonly cast: ((text: string) => unknown) | null
  /** The text of the value so far, but for blanks that may be at its end. */
  readonly pieces: string[]
  tail: string
  isTold: boolean
  /** Nothing has come but what the format takes away from the beginning. */
  isLead: boolean
}

const castNothing: CastOf = () => null

/** Reads `<parameter=x>`, `<parameter name="x">`, `<arg name="x">`, `<x>`, or what `style` says. */
export class TagArguments implements ArgumentSink {
  /** Those that are closed. The last of a repeated name counts. */
  readonly values = new Map<string, unknown>()
  readonly #scan
  #rest = ""
  #open: OpenArgument | null = null

  /** `tell` is given what comes; `depth`: how many levels of elements may be the value of an element. */
  constructor(
    style: ArgumentStyle | null = null,
    private readonly castOf: CastOf = castNothing,
    readonly tell: ((part: ArgumentPart) => void) | null = null,
    private readonly depth = NESTING_LIMIT - 1,
  ) {
    this.#scan = beginArguments("", style)
  }

  feed(text: string): void {
    const whole = this.#rest === "" ? text : this.#rest + text
    this.#rest = whole.slice(scanArguments(this.#scan, whole, 0, this))
  }

  /** Ends the text. False if this was no call. */
  end(): boolean {
    return endArguments(this.#scan, this.#rest, this)
  }

  open(header: ArgumentHeader | null): void {
    if (header === null) return
    const cast = this.castOf(header.name) ?? (header.isJson ? jsonOf : null)
    this.#open = { ...header, cast, pieces: [], tail: "", isTold: false, isLead: true }
  }

  value(text: string): void {
    const open = this.#open
    if (open === null) return
    const { trim } = open
    const begun = !open.isLead ? text : trim === "blanks" ? text.trimStart() : text.slice(trimmedLine(trim, text, 0))
    if (open.isLead && begun === "" && trim === "blanks") return
    open.isLead = false
    const all = open.tail + begun
    const kept = trim === "blanks" ? begun.trimEnd().length : begun.length - trimmedLine(trim, begun, begun.length - 1)
    if (trim === "blanks" && kept === 0) {
      open.tail = all
      return
    }
    const end = all.length - (begun.length - kept)
    open.tail = all.slice(end)
    if (end > 0) this.#tell(open, all.slice(0, end))
  }

  close(): void {
    const open = this.#open
    this.#open = null
    if (open === null) return
    const text = open.pieces.join("")
    const read = this.#elements(open, text)
    const value = read === text && open.cast !== null ? open.cast(text) : read
    if (!open.isTold) this.tell?.({ argument: open.name, ...written(value), isFirst: true })
    this.values.set(open.name, value)
  }

  /** Tells more of a value, unless only all of it says what it is. */
  #tell(open: OpenArgument, delta: string): void {
    open.pieces.push(delta)
    if (
      open.cast !== null ||
      (open.trim === "blanks" && open.pieces[0]?.startsWith(this.#scan.style?.open.charAt(0) ?? "<"))
    )
      return
    this.tell?.({ argument: open.name, delta, isJson: false, isFirst: !open.isTold })
    open.isTold = true
  }

  /** An element's value is an object if it consists of elements alone. */
  #elements({ trim }: OpenArgument, text: string): unknown {
    const style = this.#scan.style ?? ELEMENTS
    if (trim !== "blanks" || this.depth === 0 || !text.startsWith(style.open) || !text.endsWith(">")) return text
    const inner = new TagArguments(style, castNothing, null, this.depth - 1)
    inner.feed(text)
    return inner.end() && inner.values.size > 0 ? Object.fromEntries(inner.values) : text
  }
}

/** A whole value as a delta. */
export function written(value: unknown): Pick<ArgumentPart, "delta" | "isJson"> {
  return typeof value === "string" ? { delta: value, isJson: false } : { delta: JSON.stringify(value), isJson: true }
}

/** The length of the line break at `at` that the format takes away. */
function trimmedLine(trim: ArgumentHeader["trim"], text: string, at: number): number {
  return trim === "newline" && text.charAt(at) === "\n" ? 1 : 0
}

/** The value of a JSON text; the text if it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * The arguments in `xml`, `<arg name="x">`, `<parameter name="x">`, `<parameter=x>` or `<x>`, with or without
 * `<arguments>` around them. The value of an element is its trimmed text, undecoded; if it consists only of elements,
 * it is an object of them.
 */
export function parseXmlArguments(xml: string): ToolArguments {
  const reader = new TagArguments()
  reader.feed(xml)
  reader.end()
  return Object.fromEntries(reader.values)
}
