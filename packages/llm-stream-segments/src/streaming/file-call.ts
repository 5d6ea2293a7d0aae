// Streams a native call that writes or edits a file: its content, decoded.
import { TOOL_NAME_EDIT_FILE, TOOL_NAME_WRITE_FILE } from "../parse/content-tools.ts"
import { type Metadata, type SegmentEvent, SegmentType } from "../parse/segment.ts"
import { JsonStringFieldExtractor } from "./json-field.ts"
import { type CallMaker, type NativeCall, rawCall, TextChannel } from "./native-call.ts"

/** `write_file` and `edit_file` start at their path and stream content; others are as they come. */
export const fileCall: CallMaker = (id, name) => {
  if (name === TOOL_NAME_WRITE_FILE) return new FileCall(id, SegmentType.WRITE_FILE, "content")
  return name === TOOL_NAME_EDIT_FILE ? new FileCall(id, SegmentType.EDIT_FILE, "patch") : rawCall(id, name)
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
