// Defines the parser's state between two chunks: plain data, with a name for every state.

import type { NestMode, ToolMode } from "./formats/tool-mode.ts"
import type { TagScan } from "./marker.ts"
import type { ArgumentStyle, Rules } from "./rules.ts"
import type { Metadata, SegmentType } from "./segment.ts"

/** UTF-16 units of a tag's or a sentinel's header, and of text held as a possible tag (docs/decisions.md 7.7). */
export const HEADER_LIMIT = 4096
/** UTF-16 units of the name of an argument or attribute. */
export const ARGUMENT_NAME_LIMIT = 256
/** UTF-16 units of an argument's opening tag, and of blanks between a closing tag and what must follow it. */
export const ARGUMENT_HEADER_LIMIT = 512
/** UTF-16 units that a tool may take until its required argument is known. */
export const REQUIRED_LIMIT = 65_536
/** Levels of JSON in a sentinel header and of elements in XML arguments. */
export const NESTING_LIMIT = 64

export interface FormatScan {
  readonly strategy: "strings"
  /** An opening of which so much has matched, and the text after it. */
  readonly word: string
  readonly matched: number
  readonly header: string
}

export interface SignatureScan {
  readonly strategy: "json"
  /** A beginning of which so much has matched. */
  readonly word: string
  readonly matched: number
  readonly quoted: boolean
  readonly size: number
}

export interface SentinelScan {
  readonly strategy: "sentinel"
  readonly phase: "mark" | "gap" | "json" | "shut" | "last"
  readonly matched: number
  readonly depth: number
  readonly quoted: boolean
  readonly escaped: boolean
  readonly size: number
}

/** What a line has before a position: text, a block and blanks, also list marks, or only blanks and quote marks. */
export type LineStart = number
export const AFTER_TEXT: LineStart = 0
export const AFTER_BLOCK: LineStart = 1
export const AFTER_LIST: LineStart = 2
export const AFTER_BLANK: LineStart = 3

/** A possible code span or fence (see markdown-code.ts). */
export interface CodeScan {
  readonly strategy: "code"
  /** The open fence, as in ParseState. */
  readonly fence: number
  readonly line: LineStart
  /** The character of the first run, its length, and whether it has ended. */
  readonly char: number
  readonly run: number
  readonly counted: boolean
  /** The length of the current other run of backticks, and whether there was one that ends no span. */
  readonly other: number
  readonly mixed: boolean
  readonly size: number
}

export type Scan = FormatScan | TagScan | SignatureScan | SentinelScan | CodeScan

/**
 * The result of a scan: no header, not enough text to tell, or a header. `end` is after the last character read, of
 * which the last `back` are no part of the header. Code has the `fence` that is open after it, as in ParseState.
 */
export type ScanResult =
  | { readonly verdict: "no"; readonly end: number }
  | { readonly verdict: "more"; readonly scan: Scan }
  | {
      readonly verdict: "yes"
      readonly end: number
      readonly word: string
      readonly back?: number
      readonly fence?: number
    }

/** The result for a wrong character at `at`. */
export function mismatch(at: number): ScanResult {
  return { verdict: "no", end: at + 1 }
}

/** JSON up to its end, or to the closing tag `close` outside a string; `held` may still become that tag. */
export interface JsonMode {
  readonly at: "json"
  readonly close: string
  readonly depth: number
  readonly quoted: boolean
  readonly escaped: boolean
  /** The open string contains `close`. */
  readonly hasTag: boolean
  /** How much more may come of JSON that has a line break in a string; null if it has none. */
  readonly room: number | null
  readonly held: string
}

/** Where a scan is. Plain data; the scan changes it in place. */
export interface ArgumentScan {
  /** Null until the first tag tells whether it is one of PARAMETERS or of ELEMENTS. */
  style: ArgumentStyle | null
  /** The closing tag of the block in ASCII lower case; empty if the text is what stands in a block. */
  readonly end: string
  /** The closing tag of the open argument; empty between two. */
  close: string
  /** There was something that is no argument, or has no name that can be read: it is no call. */
  broken: boolean
  ended: boolean
}

/** Everything up to `close` is content. */
export interface BlockMode {
  readonly at: "block"
  readonly close: string
  readonly held: string
}

/** Before what may be a call in JSON up to `close`; if it isn't, `next` goes on. Blanks are held before a call. */
export interface BodyMode {
  readonly at: "body"
  readonly close: string
  readonly next: Mode
  /** What opened it, to be shown unless JSON follows. */
  readonly lead: string
  readonly held: string
}

/** Arguments in tags up to the closing tag of `scan`. */
export interface CallMode {
  readonly at: "call"
  readonly scan: ArgumentScan
  readonly held: string
}

/** Before the first character of a response that begins within a tag; `held` may be that tag's opening after all. */
export interface BeginMode {
  readonly at: "begin"
  readonly held: string
}

export type Mode =
  | { readonly at: "text" }
  | BeginMode
  /** A possible opening, held until it is decided. */
  | { readonly at: "opening"; readonly scan: Scan; readonly held: string }
  | BlockMode
  | NestMode
  | BodyMode
  | CallMode
  | JsonMode
  | ToolMode
  /** A registered class takes over from here. */
  | { readonly at: "foreign"; readonly tool: string; readonly tag: string }

export const TEXT: Mode = { at: "text" }

/** The parser between two chunks. Plain data: it can be frozen, kept, printed as JSON, and continued more than once. */
export interface ParseState {
  readonly rules: Rules
  readonly mode: Mode
  readonly segment: { readonly id: string; readonly type: SegmentType } | null
  readonly count: number
  /** The open fence in a safe parse: the length of its run, negative for tildes; 0 for none. */
  readonly fence: number
  /** What the line has before the unread text, in a safe parse. */
  readonly line: LineStart
  /** A call could not be read, so that what follows may be its content: no later call is whole. */
  readonly lost: boolean
  /** The first half of a surrogate pair, until the second half comes. */
  readonly carry: string
}

/** The state before the first character. */
export function beginParse(rules: Rules): ParseState {
  return {
    rules,
    mode: rules.startIn === "" ? TEXT : { at: "begin", held: "" },
    segment: null,
    count: 0,
    fence: 0,
    line: AFTER_BLANK,
    lost: false,
    carry: "",
  }
}

/** The result of an opening: the segment to start, null if it starts later, and the next state. */
export interface MarkedBlock {
  readonly start: { readonly type: SegmentType; readonly metadata: Metadata } | null
  /** It ended with its opening. */
  readonly isEmpty?: boolean
  /** Its opening is content. */
  readonly isContent?: boolean
  /** What it says of the segment before it. */
  readonly ends?: Metadata
  readonly mode: Mode
}
