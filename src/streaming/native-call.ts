// Streams one native tool call: file content decoded, other arguments raw.
import { TOOL_NAME_EDIT_FILE, TOOL_NAME_WRITE_FILE } from "../parse/content-tools.ts"
import { objectFrom } from "../parse/json-call.ts"
import { type SegmentEvent, SegmentType } from "../parse/segment.ts"
import { EditFileContentStreamer, WriteFileContentStreamer } from "./file-content.ts"
import { TextChannel } from "./text-channel.ts"

export interface NativeCall {
  feed(argumentsDelta: string): SegmentEvent[]
  end(aborted: boolean): SegmentEvent[]
}

/** Makes a call by name: `write_file` and `edit_file` start at their path and stream content; others start at once. */
export function nativeCall(id: string, name: string): NativeCall {
  if (name === TOOL_NAME_WRITE_FILE) return new FileCall(id, SegmentType.WRITE_FILE, new WriteFileContentStreamer())
  if (name === TOOL_NAME_EDIT_FILE) return new FileCall(id, SegmentType.EDIT_FILE, new EditFileContentStreamer())
  return new RawCall(id, name)
}

class FileCall implements NativeCall {
  readonly #channel: TextChannel
  #started = false

  constructor(
    id: string,
    type: SegmentType,
    private readonly streamer: WriteFileContentStreamer | EditFileContentStreamer,
  ) {
    this.#channel = new TextChannel(id, type)
  }

  feed(argumentsDelta: string): SegmentEvent[] {
    const { contentDelta, path } = this.streamer.feed(argumentsDelta)
    if (this.#started) return this.#channel.feed(contentDelta)
    if (path === undefined) return []
    this.#started = true
    return [...this.#channel.start({ path }), ...this.#channel.feed(this.streamer.content)]
  }

  /** A call without a path is shown but marked incomplete, so it is not invoked. */
  end(aborted: boolean): SegmentEvent[] {
    const isComplete = this.#started && this.streamer.isComplete
    const late = this.#started ? [] : [...this.#channel.start(), ...this.#channel.feed(this.streamer.content)]
    return [...late, ...this.#channel.end(aborted || !isComplete)]
  }
}

class RawCall implements NativeCall {
  readonly #channel: TextChannel
  readonly #deltas: string[] = []

  constructor(
    id: string,
    private readonly name: string,
  ) {
    this.#channel = new TextChannel(id, SegmentType.TOOL_CALL)
  }

  feed(argumentsDelta: string): SegmentEvent[] {
    const start = this.#start()
    if (argumentsDelta !== "") this.#deltas.push(argumentsDelta)
    return [...start, ...this.#channel.feed(argumentsDelta)]
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
