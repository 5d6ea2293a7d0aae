// Plans faults: what becomes of the outbound stream when the line is bad. Pure.

import type { Envelope } from "../agent/greeting.ts"
import { isObject, type JsonObject } from "../protocol/json.ts"

export const FAULT_KINDS = ["cut", "repeat", "drop", "coalesce", "reorder", "garbage", "silent", "api"] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/**
 * One fault. `at` is the 1-based number of an outbound event, counted over the whole play:
 * - `cut` after it: the connections drop, and for a moment nobody is let in;
 * - `repeat` after it: the ring comes again;
 * - `garbage` after it: frames that are none;
 * - `silent` after it: whoever is attached hears nothing more, whoever attaches anew hears everything;
 * - `api` after it: the socket is served no more, the API is;
 * - `drop`: the first delta from it on never comes;
 * - `coalesce`: the first two or more deltas in a row of one session from it on, up to 7, come as one;
 * - `reorder`: events from it on lag behind, up to 20 of them, until a frame of another kind has overtaken them.
 */
export interface Fault {
  readonly kind: FaultKind
  readonly at: number
}

/** What to do on the wire. */
export type Act =
  | { readonly type: "send"; readonly line: string | Uint8Array }
  | { readonly type: "cut" | "repeat" | "silence" | "api" }

/** Deltas that one coalesced delta stands for at most. */
const MERGED = 7
/** Events that a frame of another kind overtakes at most. */
const LAG = 20

/** Reads `KIND@N`. Null where it is none. */
export function readFault(text: string): Fault | null {
  const [, name, digits] = /^([a-z]+)@([1-9]\d{0,8})$/.exec(text) ?? []
  const kind = FAULT_KINDS.find(known => known === name)
  return kind === undefined ? null : { kind, at: Number(digits) }
}

type EventEnvelope = Extract<Envelope, { kind: "event" }>

/** Deltas held back to become one. */
interface Merge {
  readonly last: EventEnvelope
  readonly data: JsonObject
  readonly text: string
  readonly count: number
  readonly joined: boolean
}

/** The outbound stream on its way through the faults. It holds back events only while `coalesce` or `reorder` asks for it. */
export class Faults {
  #pending: readonly Fault[]
  #count = 0
  #merge: Merge | null = null
  #lagging: string[] = []

  constructor(faults: readonly Fault[]) {
    this.#pending = faults
  }

  /** What becomes of the next envelope. */
  pass(envelope: Envelope): readonly Act[] {
    if (envelope.kind === "aside") return this.#aside(envelope.line)
    this.#count += 1
    const acts = this.#event(envelope)
    return [...acts, ...this.#after()]
  }

  /** The stream rests, so deltas that wait to be joined wait no longer. Lagging events still lag. */
  rest(): readonly Act[] {
    return this.#unmerge().flatMap(line => this.#lag(line))
  }

  /** The stream ends: everything that was held back. */
  end(): readonly Act[] {
    const lines = [...this.#lagging, ...this.#unmerge()]
    this.#lagging = []
    return lines.map(send)
  }

  #aside(line: string): readonly Act[] {
    const joined = this.rest()
    if (this.#lagging.length === 0) return [...joined, send(line)]
    this.#spend("reorder")
    const overtaken = this.#lagging.map(send)
    this.#lagging = []
    return [...joined, send(line), ...overtaken]
  }

  #event(envelope: EventEnvelope): readonly Act[] {
    const delta = deltaOf(envelope)
    if (delta !== null && this.#spend("drop")) return []
    const merge = this.#merge
    if (merge !== null && delta !== null && sameStream(merge.data, delta)) return this.#join(merge, envelope, delta)
    const before = this.rest()
    if (delta === null || !this.#due("coalesce")) return [...before, ...this.#lag(envelope.line)]
    this.#merge = { last: envelope, data: delta, text: textOf(delta), count: weight(delta), joined: false }
    return before
  }

  #join(merge: Merge, last: EventEnvelope, data: JsonObject): readonly Act[] {
    this.#merge = { last, data, text: merge.text + textOf(data), count: merge.count + weight(data), joined: true }
    return this.#merge.count >= MERGED ? this.rest() : []
  }

  /** Gives up the deltas held back, as one. A lone one is itself, and the fault is still to come. */
  #unmerge(): string[] {
    const merge = this.#merge
    this.#merge = null
    if (merge === null) return []
    if (!merge.joined) return [merge.last.line]
    this.#spend("coalesce")
    const data = { ...merge.data, text: merge.text, coalesced: merge.count }
    return [JSON.stringify({ ...merge.last.wire, data })]
  }

  #lag(line: string): readonly Act[] {
    if (this.#lagging.length === 0 && !this.#due("reorder")) return [send(line)]
    this.#lagging.push(line)
    return this.#lagging.length > LAG ? this.#lagging.splice(0, 1).map(send) : []
  }

  #after(): readonly Act[] {
    const now = this.#pending.filter(fault => fault.at === this.#count)
    return now.flatMap(({ kind }): readonly Act[] => {
      if (kind === "garbage") return GARBAGE.map(send)
      if (kind === "silent") return [{ type: "silence" }]
      return kind === "cut" || kind === "repeat" || kind === "api" ? [{ type: kind }] : []
    })
  }

  #due(kind: FaultKind): boolean {
    return this.#pending.some(fault => fault.kind === kind && fault.at <= this.#count)
  }

  /** Takes one due fault of this kind out of the plan. False where there is none. */
  #spend(kind: FaultKind): boolean {
    const fault = this.#pending.find(due => due.kind === kind && due.at <= this.#count)
    if (fault === undefined) return false
    this.#pending = this.#pending.filter(other => other !== fault)
    return true
  }
}

/** What no agent should send: torn, empty, of the wrong shape, of a kind to come, with terminal codes, and no text at all. */
export const GARBAGE: readonly (string | Uint8Array)[] = [
  '{"kind":"event","seq":',
  "",
  "null",
  "[1,2,3]",
  '{"kind":"event","event":42,"data":"none"}',
  '{"kind":"event","event":"llm/delta","data":{"type":"text-delta","text":7,"invokeid":["planner"]}}',
  '{"kind":"prompt","prompt-id":"","type":"riddle","opts":null}',
  '{"kind":"weather","outlook":"a kind nobody has told us about"}',
  "\u001b]52;c;c3RvbGVu\u0007\u001b[2J",
  Uint8Array.of(0xff, 0xfe, 0x00, 0x7b),
]

function send(line: string | Uint8Array): Act {
  return { type: "send", line }
}

function deltaOf(envelope: EventEnvelope): JsonObject | null {
  const { event, data } = envelope.wire
  return event === "llm/delta" && isObject(data) ? data : null
}

function textOf(delta: JsonObject): string {
  return typeof delta.text === "string" ? delta.text : ""
}

/** How many deltas a delta stands for already. */
function weight(delta: JsonObject): number {
  return typeof delta.coalesced === "number" ? delta.coalesced : 1
}

function sameStream(one: JsonObject, other: JsonObject): boolean {
  return ["invokeid", "session-id", "type"].every(key => one[key] === other[key])
}
