// Shows the arguments of a tool call: an edit as a diff, a file as code, a command as a command, else JSON.
import { structuredPatch } from "diff"
import { isList, isObject, type JsonObject, parseJson, stringifySafe } from "../protocol/json.ts"
import { sanitizedText } from "../protocol/object-reader.ts"
import { codeLines, patchToken } from "../ui/highlight-code.ts"
import { type Line, line, span } from "../ui/line.ts"
import { wrap } from "../ui/wrap.ts"

/** With more edits all of the old text is shown as removed and all of the new as added: a diff costs too much. */
const MOST_EDITS = 400

const BEFORE = ["old_string", "old_str", "old-string", "old", "before", "search"]
const AFTER = ["new_string", "new_str", "new-string", "new", "after", "replace"]
const PATCH = ["patch", "diff"]
const CONTENT = ["content", "text", "file_text", "contents"]
const COMMAND = ["command", "cmd", "script"]
const PATH = ["path", "file_path", "file", "filename"]

/** A word for the heading of a call, and its lines. */
export interface ToolCallArguments {
  readonly label: string
  readonly lines: (columns: number) => readonly Line[]
}

/** `input` is JSON as the agent printed it; anything else is shown as it is. */
export function toolCallArguments(input: string): ToolCallArguments {
  const args = parsed(input)
  if (args === null) return { label: "", lines: columns => codeLines(input, columns) }
  const path = textIn(args, PATH)
  const label = path === null ? "" : sanitizedText(path)
  const edits = editsIn(args)
  if (edits.length > 0) return { label, lines: columns => edits.flatMap(edit => editLines(edit, columns)) }
  const patch = textIn(args, PATCH)
  if (patch !== null) return { label, lines: columns => patchLines(sanitizedText(patch), columns) }
  const content = path === null ? null : textIn(args, CONTENT)
  if (content !== null) return { label, lines: columns => codeLines(sanitizedText(content), columns) }
  const command = textIn(args, COMMAND)
  if (command !== null && Object.keys(args).length <= 3)
    return { label, lines: columns => commandLines(sanitizedText(command), columns) }
  return { label, lines: columns => codeLines(stringifySafe(args, 2), columns) }
}

/** A command behind a `$`. */
export function commandLines(command: string, columns: number): readonly Line[] {
  return codeLines(command, columns - 2).map(({ spans }, i) => line(span(i === 0 ? "$ " : "  ", "accent"), ...spans))
}

/** A patch, removed and added lines in their colours. */
export function patchLines(patch: string, columns: number): readonly Line[] {
  return patch.split("\n").flatMap(text => wrap(text, columns).map(part => line(span(part, patchToken(text)))))
}

interface Edit {
  readonly before: string
  readonly after: string
}

function editsIn(args: JsonObject): readonly Edit[] {
  const { edits } = args
  const all = isList(edits ?? null) && Array.isArray(edits) ? edits : [args]
  return all.flatMap(one => {
    if (!isObject(one)) return []
    const [before, after] = [textIn(one, BEFORE), textIn(one, AFTER)]
    return before === null || after === null ? [] : [{ before: sanitizedText(before), after: sanitizedText(after) }]
  })
}

function editLines({ before, after }: Edit, columns: number): readonly Line[] {
  const found = structuredPatch("", "", before, after, "", "", { context: 3, maxEditLength: MOST_EDITS })
  if (found === undefined) {
    const all = (text: string, sign: string) => text.split("\n").map(one => `${sign}${one}`)
    return patchLines([...all(before, "-"), ...all(after, "+")].join("\n"), columns)
  }
  const hunks = found.hunks.map(({ lines }) => lines.filter(one => !one.startsWith("\\")).join("\n"))
  return hunks.flatMap((hunk, i) => [...(i === 0 ? [] : [line(span("…", "dim"))]), ...patchLines(hunk, columns)])
}

function textIn(args: JsonObject, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = args[key]
    if (typeof value === "string") return value
  }
  return null
}

function parsed(input: string): JsonObject | null {
  const value = parseJson(input)
  return isObject(value) ? value : null
}
