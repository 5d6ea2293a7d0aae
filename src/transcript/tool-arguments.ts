// Shows the arguments of a tool call: an edit as a diff, a file as code, a command as a command, all others by name.
import { structuredPatch } from "diff"
import { isList, isObject, type Json, type JsonObject, parseJson, stringifySafe } from "../../packages/wire/src/json.ts"
import { sanitizedText } from "../../packages/wire/src/object-reader.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { codeLines, patchToken } from "../ui/highlight-code.ts"
import { type Line, line, span, wrap } from "../ui/line.ts"
import { width as textWidth } from "../ui/text-width.ts"

/** With more edits all of the old text is shown as removed and all of the new as added: a diff costs too much. */
const MOST_EDITS = 400
/** Columns of a text that has no width of its own. */
const TEXT_COLUMNS = 100

const BEFORE = ["old_string", "old_str", "old-string", "old", "search"]
const AFTER = ["new_string", "new_str", "new-string", "new", "replace"]
const PATCH = ["patch", "diff"]
const CONTENT = ["content", "file_text", "contents"]
const COMMAND = ["command", "cmd", "script"]
const PATH = ["path", "file_path", "filePath", "file", "filename"]

/** A word for the heading of a call, and its lines. */
export interface ToolCallArguments {
  readonly label: string
  readonly lines: (columns: number) => readonly Line[]
}

/** Lines that show some of the arguments, and the names of these. */
interface Picture {
  readonly keys: readonly string[]
  readonly lines: (columns: number) => readonly Line[]
}

/** The arguments of a call as text: its path, as a word for the heading, and all others as the screen names them. */
export function toolCallText(input: string): { readonly label: string; readonly text: string } {
  const args = parsed(input)
  if (args === null) return { label: "", text: input }
  const heading = headingIn(args)
  const command = stringIn(args, COMMAND)
  const lone = command === null ? loneText(args, heading) : null
  const rest = without(
    args,
    [heading, command].flatMap(one => one?.key ?? []),
  )
  const texts = Object.entries(rest).map(([key, value]) => {
    if (typeof value !== "string" || !value.includes("\n")) return argumentText(key, value)
    return `${sanitizeLine(key)}:\n${sanitizedText(value).replace(/^/gm, "  ")}`
  })
  const shown = command === null ? texts : [`$ ${sanitizedText(command.text).replaceAll("\n", "\n  ")}`, ...texts]
  return { label: sanitizeLine(heading?.text ?? ""), text: lone ?? shown.join("\n") }
}

/** `input` is JSON as the agent printed it; anything else is shown as it is. The lines leave no argument out. */
export function toolCallArguments(input: string): ToolCallArguments {
  const args = parsed(input)
  if (args === null) return { label: "", lines: columns => codeLines(input, columns) }
  const heading = headingIn(args)
  const picture = editsPicture(args) ?? textPicture(args) ?? lonePicture(args, heading)
  const rest = without(args, [...(picture?.keys ?? []), ...(heading === null ? [] : [heading.key])])
  return {
    label: sanitizeLine(heading?.text ?? ""),
    lines: columns => [...(picture?.lines(columns) ?? []), ...argumentLines(rest, columns)],
  }
}

/** The path of a call, else its description unless it has a command; null if that has several lines. */
function headingIn(args: JsonObject): ReturnType<typeof stringIn> {
  const told = stringIn(args, PATH) ?? (stringIn(args, COMMAND) === null ? stringIn(args, ["description"]) : null)
  return told === null || told.text.includes("\n") ? null : told
}

/** Arguments as `name: value`, a text of several lines below its name. */
function argumentLines(args: JsonObject, columns: number): readonly Line[] {
  return Object.entries(args).flatMap(([key, value]) => {
    if (typeof value === "string" && value.includes("\n")) {
      const text = codeLines(sanitizedText(value), columns - 2)
      return [...codeLines(`${sanitizeLine(key)}:`, columns), ...text.map(({ spans }) => line(span("  "), ...spans))]
    }
    return codeLines(argumentText(key, value, columns), columns)
  })
}

/** A value that is no text of several lines as `name: value`; JSON that is wider than `columns` is indented. */
function argumentText(key: string, value: Json, columns = TEXT_COLUMNS): string {
  const name = sanitizeLine(key)
  const isText = typeof value === "string" && value.trim() === value && !READS_AS_JSON.test(value)
  const whole = `${name}: ${isText ? sanitizedText(value) : stringifySafe(value)}`
  const isLong = (isObject(value) || isList(value)) && textWidth(whole) > columns
  return isLong ? `${name}: ${stringifySafe(value, 2)}` : whole
}

/** A text that could be taken for another value, or for none. */
const READS_AS_JSON = /^(?:|-?\d+(?:\.\d+)?|true|false|null|["[{].*)$/

/** A command behind a `$`, unless it goes on from a line before. */
export function commandLines(command: string, columns: number, isFirst = true): readonly Line[] {
  return codeLines(command, columns - 2).map(({ spans }, i) =>
    line(span(isFirst && i === 0 ? "$ " : "  ", "accent"), ...spans),
  )
}

/** A patch, removed and added lines in their colours. */
export function patchLines(patch: string, columns: number): readonly Line[] {
  return patch.split("\n").flatMap(text => wrap(text, columns).map(part => line(span(part, patchToken(text)))))
}

/** One edit, or a list of edits with their other fields. */
function editsPicture(args: JsonObject): Picture | null {
  const edits: Json = args.edits ?? null
  if (!isList(edits) || !edits.some(one => isObject(one) && editIn(one) !== null)) {
    const edit = editIn(args)
    return edit === null ? null : { keys: edit.keys, lines: columns => editLines(edit, columns) }
  }
  const listed = (one: Json, columns: number) => {
    const edit = isObject(one) ? editIn(one) : null
    if (!isObject(one)) return codeLines(stringifySafe(one), columns)
    if (edit === null) return argumentLines(one, columns)
    return [...argumentLines(without(one, edit.keys), columns), ...editLines(edit, columns)]
  }
  return { keys: ["edits"], lines: columns => edits.flatMap(one => listed(one, columns)) }
}

function editIn(args: JsonObject) {
  const [before, after] = [stringIn(args, BEFORE), stringIn(args, AFTER)]
  if (before === null || after === null) return null
  return { keys: [before.key, after.key], before: sanitizedText(before.text), after: sanitizedText(after.text) }
}

/** A patch, the contents of a file, or a command. Only a call with a path writes a file. */
function textPicture(args: JsonObject): Picture | null {
  const content = stringIn(args, PATH) && stringIn(args, CONTENT)
  const found = stringIn(args, PATCH) ?? content ?? stringIn(args, COMMAND)
  if (found === null) return null
  const { key, text } = found
  const draw = PATCH.includes(key) ? patchLines : COMMAND.includes(key) ? commandLines : codeLines
  return { keys: [key], lines: columns => draw(sanitizedText(text), columns) }
}

/** The one argument of a call, a text without its name, unless the heading has it. */
function lonePicture(args: JsonObject, heading: object | null): Picture | null {
  const text = loneText(args, heading)
  return text === null ? null : { keys: Object.keys(args), lines: columns => codeLines(text, columns) }
}

function loneText(args: JsonObject, heading: object | null): string | null {
  const [text, ...others] = Object.values(args)
  return typeof text === "string" && others.length === 0 && heading === null ? sanitizedText(text) : null
}

function editLines({ before, after }: NonNullable<ReturnType<typeof editIn>>, columns: number): readonly Line[] {
  const all = (text: string, sign: string) => text.split("\n").map(one => `${sign}${one}`)
  if (before === after) return patchLines(all(before, " ").join("\n"), columns)
  const whole = { context: Number.POSITIVE_INFINITY, maxEditLength: MOST_EDITS }
  const hunk = structuredPatch("", "", before, after, "", "", whole)?.hunks[0]
  const lines = hunk?.lines.filter(one => !one.startsWith("\\")) ?? [...all(before, "-"), ...all(after, "+")]
  return patchLines(lines.join("\n"), columns)
}

/** The first of `keys` whose value is a string. */
function stringIn(args: JsonObject, keys: readonly string[]): { readonly key: string; readonly text: string } | null {
  for (const key of keys) {
    const text = args[key]
    if (typeof text === "string") return { key, text }
  }
  return null
}

function without(args: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([key]) => !keys.includes(key)))
}

function parsed(input: string): JsonObject | null {
  const value = parseJson(input)
  return isObject(value) ? value : null
}
