// The marks that carry a message beside its colour, in Unicode and in ASCII.
import type { SessionStatus } from "../run/model/session.ts"

/** Each in Unicode and in ASCII. All are one column wide. */
const MARKS = {
  asks: ["?", "?"],
  error: ["✗", "x"],
  warning: ["!", "!"],
  ok: ["✓", "+"],
  stopped: ["■", "#"],
  live: ["●", "*"],
  folded: ["▸", ">"],
  unfolded: ["▾", "v"],
  bar: ["▌", "|"],
  /** Left of what somebody said. */
  said: ["▎", "|"],
  barFull: ["▇", "#"],
  barEmpty: ["░", "."],
  cell: ["▮", "#"],
  noCell: ["▯", "."],
  /** The cells of a small chart, from nothing to the highest. */
  heights: ["▁▂▃▄▅▆▇█", "_.:-=+*#"],
  pin: ["*", "*"],
  above: ["↑", "^"],
  /** The track of a replay: played, still to come, and a change of state. */
  done: ["━", "="],
  ahead: ["─", "-"],
  mark: ["┼", "+"],
  /** The moment shown, where the waterfall is empty. */
  rule: ["│", "|"],
  caret: ["▌", "_"],
  arrow: ["→", ">"],
  result: ["↩", "<"],
  path: ["›", ">"],
  branch: ["└", "`"],
  ellipsis: ["…", "~"],
  below: ["↓", "v"],
  dash: ["–", "-"],
  dot: ["·", "-"],
  on: ["x", "x"],
  off: [" ", " "],
} as const

function marksOf(kind: 0 | 1): { readonly [name in keyof typeof MARKS]: string } {
  const marks = Object.entries(MARKS).map(([name, pair]) => [name, pair[kind]] as const)
  return Object.fromEntries(marks) as ReturnType<typeof marksOf>
}

export const unicode = {
  /** Only ASCII is drawn, also in titles. */
  plain: false,
  status: { waiting: "◌", streaming: "●", done: "✓", error: "✗" } satisfies Record<SessionStatus, string>,
  /** Frames of the animation while waiting for the first token. */
  shimmer: ["•··", "·•·", "··•", "·•·"],
  ...marksOf(0),
}

export type Glyphs = Readonly<typeof unicode>

export const ascii: Glyphs = {
  plain: true,
  status: { waiting: "o", streaming: "*", done: "+", error: "x" },
  shimmer: ["o..", ".o.", "..o", ".o."],
  ...marksOf(1),
}

/** The cell of a small chart: as high as its share of the highest. Both are counts, and any is seen. */
export function heightOf(value: number, most: number, { heights }: Glyphs): string {
  return heights[Math.ceil((value / most) * (heights.length - 1))] ?? ""
}

/** Our own ornaments, and the ASCII character that stands for each. */
const FANCY = "·›–—…→↓↑←•─│"
const PLAIN = "->--~>v^<*-|"

/** Our own ornaments replaced for a terminal that has only ASCII. */
export function asciiOf(text: string): string {
  return text.replace(/[·›–—…→↓↑←•─│]/g, char => PLAIN.charAt(FANCY.indexOf(char)))
}
