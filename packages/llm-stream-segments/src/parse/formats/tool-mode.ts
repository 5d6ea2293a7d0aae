// Defines where the parser is in AutoByteus' tags: plain data.
import type { TagScan } from "../marker.ts"
import type { Metadata, SegmentType } from "../segment.ts"

/** The layout of a `<tool>` that streams one argument as content. Plain data; a subclass may return its own. */
export interface ToolShape {
  /** The tool's own name; START has `tool_name` only if the tag's name differs. */
  readonly tool: string
  readonly type: SegmentType
  /** The argument that START waits for; null if START comes with the content. */
  readonly needs: string | null
  /** The argument whose text is the content; null if everything between the tags is. */
  readonly body: string | null
  /** Markers around the content inside that argument; empty for none. */
  readonly startMarker: string
  readonly endMarker: string
}

/**
 * The parser's position in a tool. `held` may still become a tag; `gap` is the text between arguments, or a possible
 * end of the content and the blanks after it.
 */
export type ToolPart =
  | { readonly at: "between"; readonly gap: string }
  | { readonly at: "tag"; readonly gap: string; readonly held: string; readonly scan: TagScan }
  | { readonly at: "value"; readonly name: string; readonly value: string; readonly held: string }
  | { readonly at: "lead"; readonly blank: string; readonly held: string }
  | { readonly at: "fresh" }
  | { readonly at: "plain"; readonly held: string }
  | { readonly at: "marked"; readonly held: string }
  | { readonly at: "ending"; readonly marked: boolean; readonly gap: string; readonly held: string }

export interface ToolMode {
  readonly at: "tool"
  readonly shape: ToolShape
  readonly part: ToolPart
  /** All text since `<tool`, in case it turns out to be plain text; null after START. */
  readonly raw: string | null
  /** Content that came before START. */
  readonly early: string
  readonly metadata: Metadata
  /** Metadata that came after START. */
  readonly late: Metadata | null
  /** The content argument has been closed. */
  readonly filled: boolean
  /** `</arguments>` has been read. */
  readonly shut: boolean
  /** Text was dropped that belongs to no argument, or to a second content. */
  readonly dropped: boolean
}

/**
 * Everything up to `close` is content. Another `opening` tag starts the block again, or with a `depth` opens a whole
 * block within a file, which is content. Such a file begins with a newline that is dropped, `fresh` until then.
 */
export interface NestMode {
  readonly at: "nest"
  readonly close: string
  readonly opening: string
  readonly depth: number | null
  readonly fresh: boolean
  readonly held: string
}

/** Finds the layout of a `<tool>` by its name in ASCII lower case; null for the generic one. */
export type ResolveTool = (name: string) => ToolShape | null | "foreign"
