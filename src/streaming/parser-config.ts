// Holds what a caller may choose about a parser, and the names under which parsers are chosen.

import type { JsonToolParsingStrategy } from "../parse/json-call.ts"
import type { Rules, Syntax } from "../parse/parser-state.ts"
import type { ParserName } from "../parse/syntax-rules.ts"
import { DEFAULT_PATTERNS, rulesFor } from "../parse/syntax-rules.ts"
import { ENV_PARSER_NAME, environmentVariable } from "./host-environment.ts"

export interface ParserConfigOptions {
  /** False: neither `<tool>` nor JSON calls count; `<write_file>`, `<run_bash>` and sentinels still do. Default true. */
  readonly parseToolCalls?: boolean | undefined
  /** How a JSON call begins; blanks do not count. Default: every form that is known. */
  readonly jsonToolPatterns?: readonly string[] | undefined
  /** Reads the raw JSON of a call when an invocation is made of it. */
  readonly jsonToolParser?: JsonToolParsingStrategy | undefined
  /** `xml_tag`, `json_tool`, `sentinel`, by precedence; other names are ignored. Default `['xml_tag']`. */
  readonly strategyOrder?: readonly string[] | undefined
  /** Before every segment id. Default empty. */
  readonly segmentIdPrefix?: string | undefined
}

/** A parser's configuration. Lists are copied, so a later change to the caller's changes nothing. */
export class ParserConfig {
  readonly parseToolCalls: boolean
  readonly jsonToolPatterns: readonly string[]
  readonly jsonToolParser: JsonToolParsingStrategy | undefined
  readonly strategyOrder: readonly string[]
  readonly segmentIdPrefix: string

  constructor(options: ParserConfigOptions = {}) {
    this.parseToolCalls = options.parseToolCalls ?? true
    this.jsonToolPatterns = [...(options.jsonToolPatterns ?? DEFAULT_PATTERNS)]
    this.jsonToolParser = options.jsonToolParser
    this.strategyOrder = [...(options.strategyOrder ?? ["xml_tag"])]
    this.segmentIdPrefix = options.segmentIdPrefix ?? ""
  }
}

const SYNTAXES: ReadonlyMap<string, Syntax> = new Map([
  ["xml_tag", "xml"],
  ["xml", "xml"],
  ["json_tool", "json"],
  ["json", "json"],
  ["sentinel", "sentinel"],
])

export function rulesOf(config: ParserConfig): Rules {
  const order = config.strategyOrder.flatMap(name => SYNTAXES.get(name) ?? [])
  return rulesFor(order, config.parseToolCalls, config.jsonToolPatterns, config.segmentIdPrefix)
}

const ORDERS: ReadonlyMap<string, readonly string[]> = new Map<ParserName, readonly string[]>([
  ["xml", ["xml_tag"]],
  ["json", ["json_tool"]],
  ["sentinel", ["sentinel"]],
  ["api_tool_call", []],
])

/** The parser that the environment names, else `xml`. The name may be unknown: whoever makes the parser says so. */
export function resolveParserName(): string {
  return environmentVariable(ENV_PARSER_NAME)?.toLowerCase() ?? "xml"
}

/** The same configuration with the strategies of a named parser. Throws where no parser has that name. */
export function configFor(parserName: string, config: ParserConfig): ParserConfig {
  const strategyOrder = ORDERS.get(parserName)
  if (strategyOrder === undefined) {
    throw new Error(`Unknown parser strategy '${parserName}': expected ${[...ORDERS.keys()].join(", ")}`)
  }
  return new ParserConfig({
    ...config,
    parseToolCalls: config.parseToolCalls && strategyOrder.length > 0,
    strategyOrder,
  })
}
