// Collects streamed replies until a response repeats them, and counts turns.
import type { EventBody } from "../../packages/wire/src/event-body.ts"
import { copyOf } from "../../packages/wire/src/files/line-splitter.ts"
import type { DeltaFrame } from "../../packages/wire/src/frame.ts"
import { decodeLine } from "../transport/message.ts"
import type { SearchHit } from "./search-hit.ts"

/** A streamed text of one kind, and where it begins. */
export interface StreamedText {
  readonly line: number
  readonly seq: number | null
  /** Of its beginning. */
  readonly frame: DeltaFrame
  readonly thinking: boolean
  readonly text: string
}

/** A delta as it stands in the recording: most are never read, since a response repeats them. */
type Delta = Pick<StreamedText, "line" | "seq"> & { readonly raw: string }
/** The type of an event, and the content of a response. */
export type StreamEvent = Pick<EventBody, "type"> & { readonly content?: readonly unknown[] | null }
type Search = (text: StreamedText, of: SessionReplies) => readonly SearchHit[]
/** `hits`: those in the part of the text that was searched already. */
type Settled = { -readonly [key in keyof StreamedText]: StreamedText[key] } & { readonly hits: SearchHit[] }

/** How far back a delta may belong that others overtook, in deltas and in numbers; farther is another count. */
const NEAR = 64
/** UTF-16 units of a text that are kept: the complete lines of a longer one are searched while it streams. */
const KEPT = 256 * 1024
/** UTF-16 units that two parts of a longer line share, so that what spans them is found. */
const SHARED = 4096

const ENDS = /^llm\/(?:error|model-down|model-policy-empty|worker-exit)$/

/** The streamed texts of a session that no response has repeated yet. */
export class SessionReplies {
  /** Open while a reply is awaited or streams. A request after a reply awaits another. */
  state: "open" | "replied" | "ended" = "open"
  /** From 1; null before the first. */
  turn: number | null = null
  #deltas: Delta[] = []
  #settled: Settled[] = []

  /** Ids are raw. `search` finds the hits in a text, `name` the session's name as far as it is known by then. */
  constructor(
    readonly ids: { readonly invokeid: string | null; readonly sessionId: string },
    private readonly search: Search,
    readonly name: () => string,
  ) {}

  /** Adds the line of a delta. */
  add(delta: Delta): void {
    this.state = "open"
    const deltas = this.#deltas
    const { seq } = delta
    const overtook = (one: Delta): boolean => seq !== null && one.seq !== null && one.seq > seq && one.seq < seq + NEAR
    const last = deltas.at(-1)
    if (last === undefined || !overtook(last)) deltas.push(delta)
    else deltas.splice(deltas.findIndex(overtook), 0, delta)
    if (deltas.length >= 2 * NEAR) this.#settle(NEAR)
  }

  /** Lets go of the memory that lines share with all that was read with them. */
  own(): void {
    this.#deltas = this.#deltas.map(one => ({ ...one, raw: copyOf(one.raw) }))
  }

  /** An event of the session. Returns the hits in what was streamed before, if no response will repeat it. */
  addEvent(body: StreamEvent): readonly SearchHit[] {
    const ends = body.type === "llm/start" || body.type === "llm/error" || body.type === "llm/worker-exit"
    const hits = ends ? this.rest() : []
    if (body.type === "llm/response" && body.content != null) this.#clear()
    if (body.type === "llm/start") this.turn = (this.turn ?? 0) + 1
    if (body.type === "llm/start" || (body.type === "llm/request" && this.state === "replied")) this.state = "open"
    else if (body.type === "llm/response") this.state = "replied"
    else if (ENDS.test(body.type) && this.state === "open") this.state = "ended"
    return hits
  }

  /** The hits in all that is left, which is searched once. */
  rest(): readonly SearchHit[] {
    if (this.#deltas.length === 0 && this.#settled.length === 0) return []
    this.#settle(this.#deltas.length)
    const hits = this.#settled.flatMap(one => [...one.hits, ...this.search(one, this)])
    this.#clear()
    return hits
  }

  #clear(): void {
    this.#deltas.length = 0
    this.#settled.length = 0
  }

  /** Reads the oldest deltas and joins their texts. */
  #settle(count: number): void {
    for (const { raw, ...start } of this.#deltas.splice(0, count)) {
      const frame = decodeLine(raw)
      if (frame.kind !== "delta") continue
      const { thinking, text } = frame
      const last = this.#settled.at(-1)
      if (last?.thinking === thinking) last.text += text
      else this.#settled.push({ ...start, frame, thinking, text, hits: [] })
    }
    const last = this.#settled.at(-1)
    if (last !== undefined && last.text.length > KEPT) this.#cut(last)
  }

  /** Searches the complete lines of a long text; of a line that is as long, all but its end. */
  #cut(one: Settled): void {
    const { text } = one
    const lineEnd = text.lastIndexOf("\n") + 1
    const hits = this.search({ ...one, text: lineEnd > 0 ? text.slice(0, lineEnd) : text }, this)
    one.hits.push(...hits)
    one.text = copyOf(lineEnd > 0 ? text.slice(lineEnd) : hits.length > 0 ? "" : text.slice(-SHARED))
  }
}
