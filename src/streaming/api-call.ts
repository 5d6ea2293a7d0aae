// Streams one native tool call: file content decoded, everything else as the raw arguments.

import { TOOL_NAME_EDIT_FILE, TOOL_NAME_WRITE_FILE } from "../parse/content-tools.ts"
import { objectFrom } from "../parse/json-call.ts"
import type { SegmentEvent } from "../parse/segment.ts"
import { SegmentType } from "../parse/segment.ts"
import { EditFileContentStreamer, WriteFileContentStreamer } from "./file-content.ts"
import { Channel } from "./text-channel.ts"

/** A call whose name is known. */
export interface ApiCall {
  feed(argumentsDelta: string): SegmentEvent[]
  end(aborted: boolean): SegmentEvent[]
}

/** The call by its name: `write_file` and `edit_file` start with their path and stream content, others start at once. */
export function apiCall(id: string, name: string): ApiCall {
  if (name === TOOL_NAME_WRITE_FILE) return new FileCall(id, SegmentType.WRITE_FILE, new WriteFileContentStreamer())
  if (name === TOOL_NAME_EDIT_FILE) return new FileCall(id, SegmentType.EDIT_FILE, new EditFileContentStreamer())
  return new RawCall(id, name)
}

class FileCall implements ApiCall {
  readonly #channel: Channel
  readonly #streamer: WriteFileContentStreamer | EditFileContentStreamer
  #started = false

  constructor(id: string, type: SegmentType, streamer: WriteFileContentStreamer | EditFileContentStreamer) {
    this.#channel = new Channel(id, type)
    this.#streamer = streamer
  }

  feed(argumentsDelta: string): SegmentEvent[] {
    const { contentDelta, path } = this.#streamer.feed(argumentsDelta)
    if (this.#started) return this.#channel.feed(contentDelta)
    if (path === undefined) return []
    this.#started = true
    return [...this.#channel.start({ path }), ...this.#channel.feed(this.#streamer.content)]
  }

  /** A call without a path is shown, and not made. */
  end(aborted: boolean): SegmentEvent[] {
    const isWhole = this.#started && this.#streamer.isComplete
    const late = this.#started ? [] : [...this.#channel.start(), ...this.#channel.feed(this.#streamer.content)]
    return [...late, ...this.#channel.end(aborted || !isWhole)]
  }
}

class RawCall implements ApiCall {
  readonly #channel: Channel
  readonly #name: string
  readonly #deltas: string[] = []
  #started = false

  constructor(id: string, name: string) {
    this.#channel = new Channel(id, SegmentType.TOOL_CALL)
    this.#name = name
  }

  feed(argumentsDelta: string): SegmentEvent[] {
    const start = this.#start()
    if (argumentsDelta !== "") this.#deltas.push(argumentsDelta)
    return [...start, ...this.#channel.feed(argumentsDelta)]
  }

  /** Arguments that are no JSON object were cut: the END says so, and gives none. */
  end(aborted: boolean): SegmentEvent[] {
    const start = this.#start()
    const text = this.#deltas.join("")
    const args = text.trim() === "" ? {} : objectFrom(text)
    const metadata = { tool_name: this.#name, ...(args === null ? {} : { arguments: args }) }
    return [...start, ...this.#channel.end(aborted || args === null, metadata)]
  }

  #start(): SegmentEvent[] {
    if (this.#started) return []
    this.#started = true
    return this.#channel.start(this.#name === "" ? {} : { tool_name: this.#name })
  }
}
