/** One line of what an agent CLI printed, and when: epoch ms. Only `stdout` is for the parser. */
export interface TimedLine {
  readonly stream: "stdout" | "stderr" | "system"
  readonly text: string
  readonly ts: number
  /** Of a saved log: the line in it, from 1. */
  readonly line?: number
}
