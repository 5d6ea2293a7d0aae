// Makes the passages of a session's transcript, with full texts where a capture has them.
import type { Capture, Captured } from "../../protocol/capture.ts"
import type { Block } from "../../protocol/frame.ts"
import type { Entry } from "../model/session.ts"

/** One block of a transcript. All fields may be shown. */
export interface Passage {
  readonly type: Entry["type"]
  /** Tool or block name. */
  readonly name: string | null
  readonly text: string
  readonly isError: boolean
  /** Raw id that links a tool call and its result; absent if the agent gives none. */
  readonly callId?: string
  /** Of a tool result: how long the call took, ms. */
  readonly elapsedMs?: number
  readonly turn: number
  /** Why the text may be incomplete; null if it is complete. */
  readonly note: string | null
}

/** Groups the entries that one event made: they are adjacent and share its `ref`. */
export function groupByEvent(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const groups: Entry[][] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    if (entry.ref !== null && last?.[0]?.ref === entry.ref) last.push(entry)
    else groups.push([entry])
  }
  return groups
}

/** The passages of entries that one event made, which share a `ref`. */
export function passagesOf(entries: readonly Entry[], captured: Captured | undefined): readonly Passage[] {
  const [first] = entries
  if (first === undefined) return []
  const full =
    captured !== undefined && "capture" in captured ? capturedPassages(entries, first, captured.capture) : null
  if (full !== null) return full
  const why = captured !== undefined && "why" in captured ? captured.why : null
  return entries.map(entry => {
    const { type, name, isError, turn } = entry
    const text = entry.text.join("")
    return { type, name, text, isError, turn, note: noteOf(text, first.ref, why), ...callFacts(entry) }
  })
}

/** A text that ends with an ellipsis may have been cut by the agent, which keeps 80 characters. */
function noteOf(text: string, ref: string | null, why: string | null): string | null {
  if (ref !== null && why !== null) return `excerpt: ${why}`
  return text.length >= 60 && text.length <= 90 && /(?:…|\.\.\.)$/.test(text) ? "excerpt" : null
}

/** The passages of a capture; null if the capture is not of such an event. */
function capturedPassages(entries: readonly Entry[], first: Entry, capture: Capture): readonly Passage[] | null {
  const { turn } = first
  switch (capture.type) {
    case "result": {
      if (first.type !== "tool-result") return null
      const { type, name, isError } = first
      return [{ type, name, text: capture.text, isError, turn, note: null, ...callFacts(first) }]
    }
    case "response":
      return capture.blocks.map(block => passageOf(block, "text", turn))
    case "request": {
      // The system prompt is shown only when it changes; the rest of a request was shown in earlier turns.
      const system = entries.some(entry => entry.type === "system") ? capture.system : null
      const common = { name: null, isError: false, turn, note: null } as const
      const last = capture.messages.at(-1)
      const types = new Set(entries.map(entry => entry.type))
      // Tool results usually have events of their own.
      const skipped = types.has("tool-result") ? [] : ["tool-result"]
      const user = [...types].every(type => type === "system")
        ? []
        : (last?.blocks ?? []).filter(block => !skipped.includes(block.type))
      return [
        ...(system === null ? [] : [{ ...common, type: "system", text: system } as const]),
        ...user.map(block => passageOf(block, "user", turn)),
      ]
    }
  }
}

export function passageOf(block: Block, prose: "user" | "text", turn: number): Passage {
  const common = { name: null, isError: false, turn, note: null } as const
  switch (block.type) {
    case "text":
      return { ...common, type: prose, text: block.text }
    case "thinking":
      return { ...common, type: "thinking", text: block.text }
    case "tool-call":
      return { ...common, type: "tool-call", name: block.name, text: block.input, ...callFacts(block) }
    case "tool-result":
      return { ...common, type: "tool-result", text: block.text, isError: block.isError, ...callFacts(block) }
    case "other":
      return { ...common, type: "note", name: block.name, text: block.shown }
  }
}

type CallFacts = Pick<Passage, "callId" | "elapsedMs">

/** Id and duration of a call, if known. */
function callFacts({ callId, elapsedMs }: CallFacts): CallFacts {
  return { ...(callId !== undefined && { callId }), ...(elapsedMs !== undefined && { elapsedMs }) }
}
