// Splits a program's output into text and escape sequences.
export interface Sent {
  /** Each sequence as it came. */
  readonly sequences: readonly string[]
  /** Everything else. */
  readonly text: string
}

const SEQUENCE =
  /\x1b(?:[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c|$)|\[[0-?]*[ -/]*[@-~]|[ -/]*[0-OQ-WYZ`-~])|[\x90\x98\x9d-\x9f][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c|$)|\x9b[0-?]*[ -/]*[@-~]/g

/** `raw` is latin1, as the test terminals keep it, and must be UTF-8. */
export function takeApart(raw: string): Sent {
  const said = Buffer.from(raw, "latin1").toString("utf8")
  return { sequences: said.match(SEQUENCE) ?? [], text: said.replaceAll(SEQUENCE, "") }
}

/** The renderer's queries, modes and drawing sequences: none contains text. */
const DRAWING: readonly RegExp[] = [
  // Where to draw, and how.
  /^\x1b\[(?:\d{1,4};\d{1,4})?H$/,
  /^\x1b\[[\d;:]*m$/,
  /^\x1b\[\d q$/,
  /^\x1b\[[su]$/,
  /^\x1b\[(?:2?J|K)$/,
  // Modes, keyboards, the saved title.
  /^\x1b\[\?(?:25|1000|1002|1003|1004|1006|1049|2004|2026|2027|2031)[hl]$/,
  /^\x1b\[[<>]\d*u$/,
  /^\x1b\[>4;[01]m$/,
  /^\x1b\[2[23];2t$/,
  // Questions.
  /^\x1b\[\?\d{4}\$p$/,
  /^\x1b\[(?:\?u|>0q|c|6n|14t|\?996n)$/,
  /^\x1b\](?:1[0-2]|4;\d{1,3});\?\x07$/,
  /^\x1bP\+q[\da-f]+\x1b\\$/,
  /^\x1b\]99;i=opentui-notifications:p=\?;\x1b\\$/,
  /^\x1b\]1337;Capabilities\x1b\\$/,
  /^\x1b\]66;[ws]=[12]; \x1b\\$/,
  /^\x1b_Gi=31337,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\$/,
  // The colour of the cursor, the shape of the pointer, an empty title.
  /^\x1b\]12;(?:#[\da-f]{6}|default)\x07$/,
  /^\x1b\]112\x07$/,
  /^\x1b\](?:0;\x07|22;\x1b\\)$/,
]

/** Sequences with a text: a title, a notification, a copy. The first group is the text, or its base64. */
const CARRYING: readonly RegExp[] = [
  /^\x1b\]2;([^\0-\x1f\x7f-\x9f]*)\x07$/,
  /^\x1b\]9;([^\0-\x1f\x7f-\x9f]*)\x07$/,
  /^\x1b\]777;notify;([^\0-\x1f\x7f-\x9f]*)(?:\x07|\x1b\\)$/,
  /^\x1b\]99;[a-z0-9=:-]*;([^\0-\x1f\x7f-\x9f]*)\x1b\\$/,
  /^\x1b\]52;c;([A-Za-z0-9+/=]*)\x07$/,
]

/** True for a sequence of the renderer or of ours; false for any other. */
export function isOurs(sequence: string): boolean {
  return [...DRAWING, ...CARRYING].some(form => form.test(sequence))
}

/** The texts inside sequences, which must be as sanitized as drawn text. */
export function carried(sequences: readonly string[]): readonly string[] {
  return sequences.flatMap(sequence => {
    const text = CARRYING.map(form => form.exec(sequence)?.[1]).find(found => found !== undefined)
    if (text === undefined) return []
    return [sequence.startsWith("\x1b]52;") ? Buffer.from(text, "base64").toString("utf8") : text]
  })
}

/** What no text on a terminal may contain: control characters, and marks that change the reading direction. */
export const STEERING = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/
