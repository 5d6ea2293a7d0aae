// Defines how formats are described: data, and with it the readers that they need.
import { runCall } from "../block-body.ts"
import type { CallsReader } from "../json-call.ts"
import type { CallRule } from "../rules.ts"
import { TagArguments } from "../tag-arguments.ts"
import type { Kit } from "../working-copy.ts"
import { castsOf } from "./schema-types.ts"

/** A call whose arguments stand in tags: `tool` or `element` of FORMATS, or one of these with a `style` of its own. */
export interface CallFormat extends CallRule {
  readonly kit: Kit
}

/**
 * How a tag that the caller names is read: as reasoning; as calls in JSON; as one call; or as a wrapper around calls,
 * not shown itself.
 */
export type TagFormat = "reasoning" | "json" | "wrapper" | CallFormat

/**
 * A format of free strings, exact to the letter. `hidden` is not shown; `json` holds one call or several, or with
 * `until` the arguments of one; a function reads the block when it has ended.
 */
export interface StringFormat {
  readonly open: string | readonly string[]
  /** What closes it; without it, JSON closes itself. */
  readonly close?: string
  readonly reads: "hidden" | "reasoning" | "json" | CallFormat | CallsReader
  /** The call's name follows what opens it, up to one of these. */
  readonly until?: readonly string[]
  /** The name is written as an id, `functions.name:0`. */
  readonly isId?: boolean
}

/** A syntax of its own, which is neither a tag nor a free string. */
export interface KitFormat {
  readonly kit: Kit
  readonly style?: never
}

/** Formats by the names of their tags, which match in any case, or for the others by any name. */
export type TagFormats = { readonly [name: string]: TagFormat | StringFormat | KitFormat }

export { keyed, python } from "./literal.ts"

/** What reads arguments in tags. */
export const IN_TAGS: NonNullable<Kit["inTags"]> = {
  run: runCall,
  reader: (style, tools, name) => new TagArguments(style, tools.length === 0 ? undefined : castsOf(tools, name)),
}

const KIT: Kit = { inTags: IN_TAGS }

/** A call named by `name="…"` or `=…`, with arguments in JSON, `<parameter>`s or elements. */
export const tool: CallFormat = { style: null, isElement: false, kit: KIT }

/** The same, with arguments that are written between these; with no `close`, their own names close them. */
export function styled(open: string, headEnd: string, close: string): CallFormat {
  return { style: { open, headEnd, close }, isElement: false, kit: KIT }
}

/** A call of the tag's own name, with a tag for each argument. */
export const element: CallFormat = {
  style: { open: "<", headEnd: ">", close: "", isText: true },
  isElement: true,
  kit: KIT,
}
