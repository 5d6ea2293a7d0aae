// The lines of a block, made when they are needed: a long text part by part.
import type { GrowingLines } from "../ui/growing-lines.ts"
import type { Line } from "../ui/line.ts"

export interface BodySource {
  readonly text: string
  /** The lines of the text, which can be made part by part; null for a text that only `lines` shows. */
  readonly grows: ((columns: number) => GrowingLines) | null
  readonly lines: (columns: number) => readonly Line[]
}

const NO_TEXT: BodySource = { text: "", grows: null, lines: () => [] }

/** Until its lines are made their number is estimated from the text. */
export class LazyBody {
  private readonly estimate: number
  private above: readonly Line[] = []
  private grown: GrowingLines | null = null
  private below: readonly Line[] | null = null
  /** UTF-16 units of the text whose lines were made part by part. */
  private read = 0
  /** Number of lines, once they were all made or the text was dropped. */
  private known: number | null = null

  /** `top` makes the lines above those of the block. */
  constructor(
    private source: BodySource,
    private readonly columns: number,
    private top: () => readonly Line[],
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
    if (this.known !== null) return this.known
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
    if (grows === null || this.read === text.length) {
      this.below = lines(this.columns)
      this.known ??= this.length
    }
    return Math.max(1, taken)
  }

  /** Drops lines that were made. They are made again when they are shown, and stay as many. */
  drop(): void {
    this.above = []
    this.grown = null
    this.below = null
    this.read = 0
  }

  /** Drops the text too. As many blank lines stay in its place. */
  dropText(): void {
    this.known = this.length
    this.drop()
    this.source = NO_TEXT
    this.top = () => []
    this.below = []
  }

  /** A line that was made; undefined for any other. */
  line(index: number): Line | undefined {
    const inner = index - this.above.length
    return this.above[index] ?? this.grown?.line(inner) ?? this.below?.[inner - (this.grown?.length ?? 0)] ?? undefined
  }
}

/** Lines that are kept once they were made; those near the screen always are. */
const KEPT_LINES = 20_000

/** The blocks whose lines were made, the oldest first: an endless text has ever more of them. */
export class MadeLines {
  private bodies: readonly LazyBody[] = []
  private lines = 0

  add(body: LazyBody): void {
    if (!body.isMade) return
    this.bodies = [...this.bodies, body]
    this.lines += body.length
  }

  /** Drops lines of other blocks than these, the oldest first, if there are too many. */
  keep(shown: readonly { readonly body: LazyBody }[]): void {
    if (this.lines <= KEPT_LINES) return
    const kept = new Set(shown.map(({ body }) => body))
    this.bodies = this.bodies.filter(body => {
      if (this.lines <= KEPT_LINES || kept.has(body)) return true
      this.lines -= body.length
      body.drop()
      return false
    })
  }
}

function rowsIn(text: string, columns: number): number {
  let breaks = 0
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) breaks++
  return breaks + Math.ceil(text.length / columns)
}
