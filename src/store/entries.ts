// What an event adds to the transcript of its session: entries, which can be made of its frame again at any time.
import type { Block, EventBody, EventFrame } from "../protocol/frame.ts"
import type { Entry, Stream } from "./session.ts"
import { piecesOf } from "./stream.ts"

/** An entry before it is known of which turn it is, and which line made it. */
export type NewEntry = Omit<Entry, "turn" | "line">

/** The entries of an event in their order; of a request also the system text, which counts only where it is another. */
export function entriesIn(frame: EventFrame): readonly NewEntry[] {
  const { body } = frame
  switch (body.type) {
    case "llm/request": {
      const ref = refOf(frame)
      const system = body.system === null ? [] : [plain("system", body.system, { ref, part: -1 })]
      return [...system, ...body.user.map((block, part) => blockEntry(block, "user", ref, part))]
    }
    case "llm/response": {
      const ref = refOf(frame)
      return (body.content ?? []).map((block, part) => blockEntry(block, "text", ref, part))
    }
    case "llm/error":
    case "llm/model-down":
      return [plain("error", body.message ?? body.type, { isError: true })]
    case "llm/model-policy-empty":
      return [plain("error", `no model left in policy ${body.policy ?? "?"}`, { isError: true })]
    case "llm/tool-result":
      return [toolResult(body, refOf(frame))]
    case "llm/user-message":
      return [plain("user", body.text ?? "")]
    case "adapter/line":
      return [plain("note", body.text, { name: body.name, isError: body.isError })]
    default:
      return []
  }
}

/** What has streamed so far as entries: what is said and what is thought apart. */
export function streamedEntries(stream: Stream): readonly NewEntry[] {
  const entries: (NewEntry & { readonly text: string[] })[] = []
  for (const { thinking, text } of piecesOf(stream)) {
    const type = thinking ? "thinking" : "text"
    const last = entries.at(-1)
    if (last?.type === type) last.text.push(text)
    else entries.push({ ...plain(type, ""), text: [text], streamed: true, part: entries.length })
  }
  return entries
}

type Facts = Partial<Pick<Entry, "name" | "isError" | "ref" | "part">>

function plain(type: Entry["type"], text: string, facts: Facts = {}): NewEntry {
  return { type, name: null, text: [text], isError: false, ref: null, streamed: false, part: 0, ...facts }
}

function toolResult(body: Extract<EventBody, { type: "llm/tool-result" }>, ref: string | null): NewEntry {
  const took = body.elapsedMs === null ? {} : { elapsedMs: body.elapsedMs }
  const { tool, preview, isError } = body
  return { ...plain("tool-result", preview ?? "", { name: tool, isError, ref }), ...took, ...callOf(body) }
}

function blockEntry(block: Block, prose: "user" | "text", ref: string | null, part: number): NewEntry {
  const at = { ref, part }
  switch (block.type) {
    case "text":
      return plain(prose, block.text, at)
    case "thinking":
      return plain("thinking", block.text, at)
    case "tool-call":
      return { ...plain("tool-call", block.input, { ...at, name: block.name }), ...callOf(block) }
    case "tool-result":
      return { ...plain("tool-result", block.text, { ...at, isError: block.isError }), ...callOf(block) }
    case "other":
      return plain("note", block.shown, { ...at, name: block.name })
  }
}

function callOf({ callId }: { readonly callId?: string }): Pick<Entry, "callId"> {
  return callId === undefined ? {} : { callId }
}

/** The file that holds the whole of what the event tells in part. */
function refOf(frame: EventFrame): string | null {
  const ref = frame.data["io/ref"]
  return typeof ref === "string" ? ref : null
}
