// Makes the transcript entries of an event, which can be made again from its frame, and adds them to a session.
import type { Block } from "../../packages/wire/src/capture.ts"
import type { EventBody } from "../../packages/wire/src/event-body.ts"
import type { EventFrame } from "../../packages/wire/src/frame.ts"
import { streamedPieces } from "./fold-delta.ts"
import { entrySize } from "./memory/pack-entries.ts"
import { pushed, slice, truncated } from "./model/chunked-list.ts"
import type { Entry, Mutable, Session, TurnBuffer } from "./model/session.ts"

type EntryOrigin = Pick<Entry, "turn" | "line" | "order">

/** The entries of an event, in order, with a request's system text, changed or not. */
export function entriesOf(frame: EventFrame, origin: EntryOrigin): readonly Entry[] {
  const { body } = frame
  switch (body.type) {
    case "llm/request": {
      const ref = refOf(frame)
      const user = body.user.map((block, part) => blockEntry(block, "user", origin, ref, part))
      return body.system === null ? user : [entry("system", body.system, origin, { ref, part: -1 }), ...user]
    }
    case "llm/response": {
      const ref = refOf(frame)
      return (body.content ?? []).map((block, part) => blockEntry(block, "text", origin, ref, part))
    }
    case "llm/error":
    case "llm/model-down":
      return [entry("error", body.message ?? body.type, origin, { isError: true })]
    case "llm/model-policy-empty":
      return [entry("error", `no model left in policy ${body.policy ?? "?"}`, origin, { isError: true })]
    case "llm/tool-result":
      return [toolResult(body, origin, refOf(frame))]
    case "llm/user-message":
      return [entry("user", body.text ?? "", origin)]
    case "adapter/line":
      return [entry("note", body.text, origin, { name: body.name, isError: body.isError })]
    default:
      return NOTHING
  }
}

/** The text streamed so far as entries, with thinking kept apart. */
export function streamedEntries(buffer: TurnBuffer, origin: EntryOrigin): readonly Entry[] {
  const { missing } = buffer
  const entries: (Mutable<Entry> & { readonly text: string[] })[] = []
  for (const { thinking, text } of streamedPieces(buffer)) {
    const type = thinking ? "thinking" : "text"
    const last = entries.at(-1)
    if (last?.type === type) last.text.push(text)
    else entries.push({ ...entry(type, "", origin), text: [text], streamed: true, part: entries.length })
  }
  if (missing === 0) return entries
  if (entries.length === 0) entries.push({ ...entry("text", "", origin), text: [], streamed: true })
  for (const last of entries.slice(-1)) last.missing = missing
  return entries
}

type EntryFields = Partial<Pick<Entry, "name" | "isError" | "ref" | "part">>
const NOTHING: readonly Entry[] = []

function entry(type: Entry["type"], text: string, { turn, line, order }: EntryOrigin, fields: EntryFields = {}): Entry {
  const { name = null, isError = false, ref = null, part = 0 } = fields
  return { type, name, text: [text], isError, ref, streamed: false, turn, line, part, order }
}

function toolResult(body: EventBody<"llm/tool-result">, origin: EntryOrigin, ref: string | null): Entry {
  const took = body.elapsedMs === null ? {} : { elapsedMs: body.elapsedMs }
  const { tool, preview, isError } = body
  return { ...entry("tool-result", preview ?? "", origin, { name: tool, isError, ref }), ...took, ...callIdOf(body) }
}

/** The entry of a block; `prose` is the type of plain text. */
export function blockEntry(
  block: Block,
  prose: "user" | "text",
  origin: EntryOrigin,
  ref: string | null,
  part: number,
): Entry {
  switch (block.type) {
    case "text":
      return entry(prose, block.text, origin, { ref, part })
    case "thinking":
      return entry("thinking", block.text, origin, { ref, part })
    case "tool-call":
      return { ...entry("tool-call", block.input, origin, { name: block.name, ref, part }), ...callIdOf(block) }
    case "tool-result":
      return { ...entry("tool-result", block.text, origin, { isError: block.isError, ref, part }), ...callIdOf(block) }
    case "other":
      return entry("note", block.shown, origin, { name: block.name, ref, part })
  }
}

function callIdOf({ callId }: { readonly callId?: string }): Pick<Entry, "callId"> {
  return callId === undefined ? {} : { callId }
}

function refOf(frame: EventFrame): string | null {
  const ref = frame.data["io/ref"]
  return typeof ref === "string" ? ref : null
}

/** Adds entries at the end of a session. */
export function pushEntries(session: Mutable<Session>, entries: readonly Entry[]): void {
  for (const entry of entries) {
    session.entries = pushed(session.entries, entry)
    session.heldUnits += entrySize(entry)
  }
}

/** Removes streamed entries of the current reply, because the response repeats them. */
export function dropStreamedEntries(session: Mutable<Session>): void {
  const { entries, replyFrom } = session
  const all = slice(entries, replyFrom, entries.length)
  const kept = all.filter(entry => !entry.streamed)
  if (kept.length === all.length) return
  session.entries = truncated(entries, replyFrom)
  for (const entry of all) session.heldUnits -= entrySize(entry)
  pushEntries(session, kept)
}
