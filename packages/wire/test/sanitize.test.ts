// Sanitizes every class of character that docs/decisions.md 1.3 names, and leaves all others alone.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { standardOutput } from "../../../src/cli/command-output.ts"
import type { Surface, Terminal } from "../../../src/screen/surface.ts"
import type { drawText } from "../../../src/ui/Canvas.tsx"
import type { printError, printOut } from "../../../src/ui/standard-streams.ts"
import { forAll } from "../../../test/for-all.ts"
import {
  hasUnsafe,
  quotedLine,
  sanitizeCached,
  sanitize as sanitized,
  sanitizeLine as sanitizedLine,
  sanitizeFault,
  shellWord,
} from "../src/sanitize.ts"

// Compared with plain text.
const sanitize = (text: string): string => sanitized(text)
const sanitizeLine = (text: string): string => sanitizedLine(text)

/** Without joiners, which have tests of their own below. */
const FORBIDDEN =
  /\u034f|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/u

const SPICE = (
  "\r\n|\r|\n|\t|\u001b[31m|\u007f|\u009b|\u00ad|\u061c|\u180e|\u200b|\u200c|\u200d|\u200e|" +
  "\u2028|\u202e|\u2064|\u2066|\ufeff|\u{e0041}|\u{e0101}|\u{1d173}|\u3164|\udb40|\udc41|" +
  "\ud83d|\ude00|👩|❤️|🏽|a|ن|क|्| |1"
).split("|")
const spiced = fc.oneof(
  fc.string({ unit: fc.constantFrom(...SPICE) }),
  fc.string({ unit: "binary" }),
  fc.array(fc.nat(0xffff)).map(units => String.fromCharCode(...units)),
)

const BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029"

describe("sanitize", () => {
  test("leaves clean text as it is", () => {
    for (const text of ["", "a\tb\nc", "Grüße, 世界 👍🏽", "e\u0301", "❤\ufe0f", "–—…"])
      expect(sanitize(text)).toBe(text)
  })

  test.each([
    ["C0 as pictures", "\u0000\u0007\u001b[2J\u001f", "␀␇␛[2J␟"],
    ["DEL as a picture", "\u007f", "␡"],
    ["C1 as U+FFFD", "\u0080\u0085\u009b2J\u009f", "\ufffd\ufffd\ufffd2J\ufffd"],
    ["CRLF as a newline, and a lone CR", "a\r\nb\rc", "a\nb␍c"],
    ["bidi controls and line separators as U+FFFD", BIDI, "\ufffd".repeat(14)],
    ["nothing without a width", "a\u200b\u2060\u2061\u2062\u2063\u2064\ufeff\u00ad\u180eb", "ab"],
    ["no tag characters", "a\u{e0001}\u{e0041}\u{e007f}b", "ab"],
    ["no joiner between digits", "1\u200d2", "12"],
    ["no joiner between spaces", " \u200c ", "  "],
    ["no two joiners", "a\u200d\u200db", "ab"],
    ["no joiner of a letter and an emoji", "a\u200d👩", "a👩"],
    ["no joiner alone", "\u200d", ""],
    ["no joiner at the end behind a digit", "1\u200d", "1"],
    ["no joiner beside a letter that is left out", "1\u3164\u200da\u200d\u{e0101}\u200d", "1a"],
    ["no joiner at the start before a space", "\u200d ", " "],
    ["the first half of a split character", "a\ud83d", "a\ud83d"],
    ["the second half of a split character", "\ude00b", "\ude00b"],
    ["no two halves joined by what was between them", "\udb40\u200b\udc41", "\udb40\ufffd\udc41"],
    ["no two halves joined by a character between", "\udb40\udb40\udc41\udc41", "\udb40\ufffd\udc41"],
  ])("shows %s", (_, text, shown) => expect(sanitize(text)).toBe(shown))

  test("removes variation selectors that spell out a hidden text, blank letters, and invisible controls", () => {
    const hidden = Array.from("secret", letter => String.fromCodePoint(0xe0100 + letter.charCodeAt(0))).join("")
    expect(sanitize(`a${hidden}b\u{e01ef}c\u{e0fff}`)).toBe("abc")
    const blanks = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180f\u3164\uffa0\ufff0\ufff9\ufffa\ufffb"
    for (const blank of `${blanks}\u{1d173}\u{1d17a}\u{1bca0}\u{1bca3}`) expect(sanitize(`a${blank}b`)).toBe("ab")
    for (const text of ["❤\ufe0f", "\ufffc", "\ufffd", "\u{1d172}", "\u{1d17b}", "\u{1bc9f}"])
      expect(sanitize(text)).toBe(text)
  })

  test("keeps joiners inside emoji and between letters, also at an edge if the known side would join", () => {
    const known = ["👩\u200d", "\u200d🚀", "ن\u200c", "\u200cن", "👩\u200d\ud83d", "\ude80\u200d🚀"]
    for (const text of ["👩‍🚀", "❤️‍🔥", "👩🏽‍🚀", "می‌خواهم", "क्‍ष", ...known]) expect(sanitize(text)).toBe(text)
  })

  test("leaves no forbidden character and is idempotent (property)", () =>
    forAll([spiced], 100, text => {
      const once = sanitize(text)
      expect(once).not.toMatch(FORBIDDEN)
      expect(sanitize(once)).toBe(once)
    }))
})

test("sanitizeLine returns a single line", async () => {
  expect(sanitizeLine("a\r\nb\n\tc")).toBe("a␊b␊ c")
  await forAll([spiced], 100, text => {
    const once = sanitizeLine(text)
    expect(once).not.toMatch(/[\n\t]/)
    expect(sanitizeLine(once)).toBe(once)
  })
})

test("a text that is sanitized again and again is each time its own", () => {
  expect<string[]>(["a\u007f", "a\u007f", "", "b", "a\u007f", ""].map(sanitizeCached)).toEqual([
    ...["a␡", "a␡", "", "b", "a␡", ""],
  ])
})

test("a quote is short and on one line, a fault is told with its stack, and a key may delete but not steer", () => {
  expect<string>(quotedLine(`a\r\n${"x".repeat(300)}`)).toBe(`a␊${"x".repeat(197)}`)
  const fault = Object.assign(new Error("gone"), { stack: "at\u001b" })
  const faults = [fault, Object.assign(new Error("gone"), { stack: undefined }), 7]
  expect<string[]>(faults.map(sanitizeFault)).toEqual(["at␛", "gone", "7"])
  expect([..."\u007f\u0085\u202e\u200f\u061cé👩"].map(hasUnsafe)).toEqual([false, true, true, true, true, false, false])
})

test("whatever shows text takes no text that was not sanitized", () => {
  // The types say it: with a sink that takes any string this file does not compile.
  type TakesAny<Text> = string extends Text ? true : false
  const sinks: readonly false[] = [
    false satisfies TakesAny<Parameters<typeof drawText>[1]>,
    false satisfies TakesAny<Parameters<typeof printOut>[0]>,
    false satisfies TakesAny<Parameters<typeof printError>[0]>,
    false satisfies TakesAny<Parameters<ReturnType<typeof standardOutput>["write"]>[0]>,
    false satisfies TakesAny<Parameters<Terminal["title"]>[0]>,
    false satisfies TakesAny<Parameters<Terminal["notify"]>[0]>,
    false satisfies TakesAny<Parameters<Surface["leave"]>[1]>,
  ]
  expect(sinks).not.toContain(true)
})

test("a copied path opens the very folder, whatever characters its name has", () => {
  const hostile = ["a\u001b[2Jb", "tab\tand\n1", "\u202e'\\$HOME`", "\u009b1é"]
  for (const name of ["/run/plain-1", "it's here", "é 猫", "", ...hostile]) {
    const word = shellWord(name)
    expect<string>(word).toBe(sanitizeLine(word))
    expect(Bun.spawnSync(["bash", "-c", `set -- ${word}; printf "$#%s" "$1"`]).stdout.toString()).toBe(`1${name}`)
  }
})
