// Renders a model's Markdown as HTML that is safe to embed: tags of our own, escaped text, and nothing fetched.
import { sanitize, sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { escaped } from "./waterfall-figure.ts"

/** A reply's headings rank below those of a session and of a turn. */
const FIRST_HEADING = 4

/** Quotes and lists that begin on one line are nested this deep at most: each level copies what it holds. */
const TOO_DEEP = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){65}/m

type Callbacks = NonNullable<Parameters<typeof Bun.markdown.render>[1]>

/** Entities may spell any character, so text is sanitized once they are decoded. */
const CALLBACKS: Callbacks = {
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
    isWeb(href) ? `<a rel="noreferrer" href="${shown(href)}">${inner}</a>` : withAddress(inner, href),
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

function isWeb(address: string): boolean {
  return /^https?:\/\//i.test(address)
}

/** A link that can't be followed, or a picture that must not be fetched: its words and its target. */
function withAddress(inner: string, address: string): string {
  return `${inner} (${shown(address)})`
}

function shown(address: string): string {
  return escaped(sanitizeLine(address))
}
