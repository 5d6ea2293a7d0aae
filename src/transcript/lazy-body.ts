// The lines of a block, made when they are needed: a long text part by part.
import type { GrowingLines } from "../ui/growing-lines.ts"
import type { Line } from "../ui/line.ts"

/** The source of the lines of a block. */
export interface BodySource {
  readonly text: string
  /** The lines of the text, which can be made part by part; null for a text that only `lines` shows. */
  readonly grows: ((columns: number) => GrowingLines) | null
  /** The lines below those. */
  readonly lines: (columns: number) => readonly Line[]
}

/** Until its lines are made their number is estimated from the text. */
export class LazyBody {
  private readonly estimate: number
  private above: readonly Line[] = []
  private grown: GrowingLines | null = null
  private below: readonly Line[] | null = null
  /** UTF-16 units of the text whose lines were made part by part. */
  private read = 0

  /** `top` makes the lines above those of the block. */
  constructor(
    private readonly source: BodySource,
    private readonly columns: number,
    private readonly top: () => readonly Line[],
  ) {
    this.estimate = rowsIn(source.text, columns)
  }

  get text(): string {
    return this.source.text
  }

  get isMade(): boolean {
    return this.below !== null
  }

  get length(): number {
    const lines = this.above.length + (this.grown?.length ?? 0)
    if (this.below !== null) return lines + this.below.length
    const part = 1 - this.read / Math.max(1, this.source.text.length)
    return lines + Math.ceil(this.estimate * part)
  }

  /** Makes the lines, part by part those of at most `units` more UTF-16 units; returns how many it took. */
  make(units = Number.POSITIVE_INFINITY): number {
    const { text, grows, lines } = this.source
    if (this.below !== null) return 0
    if (this.grown === null) this.above = this.top()
    let taken = text.length
    if (grows !== null) {
      this.grown ??= grows(this.columns)
      taken = Math.min(units, text.length - this.read)
      this.grown.append(text.slice(this.read, this.read + taken))
      this.read += taken
    }
    if (grows === null || this.read === text.length) this.below = lines(this.columns)
    return Math.max(1, taken)
  }

  /** A line that was made; undefined for any other. */
  line(index: number): Line | undefined {
    const inner = index - this.above.length
    return this.above[index] ?? this.grown?.line(inner) ?? this.below?.[inner - (this.grown?.length ?? 0)] ?? undefined
  }
}

function rowsIn(text: string, columns: number): number {
  let breaks = 0
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) breaks++
  return breaks + Math.ceil(text.length / columns)
}
