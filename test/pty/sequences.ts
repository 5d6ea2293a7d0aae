// Takes what a program sent to a terminal apart: text, and the sequences that steer the terminal.

export interface Sent {
  /** Each sequence as it came. */
  readonly sequences: readonly string[]
  /** Everything else. */
  readonly text: string
}

const SEQUENCE =
  /\x1b(?:[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c|$)|\[[0-?]*[ -/]*[@-~]|[ -/]*[0-OQ-WYZ`-~])|[\x90\x98\x9d-\x9f][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c|$)|\x9b[0-?]*[ -/]*[@-~]/g

/** `raw` is latin1, as a terminal of the tests keeps it; what came must be UTF-8. */
export function takeApart(raw: string): Sent {
  const said = Buffer.from(raw, "latin1").toString("utf8")
  return { sequences: said.match(SEQUENCE) ?? [], text: said.replaceAll(SEQUENCE, "") }
}

/** What a sequence does, without where and how much: runs of parameters are one `#`; a title is one, whatever it says. */
export function shape(sequence: string): string {
  return sequence.replace(/^(\x1b\]2;)[^\0-\x1f\x7f-\x9f]+/, "$1").replaceAll(/\d+(?:[;:]\d+)*/g, "#")
}
