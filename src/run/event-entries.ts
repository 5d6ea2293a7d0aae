// What an event adds to the transcript of its session: entries, which can be made of its frame again at any time.
import type { Block, EventBody, EventFrame } from "../protocol/frame.ts"
import { streamedPieces } from "./fold-delta.ts"
import type { Entry, TurnBuffer } from "./model/session.ts"

/** Of which turn an entry is, and which line made it. */
type Made = Pick<Entry, "turn" | "line">

/** The entries of an event in their order; of a request also the system text, which counts only where it is another. */
export function entriesOf(frame: EventFrame, made: Made): readonly Entry[] {
  const { body } = frame
  switch (body.type) {
    case "llm/request": {
      const ref = refOf(frame)
      const user = body.user.map((block, part) => blockEntry(block, "user", made, ref, part))
      return body.system === null ? user : [plain("system", body.system, made, { ref, part: -1 }), ...user]
    }
    case "llm/response": {
      const ref = refOf(frame)
      return (body.content ?? []).map((block, part) => blockEntry(block, "text", made, ref, part))
    }
    case "llm/error":
    case "llm/model-down":
      return [plain("error", body.message ?? body.type, made, { isError: true })]
    case "llm/model-policy-empty":
      return [plain("error", `no model left in policy ${body.policy ?? "?"}`, made, { isError: true })]
    case "llm/tool-result":
      return [toolResult(body, made, refOf(frame))]
    case "llm/user-message":
      return [plain("user", body.text ?? "", made)]
    case "adapter/line":
      return [plain("note", body.text, made, { name: body.name, isError: body.isError })]
    default:
      return NOTHING
  }
}

/** What has streamed so far as entries: what is said and what is thought apart. */
export function streamedEntries(stream: TurnBuffer, made: Made): readonly Entry[] {
  if (stream.tail === "" && stream.pieces.length === 0) return NOTHING
  const entries: (Entry & { readonly text: string[] })[] = []
  for (const { thinking, text } of streamedPieces(stream)) {
    const type = thinking ? "thinking" : "text"
    const last = entries.at(-1)
    if (last?.type === type) last.text.push(text)
    else entries.push({ ...plain(type, "", made), text: [text], streamed: true, part: entries.length })
  }
  return entries
}

type Facts = Partial<Pick<Entry, "name" | "isError" | "ref" | "part">>
const NOTHING: readonly Entry[] = []

function plain(type: Entry["type"], text: string, { turn, line }: Made, facts: Facts = {}): Entry {
  const { name = null, isError = false, ref = null, part = 0 } = facts
  return { type, name, text: [text], isError, ref, streamed: false, turn, line, part }
}

type ToolResult = Extract<EventBody, { type: "llm/tool-result" }>

function toolResult(body: ToolResult, made: Made, ref: string | null): Entry {
  const took = body.elapsedMs === null ? {} : { elapsedMs: body.elapsedMs }
  const { tool, preview, isError } = body
  return { ...plain("tool-result", preview ?? "", made, { name: tool, isError, ref }), ...took, ...callOf(body) }
}

function blockEntry(block: Block, prose: "user" | "text", made: Made, ref: string | null, part: number): Entry {
  switch (block.type) {
    case "text":
      return plain(prose, block.text, made, { ref, part })
    case "thinking":
      return plain("thinking", block.text, made, { ref, part })
    case "tool-call":
      return { ...plain("tool-call", block.input, made, { name: block.name, ref, part }), ...callOf(block) }
    case "tool-result":
      return { ...plain("tool-result", block.text, made, { isError: block.isError, ref, part }), ...callOf(block) }
    case "other":
      return plain("note", block.shown, made, { name: block.name, ref, part })
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
