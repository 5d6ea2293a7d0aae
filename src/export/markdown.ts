// Writes a document as Markdown in which quoted text can't break out of its place.
import { type Document, type ExportedQuestion, type LogLine, type LogPart, QUESTIONS } from "./document.ts"
import type { LedgerTable } from "./ledger-table.ts"
import type { ExportedPassage, Fact, Section } from "./section.ts"

/** The file in pieces. One turn at a time is read and held in memory. */
export async function* markdown(document: Document): AsyncGenerator<string> {
  yield `# ${inline(document.title)}\n\n${factList(document.facts)}`
  yield* ledgerOf(document.ledger)
  if (document.sessions.length > 1) {
    yield "\n## Sessions\n\n"
    for (const { title, anchor } of document.sessions) yield `- ${link(title ?? "", anchor)}\n`
  }
  for (const section of document.sessions) yield* sectionOf(section)
  if (document.questions.length > 0) yield `${target(QUESTIONS)}\n## Questions\n`
  for (const question of document.questions) yield questionOf(question)
  yield* logOf(document.log)
}

function* ledgerOf(tables: readonly LedgerTable[]): Generator<string> {
  if (tables.length > 0) yield "\n## Ledger\n"
  for (const { title, heads, rows, left } of tables) {
    yield `\n**${inline(title)}**\n\n${tableRow(["", ...heads])}${tableRow(["---", ...heads.map(() => "---:")])}`
    for (const { name, cells, isSum } of rows) {
      const all = [name, ...cells].map(cell => inline(cell.trim()))
      yield tableRow(isSum ? all.map(cell => (cell === "" ? "" : `**${cell}**`)) : all)
    }
    if (left !== null) yield `\n${inline(left)}\n`
  }
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`
}

function* logOf({ rows, pieces }: LogPart): Generator<string> {
  if (rows === 0) return
  let longest = 2
  for (const piece of pieces()) {
    for (const one of piece) longest = Math.max(longest, longestTicks(logLine(one)))
    // Whoever writes the text may give the event loop a turn.
    yield ""
  }
  const fence = "`".repeat(longest + 1)
  yield `\n## Log\n\n${fence}text\n`
  for (const piece of pieces()) yield piece.map(one => `${logLine(one)}\n`).join("")
  yield `${fence}\n`
}

function logLine({ time, level, source, text }: LogLine): string {
  const mark = level === "info" ? "" : `${level}  `
  return `${time}  ${mark}${source}  ${text}`.replaceAll("\n", " ").trim()
}

function factList(facts: readonly Fact[]): string {
  return facts
    .map(fact => `- ${fact.name}: ${fact.link == null ? inline(fact.value) : link(fact.value, fact.link)}\n`)
    .join("")
}

function link(text: string, anchor: string): string {
  return `[${inline(text)}](#${anchor})`
}

/** A line that a link leads to; headings alone have other anchors in each viewer. */
function target(anchor: string): string {
  return `\n<a id="${anchor}"></a>\n`
}

async function* sectionOf({ anchor, title, facts, numbered, turns }: Section): AsyncGenerator<string> {
  if (title !== null) yield `${target(anchor)}\n## ${inline(title)}\n\n${factList(facts)}`
  for (const { anchor, turn, facts, blocks } of turns()) {
    if (numbered) yield `${target(anchor)}\n### ${[`Turn ${turn}`, ...facts].map(inline).join(" · ")}\n`
    for (const block of await blocks()) yield `\n**${inline(block.label)}**${noteOf(block)}\n\n${passageOf(block)}`
  }
}

function noteOf({ note }: ExportedPassage): string {
  return note === null ? "" : ` (${inline(note)})`
}

function passageOf({ type, text }: ExportedPassage): string {
  switch (type) {
    case "text":
    case "thinking":
    case "user":
    case "system":
      return quoted(prose(text))
    case "tool-call":
      return text === "" ? "" : fenced(text, text.startsWith("{") ? "json" : "text")
    default:
      return fenced(text, "text")
  }
}

function questionOf({ who, text, options, answer }: ExportedQuestion): string {
  const list = options.map(option => `- ${inline(option)}\n`).join("")
  const choices = list === "" ? "" : `\n${list}`
  return `\n**${inline(who)}**\n\n${quoted(prose(text))}${choices}\nAnswer:\n\n${quoted(prose(answer))}`
}

/** Escapes text so that it is one line without Markdown. */
export function inline(text: string): string {
  return text.replace(/[\n\t]+/g, " ").replace(/[\\`*_{}[\]<>()#+!|~&$]/g, "\\$&")
}

/** The text in a fence that nothing in it closes. */
export function fenced(text: string, language: string): string {
  const fence = "`".repeat(longestTicks(text) + 1)
  return `${fence}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}\n`
}

/** Length of the longest run of backticks, at least 2. */
function longestTicks(text: string): number {
  return (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
}

/** Quotes text; the quote ends every block inside it, even an open one. */
function quoted(text: string): string {
  return `${text
    .replace(/\n+$/, "")
    .split("\n")
    .map(line => (line === "" ? ">" : `> ${line}`))
    .join("\n")}\n`
}

const FENCE = /^ {0,3}(?:(`{3,})([^`]*)|(~{3,})(.*))$/

/** A model's Markdown, safe to embed: code gets our own fences, tags become text, and images are not fetched. */
export function prose(text: string): string {
  const out: string[] = []
  let code: string[] | null = null
  let fence = ""
  let language = ""
  const end = (lines: readonly string[]) => out.push(fenced(lines.join("\n"), language).replace(/\n$/, ""))
  const lines = text.split("\n")
  for (const [i, line] of lines.entries()) {
    const [, ticks, ticksInfo, tildes, tildesInfo] = FENCE.exec(line) ?? []
    const mark = ticks ?? tildes ?? ""
    const info = (ticksInfo ?? tildesInfo ?? "").trim()
    if (code === null && mark === "") out.push(ranked(harmless(line)) + (goesOn(line, lines[i + 1]) ? "  " : ""))
    else if (code === null) {
      code = []
      fence = mark
      language = /^[\w+#.-]{1,30}/.exec(info)?.[0] ?? ""
    } else if (mark.startsWith(fence) && info === "") {
      end(code)
      code = null
    } else code.push(line)
  }
  if (code !== null) end(code)
  return out.join("\n")
}

const HEADING = /^((?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t]))* {0,3})(#{1,6})(?=[ \t]|$)/

/** A heading below those of sessions and turns; lines that would make one of the text above them are rules or text. */
function ranked(line: string): string {
  if (/^ {0,3}-{3,}[ \t]*$/.test(line)) return "***"
  if (/^ {0,3}(?:=+|-{1,2})[ \t]*$/.test(line)) return `\\${line.trim()}`
  return line.replace(HEADING, (_, before, signs) => before + "#".repeat(Math.min(6, signs.length + 3)))
}

/** Line breaks within a paragraph are kept with two trailing spaces. */
function goesOn(line: string, next: string | undefined): boolean {
  return line.trim() !== "" && next !== undefined && next.trim() !== "" && !FENCE.test(next)
}

/**
 * Escapes tags, images and links to anything but http and https, in inline code too, because readers disagree on where
 * that begins and ends. The destination of a link, or of a reference's definition, may stand on the next line.
 */
function harmless(line: string): string {
  return line
    .replace(/<(?=[A-Za-z/!?])/g, "&lt;")
    .replaceAll("![", "!\\[")
    .replace(/(\\*)\](?=\([ \t]*(?!https?:\/\/)|:[ \t]*(?!https?:\/\/))/gi, (mark, slashes: string) =>
      slashes.length % 2 === 0 ? `${slashes}\\]` : mark,
    )
}
