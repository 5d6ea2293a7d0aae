// Defines a parser's configuration, and selects strategies by name.

import type { TagFormats } from "../parse/formats/tag-format.ts"
import type { JsonToolParsingStrategy } from "../parse/json-call.ts"
import { DEFAULT_PATTERNS } from "../parse/json-opening.ts"
import type { ParserName, Rules, Syntax } from "../parse/rules.ts"
import { rulesFor } from "../parse/syntax-rules.ts"
import type { Kit } from "../parse/working-copy.ts"
import { ENV_PARSER_NAME, environmentVariable } from "./host-environment.ts"

export interface ParserConfigOptions {
  /** False ignores `<tool>` and JSON calls, but not `<write_file>`, `<run_bash>` and sentinels. Default true. */
  readonly parseToolCalls?: boolean | undefined
  /** The beginnings of JSON calls; blanks are ignored. Default: every known form. */
  readonly jsonToolPatterns?: readonly string[] | undefined
  readonly jsonToolParser?: JsonToolParsingStrategy | undefined
  /** `xml_tag`, `json_tool`, `sentinel`, by precedence; other names are ignored. Default `['xml_tag']`. */
  readonly strategyOrder?: readonly string[] | undefined
  /** The prefix of every segment id. Default empty. */
  readonly segmentIdPrefix?: string | undefined
  /** The caller's own tags, such as `{ think: "reasoning" }` or TAG_PROFILES', under every strategy. Default none. */
  readonly tags?: TagFormats | undefined
  /** The reasoning tag that the prompt has opened already, such as `think`. Default none. */
  readonly startIn?: string | undefined
  /** The end also closes a call whose JSON is whole, for servers that stop at its closing tag. Default false. */
  readonly endCloses?: boolean | undefined
  /** Tags in Markdown code are text, and nothing truncated is invoked (docs/decisions.md 7.11). Default false. */
  readonly safe?: boolean | undefined
}

/** A parser's configuration. Lists are copied, so later changes to the caller's lists have no effect. */
export class ParserConfig {
  readonly parseToolCalls: boolean
  readonly jsonToolPatterns: readonly string[]
  readonly jsonToolParser: JsonToolParsingStrategy | undefined
  readonly strategyOrder: readonly string[]
  readonly segmentIdPrefix: string
  readonly tags: TagFormats
  readonly safe: boolean
  readonly startIn: string | undefined
  readonly endCloses: boolean

  constructor(options: ParserConfigOptions = {}) {
    this.parseToolCalls = options.parseToolCalls ?? true
    this.jsonToolPatterns = [...(options.jsonToolPatterns ?? DEFAULT_PATTERNS)]
    this.jsonToolParser = options.jsonToolParser
    this.strategyOrder = [...(options.strategyOrder ?? ["xml_tag"])]
    this.segmentIdPrefix = options.segmentIdPrefix ?? ""
    this.tags = { ...options.tags }
    this.safe = options.safe ?? false
    this.startIn = options.startIn
    this.endCloses = options.endCloses ?? false
  }
}

const SYNTAXES: ReadonlyMap<string, Syntax> = new Map([
  ["xml_tag", "xml"],
  ["xml", "xml"],
  ["json_tool", "json"],
  ["json", "json"],
  ["sentinel", "sentinel"],
])

/** The rules that a configuration stands for with these readers; syntaxes that it doesn't know are left out. */
export function rulesOf(config: ParserConfig, kit: Kit): Rules {
  const { parseToolCalls: tools, jsonToolPatterns: patterns, segmentIdPrefix: prefix, ...same } = config
  const order = config.strategyOrder.flatMap(name => SYNTAXES.get(name) ?? [])
  return rulesFor({ ...same, order, tools, patterns, prefix }, kit)
}

/** Throws if the configuration names a strategy that isn't there. */
export function checkOrder(strategyOrder: readonly string[]): void {
  const unknown = strategyOrder.find(name => !SYNTAXES.has(name))
  if (unknown !== undefined)
    throw new Error(`Unknown strategy '${unknown}': expected ${[...SYNTAXES.keys()].join(", ")}`)
}

const ORDERS: ReadonlyMap<string, readonly string[]> = new Map<ParserName, readonly string[]>([
  ["xml", ["xml_tag"]],
  ["json", ["json_tool"]],
  ["sentinel", ["sentinel"]],
  ["api_tool_call", []],
])

/** The parser named by the environment, else `xml`. The name is unchecked; `configFor` throws if it is unknown. */
export function resolveParserName(): string {
  return environmentVariable(ENV_PARSER_NAME)?.toLowerCase() ?? "xml"
}

/** The same configuration with the strategies of the named parser, in any case. Throws if the name is unknown. */
export function configFor(parserName: string, config: ParserConfig): ParserConfig {
  const strategyOrder = ORDERS.get(parserName.trim().toLowerCase())
  if (strategyOrder === undefined) {
    throw new Error(`Unknown parser strategy '${parserName}': expected ${[...ORDERS.keys()].join(", ")}`)
  }
  return new ParserConfig({
    ...config,
    parseToolCalls: config.parseToolCalls && strategyOrder.length > 0,
    strategyOrder,
  })
}
