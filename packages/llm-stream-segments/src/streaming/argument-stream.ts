// Tells the arguments of calls while they stream: joined they are those of the invocations.
import type { Metadata, SegmentEvent } from "../parse/segment.ts"
import { type ArgumentPart, written } from "../parse/tag-arguments.ts"
import {
  CallReader,
  type InvocationOptions,
  isCallKey,
  isJsonText,
  type OpenCall,
  type ToolInvocation,
} from "./call-reader.ts"
import { type JsonArgumentPart, JsonArguments } from "./json-arguments.ts"
import { notify } from "./response-handler.ts"

/** The next characters of one argument of a call. */
export interface ArgumentDelta {
  /** The id that the call's invocation will have. */
  readonly id: string
  /** The call's name; empty if JSON has it only after the arguments. */
  readonly name: string
  readonly argument: string
  readonly delta: string
  /** False for text, decoded. True for any other value: its deltas join to JSON. */
  readonly isJson: boolean
  /** The call repeats the argument: what came of it before no longer counts. */
  readonly isAgain?: true
}

export interface ArgumentListener {
  /** Called with the arguments of each call while they stream. Exceptions are ignored. */
  readonly onArgument?: ((delta: ArgumentDelta) => void) | null | undefined
}

/** A reader of calls that tells their arguments to `onArgument`, if there is one. */
export function readerOf(options: InvocationOptions, onArgument: ArgumentListener["onArgument"]): CallReader {
  return onArgument ? new ArgumentStream(options, delta => notify(onArgument, delta)) : new CallReader(options)
}

/** What was told of an open call. */
interface Telling {
  /** Reads the content while it streams; null until its first character that is no blank. */
  json: JsonArguments | null
  /** Only its end tells what the arguments are. */
  isLate: boolean
  /** The arguments that were told, each after the position of its call. */
  readonly told: Set<string>
}

/** Reads calls, and tells of their arguments as they come. */
class ArgumentStream extends CallReader {
  readonly #tellings = new WeakMap<OpenCall, Telling>()

  constructor(
    options: InvocationOptions,
    private readonly onArgument: (delta: ArgumentDelta) => unknown,
  ) {
    super(options)
  }

  override read(event: SegmentEvent): readonly ToolInvocation[] {
    const { event_type, segment_id: id, payload } = event
    const before = this.open.get(id)
    const late = event_type === "SEGMENT_END" ? payload.metadata : undefined
    if (before !== undefined && late !== undefined) this.#known(before, late, before.spec?.options ?? [])
    const made = super.read(event)
    const call = this.open.get(id) ?? before
    if (call === undefined) return made
    if (event_type === "SEGMENT_START") this.#start(call)
    else if (event_type === "SEGMENT_CONTENT") this.#content(call, payload.delta)
    else this.#end(call, made)
    return made
  }

  #start(call: OpenCall): void {
    const { spec, metadata, reading } = call
    const given = metadata.arguments ?? null
    const isLate = reading === undefined || typeof reading === "function" || given !== null
    this.#tellings.set(call, { json: null, isLate, told: new Set() })
    this.#known(call, metadata, spec?.options ?? [])
    if (typeof given === "object" && given !== null) this.#known(call, { ...given })
  }

  /** Tells what the content of an open call says next. */
  #content(call: OpenCall, delta: string): void {
    const { id, spec, name, deltas } = call
    if (spec !== undefined) this.onArgument({ id, name, argument: spec.content, delta, isJson: false })
    const telling = this.#tellings.get(call)
    if (spec !== undefined || telling === undefined || telling.isLate) return
    const isBegun = call.inTags !== null || telling.json !== null
    const text = isBegun ? delta : deltas.join("")
    if (!isBegun && name !== "" && isJsonText(text)) {
      // Until its first key it may be the arguments, or a call that contains them.
      const [, key] = /^\s*\{\s*"([^"]*)"/.exec(text) ?? []
      telling.isLate = key === undefined ? !/^\s*\{\s*("[^"]{0,64})?$/.test(text) : isCallKey(key)
      if (key === undefined || telling.isLate) return
    } else if (!isBegun && text.trim() === "") return
    if (!isBegun && name !== "" && !isJsonText(text)) call.inTags = this.tagsOf(call, part => this.#tell(call, [part]))
    else if (!isBegun) telling.json = new JsonArguments(name !== "")
    call.inTags?.feed(text)
    this.#tell(call, telling.json?.feed(text) ?? [])
  }

  /** Tells the arguments of the calls made that were not told yet. */
  #end(call: OpenCall, made: readonly ToolInvocation[]): void {
    const isLate = this.#tellings.get(call)?.isLate === true && (call.metadata.arguments ?? null) === null
    if (!isLate) return
    for (const [at, { name, arguments: args }] of made.entries()) {
      this.#known(call, args, undefined, { call: at, name })
    }
  }

  /** Tells those of the arguments `names` that are among what is known of a call. */
  #known(call: OpenCall, known: Metadata, names = Object.keys(known), part: Partial<JsonArgumentPart> = {}): void {
    const values = names.map(name => [name, Object.hasOwn(known, name) ? known[name] : undefined] as const)
    this.#tell(
      call,
      values.flatMap(([argument, value]) =>
        value === undefined ? [] : [{ argument, ...written(value), isFirst: true, ...part }],
      ),
    )
  }

  #tell(call: OpenCall, parts: readonly (ArgumentPart & Partial<JsonArgumentPart>)[]): void {
    const { told } = this.#tellings.get(call) ?? { told: new Set() }
    for (const { argument, delta, isJson, isFirst, call: index = 0, name = "" } of parts) {
      const key = `${index} ${argument}`
      const isAgain = isFirst && told.has(key)
      told.add(key)
      if (delta === "" && !isAgain) continue
      const id = index === 0 ? call.id : `${call.id}.${index + 1}`
      const next = { id, name: call.name || name, argument, delta, isJson }
      this.onArgument(isAgain ? { ...next, isAgain } : next)
    }
  }
}

/** Tells what is known of calls while they stream, from events alone. */
export class ArgumentReader {
  readonly #deltas: ArgumentDelta[] = []
  readonly #calls

  constructor(options: Pick<InvocationOptions, "tools" | "tags" | "kit"> = {}) {
    this.#calls = new ArgumentStream(options, delta => this.#deltas.push(delta))
  }

  /** What this event adds to the arguments of its call. */
  processEvent(event: SegmentEvent): ArgumentDelta[] {
    this.#calls.read(event)
    return this.#deltas.splice(0)
  }
}
