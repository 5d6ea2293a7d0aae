// Writes a document as one HTML file without scripts or external resources, in light or dark colors.

import { sanitize, sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { counted } from "../ui/text-width.ts"
import { type Document, type ExportedQuestion, type LogLine, QUESTIONS } from "./document.ts"
import { LEDGER_STYLE, ledgerHtml } from "./ledger-table.ts"
import type { ExportedPassage, Fact, Section } from "./section.ts"
import { escaped, SVG_STYLE, svg } from "./waterfall-figure.ts"

const POLICY = "default-src 'none'; style-src 'unsafe-inline'"

const STYLE = `
:root { color-scheme: light dark; --ink: #1c2024; --dim: #60646c; --line: #d9d9e0; --page: #fcfcfd; --box: #f0f0f3; --accent: #0b68cb; --bad: #c62a2f; --warn: #915930 }
@media (prefers-color-scheme: dark) { :root { --ink: #edeef0; --dim: #b0b4ba; --line: #363a3f; --page: #111113; --box: #1d1e21; --accent: #70b8ff; --bad: #ff9592; --warn: #ffca16 } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 66rem; padding: 2rem 1.25rem 6rem; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, sans-serif }
h1 { font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere }
h2 { margin: 3rem 0 .5rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 1.2rem; overflow-wrap: anywhere }
h3 { margin: 2rem 0 .5rem; color: var(--dim); font-size: 1rem }
dl { display: grid; grid-template-columns: fit-content(40%) 1fr; gap: .15rem 1rem; margin: 0 }
dt { color: var(--dim) }
dd { margin: 0; overflow-wrap: anywhere }
a { color: var(--accent) }
:is(h2, h3) a { color: inherit; text-decoration: none }
section.said { margin: 1rem 0 }
section.said > p, summary { margin: 0; color: var(--dim); font-size: .85rem; font-weight: 600 }
.text { white-space: pre-wrap; overflow-wrap: anywhere }
pre { max-height: 32rem; margin: .25rem 0; padding: .75rem 1rem; overflow: auto; background: var(--box); border-radius: 6px; font: 13px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere }
table { border-collapse: collapse; font: 13px/1.5 ui-monospace, monospace }
th, td { padding: .1rem 1rem .1rem 0; vertical-align: top; text-align: left; overflow-wrap: anywhere }
.log td:nth-child(2) { min-width: 7rem; overflow-wrap: break-word }
td:first-child { color: var(--dim); white-space: nowrap }
.prose { overflow-wrap: anywhere }
.prose p, .prose li { white-space: pre-line }
.prose :is(h4, h5, h6) { margin: 1.25rem 0 .5rem; font-size: 1rem }
.prose :is(p, ul, ol, blockquote, table) { margin: .5rem 0 }
.prose blockquote { padding-left: 1rem; border-left: 3px solid var(--line); color: var(--dim) }
.prose code { padding: .1em .3em; background: var(--box); border-radius: 4px; font: .85em ui-monospace, monospace }
.prose table { display: block; overflow-x: auto; font: inherit }
.prose :is(th, td) { padding: .25rem .75rem; border: 1px solid var(--line); color: inherit; white-space: normal }
.right { text-align: right }
.center { text-align: center }
.thinking .prose, .system .prose { color: var(--dim) }
.user > p, .tool-call > p { color: var(--accent) }
.error > p, .error .text, .bad { color: var(--bad) }
.warning { color: var(--warn) }
.here { background: var(--box); outline: 1px solid var(--accent) }
@media (max-width: 40rem) { .log td { display: inline-block } .log td:nth-child(2) { min-width: 0 } .log td:nth-child(3) { display: block; padding-bottom: .5rem } }
@media print { body { max-width: none } pre { max-height: none } h2 { break-after: avoid } }
`

/** The file in pieces. One turn at a time is read and held in memory. */
export async function* html(document: Document): AsyncGenerator<string> {
  const { title, sessions, questions, log } = document
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${STYLE}${SVG_STYLE}${LEDGER_STYLE}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
${factList(document.facts)}`
  if (document.waterfall !== null) yield* svg(document.waterfall)
  // A page about a moment has one session, whose texts come first.
  const isMoment = document.waterfall?.mark != null || log.isOpen
  if (!isMoment) yield* ledgerHtml(document.ledger, false)
  if (sessions.length > 1) {
    yield "<h2>Sessions</h2>\n<ol>\n"
    for (const { title, anchor } of sessions) yield `<li>${link(title ?? "", anchor)}</li>\n`
    yield "</ol>\n"
  }
  for (const section of sessions) yield* sectionOf(section)
  if (isMoment) yield* ledgerHtml(document.ledger, true)
  if (questions.length > 0) yield heading("h2", QUESTIONS, "Questions")
  for (const question of questions) yield questionOf(question)
  if (log.rows > 0) {
    yield `<h2>Log</h2>\n<details${log.isOpen ? " open" : ""}>\n`
    yield `<summary>${counted(log.rows, "row")}</summary>\n<table class="log">\n`
    for (const piece of log.pieces()) yield piece.map(logRow).join("")
    yield "</table>\n</details>\n"
  }
  yield "</body>\n</html>\n"
}

function factList(facts: readonly Fact[]): string {
  if (facts.length === 0) return ""
  const shown = (fact: Fact): string => (fact.link == null ? escaped(fact.value) : link(fact.value, fact.link))
  return `<dl>\n${facts.map(fact => `<dt>${escaped(fact.name)}</dt><dd>${shown(fact)}</dd>\n`).join("")}</dl>\n`
}

function link(text: string, anchor: string): string {
  return `<a href="#${anchor}">${escaped(text)}</a>`
}

/** The words of a heading, which links to itself, so that its address can be copied. */
function heading(level: "h2" | "h3", anchor: string, text: string): string {
  return `<${level} id="${anchor}">${link(text, anchor)}</${level}>\n`
}

async function* sectionOf({ anchor, title, facts, numbered, turns }: Section): AsyncGenerator<string> {
  if (title !== null) yield heading("h2", anchor, title) + factList(facts)
  for (const { anchor, turn, facts, blocks } of turns()) {
    if (numbered) yield heading("h3", anchor, [`Turn ${turn}`, ...facts].join(" · "))
    for (const block of await blocks()) yield passageOf(block)
  }
}

function passageOf({ type, label, text, isError, note }: ExportedPassage): string {
  const head = escaped(label) + (note === null ? "" : ` <i>(${escaped(note)})</i>`)
  const folded = type === "thinking" || type === "system"
  const isProse = folded || type === "text" || type === "user"
  const block = text === "" ? "" : `<pre>${escaped(text)}</pre>`
  const body = isProse ? proseOf(text) : type === "error" ? textOf(text) : block
  if (folded) {
    return `<section class="said ${type}"><details><summary>${head}</summary>${body}</details></section>\n`
  }
  return `<section class="said ${isError ? "error" : type}"><p>${head}</p>${body}</section>\n`
}

function proseOf(text: string): string {
  return `<div class="prose">${markdownHtml(text)}</div>`
}

function textOf(text: string): string {
  return `<div class="text">${escaped(text)}</div>`
}

function questionOf({ who, text, options, answer }: ExportedQuestion): string {
  const list = options.map(option => `<li>${escaped(option)}</li>`).join("")
  const choices = list === "" ? "" : `<ul>${list}</ul>`
  const asked = `<p>${escaped(who)}</p>${proseOf(text)}${choices}`
  return `<section class="said user">${asked}<p>Answer</p>${textOf(answer)}</section>\n`
}

function logRow({ time, level, link: anchor, source, text, isHere }: LogLine): string {
  const names = [...(level === "info" ? [] : [level === "error" ? "bad" : "warning"]), ...(isHere ? ["here"] : [])]
  const attribute = names.length === 0 ? "" : ` class="${names.join(" ")}"`
  return `<tr${attribute}><td>${anchor === null ? escaped(time) : link(time, anchor)}</td><td>${escaped(source)}</td><td>${escaped(text)}</td></tr>\n`
}

/** A reply's headings rank below those of a session and of a turn. */
const FIRST_HEADING = 4

/** Quotes and lists that begin on one line are nested this deep at most: each level copies what it holds. */
const TOO_DEEP = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){65}/m

/** Entities may spell any character, so text is sanitized once they are decoded. */
const CALLBACKS: NonNullable<Parameters<typeof Bun.markdown.render>[1]> = {
  text: text => escaped(sanitize(text)),
  html: text => escaped(sanitize(text)),
  heading: (inner, { level }) => block(`h${Math.min(6, level + FIRST_HEADING - 1)}`, inner),
  paragraph: inner => block("p", inner),
  blockquote: inner => block("blockquote", inner),
  code: inner => block("pre", inner),
  list: (inner, { ordered, start }) =>
    ordered ? `<ol start="${Number(start ?? 1)}">${inner}</ol>\n` : block("ul", inner),
  listItem: (inner, { checked }) => block("li", checked === undefined ? inner : `${checked ? "☑" : "☐"} ${inner}`),
  hr: () => "<hr>\n",
  table: inner => block("table", inner),
  thead: inner => inner,
  tbody: inner => inner,
  tr: inner => block("tr", inner),
  th: (inner, meta) => cell("th", inner, meta?.align),
  td: (inner, meta) => cell("td", inner, meta?.align),
  strong: inner => `<strong>${inner}</strong>`,
  emphasis: inner => `<em>${inner}</em>`,
  strikethrough: inner => `<del>${inner}</del>`,
  codespan: inner => `<code>${inner}</code>`,
  link: (inner, { href }) =>
    /^https?:\/\//i.test(href) ? `<a rel="noreferrer" href="${shown(href)}">${inner}</a>` : withAddress(inner, href),
  image: (inner, { src }) => withAddress(inner, src),
}

/** A text in Markdown as HTML. It may be any text, and may be shown. Links lead to the web alone. */
export function markdownHtml(text: string): string {
  if (TOO_DEEP.test(text)) return block("p", escaped(text))
  return Bun.markdown.render(text, CALLBACKS, { noHtmlBlocks: true, noHtmlSpans: true })
}

function block(tag: string, inner: string): string {
  return `<${tag}>${inner}</${tag}>\n`
}

function cell(tag: "th" | "td", inner: string, align: string | undefined): string {
  return align === "right" || align === "center"
    ? `<${tag} class="${align}">${inner}</${tag}>`
    : `<${tag}>${inner}</${tag}>`
}

/** A link that can't be followed, or a picture that must not be fetched: its words and its target. */
function withAddress(inner: string, address: string): string {
  return `${inner} (${shown(address)})`
}

function shown(address: string): string {
  return escaped(sanitizeLine(address))
}
