// Defines where a panel is drawn.
import type { SessionOutline } from "../../transcript/session-outline.ts"
import type { TranscriptText } from "../../transcript/transcript.ts"
import type { RenderContext } from "../../ui/render-context.ts"

/** Each width of a text keeps lines of its own, so that none is wrapped anew for another. */
export interface Transcripts {
  readonly pane: TranscriptText
  readonly reader: TranscriptText
  readonly inspector: SessionOutline
}

/** The columns and rows inside a border, and what drawing needs beside the state. */
export interface Place {
  readonly columns: number
  readonly rows: number
  readonly render: RenderContext
  readonly transcripts: Transcripts
}
