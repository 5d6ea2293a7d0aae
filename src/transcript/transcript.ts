// The text of a session in the text pane and the reader: the model's own text in full width, all else labelled.
import type { Run } from "../run/model/run.ts"
import type { Entry } from "../run/model/session.ts"
import type { Captures } from "../run/select/captures.ts"
import type { TextSize } from "../ui/layout.ts"
import type { Line, RenderContext } from "../ui/line.ts"
import { blockLines, foldedLine, folding, type LabeledText, partStyle, styleOf } from "./block.ts"
import { BlockLayout } from "./block-layout.ts"
import {
  blockKey,
  type EntryGroup,
  lazyLines,
  type SessionBlock,
  type SessionReading,
  type Shape,
  sessionBlock,
} from "./session-block.ts"
import { writtenSegments } from "./tool-calls.ts"

interface Block extends SessionBlock, LabeledText {
  readonly entry: Entry
}

/** This text shows excerpts as the agent sent them. */
const NO_CAPTURES: Captures = new Map()

/** A folded card is one line. */
export class TranscriptText extends BlockLayout<Block> {
  protected readonly indent = 0

  update(run: Run, reading: SessionReading, size: TextSize, context: RenderContext): void {
    this.refresh({ run, captures: NO_CAPTURES }, reading, size, context)
  }

  protected blocksOf({ ids, entries }: EntryGroup, shape: Shape): readonly Block[] {
    return entries.flatMap((entry, i) =>
      textsOf(entry, shape).map((shown, part) => {
        const folds = shown.style.folded !== undefined
        const block = sessionBlock(blockKey(ids[i], part), entry, folds, () =>
          blockLines(shown, shape.columns, shape.glyphs),
        )
        return { ...block, ...shown, entry }
      }),
    )
  }

  protected joined(result: Block, { key, turn }: Block, shape: Shape): Block {
    const shown = { ...result, style: styleOf(result.entry, shape.glyphs) }
    return {
      ...shown,
      card: key,
      turn,
      folds: true,
      body: lazyLines(() => blockLines(shown, shape.columns, shape.glyphs)),
    }
  }

  protected headRows(place: number): number {
    const block = this.blocks[place]
    return this.isClosed(place) && block?.card === block?.key ? 1 : 0
  }

  protected headLine(block: Block, place: number, _row: number, { columns, glyphs }: Shape): Line {
    const results: Entry[] = []
    for (let next = this.blocks[place + 1]; next?.card === block.key; next = this.blocks[place + 1 + results.length]) {
      results.push(next.entry)
    }
    return foldedLine(block, results, columns, glyphs)
  }
}

/** An entry is one text, or if it is a parsed reply, one for each of its segments. */
function textsOf(entry: Entry, { strategy, glyphs }: Shape): readonly LabeledText[] {
  const text = entry.text.join("")
  if (entry.type === "text" && strategy !== "api_tool_call") {
    return writtenSegments(strategy, text).map(segment => ({
      style: partStyle(segment, glyphs),
      text: [segment.text, segment.more].filter(Boolean).join("\n"),
      isCut: segment.isCut,
    }))
  }
  const style = styleOf(entry, glyphs)
  // A result folds by itself only if its call is not known.
  return [{ style: entry.type === "tool-result" ? folding(style, glyphs) : style, text, isCut: false }]
}
