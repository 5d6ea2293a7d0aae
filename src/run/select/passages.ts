// Makes the passages of a session's transcript, with full texts where a capture has them.
import type { Block, Capture, Captured } from "../../../packages/wire/src/capture.ts"
import { blockEntry } from "../event-entries.ts"
import type { Entry } from "../model/session.ts"
import type { Captures } from "./captures.ts"

type Told = "type" | "name" | "isError" | "callId" | "elapsedMs" | "turn"

/** One block of a transcript. All fields but its raw id may be shown. */
export interface Passage extends Pick<Entry, Told> {
  readonly text: string
  /** Why the text may be incomplete; null if it is complete. */
  readonly note: string | null
}

type Said = Pick<Passage, "type" | "text">

/** Whether an error only repeats the error for which a model went down. */
export function isToldAgain({ type, text }: Said, before: Said | undefined): boolean {
  return type === "error" && before?.type === "error" && before.text.startsWith(text)
}

/** Groups the entries that one event made: they are adjacent, and share its line and its `ref`. */
export function groupByEvent(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const groups: Entry[][] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    if (isOfSameEvent(last?.[0], entry)) last?.push(entry)
    else groups.push([entry])
  }
  return groups
}

/** Whether one event made both entries. The replies of one turn share a `ref`, since a turn is captured once. */
export function isOfSameEvent(a: Entry | undefined, b: Entry | undefined): boolean {
  return a?.ref != null && a.ref === b?.ref && a.line === b.line
}

/**
 * The captures of one session's events, each given to the first event with its texts alone: a turn is captured once,
 * however many replies it has. Ask for the events in their order.
 */
export class CaptureClaims {
  readonly #taken = new Set<string>()

  /** The capture of the event that made these entries, `captured` being what lies at their `ref`. */
  of(entries: readonly Entry[], captured: Captured | undefined): Captured | undefined {
    const ref = entries[0]?.ref
    if (ref == null || captured === undefined || "why" in captured) return captured
    if (this.#taken.has(ref) || !isSaidIn(entries, captured.capture)) return undefined
    this.#taken.add(ref)
    return captured
  }
}

/** UTF-16 units by which a text is compared with a capture: a row keeps the first 80. */
const COMPARED = 160

/** True if a capture belongs to an event: each text of the event begins a text of the capture. */
function isSaidIn(entries: readonly Entry[], capture: Capture): boolean {
  if (capture.type === "result") return true
  const blocks = capture.type === "response" ? capture.blocks : (capture.messages.at(-1)?.blocks ?? [])
  return entries.every(entry => {
    const words = beginning(entry.text.join("").replace(/(?:…|\.\.\.)$/, ""))
    const isIn = (text: string): boolean => beginning(text).startsWith(words)
    switch (entry.type) {
      case "tool-call":
        return blocks.some(one => one.type === "tool-call" && (isSameCall(one, entry) ?? one.name === entry.name))
      case "tool-result":
        return blocks.some(one => one.type === "tool-result" && (isSameCall(one, entry) ?? isIn(one.text)))
      case "thinking":
        return blocks.some(one => one.type === "thinking" && isIn(one.text))
      case "text":
      case "user":
        return blocks.some(one => one.type === "text" && isIn(one.text))
      default:
        return true
    }
  })
}

type Linked = { readonly callId?: string }

/** Null if one of both has no id. */
function isSameCall({ callId: a }: Linked, { callId: b }: Linked): boolean | null {
  return a === undefined || b === undefined ? null : a === b
}

function beginning(text: string): string {
  return text.slice(0, COMPARED).replace(/\s+/g, " ").trim()
}

/** The events of a turn or of a session from its beginning: the entries that each made, and its passages. */
export function eventPassages(
  entries: readonly Entry[],
  captures: Captures,
): readonly { readonly entries: readonly Entry[]; readonly passages: readonly Passage[] }[] {
  const claims = new CaptureClaims()
  return groupByEvent(entries).map(group => {
    const captured = claims.of(group, captures.get(group[0]?.ref ?? ""))
    return { entries: group, passages: passagesOf(group, captured) }
  })
}

/** The passages of entries that one event made, and of its capture as `CaptureClaims` gives it. */
export function passagesOf(entries: readonly Entry[], captured: Captured | undefined): readonly Passage[] {
  const [first] = entries
  if (first === undefined) return []
  const full =
    captured !== undefined && "capture" in captured ? capturedPassages(entries, first, captured.capture) : null
  if (full !== null) return full
  const why = captured !== undefined && "why" in captured ? captured.why : null
  return entries.map(entry => {
    const text = entry.text.join("")
    const note = entry.missing === undefined ? noteOf(text, first.ref, why) : missingWords(entry.missing)
    return { ...asPassage(entry, text), note }
  })
}

/** Says by how many UTF-16 units a reply is longer than its text. */
export function missingWords(missing: number): string {
  return `cut: ${missing} more characters are in an export as JSONL`
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
