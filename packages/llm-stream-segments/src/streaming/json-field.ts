// Decodes selected string fields of a JSON object while its text streams in: the content of a write or edit call.
import { JsonArguments } from "./json-arguments.ts"

export interface JsonStringFieldExtraction {
  /** New characters of each streamed field. Never empty, never half a surrogate pair. */
  readonly deltas: { readonly [field: string]: string }
  /** The full value of each `whole` field that ended in this feed. */
  readonly completed: { readonly [field: string]: string }
}

/** Reads fields of the outermost object, split anywhere. The first of a repeated name counts; the rest is ignored. */
export class JsonStringFieldExtractor {
  readonly #streamed: ReadonlySet<string>
  readonly #whole: ReadonlyMap<string, string[]>
  readonly #seen = new Set<string>()
  readonly #reader = new JsonArguments(true)

  /** `streamed` fields give deltas, and `whole` fields the full value: by default the streamed ones give both. */
  constructor(streamed: Iterable<string>, whole: Iterable<string> = streamed) {
    this.#streamed = new Set(streamed)
    this.#whole = new Map([...whole].map(field => [field, []]))
  }

  /** True once the outermost object or array is closed. */
  get isDone(): boolean {
    return this.#reader.isDone
  }

  feed(chunk: string): JsonStringFieldExtraction {
    const deltas = new Map<string, string>()
    const completed = new Map<string, string>()
    for (const { argument, delta, isJson, isLast } of this.#reader.feed(chunk)) {
      if (isJson || this.#seen.has(argument)) continue
      if (delta !== "" && this.#streamed.has(argument)) deltas.set(argument, (deltas.get(argument) ?? "") + delta)
      const pieces = this.#whole.get(argument)
      pieces?.push(delta)
      if (isLast) this.#seen.add(argument)
      if (isLast && pieces !== undefined) completed.set(argument, pieces.join(""))
    }
    return { deltas: Object.fromEntries(deltas), completed: Object.fromEntries(completed) }
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
