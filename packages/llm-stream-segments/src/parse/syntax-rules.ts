// Builds a parser's rules: its syntaxes and tags, their first characters, and the beginnings of JSON calls.
import { normalizePatterns } from "./json-body.ts"
import { CODE_MARKS } from "./markdown-code.ts"
import { asciiLower } from "./marker.ts"
import type { Rules, Syntax } from "./parser-state.ts"
import { SENTINEL_START } from "./sentinel.ts"
import type { StringFormat, TagFormat, TagFormats } from "./tag-formats.ts"
import { OPENING_TAGS } from "./xml-tags.ts"

export type { ParserName } from "./parser-state.ts"

/** The beginnings of JSON calls if the provider is unknown. */
export const DEFAULT_PATTERNS: readonly string[] = [
  ...['{"tool"', '{"tool_calls"', '{"tools"', '{"function"', '{"name"'],
  ...['[{"tool"', '[{"function"', '[{"name"'],
]

/** What a parser can be told to look for. */
export interface RuleOptions {
  /** The syntaxes by precedence. */
  readonly order: readonly Syntax[]
  /** False ignores `<tool>`, JSON calls, and the caller's tags for calls. */
  readonly tools: boolean
  readonly patterns: readonly string[]
  readonly prefix: string
  readonly tags: TagFormats
  readonly safe: boolean
  readonly endCloses?: boolean | undefined
  /** The reasoning tag that is open before the first character. */
  readonly startIn?: string | undefined
}

/** The rules that these options stand for. Throws if a tag's name cannot be one, or there is no such format. */
export function rulesFor(options: RuleOptions): Rules {
  const { order, tools, patterns, prefix, tags, safe, endCloses = false } = options
  const startIn = openingOf(options.startIn, tags)
  const own = Object.entries(tags).flatMap(([name, format]) =>
    isString(format) ? [] : [[tagName(name), checked(format)] as const],
  )
  const used = own.filter(([, format]) => tools || format === "reasoning" || format === "wrapper")
  const formats = stringFormats(tags, tools)
  const builtIn = order.includes("xml") ? OPENING_TAGS.filter(name => tools || name !== "tool") : []
  const hasNamed = used.some(([, format]) => isNamed(format))
  const tagFormats = used.flatMap(([name, format]) =>
    // A tag around JSON may hold tags as well, and one around tags JSON.
    openings(name, format === "json" && hasNamed ? "wrapper" : format).map(
      ([word, read]) => [word, read === "wrapper" && !tools ? "hidden" : read] as const,
    ),
  )
  const tagNames = [...new Set([...builtIn, ...tagFormats.map(([word]) => word)])].sort()
  const opens = Object.keys(formats).sort()
  const first: readonly Syntax[] = opens.length > 0 ? ["format"] : []
  const syntaxes = [...new Set<Syntax>([...first, ...order, ...(tagNames.length > 0 ? ["xml" as const] : [])])].filter(
    syntax => tools || syntax !== "json",
  )
  const squeezed = normalizePatterns(patterns)
  const beginnings = syntaxes.flatMap(syntax => {
    if (syntax === "format") return opens
    if (syntax === "xml") return tagNames.map(name => `<${name}`)
    return syntax === "sentinel" ? [SENTINEL_START] : squeezed
  })
  return {
    order: syntaxes,
    marks: [...new Set([...beginnings.map(beginning => beginning.charAt(0)), ...(safe ? CODE_MARKS : [])])],
    seconds: secondsOf(beginnings),
    tagNames,
    tags: Object.fromEntries(tagFormats),
    formats,
    openings: opens,
    safe,
    endCloses,
    startIn,
    patterns: squeezed,
    prefix,
  }
}

/** What opens the reasoning called `name`. Throws if it isn't one of `tags`. */
function openingOf(name: string | undefined, tags: TagFormats): string {
  if (name === undefined) return ""
  const [, format] = Object.entries(tags).find(([tag]) => asciiLower(tag) === asciiLower(name)) ?? []
  if (format === "reasoning") return `<${asciiLower(name)}>`
  if (format !== undefined && isString(format) && format.reads === "reasoning") return [format.open].flat()[0] ?? ""
  throw new Error(`expected startIn to be reasoning among the tags, got ${JSON.stringify(name)}`)
}

function tagName(name: string): string {
  if (/^[^\s<>"'=/]+$/.test(name)) return asciiLower(name)
  throw new Error(`expected a tag name without blanks, quotes and <>=/, got ${JSON.stringify(name)}`)
}

const FORMATS: readonly unknown[] = ["reasoning", "json", "tool", "wrapper", "element"] satisfies TagFormat[]
const READS: readonly unknown[] = [
  "hidden",
  "reasoning",
  "json",
  "arguments",
  "python",
  "gemma",
  "keyed",
] satisfies StringFormat["reads"][]

function isString(format: TagFormat | StringFormat): format is StringFormat {
  return typeof format === "object" && format !== null && "open" in format
}

/** The formats of free strings by their openings. Throws if two can't be told apart, or one can't be read. */
function stringFormats(tags: TagFormats, tools: boolean): Rules["formats"] {
  const found = Object.entries(tags).flatMap(([key, format]) => {
    if (!isString(format)) return []
    const opens = [format.open].flat()
    if (!READS.includes(format.reads) || opens.includes("")) {
      throw new Error(`expected open and one of ${READS.join(", ")} in reads, got ${JSON.stringify(format)}`)
    }
    const isUsed = tools || format.reads === "hidden" || format.reads === "reasoning"
    return isUsed ? opens.map(open => [open, { ...format, key }] as const) : []
  })
  const sorted = found.map(([open]) => open).sort()
  const clash = sorted.find((open, at) => sorted[at + 1]?.startsWith(open))
  if (clash !== undefined) throw new Error(`expected formats that can be told apart, got two that begin with ${clash}`)
  return Object.fromEntries(found)
}

function checked(format: TagFormat): TagFormat {
  if (FORMATS.includes(format) || (typeof format === "object" && typeof format.parameter === "string")) return format
  throw new Error(`expected a tag's format to be one of ${FORMATS.join(", ")}, got ${JSON.stringify(format)}`)
}

function openings(name: string, format: TagFormat): (readonly [word: string, format: TagFormat])[] {
  const more = format === "wrapper" || format === "reasoning" ? [`/${name}`] : isNamed(format) ? [`${name}=`] : []
  return [name, ...more].map(word => [word, format] as const)
}

/** True for a tag that names its call. */
function isNamed(format: TagFormat): boolean {
  return format === "tool" || typeof format === "object"
}

/** The possible second characters, in both cases, because tags match any case. */
function secondsOf(openings: readonly string[]): string | null {
  if (openings.some(opening => opening.length === 1)) return null
  const seconds = openings.map(opening => opening.slice(1).trimStart().charAt(0)).join("")
  return [...new Set(seconds.toLowerCase() + seconds.toUpperCase())].join("")
}
