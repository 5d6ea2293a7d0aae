// Builds a parser's rules: its syntaxes and tags, their first characters, and the beginnings of JSON calls.
import { isString, type KitFormat, type TagFormat, type TagFormats } from "./formats/tag-format.ts"
import { CODE_MARKS } from "./markdown-code.ts"
import { asciiLower } from "./marker.ts"
import type { Rules, Syntax, TagRule } from "./rules.ts"
import type { Kit } from "./working-copy.ts"

/** What a parser can be told to look for. */
export interface RuleOptions {
  /** The syntaxes by precedence. Default: those that the formats bring along. */
  readonly order?: readonly Syntax[]
  /** False ignores `<tool>`, JSON calls, and the caller's tags for calls. */
  readonly tools: boolean
  /** The beginnings of JSON calls; blanks are ignored. Default: every known form. */
  readonly patterns?: readonly string[]
  readonly prefix: string
  readonly tags: TagFormats
  readonly safe: boolean
  readonly endCloses?: boolean | undefined
  /** The reasoning tag that is open before the first character. */
  readonly startIn?: string | undefined
}

const SYNTAXES: readonly Syntax[] = ["xml", "json", "sentinel"]

/** The rules that these options stand for. Throws if a tag's name cannot be one, or there is no such format. */
export function rulesFor(options: RuleOptions, kit: Kit): Rules {
  const { order = SYNTAXES, tools, patterns, prefix, tags, safe, endCloses = false } = options
  const formats = kit.strings?.formats(tags, tools) ?? {}
  const own = Object.entries(tags).flatMap(([name, format]) => {
    if (isString(format) && kit.strings === undefined) throw new Error(`expected FORMATS.strings, got ${name}`)
    if (isString(format) || isKit(format)) return []
    return tools || format === "reasoning" || format === "wrapper" ? [[tagName(name), ruleOf(format)] as const] : []
  })
  const builtIn = order.includes("xml") ? (kit.builtIn?.tags ?? []).filter(name => tools || name !== "tool") : []
  const hasNamed = own.some(([, rule]) => isNamed(rule))
  const tagFormats = own.flatMap(([name, rule]) =>
    // A tag around JSON may hold tags as well, and one around tags JSON.
    openings(name, rule === "json" && hasNamed ? "wrapper" : rule).map(
      ([word, read]) => [word, read === "wrapper" && !tools ? "hidden" : read] as const,
    ),
  )
  const xml = [...new Set([...builtIn, ...tagFormats.map(([word]) => word)])]
  const words = [...new Set<Syntax>(["strings", ...order, "xml"])].flatMap(syntax => {
    const found = syntax === "xml" ? xml : syntax === "json" && !tools ? [] : kit[syntax]?.openings(formats, patterns)
    return found === undefined || found.length === 0 ? [] : [[syntax, found] as const]
  })
  const beginnings = words.flatMap(([syntax, found]) => (syntax === "xml" ? found.map(name => `<${name}`) : found))
  return {
    order: words.map(([syntax]) => syntax),
    openings: Object.fromEntries(words),
    marks: [...new Set([...beginnings.map(beginning => beginning.charAt(0)), ...(safe ? CODE_MARKS : [])])],
    seconds: secondsOf(beginnings),
    tags: Object.fromEntries(tagFormats),
    formats,
    safe,
    endCloses,
    startIn: openingOf(options.startIn, tags),
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

function isKit(format: AnyFormat): format is KitFormat {
  return typeof format === "object" && format !== null && "kit" in format && !("style" in format)
}

function ruleOf(format: TagFormat): TagRule {
  if (format === "reasoning" || format === "json" || format === "wrapper") return format
  if (typeof format === "object" && "style" in format) return { style: format.style, isElement: format.isElement }
  throw new Error(`expected wrapper, reasoning, json or one of FORMATS, got ${JSON.stringify(format)}`)
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
    return isString(format) && typeof format.reads === "object" ? { ...format.kit, ...format.reads.kit } : format.kit
  })
  return Object.assign({}, ...kits)
}
