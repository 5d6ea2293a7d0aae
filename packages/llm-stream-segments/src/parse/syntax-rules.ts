// Builds a parser's rules: its syntaxes and tags, their first characters, and the beginnings of JSON calls.
import type { KitFormat, StringFormat, TagFormat, TagFormats } from "./formats/format.ts"
import { normalizePatterns } from "./json-body.ts"
import { CODE_MARKS } from "./markdown-code.ts"
import { asciiLower } from "./marker.ts"
import type { Rules, StringRule, Syntax, TagRule } from "./rules.ts"
import type { Kit } from "./working-copy.ts"

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
export function rulesFor(options: RuleOptions, kit: Kit): Rules {
  const { order, tools, patterns, prefix, tags, safe, endCloses = false } = options
  const startIn = openingOf(options.startIn, tags)
  const own = Object.entries(tags).flatMap(([name, format]) => {
    if (isString(format) || isKit(format)) return []
    return tools || format === "reasoning" || format === "wrapper" ? [[tagName(name), ruleOf(format)] as const] : []
  })
  const formats = stringFormats(tags, tools)
  const builtIn = order.includes("xml") ? (kit.builtIn?.tags ?? []).filter(name => tools || name !== "tool") : []
  const hasNamed = own.some(([, rule]) => isNamed(rule))
  const tagFormats = own.flatMap(([name, rule]) =>
    // A tag around JSON may hold tags as well, and one around tags JSON.
    openings(name, rule === "json" && hasNamed ? "wrapper" : rule).map(
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
    return syntax === "sentinel" ? (kit.sentinel?.start ?? []) : squeezed
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

type AnyFormat = TagFormats[string]

function isString(format: AnyFormat): format is StringFormat {
  return typeof format === "object" && format !== null && "open" in format
}

function isKit(format: AnyFormat): format is KitFormat {
  return typeof format === "object" && format !== null && "kit" in format && !("style" in format)
}

/** The formats of free strings by their openings. Throws if two can't be told apart, or one can't be read. */
function stringFormats(tags: TagFormats, tools: boolean): Rules["formats"] {
  const found = Object.entries(tags).flatMap(([key, format]) => {
    if (!isString(format)) return []
    const { close = "", until, isId = false } = format
    const reads = readsOf(format)
    const style = typeof format.reads === "object" ? format.reads.style : null
    const rule: StringRule = { key, close, until, isId, reads, style }
    const isUsed = tools || reads === "hidden" || reads === "reasoning"
    return isUsed ? [format.open].flat().map(open => [open, rule] as const) : []
  })
  const sorted = found.map(([open]) => open).sort()
  const clash = sorted.find((open, at) => sorted[at + 1]?.startsWith(open))
  if (clash !== undefined) throw new Error(`expected formats that can be told apart, got two that begin with ${clash}`)
  return Object.fromEntries(found)
}

function readsOf(format: StringFormat): StringRule["reads"] {
  const { open, reads } = format
  if (typeof reads === "function") return "late"
  if (![open].flat().includes("")) {
    if (reads === "hidden" || reads === "reasoning" || reads === "json") return reads
    if (typeof reads === "object" && "style" in reads) return "arguments"
  }
  throw new Error(`expected open and one of hidden, reasoning, json or FORMATS in reads, got ${JSON.stringify(format)}`)
}

function ruleOf(format: TagFormat): TagRule {
  if (format === "reasoning" || format === "json" || format === "wrapper") return format
  if (typeof format === "object" && "style" in format) return { style: format.style, isElement: format.isElement }
  throw new Error(
    `expected a tag's format to be reasoning, json, wrapper or one of FORMATS, got ${JSON.stringify(format)}`,
  )
}

function openings(name: string, rule: TagRule): (readonly [word: string, rule: TagRule])[] {
  const more = rule === "wrapper" || rule === "reasoning" ? [`/${name}`] : isNamed(rule) ? [`${name}=`] : []
  return [name, ...more].map(word => [word, rule] as const)
}

/** True for a tag that names its call. */
function isNamed(rule: TagRule): boolean {
  return typeof rule === "object" && !rule.isElement
}

/** The possible second characters, in both cases, because tags match any case. */
function secondsOf(openings: readonly string[]): string | null {
  if (openings.some(opening => opening.length === 1)) return null
  const seconds = openings.map(opening => opening.slice(1).trimStart().charAt(0)).join("")
  return [...new Set(seconds.toLowerCase() + seconds.toUpperCase())].join("")
}

/** All that these formats bring along. */
export function kitOf(formats: TagFormats): Kit {
  const kits = Object.values(formats).map(format => {
    if (typeof format !== "object") return {}
    if ("kit" in format) return format.kit
    return typeof format.reads === "object" ? format.reads.kit : {}
  })
  return Object.assign({}, ...kits)
}
