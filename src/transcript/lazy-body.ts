// The lines of a block, made when they are needed: a long Markdown text part by part.
import type { ColorToken, Line } from "../ui/line.ts"
import { MarkdownText } from "../ui/markdown/render-markdown.ts"

/** What the lines of a block are made from. */
export interface BodySource {
  readonly text: string
  /** The colour of a text that is Markdown and rendered as that; null for any other, which `lines` shows. */
  readonly markdown: ColorToken | null
  /** The lines below the Markdown. */
  readonly lines: (columns: number) => readonly Line[]
}

/** Until its lines are made their number is estimated from the text. */
export class LazyBody {
  private readonly estimate: number
  private above: readonly Line[] = []
  private markdown: MarkdownText | null = null
  private below: readonly Line[] | null = null
  /** UTF-16 units of the Markdown that were rendered. */
  private read = 0

  /** `top` makes the lines above those of the block. */
  constructor(
    private readonly source: BodySource,
    private readonly columns: number,
    private readonly top: () => readonly Line[],
  ) {
    this.estimate = rowsIn(source.text, columns)
  }

  /** What the lines are made from. */
  get text(): string {
    return this.source.text
  }

  get isMade(): boolean {
    return this.below !== null
  }

  get length(): number {
    const made = this.above.length + (this.markdown?.length ?? 0)
    if (this.below !== null) return made + this.below.length
    const part = 1 - this.read / Math.max(1, this.source.text.length)
    return made + Math.ceil(this.estimate * part)
  }

  /** Makes the lines, of Markdown those of at most `units` more UTF-16 units; returns how many it took. */
  make(units = Number.POSITIVE_INFINITY): number {
    const { text, markdown: token, lines } = this.source
    if (this.below !== null) return 0
    if (this.markdown === null) this.above = this.top()
    let taken = text.length
    if (token !== null) {
      this.markdown ??= new MarkdownText(this.columns, token)
      taken = Math.min(units, text.length - this.read)
      this.markdown.append(text.slice(this.read, this.read + taken))
      this.read += taken
    }
    if (token === null || this.read === text.length) this.below = lines(this.columns)
    return Math.max(1, taken)
  }

  /** A line that was made; undefined for any other. */
  line(index: number): Line | undefined {
    const inner = index - this.above.length
    return (
      this.above[index] ?? this.markdown?.line(inner) ?? this.below?.[inner - (this.markdown?.length ?? 0)] ?? undefined
    )
  }
}

function rowsIn(text: string, columns: number): number {
  let breaks = 0
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) breaks++
  return breaks + Math.ceil(text.length / columns)
}
