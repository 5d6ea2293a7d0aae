// Streams a native call that writes or edits a file: its content, decoded.
import { TOOL_NAME_EDIT_FILE, TOOL_NAME_WRITE_FILE } from "../parse/formats/content-tools.ts"
import type { Metadata, SegmentType } from "../parse/segment.ts"
import { JsonStringFieldExtractor } from "./json-field.ts"
import { type CallMaker, type NativeCall, rawCall, TextChannel } from "./native-call.ts"

/** `write_file` and `edit_file` start at their path and stream content; others are as they come. */
export const fileCall: CallMaker = (id, name) => {
  if (name === TOOL_NAME_WRITE_FILE) return contentCall(id, "write_file", "content")
  return name === TOOL_NAME_EDIT_FILE ? contentCall(id, "edit_file", "patch") : rawCall(id, name)
}

function contentCall(id: string, type: SegmentType, field: string): NativeCall {
  const channel = new TextChannel(id, type)
  const fields = new JsonStringFieldExtractor([field], ["path"])
  // Content that came before the path; null once that is known.
  let early: string[] | null = []
  const start = (metadata: Metadata) => {
    const events = [...channel.start(metadata), ...channel.feed(early?.join("") ?? "")]
    early = null
    return events
  }
  return {
    feed(argumentsDelta) {
      const { deltas, completed } = fields.feed(argumentsDelta)
      const content = deltas[field] ?? ""
      if (early === null) return channel.feed(content)
      early.push(content)
      const path = completed.path?.trim() ?? ""
      return path === "" ? [] : start({ path })
    },
    get isDone() {
      return fields.isDone
    },
    /** A call without a path is shown but marked incomplete, so it is not invoked. */
    end(aborted) {
      const isCut = aborted || early !== null || !fields.isDone
      return [...(early === null ? [] : start({})), ...channel.end(isCut)]
    },
  }
}
