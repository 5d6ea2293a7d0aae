// Holds what the parser is between two chunks: plain data, with a name for every state.

import type { Metadata, SegmentType } from "./segment.ts"

/** UTF-16 units of a tag's or a sentinel's header, and of what is held in the hope of a tag (docs/decisions.md 7.7). */
export const HEADER_LIMIT = 4096
/** UTF-16 units of the name of an argument or attribute. */
export const ARGUMENT_NAME_LIMIT = 256
/** UTF-16 units that a tool may take until its required argument is known. */
export const REQUIRED_LIMIT = 65_536
/** Levels of JSON in a sentinel header and of elements in XML arguments. */
export const NESTING_LIMIT = 64

/** A way in which blocks are marked in text. */
export type Syntax = "xml" | "json" | "sentinel"

/** What to look for and how to name it; the same from the first character to the last. */
export interface Rules {
  /** Syntaxes by precedence: where two could begin at one character, the first that fits wins. */
  readonly order: readonly Syntax[]
  /** The characters at which one of them may begin. */
  readonly marks: readonly string[]
  /** The characters that may follow a mark, blanks aside; null where any may. All others say at once that it is text. */
  readonly seconds: string | null
  /** Whether `<tool>` and JSON calls count. */
  readonly tools: boolean
  /** How a JSON call begins, without blanks, sorted. */
  readonly patterns: readonly string[]
  /** Before every segment id. */
  readonly prefix: string
}

/** How far the header of a tag was read. */
export interface TagScan {
  readonly strategy: "xml"
  /** A `Phase` of tag.ts. */
  readonly phase: number
  /** The tag names that it may still be, as a range of the sorted list, and how much of them was read. */
  readonly low: number
  readonly high: number
  readonly matched: number
  /** Length of the attribute's name. */
  readonly attribute: number
  readonly size: number
}

/** How far the beginning of a JSON call was read. */
export interface SignatureScan {
  readonly strategy: "json"
  /** The patterns that it may still be, as a range of the sorted list, and how much of them was read. */
  readonly low: number
  readonly high: number
  readonly matched: number
  readonly quoted: boolean
  readonly size: number
}

/** How far a sentinel's start marker and header were read. */
export interface SentinelScan {
  readonly strategy: "sentinel"
  readonly phase: "mark" | "gap" | "json" | "shut" | "last"
  readonly matched: number
  readonly depth: number
  readonly quoted: boolean
  readonly escaped: boolean
  readonly size: number
}

export type Scan = TagScan | SignatureScan | SentinelScan

/** What a scan found: nothing, too little to say, or a whole header. `end` is behind the last character looked at. */
export type ReadingMode =
  | { readonly verdict: "no"; readonly end: number }
  | { readonly verdict: "more"; readonly scan: Scan }
  | { readonly verdict: "yes"; readonly end: number; readonly word: string }

/** The character at `at` cannot stand there. */
export function no(at: number): ReadingMode {
  return { verdict: "no", end: at + 1 }
}

/** How a `<tool>` whose one argument is streamed as content is laid out. Plain data; a subclass may say another. */
export interface ToolShape {
  /** The tool's own name; START says `tool_name` only where the tag says another. */
  readonly tool: string
  readonly type: SegmentType
  /** The argument that START waits for; null where it comes with the content. */
  readonly needs: string | null
  /** The argument whose text is the content; null where everything between the tags is. */
  readonly body: string | null
  /** Raw markers inside that argument; empty for none. */
  readonly startMarker: string
  readonly endMarker: string
}

/** A piece of marked content that may belong to its end: blanks, end marker, `</arg>`, or a tag that closes more. */
export interface TextToken {
  readonly kind: "b" | "e" | "a" | "c"
  readonly text: string
}

/** Where in a tool the parser is. `held` may still become a tag; `gap` is what stands between arguments. */
export type ToolPart =
  | { readonly at: "between"; readonly gap: string }
  | { readonly at: "tag"; readonly gap: string; readonly held: string; readonly scan: TagScan }
  | { readonly at: "value"; readonly name: string; readonly value: string; readonly held: string }
  | { readonly at: "lead"; readonly blank: string; readonly held: string }
  | { readonly at: "fresh" }
  | { readonly at: "plain"; readonly held: string }
  | { readonly at: "marked"; readonly queue: readonly TextToken[]; readonly held: string }

export interface ToolMode {
  readonly at: "tool"
  readonly shape: ToolShape
  readonly part: ToolPart
  /** All text since `<tool`, in case it is none after all; null once START is out. */
  readonly raw: string | null
  /** Content that came before START. */
  readonly early: string
  readonly metadata: Metadata
  /** What was learned after START. */
  readonly late: Metadata | null
  /** The content argument has been closed. */
  readonly filled: boolean
  /** `</arguments>` has been read. */
  readonly shut: boolean
}

/** The parser's states by name. */
export type Mode =
  | { readonly at: "text" }
  /** Something that began like a block, held until it is one or is not. */
  | { readonly at: "opening"; readonly scan: Scan; readonly held: string }
  /** Everything up to `close` is content. */
  | { readonly at: "block"; readonly close: string; readonly held: string }
  | { readonly at: "json"; readonly depth: number; readonly quoted: boolean; readonly escaped: boolean }
  | ToolMode
  /** A registered class takes over from here. */
  | { readonly at: "foreign"; readonly tool: string; readonly tag: string }

export const TEXT: Mode = { at: "text" }

/** The parser between two chunks: plain data that may be frozen, kept, printed as JSON, and continued more than once. */
export interface ParseState {
  readonly rules: Rules
  readonly mode: Mode
  readonly segment: { readonly id: string; readonly type: SegmentType } | null
  /** Segments so far. */
  readonly count: number
  /** First half of a surrogate pair whose other half has not come. */
  readonly carry: string
  /** Characters looked at so far, counted again where they were looked at again. */
  readonly steps: number
}

export function beginParse(rules: Rules): ParseState {
  return { rules, mode: TEXT, segment: null, count: 0, carry: "", steps: 0 }
}

/** How a `<tool>` of this name, in ASCII lower case, is read. */
export type Resolve = (name: string) => ToolShape | null | "foreign"
