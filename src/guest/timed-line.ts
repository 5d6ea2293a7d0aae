// Defines a line of a guest's output.

/** A line that a guest printed, with its time in epoch ms. Only `stdout` is parsed. */
export interface TimedLine {
  readonly stream: "stdout" | "stderr" | "system"
  readonly text: string
  readonly ts: number
  /** The line number in a saved log, from 1. */
  readonly line?: number
}
