// Holds what could steer a terminal: every form of control there is, and forms made by chance.
import { randomOf } from "../chaos/random.ts"

/** Part of every hostile form and of nothing of ours: seeing it means that the form was shown. */
export const SENTINEL = "40404"

/** The hostile text within what a file name can hold. */
export const named = `${SENTINEL}\x1b]52;c;${SENTINEL}\x07\x1b[2J\x9b2J\u202e\x7f\r\n\b${SENTINEL}`

const codes = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCharCode(from + index))

const ESC = "\x1b"
const BEL = "\x07"
const ST = "\x1b\\"
/** Ends of a control string: BEL, ST in both spellings, none, and cancellations. */
const ENDS = [BEL, ST, "\x9c", "", "\x18", "\x1a"]
/** OSC commands: titles, colours, links, the clipboard, notifications, files, marks, progress. */
const OSC = [0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 17, 19, 22, 50, 52, 66, 99, 104, 110, 112, 133, 633, 777, 1337]
const STRINGS = [`${ESC}P`, `${ESC}X`, `${ESC}^`, `${ESC}_`, "\x90", "\x98", "\x9e", "\x9f"]

/** Every control code, every escape, every final of a control sequence, every string, with each of its ends. */
export const forms: readonly string[] = [
  ...[...codes(0x00, 0x1f), ...codes(0x7f, 0x9f)].map(code => `${SENTINEL}${code}${SENTINEL}`),
  ...codes(0x20, 0x7e).map(final => `${ESC}${final}${SENTINEL}`),
  ...codes(0x40, 0x7e).map(final => `${ESC}[${SENTINEL}${final}`),
  ...codes(0x40, 0x7e).map(final => `\x9b${SENTINEL};1${final}`),
  ...["?", ">", "=", "<", "!", "$"].flatMap(mark => [`${ESC}[${mark}${SENTINEL}h`, `${ESC}[${mark}${SENTINEL}p`]),
  ...OSC.flatMap((number, index) => [
    `${ESC}]${number};${SENTINEL}${ENDS[index % ENDS.length]}`,
    `\x9d${number};${SENTINEL}${ENDS[(index + 1) % ENDS.length]}`,
  ]),
  `${ESC}]52;c;${SENTINEL}${BEL}`,
  `${ESC}]8;;http://${SENTINEL}/${ST}text${ESC}]8;;${ST}`,
  ...STRINGS.flatMap((begin, index) => [
    `${begin}${SENTINEL}q${ENDS[index % ENDS.length]}`,
    `${begin}${SENTINEL}${ENDS[(index + 3) % ENDS.length]}`,
  ]),
  `${ESC}Ptmux;${ESC}${ESC}]52;c;${SENTINEL}${BEL}${ST}`,
  ...["\u061c", "\u200e", "\u200f", ...codes(0x2028, 0x202e), ...codes(0x2066, 0x2069)].map(
    mark => `${mark}${SENTINEL}`,
  ),
]

const PARTS = [
  ESC,
  "\x9b",
  "\x9d",
  "\x90",
  "[",
  "]",
  "?",
  ";",
  "52;c;",
  "2J",
  "m",
  "h",
  "\\",
  BEL,
  "\x9c",
  "\r",
  "\b",
  "\0",
  "\u202e",
  "é",
  "漢",
  SENTINEL,
]

/** So many random forms, the same for the same seed. */
export function formsByChance(count: number, seed: number): readonly string[] {
  const random = randomOf(seed)
  const part = (): string => PARTS[random.whole(0, PARTS.length - 1)] ?? ESC
  return Array.from({ length: count }, () => Array.from({ length: random.whole(2, 9) }, part).join("") + SENTINEL)
}
