// Defines how formats are described: tags of the caller's, and free strings. Plain data.

/**
 * How a tag that the caller names is read: as reasoning; as calls in JSON; as one call, named by `name="…"` or `=…`,
 * with arguments in JSON or tags, `parameter` unless another is named; as one call of its own name, with a tag for each
 * argument; or as a wrapper around calls, not shown itself.
 */
export type TagFormat = "reasoning" | "json" | "tool" | "wrapper" | "element" | { readonly parameter: string }

/**
 * A format of free strings, exact to the letter. `hidden` is not shown; `json` holds one call or several, or with
 * `until` the arguments of one; `arguments`, `python`, `gemma` and `keyed` are other ways to write calls.
 */
export interface StringFormat {
  readonly open: string | readonly string[]
  /** What closes it; without it, JSON closes itself. */
  readonly close?: string
  readonly reads: "hidden" | "reasoning" | "json" | "arguments" | "python" | "gemma" | "keyed"
  /** The call's name follows what opens it, up to one of these. */
  readonly until?: readonly string[]
  /** The name is written as an id, `functions.name:0`. */
  readonly isId?: boolean
  /** How `arguments` are written. */
  readonly style?: ArgumentStyle
  /** What stands at both sides of a text in `gemma`. */
  readonly quote?: string
}

/** Formats by the names of their tags, which match in any case, or for those of free strings by any name. */
export type TagFormats = { readonly [name: string]: TagFormat | StringFormat }

/**
 * How a format writes arguments: what opens one, what ends its header, and what closes its value. Elements are called
 * by their arguments, so that they have a closing tag of their own.
 */
export interface ArgumentStyle {
  readonly open: string
  readonly headEnd: string
  readonly close: string
  /** The value of an element is never an object, and loses one line break at each side. */
  readonly isText?: boolean
}
