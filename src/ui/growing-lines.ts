// Lines of a text that grows at its end. Appending costs what is new, whatever stands above it.
import { type ColorToken, type Line, line, span, wrap } from "./line.ts"

/** UTF-16 units after which a line that never ends is broken. */
export const LONGEST_LINE = 2048

/** The lines of one line of a text. */
type Rendering = (text: string, isFirst: boolean) => readonly Line[]

export class GrowingLines {
  private readonly done: Line[] = []
  private open = ""
  private last: readonly Line[] | null = null

  /** `unfinished` renders the last line, which may go on. */
  constructor(
    private readonly whole: Rendering,
    private readonly unfinished = whole,
  ) {}

  get lines(): readonly Line[] {
    return [...this.done, ...this.openLines]
  }

  get length(): number {
    return this.done.length + this.openLines.length
  }

  /** Lines that stay as they are, whatever is appended. */
  get settled(): number {
    return this.done.length
  }

  append(text: string): void {
    const lines = brokenLines(this.open + text)
    this.open = lines.pop() ?? ""
    this.last = null
    for (const one of lines) this.done.push(...this.whole(one, this.done.length === 0))
  }

  line(index: number): Line | undefined {
    return this.done[index] ?? this.openLines[index - this.done.length]
  }

  private get openLines(): readonly Line[] {
    this.last ??= this.unfinished(this.open, this.done.length === 0)
    return this.last
  }
}

/** A text that is wrapped between words, in one colour. */
export function wrappedText(columns: number, token: ColorToken, italic = false): GrowingLines {
  const style = italic ? { italic } : {}
  return new GrowingLines(text => wrap(text, columns).map(row => line(span(row, token, style))))
}

/** The lines of a text; one that is too long is broken, at a blank where there is one. */
export function brokenLines(text: string): string[] {
  return text.split("\n").flatMap(whole => {
    const pieces: string[] = []
    let rest = whole
    while (rest.length > LONGEST_LINE) {
      const blank = rest.lastIndexOf(" ", LONGEST_LINE)
      const end = blank > LONGEST_LINE / 2 ? blank + 1 : wholeUnits(rest)
      pieces.push(rest.slice(0, end))
      rest = rest.slice(end)
    }
    return [...pieces, rest]
  })
}

/** The greatest length that cuts no surrogate pair. */
function wholeUnits(text: string): number {
  return /[\ud800-\udbff]/.test(text.charAt(LONGEST_LINE - 1)) ? LONGEST_LINE - 1 : LONGEST_LINE
}
