// Makes the passages of a session's transcript, with full texts where a capture has them.
import type { Block, Capture, Captured } from "../../protocol/capture.ts"
import { blockEntry } from "../event-entries.ts"
import type { Entry } from "../model/session.ts"

/** One block of a transcript. All fields may be shown. */
export interface Passage {
  readonly type: Entry["type"]
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

type Said = Pick<Passage, "type" | "text">

/** Whether an error only repeats the one before: that of a model that went down for it. */
export function isToldAgain({ type, text }: Said, before: Said | undefined): boolean {
  return type === "error" && before?.type === "error" && before.text.startsWith(text)
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
    const text = entry.text.join("")
    return { ...asPassage(entry, text), note: noteOf(text, first.ref, why) }
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
    case "result":
      if (first.type !== "tool-result") return null
      return [{ ...asPassage(first, capture.text), isError: first.isError || capture.isError }]
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
      const offered = offeredText(capture)
      return [
        ...(system === null ? [] : [{ ...common, type: "system", text: system } as const]),
        ...(offered === "" ? [] : [{ ...common, type: "note", name: "request", text: offered } as const]),
        ...user.map(block => passageOf(block, "user", turn)),
      ]
    }
  }
}

/** The parameters of a request and the names of its tools. Empty for only a model: the heading of a turn names it. */
function offeredText({ params, tools }: Extract<Capture, { readonly type: "request" }>): string {
  if (tools.length === 0 && params.every(({ name }) => name === "model")) return ""
  const named = tools.map(({ name }) => name).join(", ")
  return [...params.map(({ name, text }) => `${name}: ${text}`), ...(named === "" ? [] : [`tools: ${named}`])].join(
    "\n",
  )
}

function passageOf(block: Block, prose: "user" | "text", turn: number): Passage {
  const entry = blockEntry(block, prose, { turn, line: 0, order: 0 }, null, 0)
  return asPassage(entry, entry.text.join(""))
}

/** A passage of an entry. The id and the duration of a call are left out if they are unknown. */
function asPassage({ type, name, isError, turn, callId, elapsedMs }: Entry, text: string): Passage {
  const call = { ...(callId !== undefined && { callId }), ...(elapsedMs !== undefined && { elapsedMs }) }
  return { type, name, text, isError, turn, note: null, ...call }
}
