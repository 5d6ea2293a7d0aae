// Defines the description of a format: data, with the readers that it needs.
import type { CallsReader } from "../json-call.ts"
import type { ArgumentStyle, CallRule } from "../rules.ts"
import type { Kit } from "../working-copy.ts"

/** Arguments in tags of a style. */
export interface ArgumentsFormat {
  readonly style: ArgumentStyle | null
  readonly kit: Kit
}

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
  /** The closing text; without one, JSON ends by itself. */
  readonly close?: string
  readonly reads: "hidden" | "reasoning" | "json" | ArgumentsFormat | CallsReader
  /** The call's name stands behind the opening, up to one of these. */
  readonly until?: readonly string[]
  /** The name is written with an id, `functions.name:0` or `name[CALL_ID]id`. */
  readonly isId?: boolean
  readonly kit: Kit
}

/** A syntax of its own, which is neither a tag nor a free string. */
export interface KitFormat {
  readonly kit: Kit
  readonly style?: never
}

/** Formats by the names of their tags, which match in any case, or for the others by any name. */
export type TagFormats = { readonly [name: string]: TagFormat | StringFormat | KitFormat }

/** True for a format of free strings. */
export function isString(format: TagFormats[string]): format is StringFormat {
  return typeof format === "object" && format !== null && "open" in format
}
