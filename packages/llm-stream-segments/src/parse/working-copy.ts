// Copies a parse state for one chunk, and collects the chunk's events.

import type { ToolList } from "./formats/schema-types.ts"
import type { NestMode, ResolveTool, ToolMode } from "./formats/tool-mode.ts"
import type { ToolSyntaxSpec } from "./formats/tool-syntax.ts"
import type { CallMode, MarkedBlock, Mode, ParseState, Scan, ScanResult } from "./parser-state.ts"
import type { ArgumentStyle, CallRule, Rules } from "./rules.ts"
import { isTool, type Metadata, SegmentEvent, type SegmentType } from "./segment.ts"
import type { TagArguments } from "./tag-arguments.ts"

/** How the blocks of a syntax open. */
export interface SyntaxReader {
  /** The words that its openings begin with, sorted. */
  openings(formats: Rules["formats"], patterns?: readonly string[]): readonly string[]
  /** The scan before the first character, and its next step. */
  readonly begin: Scan
  read(rules: Rules, scan: Scan, text: string, from: number): ScanResult
  /** The block of an opening, as a whole and the word in it; null if it is none after all. */
  block(rules: Rules, word: string, header: string): MarkedBlock | null
}

/** What reads a syntax that the kernel doesn't know: a program carries only what its formats and classes need. */
export interface Kit {
  readonly strings?: SyntaxReader & {
    formats(tags: { readonly [name: string]: unknown }, tools: boolean): Rules["formats"]
  }
  readonly json?: SyntaxReader
  readonly sentinel?: SyntaxReader
  /** The block of a tag that is a call. */
  readonly callBlock?: (word: string, header: string, rule: CallRule) => MarkedBlock | null
  /** Arguments in tags: a step of their state, and a reader for those of a call of this name. */
  readonly inTags?: {
    run(copy: WorkingCopy, mode: CallMode): void
    reader(style: ArgumentStyle | null, tools: ToolList, name: string, tell: TagArguments["tell"]): TagArguments
  }
  /** AutoByteus' tags. */
  readonly builtIn?: {
    readonly tags: readonly string[]
    block(word: string, header: string, safe: boolean, resolve?: ResolveTool): MarkedBlock | null
    /** A step, how many characters the next may have (null: any), and what is left at the stream's end. */
    run(copy: WorkingCopy, mode: ToolMode | NestMode): void
    room(copy: WorkingCopy, tool: ToolMode): number | null
    end(copy: WorkingCopy, tool: ToolMode): void
    isPlain(mode: ToolMode | NestMode, chunk: string): boolean
  }
  /** Knows the layouts of AutoByteus' tools, if classes replace some. */
  readonly resolve?: ResolveTool
  /** The tool of a kind of segment whose content is an argument. */
  readonly specOf?: (type: string) => ToolSyntaxSpec | undefined
}

/** One chunk's mutable copy of a state. The original state is never changed. */
export type WorkingCopy = { -readonly [K in keyof ParseState]: ParseState[K] } & {
  readonly kit: Kit
  /** The current window, and the position of the next character to read. It may begin with text held from earlier. */
  text: string
  pos: number
  /** The characters that may open a block. */
  readonly marks: RegExp
  /** Content of the open segment that is not yet in an event. */
  pending: string
  events: SegmentEvent[]
}

/** Makes `text` the window, to be read from its beginning. */
export function setWindow(copy: WorkingCopy, text: string): void {
  copy.text = text
  copy.pos = 0
}

/** The mode to go on with: a tool or a call is the copy's own, and changed in place. */
export function ownMode(mode: Mode): Mode {
  if (mode.at === "call") return { ...mode, scan: { ...mode.scan } }
  return mode.at === "tool" ? { ...mode } : mode
}

/** A copy of the state that a chunk is read into. */
export function workingCopy(state: ParseState, kit: Kit): WorkingCopy {
  const marks = new RegExp(`[${state.rules.marks.join("").replace(/[\\\]^-]/g, "\\$&")}]`, "g")
  const reading = { text: "", pos: 0, marks, pending: "", events: [] }
  return { ...state, mode: ownMode(state.mode), kit, ...reading }
}

/** The state that the next chunk continues from. */
export function stateOf({ rules, mode, segment, count, fence, line, lost, carry }: WorkingCopy): ParseState {
  return { rules, mode, segment, count, fence, line, lost, carry }
}

/** Starts a segment, and ends the one before it. Returns its id. */
export function openSegment(copy: WorkingCopy, type: SegmentType, metadata: Metadata): string {
  closeSegment(copy)
  copy.count++
  const id = `${copy.rules.prefix}seg_${copy.count}`
  copy.segment = { id, type }
  copy.events.push(SegmentEvent.start(id, type, metadata))
  return id
}

/** Adds content to the open segment; opens a text segment if there is none. */
export function emitText(copy: WorkingCopy, text: string): void {
  if (text === "") return
  if (copy.segment === null) openSegment(copy, "text", {})
  copy.pending = copy.pending === "" ? text : copy.pending + text
}

/** Emits the content that was collected. */
export function flush(copy: WorkingCopy): void {
  if (copy.pending === "" || copy.segment === null) return
  copy.events.push(SegmentEvent.content(copy.segment.id, copy.pending))
  copy.pending = ""
}

/** The events since the last call. */
export function takeEvents(copy: WorkingCopy): SegmentEvent[] {
  flush(copy)
  const { events } = copy
  copy.events = []
  return events
}

/** Ends the open segment, if any. */
export function closeSegment(copy: WorkingCopy, metadata?: Metadata, truncated = false): void {
  if (copy.segment === null) return
  flush(copy)
  copy.events.push(SegmentEvent.end(copy.segment.id, metadata, truncated || (copy.lost && isTool(copy.segment.type))))
  copy.segment = null
}

/** Puts held text back in front of the unread characters. */
export function replay(copy: WorkingCopy, held: string): void {
  if (held === "") return
  setWindow(copy, held + copy.text.slice(copy.pos))
}
