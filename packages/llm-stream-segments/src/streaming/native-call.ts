// Streams one native tool call: file content decoded, other arguments raw.
import { TOOL_NAME_EDIT_FILE, TOOL_NAME_WRITE_FILE } from "../parse/content-tools.ts"
import { objectFrom } from "../parse/json-call.ts"
import { isHighSurrogate } from "../parse/marker.ts"
import { type Metadata, SegmentEvent, SegmentType } from "../parse/segment.ts"
import { JsonArguments } from "./json-arguments.ts"
import { JsonStringFieldExtractor } from "./json-field.ts"

/** One segment: START with its first characters, END when it is closed. Holds back half a surrogate pair. */
export class TextChannel {
  #started = false
  #carry = ""

  constructor(
    private readonly id: string,
    private readonly type: SegmentType,
  ) {}

  get isOpen(): boolean {
    return this.#started || this.#carry !== ""
  }

  /** Starts the segment before its first characters are known. */
  start(metadata: Metadata = {}): SegmentEvent[] {
    if (this.#started) return []
    this.#started = true
    return [SegmentEvent.start(this.id, this.type, metadata)]
  }

  feed(text: string): SegmentEvent[] {
    const whole = this.#carry === "" ? text : this.#carry + text
    this.#carry = isHighSurrogate(whole.charCodeAt(whole.length - 1)) ? whole.slice(-1) : ""
    return this.#emit(this.#carry === "" ? whole : whole.slice(0, -1))
  }

  /** Ends the segment if it has started. `truncated`: the stream ended first. */
  end(truncated: boolean, metadata?: Metadata): SegmentEvent[] {
    const events = this.#emit(this.#carry)
    this.#carry = ""
    if (!this.#started) return events
    this.#started = false
    events.push(SegmentEvent.end(this.id, metadata, truncated))
    return events
  }

  #emit(text: string): SegmentEvent[] {
    if (text === "") return []
    const content = SegmentEvent.content(this.id, text)
    return this.#started ? [content] : this.start().concat(content)
  }
}

export interface NativeCall {
  feed(argumentsDelta: string): SegmentEvent[]
  end(aborted: boolean): SegmentEvent[]
  /** The arguments' object is closed. */
  readonly isDone: boolean
}

/** Makes a call by its name. */
export type CallMaker = (id: string, name: string) => NativeCall

/** Starts at once, and streams its arguments as they come. */
export const rawCall: CallMaker = (id, name) => new RawCall(id, name)

/** `write_file` and `edit_file` start at their path and stream content. */
export const fileCall: CallMaker = (id, name) => {
  if (name === TOOL_NAME_WRITE_FILE) return new FileCall(id, SegmentType.WRITE_FILE, "content")
  if (name === TOOL_NAME_EDIT_FILE) return new FileCall(id, SegmentType.EDIT_FILE, "patch")
  return new RawCall(id, name)
}

class FileCall implements NativeCall {
  readonly #channel: TextChannel
  readonly #fields: JsonStringFieldExtractor
  #started = false
  /** Content that came before the path. */
  #early: string[] = []

  constructor(
    id: string,
    type: SegmentType,
    private readonly field: string,
  ) {
    this.#channel = new TextChannel(id, type)
    this.#fields = new JsonStringFieldExtractor([field], ["path"])
  }

  feed(argumentsDelta: string): SegmentEvent[] {
    const { deltas, completed } = this.#fields.feed(argumentsDelta)
    const content = deltas[this.field] ?? ""
    if (this.#started) return this.#channel.feed(content)
    this.#early.push(content)
    const path = completed.path?.trim() ?? ""
    if (path === "") return []
    this.#started = true
    return this.#startWith({ path })
  }

  get isDone(): boolean {
    return this.#fields.isDone
  }

  /** A call without a path is shown but marked incomplete, so it is not invoked. */
  end(aborted: boolean): SegmentEvent[] {
    const late = this.#started ? [] : this.#startWith({})
    return [...late, ...this.#channel.end(aborted || !this.#started || !this.#fields.isDone)]
  }

  #startWith(metadata: Metadata): SegmentEvent[] {
    const early = this.#early.join("")
    this.#early = []
    return [...this.#channel.start(metadata), ...this.#channel.feed(early)]
  }
}

class RawCall implements NativeCall {
  readonly #channel: TextChannel
  readonly #deltas: string[] = []
  /** Finds where the arguments end. */
  readonly #fields = new JsonArguments(true)

  constructor(
    id: string,
    private readonly name: string,
  ) {
    this.#channel = new TextChannel(id, SegmentType.TOOL_CALL)
  }

  feed(argumentsDelta: string): SegmentEvent[] {
    const start = this.#start()
    if (argumentsDelta !== "") this.#deltas.push(argumentsDelta)
    this.#fields.feed(argumentsDelta)
    return [...start, ...this.#channel.feed(argumentsDelta)]
  }

  get isDone(): boolean {
    return this.#fields.isDone
  }

  /** Arguments that are not a JSON object were truncated: the END marks the call incomplete and has no arguments. */
  end(aborted: boolean): SegmentEvent[] {
    const start = this.#start()
    const text = this.#deltas.join("")
    const args = text.trim() === "" ? {} : objectFrom(text)
    const metadata = { tool_name: this.name, ...(args === null ? {} : { arguments: args }) }
    return [...start, ...this.#channel.end(aborted || args === null, metadata)]
  }

  /** The START, before the first arguments; no event after that. */
  #start(): SegmentEvent[] {
    return this.#channel.start(this.name === "" ? {} : { tool_name: this.name })
  }
}
