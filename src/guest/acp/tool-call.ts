// Adds up the updates of one tool call in the Agent Client Protocol.
import { isObject, type Json, type JsonObject, parseJson, printJson } from "../../../packages/wire/src/json.ts"
import { countOf, given, listOf, objectOf, partsText, textOf } from "../common/fields.ts"

/** UTF-16 units of a result that came in pieces. */
const MAX_OUTPUT = 1024 * 1024
/** UTF-16 units of a result that is neither text nor content. */
const MAX_JSON = 4000

export class ToolCall {
  /** True once its call is written, with the input that was known then. */
  isTold = false
  #name = ""
  #title = ""
  #kind = ""
  #input: JsonObject = {}
  #content: readonly Json[] = []
  #locations: readonly Json[] = []
  #rawOutput: Json | undefined
  #output = ""
  #exitCode: number | null = null
  /** The text that its arguments were read from. */
  #inputText = ""
  status = ""

  constructor(readonly id: string) {}

  /** Takes a `tool_call`, an update of it or a permission request. An absent field keeps its value. */
  add({ name, title, kind, status, rawInput, rawOutput, content, locations, _meta }: JsonObject, asks: boolean): void {
    const meta = objectOf(_meta)
    this.#name = textOf(name) || textOf(objectOf(meta.claudeCode).toolName) || this.#name
    // The first title of some agents is the tool's name.
    if (this.#name === "" && this.#title === "" && /^[\w-]+$/.test(textOf(title))) this.#name = textOf(title)
    this.#title = textOf(title) || this.#title
    this.#kind = textOf(kind) || this.#kind
    this.status = textOf(status) || this.status
    if (isObject(rawInput) && Object.keys(rawInput).length > 0) this.#input = rawInput
    if (rawOutput !== undefined && rawOutput !== null) this.#rawOutput = rawOutput
    // A permission carries the tool's input, of which only an edit is shown.
    const told = listOf(content).filter(one => !asks || objectOf(one).type === "diff")
    if (told.length > 0) this.#content = told
    if (listOf(locations).length > 0) this.#locations = listOf(locations)
    const piece = textOf(objectOf(meta.terminal_output_delta).data) || textOf(objectOf(meta.terminal_output).data)
    this.#output = (this.#output + piece).slice(-MAX_OUTPUT)
    this.#exitCode =
      exitIn(objectOf(meta.terminal_exit).exit_code) ??
      exitIn(objectOf(rawOutput).exit_code) ??
      exitIn(objectOf(objectOf(rawOutput).metadata).exit) ??
      this.#exitCode
  }

  get name(): string {
    return this.#name || this.#kind || "tool"
  }

  get title(): string {
    return this.#title || this.name
  }

  get isOver(): boolean {
    return this.status === "completed" || this.status === "failed"
  }

  /** True once its input is whole, as far as we can tell. */
  get hasBegun(): boolean {
    return this.status === "in_progress" && Object.keys(this.#input).length > 0
  }

  /** Its arguments: those that the agent sent, also as text, else its edits, else its title and path. */
  get input(): JsonObject {
    if (Object.keys(this.#input).length > 0) return this.#input
    // Kimi streams them as text, and asks before it sends them.
    const streamed = this.isOver ? undefined : parseJson(this.#contentText)
    if (isObject(streamed)) return streamed
    const edits = this.#diffs.map(editOf)
    if (edits.length > 1) return { edits }
    return edits[0] ?? given({ title: this.#title, path: this.#locations.map(objectOf).map(placeOf).join(", ") })
  }

  /** Its call is written, with the input that this returns. */
  tell(): JsonObject {
    this.isTold = true
    const { input } = this
    const isStreamed = !this.isOver && Object.keys(this.#input).length === 0 && isObject(parseJson(this.#contentText))
    if (isStreamed) this.#inputText = this.#contentText
    return input
  }

  get failed(): boolean {
    return this.status === "failed" || (this.#exitCode ?? 0) !== 0
  }

  get result(): string {
    const raw = this.#rawOutput
    const { output, formatted_output, stdout } = objectOf(raw)
    const told = textOf(raw) || textOf(output) || textOf(formatted_output) || textOf(stdout)
    const text = this.#contentText === this.#inputText ? "" : this.#contentText
    const said = this.#output || told || text || (this.#isBare ? "" : printJson(raw ?? "", MAX_JSON))
    const code = this.#exitCode ?? 0
    return code === 0 ? said : `exit ${code}\n${said}`
  }

  get #isBare(): boolean {
    const raw = this.#rawOutput
    if (raw === undefined || raw === "") return true
    return isObject(raw) && Object.keys(raw).every(key => key === "exit_code" || key === "metadata")
  }

  get #diffs(): readonly JsonObject[] {
    return this.#content.map(objectOf).filter(({ type }) => type === "diff")
  }

  /** The text of its content, else the files that it changed. */
  get #contentText(): string {
    const parts = this.#content.map(objectOf).filter(({ type }) => type === "content")
    const text = partsText(parts.map(({ content }) => objectOf(content)))
    const paths = this.#diffs.map(({ path }) => textOf(path)).filter(Boolean)
    const isChanged = this.isOver && !this.failed && this.#isBare && paths.length > 0
    return text || (isChanged ? `changed ${paths.join(", ")}` : "")
  }
}

/** An edit, as the arguments of the tools that make one; a new file had no text. */
function editOf({ path, oldText, newText }: JsonObject): JsonObject {
  return { file_path: textOf(path), old_string: textOf(oldText), new_string: textOf(newText) }
}

function placeOf({ path, line }: JsonObject): string {
  return countOf(line) === null ? textOf(path) : `${textOf(path)}:${line}`
}

function exitIn(code: Json | undefined): number | null {
  return typeof code === "number" && Number.isInteger(code) ? code : null
}
