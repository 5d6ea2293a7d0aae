// The marks that carry a message beside its colour, in Unicode and in ASCII.
import type { SessionStatus } from "../run/model/session.ts"

/** All are one column wide. */
export interface Glyphs {
  /** Only ASCII is drawn, also in titles. */
  readonly plain: boolean
  readonly status: { readonly [status in SessionStatus]: string }
  readonly asks: string
  readonly error: string
  readonly warning: string
  readonly ok: string
  readonly live: string
  readonly folded: string
  readonly unfolded: string
  readonly bar: string
  readonly barFull: string
  readonly barEmpty: string
  /** The track of a replay: played, still to come, and a change of state. */
  readonly done: string
  readonly ahead: string
  readonly mark: string
  /** The moment shown, where the waterfall is empty. */
  readonly rule: string
  readonly caret: string
  readonly arrow: string
  readonly result: string
  readonly path: string
  readonly branch: string
  readonly ellipsis: string
  readonly below: string
  readonly dash: string
  readonly dot: string
  readonly on: string
  readonly off: string
  /** Frames of the animation while waiting for the first token. */
  readonly shimmer: readonly string[]
}

export const unicode: Glyphs = {
  plain: false,
  status: { waiting: "◌", streaming: "●", done: "✓", error: "✗" },
  asks: "?",
  error: "✗",
  warning: "!",
  ok: "✓",
  live: "●",
  folded: "▸",
  unfolded: "▾",
  bar: "▌",
  barFull: "█",
  barEmpty: "░",
  done: "━",
  ahead: "─",
  mark: "┼",
  rule: "│",
  caret: "▌",
  arrow: "→",
  result: "↩",
  path: "›",
  branch: "└",
  ellipsis: "…",
  below: "↓",
  dash: "–",
  dot: "·",
  on: "x",
  off: " ",
  shimmer: ["•··", "·•·", "··•", "·•·"],
}

export const ascii: Glyphs = {
  plain: true,
  status: { waiting: "o", streaming: "*", done: "+", error: "x" },
  asks: "?",
  error: "x",
  warning: "!",
  ok: "+",
  live: "*",
  folded: ">",
  unfolded: "v",
  bar: "|",
  barFull: "#",
  barEmpty: ".",
  done: "=",
  ahead: "-",
  mark: "+",
  rule: "|",
  caret: "_",
  arrow: ">",
  result: "<",
  path: ">",
  branch: "`",
  ellipsis: "~",
  below: "v",
  dash: "-",
  dot: "-",
  on: "x",
  off: " ",
  shimmer: ["o..", ".o.", "..o", ".o."],
}
