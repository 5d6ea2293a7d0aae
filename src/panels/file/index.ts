import { isList, isObject, parseJson } from "../../../packages/wire/src/json.ts"
import { derived } from "../../run/model/derived.ts"
import { jsonLines } from "../../run/select/json-lines.ts"
import { codeLines, patchToken } from "../../ui/highlight-code.ts"
import { line, span } from "../../ui/line.ts"
import { NO_DIRECTORY } from "../../ui/link-words.ts"
import { markdownLines } from "../../ui/markdown/render-markdown.ts"
import type { OpenFile } from "../../view/directory-files.ts"
import type { OverlayOf } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import { pageOverlay } from "../common/pager/page.ts"
import { jsonText, linesText, type Pager, type PageText, plainText } from "../common/pager/pager-text.ts"
import type { Panel, Place } from "../common/panel.ts"

export const filePanel = { overlays: { file: pageOverlay(filePage) } } satisfies Panel

/** UTF-16 units of the longest file that is rendered; a longer one is shown as it stands. */
const MOST_UNITS = 262_144

const MARKDOWN = /\.(?:md|markdown)$/i
const JSON_VALUE = /\.(?:json|edn)$/i
const PATCH = /\.(?:diff|patch)$/i
const LOG = /\.log$/i
const CODE =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kts?|c|cc|cpp|h|hpp|cs|swift|php|sh|bash|zsh|fish|sql|clj[cs]?|css|scss|html?|xml|ya?ml|toml|ini|lua|r|scala|exs?|erl|hs|ml|zig|vue|svelte|dart|pl|json|jsonl|edn)$|(?:^|\/)(?:Dockerfile|Makefile)$/i

/** A file that was opened is one value, and laid out once for a width. */
const texts = derived<PageText>()

function filePage({ files, directory }: State, { name, asIs = false }: OverlayOf<"file">, { columns }: Place): Pager {
  const { open } = files
  if (open === null || open.name !== name) {
    const words = directory === null ? NO_DIRECTORY : "Reading…"
    return { title: "FILE", text: linesText([line(span(directory?.error ?? words, "dim"))]) }
  }
  const title = `FILE  ${open.title}${open.isCut ? " (first part)" : ""}`
  return { title, text: texts([open, columns, asIs], () => (asIs ? sourceText(open) : fileText(open, columns))) }
}

function fileText(file: OpenFile, columns: number): PageText {
  const { name, text } = file
  if (text === null || text === "" || text.length > MOST_UNITS) return sourceText(file)
  if (MARKDOWN.test(name)) return linesText(markdownLines(text, columns, "normal"))
  // A number that parsing would round stands as it is.
  const value = JSON_VALUE.test(name) && !/\d{16}/.test(text) ? parseJson(text) : null
  return isObject(value) || isList(value) ? jsonText([], jsonLines(value)) : sourceText(file)
}

/** Each line gets its colours when it is shown, so that a long file costs no more than a short one. */
function sourceText({ name, text, why }: OpenFile): PageText {
  if (text === "") return linesText([line(span("Empty file", "dim"))])
  if (text === null) return linesText([line(span(why ?? "Can't read this file", "warn"))])
  const plain = plainText(text)
  if (PATCH.test(name)) return { ...plain, line: at => line(span(plain.plain(at), patchToken(plain.plain(at)))) }
  if (LOG.test(name)) return { ...plain, line: at => line(span(plain.plain(at), levelOf(plain.plain(at)))) }
  if (!CODE.test(name)) return plain
  return { ...plain, line: at => codeLines(plain.plain(at), Number.POSITIVE_INFINITY)[0] ?? plain.line(at) }
}

function levelOf(text: string): "error" | "warn" | "normal" {
  if (/\b(?:ERROR|FATAL|Exception)\b/.test(text)) return "error"
  return /\bWARN(?:ING)?\b/.test(text) ? "warn" : "normal"
}
