// Extracts file content from the arguments of a write or edit call while they stream.
import { JsonStringFieldExtractor } from "./json-field.ts"

export interface FileContentUpdate {
  /** New decoded content; may be empty. */
  readonly contentDelta: string
  /** The path, once it is complete and not empty. */
  readonly path: string | undefined
  /** True once the content's string has been closed. */
  readonly contentComplete: boolean
}

class FileContentStreamer {
  readonly #extractor: JsonStringFieldExtractor
  readonly #deltas: string[] = []
  #path: string | undefined
  #contentComplete = false

  constructor(private readonly field: string) {
    this.#extractor = new JsonStringFieldExtractor([field], ["path"])
  }

  /** Takes the next piece of the arguments' JSON text, split anywhere. */
  feed(argumentsDelta: string): FileContentUpdate {
    const { deltas, completed } = this.#extractor.feed(argumentsDelta)
    const contentDelta = deltas[this.field] ?? ""
    if (contentDelta !== "") this.#deltas.push(contentDelta)
    if (Object.hasOwn(completed, this.field)) this.#contentComplete = true
    this.#path ??= completed.path?.trim() || undefined
    return { contentDelta, path: this.#path, contentComplete: this.#contentComplete }
  }

  get path(): string | undefined {
    return this.#path
  }

  /** All content so far. */
  get content(): string {
    return this.#deltas.join("")
  }

  /** True once the arguments' object is closed and contained the content. */
  get isComplete(): boolean {
    return this.#extractor.isDone && this.#contentComplete
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
