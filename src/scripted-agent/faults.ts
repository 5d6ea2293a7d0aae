// Injects connection faults into the outbound stream. Pure.

import type { JsonObject } from "../../packages/wire/src/json.ts"
import { countOf, deltaOf, mergeDeltas } from "../agent/coalesce.ts"
import type { Envelope } from "../agent/greeting.ts"

export const FAULT_KINDS = ["cut", "repeat", "drop", "coalesce", "reorder", "garbage", "silent", "api"] as const
type FaultKind = (typeof FAULT_KINDS)[number]

/**
 * One fault. `at` is the number of an outbound event, counted from 1 over the whole playback:
 * - `cut`: after it, the connections drop and new ones are refused for a moment;
 * - `repeat`: after it, the ring is sent again;
 * - `garbage`: after it, malformed frames are sent;
 * - `silent`: after it, attached clients receive nothing more, while new clients receive everything;
 * - `api`: after it, only the API is served, not the socket;
 * - `drop`: the first delta from it on is not sent;
 * - `coalesce`: from it on, the first two to seven consecutive deltas of one session are sent as one;
 * - `reorder`: from it on, up to 20 events are delayed until a frame of another kind has overtaken them.
 */
export interface Fault {
  readonly kind: FaultKind
  readonly at: number
}

export type FaultAction =
  | ({ readonly type: "send" } & Envelope)
  | { readonly type: "cut" | "repeat" | "silence" | "api" }

const MAX_MERGED = 7
const MAX_DELAYED = 20

/** Parses `KIND@N`; null if invalid. */
export function parseFault(text: string): Fault | null {
  const [, name, digits] = /^([a-z]+)@([1-9]\d{0,8})$/.exec(text) ?? []
  const kind = FAULT_KINDS.find(known => known === name)
  return kind === undefined ? null : { kind, at: Number(digits) }
}

interface Merge {
  readonly wire: JsonObject
  readonly line: string | Uint8Array
  /** False for a single delta. */
  readonly isMerged: boolean
}

/** Applies faults to the outbound stream. Events are held only for `coalesce` and `reorder`. */
export class FaultInjector {
  #count = 0
  #merge: Merge | null = null
  #delayed: Envelope[] = []

  constructor(private pending: readonly Fault[]) {}

  apply(envelope: Envelope): readonly FaultAction[] {
    const { line, wire } = envelope
    if (wire === null) return this.#unqueued(envelope)
    this.#count += 1
    const acts = this.#event(line, wire)
    return [...acts, ...this.#after()]
  }

  /** Releases held deltas because the stream pauses. Delayed events stay delayed. */
  flushMerged(): readonly FaultAction[] {
    return this.#unmerge().flatMap(envelope => this.#delay(envelope))
  }

  flush(): readonly FaultAction[] {
    const envelopes = [...this.#delayed, ...this.#unmerge()]
    this.#delayed = []
    return envelopes.map(send)
  }

  #unqueued(envelope: Envelope): readonly FaultAction[] {
    const merged = this.flushMerged()
    if (this.#delayed.length === 0) return [...merged, send(envelope)]
    this.#take("reorder")
    const overtaken = this.#delayed.map(send)
    this.#delayed = []
    return [...merged, send(envelope), ...overtaken]
  }

  #event(line: Envelope["line"], wire: JsonObject): readonly FaultAction[] {
    const isDelta = deltaOf(wire) !== null
    if (isDelta && this.#take("drop")) return []
    const merged = this.#merge === null ? null : mergeDeltas(this.#merge.wire, wire)
    if (merged !== null) return this.#extend(merged)
    const before = this.flushMerged()
    if (!isDelta || !this.#isDue("coalesce")) return [...before, ...this.#delay({ line, wire })]
    this.#merge = { wire, line, isMerged: false }
    return before
  }

  #extend(wire: JsonObject): readonly FaultAction[] {
    this.#merge = { wire, line: JSON.stringify(wire), isMerged: true }
    return countOf(deltaOf(wire) ?? {}) >= MAX_MERGED ? this.flushMerged() : []
  }

  /** Releases the held deltas as one. A single delta is released unchanged, and the fault stays pending. */
  #unmerge(): Envelope[] {
    const merge = this.#merge
    this.#merge = null
    if (merge === null) return []
    if (merge.isMerged) this.#take("coalesce")
    return [{ line: merge.line, wire: merge.wire }]
  }

  #delay(envelope: Envelope): readonly FaultAction[] {
    if (this.#delayed.length === 0 && !this.#isDue("reorder")) return [send(envelope)]
    this.#delayed.push(envelope)
    return this.#delayed.length > MAX_DELAYED ? this.#delayed.splice(0, 1).map(send) : []
  }

  #after(): readonly FaultAction[] {
    const now = this.pending.filter(fault => fault.at === this.#count)
    return now.flatMap(({ kind }): readonly FaultAction[] => {
      if (kind === "garbage") return GARBAGE.map(line => send({ line, wire: null }))
      if (kind === "silent") return [{ type: "silence" }]
      return kind === "cut" || kind === "repeat" || kind === "api" ? [{ type: kind }] : []
    })
  }

  #isDue(kind: FaultKind): boolean {
    return this.pending.some(fault => fault.kind === kind && fault.at <= this.#count)
  }

  /** Removes one due fault of this kind. Returns false if there is none. */
  #take(kind: FaultKind): boolean {
    const fault = this.pending.find(due => due.kind === kind && due.at <= this.#count)
    if (fault === undefined) return false
    this.pending = this.pending.filter(other => other !== fault)
    return true
  }
}

/** Frames that no agent should send: incomplete, empty, of the wrong shape or kind, with terminal codes, not text. */
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

function send({ line, wire }: Envelope): FaultAction {
  return { type: "send", line, wire }
}
