// What a session said, whole where a capture has it: the passages of its transcript.
import type { Capture, Captured } from "../../protocol/capture.ts"
import type { Block } from "../../protocol/frame.ts"
import type { Entry } from "../model/session.ts"

/** One block of a transcript as it is read. All of it may be shown. */
export interface Passage {
  readonly type: Entry["type"]
  /** Tool or block name. */
  readonly name: string | null
  readonly text: string
  readonly isError: boolean
  /** Of a tool call and its result: what joins the two, raw; absent where the agent gives none. */
  readonly callId?: string
  /** Of a tool result: how long the call took. */
  readonly elapsedMs?: number
  readonly turn: number
  /** Why this is perhaps not the whole of it; null where it is. */
  readonly note: string | null
}

/** The entries, those put together that one event made: they stand in a row and share its `ref`. */
export function groupByEvent(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const groups: Entry[][] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    if (entry.ref !== null && last?.[0]?.ref === entry.ref) last.push(entry)
    else groups.push([entry])
  }
  return groups
}

/** The passages of entries that one event made, which therefore share their `ref`. */
export function passagesOf(entries: readonly Entry[], captured: Captured | undefined): readonly Passage[] {
  const [first] = entries
  if (first === undefined) return []
  const whole = captured !== undefined && "capture" in captured ? wholeOf(entries, first, captured.capture) : null
  if (whole !== null) return whole
  const why = captured !== undefined && "why" in captured ? captured.why : null
  return entries.map(entry => {
    const { type, name, isError, turn } = entry
    const text = entry.text.join("")
    return { type, name, text, isError, turn, note: noteOf(text, first.ref, why), ...callFacts(entry) }
  })
}

/** A text that ends with an ellipsis may have been cut by the agent, which keeps 80 characters of a long one. */
function noteOf(text: string, ref: string | null, why: string | null): string | null {
  if (ref !== null && why !== null) return `snippet: ${why}`
  return text.length >= 60 && text.length <= 90 && /(?:…|\.\.\.)$/.test(text) ? "snippet" : null
}

/** The passages that a capture has in the place of the entries; null where it is no capture of such an event. */
function wholeOf(entries: readonly Entry[], first: Entry, capture: Capture): readonly Passage[] | null {
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
      // The system prompt is told once, where it changes; the rest of a request was told in the turns before.
      const system = entries.some(entry => entry.type === "system") ? capture.system : null
      const said = { name: null, isError: false, turn, note: null } as const
      const last = capture.messages.at(-1)
      const types = new Set(entries.map(entry => entry.type))
      // What a tool gave back has mostly been told by its own event.
      const told = types.has("tool-result") ? [] : ["tool-result"]
      const user = [...types].every(type => type === "system")
        ? []
        : (last?.blocks ?? []).filter(block => !told.includes(block.type))
      return [
        ...(system === null ? [] : [{ ...said, type: "system", text: system } as const]),
        ...user.map(block => passageOf(block, "user", turn)),
      ]
    }
  }
}

export function passageOf(block: Block, prose: "user" | "text", turn: number): Passage {
  const said = { name: null, isError: false, turn, note: null } as const
  switch (block.type) {
    case "text":
      return { ...said, type: prose, text: block.text }
    case "thinking":
      return { ...said, type: "thinking", text: block.text }
    case "tool-call":
      return { ...said, type: "tool-call", name: block.name, text: block.input, ...callFacts(block) }
    case "tool-result":
      return { ...said, type: "tool-result", text: block.text, isError: block.isError, ...callFacts(block) }
    case "other":
      return { ...said, type: "note", name: block.name, text: block.shown }
  }
}

type CallFacts = Pick<Passage, "callId" | "elapsedMs">

/** What joins a call and its result, and how long the call took: as far as they are known. */
function callFacts({ callId, elapsedMs }: CallFacts): CallFacts {
  return { ...(callId !== undefined && { callId }), ...(elapsedMs !== undefined && { elapsedMs }) }
}
