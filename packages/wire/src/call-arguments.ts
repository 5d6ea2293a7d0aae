// Says on one line what a tool call is about: its command or path, else its first argument.
import { sanitizeLine } from "./sanitize.ts"

/** UTF-16 units of the arguments that are looked at: they may be a whole file. */
const LOOKED_AT = 400
/** UTF-16 units that are told. */
const TOLD = 160
const TELLING = /"(?:command|cmd|script|path|file_path|filePath|file|filename)"\s*:\s*("(?:[^"\\]|\\.)*)/s
const FIRST = /^\s*\{\s*"(?<name>(?:[^"\\]|\\.)*)"\s*:\s*(?<value>"(?:[^"\\]|\\.)*|\[[^\]]*\]?|[^,}]*)/s

/**
 * The command or path of a call, else its first argument, with its name if it isn't a text. `input` is JSON, which may
 * be cut, or any other text.
 */
export function callEssence(input: string): string {
  const text = input.slice(0, LOOKED_AT)
  if (/^\s*(?:\{\s*\}|null)?\s*$/.test(text)) return ""
  const { name = "", value = text } = FIRST.exec(text)?.groups ?? {}
  const told = TELLING.exec(text)?.[1] ?? (value.startsWith('"') || name === "" ? value : `${name}: ${value}`)
  const plain = told
    .replace(/^"/, "")
    .replace(/\\[nrt]/g, " ")
    .replace(/\\(["\\/])/g, "$1")
  const line = sanitizeLine(plain.toWellFormed()).replace(/\s+/g, " ").trim()
  return line.length <= TOLD ? line : `${line.slice(0, TOLD).toWellFormed()}…`
}
