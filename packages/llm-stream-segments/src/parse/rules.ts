// Defines what a parser looks for. Plain data.

/** A parsing strategy. `api_tool_call` looks for nothing, because its calls come beside the text. */
export type ParserName = "xml" | "json" | "sentinel" | "api_tool_call"

export type Syntax = "strings" | "xml" | "json" | "sentinel"

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

/** How a tag of the caller's is read: as a call, its arguments in tags of `style` (null: they tell), or in one word. */
export type TagRule = "reasoning" | "json" | "wrapper" | "hidden" | CallRule

export interface CallRule {
  readonly style: ArgumentStyle | null
  /** The call's name is the tag's. */
  readonly isElement: boolean
}

/** How a format of free strings is read. `late` is read at its end, `arguments` in tags of `style`. */
export interface StringRule {
  /** The caller's name of the format. */
  readonly key: string
  readonly close: string
  readonly until: readonly string[] | undefined
  readonly isId: boolean
  readonly reads: "hidden" | "reasoning" | "json" | "arguments" | "late"
  readonly style: ArgumentStyle | null
}

/** What to look for and how to name segments; constant for a whole stream. Plain data. */
export interface Rules {
  /** Syntaxes by precedence: if two match at one character, the first one wins. */
  readonly order: readonly Syntax[]
  /** The first characters of the syntaxes' openings. */
  readonly marks: readonly string[]
  /** The characters that may follow a mark, after blanks; null if any may. Any other means plain text. */
  readonly seconds: string | null
  /** The words that each syntax looks for: of tags their names in lower case, of JSON its beginnings. */
  readonly openings: { readonly [syntax in Syntax]?: readonly string[] }
  /** The formats of the caller's own tags, by their names in `openings`. */
  readonly tags: { readonly [name: string]: TagRule }
  /** The formats of free strings by what opens them. */
  readonly formats: { readonly [open: string]: StringRule }
  /** Whether tags in Markdown code are text (docs/decisions.md 7.11). */
  readonly safe: boolean
  /** The stream's end also closes a call whose JSON is whole. */
  readonly endCloses: boolean
  /** What has opened reasoning before the first character; empty for nothing. */
  readonly startIn: string
  readonly prefix: string
}
