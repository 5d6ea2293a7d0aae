// Builds a parser's rules: its syntaxes and tags, their first characters, and the beginnings of JSON calls.
import { normalizePatterns } from "./json-body.ts"
import { CODE_MARKS } from "./markdown-code.ts"
import { asciiLower } from "./marker.ts"
import type { Rules, Syntax, TagFormat, TagFormats } from "./parser-state.ts"
import { SENTINEL_START } from "./sentinel.ts"
import { OPENING_TAGS } from "./xml-tags.ts"

export type { ParserName } from "./parser-state.ts"

/** The beginnings of JSON calls if the provider is unknown. */
export const DEFAULT_PATTERNS: readonly string[] = [
  ...['{"tool"', '{"tool_calls"', '{"tools"', '{"function"', '{"name"'],
  ...['[{"tool"', '[{"function"', '[{"name"'],
]

/** Tags that model families write; several can be combined. */
export const TAG_PROFILES = {
  /** `<think>…</think>`: DeepSeek R1, Qwen 3 and others. */
  think: { think: "reasoning" },
  /** `<tool_call>{"name": …, "arguments": …}</tool_call>`: Hermes and Qwen. */
  hermes: { tool_call: "json" },
  /** `<tool_call><function=…><parameter=…>`: Qwen Coder. */
  qwenCoder: { tool_call: "wrapper", function: "tool" },
  /** `<function_calls><invoke name="…"><parameter name="…">`: Claude. */
  claude: { function_calls: "wrapper", invoke: "tool" },
  /** `<function=…>{…}</function>`: Llama. */
  llama: { function: "tool" },
} as const satisfies { readonly [family: string]: TagFormats }

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
  const startIn = asciiLower(options.startIn ?? "")
  const own = Object.entries(tags).map(([name, format]) => [tagName(name), checked(format)] as const)
  const used = own.filter(([, format]) => tools || format === "reasoning" || format === "wrapper")
  const builtIn = order.includes("xml") ? OPENING_TAGS.filter(name => tools || name !== "tool") : []
  if (startIn !== "" && !own.some(([name, format]) => name === startIn && format === "reasoning")) {
    throw new Error(`expected startIn to be a reasoning tag of tags, got ${JSON.stringify(options.startIn)}`)
  }
  const hasNamed = used.some(([, format]) => isNamed(format))
  const formats = used.flatMap(([name, format]) =>
    // A tag around JSON may hold tags as well, and one around tags JSON.
    openings(name, format === "json" && hasNamed ? "wrapper" : format).map(
      ([word, read]) => [word, read === "wrapper" && !tools ? "hidden" : read] as const,
    ),
  )
  const tagNames = [...new Set([...builtIn, ...formats.map(([word]) => word)])].sort()
  const syntaxes = [...new Set<Syntax>(tagNames.length > 0 ? [...order, "xml"] : order)].filter(
    syntax => tools || syntax !== "json",
  )
  const squeezed = normalizePatterns(patterns)
  const beginnings = syntaxes.flatMap(syntax => {
    if (syntax === "xml") return tagNames.map(name => `<${name}`)
    return syntax === "sentinel" ? [SENTINEL_START] : squeezed
  })
  return {
    order: syntaxes,
    marks: [...new Set([...beginnings.map(beginning => beginning.charAt(0)), ...(safe ? CODE_MARKS : [])])],
    seconds: secondsOf(beginnings),
    tagNames,
    tags: Object.fromEntries(formats),
    safe,
    endCloses,
    startIn,
    patterns: squeezed,
    prefix,
  }
}

function tagName(name: string): string {
  if (/^[^\s<>"'=/]+$/.test(name)) return asciiLower(name)
  throw new Error(`expected a tag name without blanks, quotes and <>=/, got ${JSON.stringify(name)}`)
}

const FORMATS: readonly unknown[] = ["reasoning", "json", "tool", "wrapper"] satisfies TagFormat[]

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
  const seconds = openings.map(opening => opening.charAt(1)).join("")
  return [...new Set(seconds.toLowerCase() + seconds.toUpperCase())].join("")
}
