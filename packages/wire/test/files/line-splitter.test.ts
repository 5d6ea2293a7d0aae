// Tests splitting bytes into lines.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { forAll } from "../../../../test/for-all.ts"
import { HEAD_LIMIT, LineSplitter, type SourceLine } from "../../src/files/line-splitter.ts"

const encode = (text: string) => new TextEncoder().encode(text)

function split(pieces: readonly (string | Uint8Array)[], limit?: number): { lines: SourceLine[]; rest: SourceLine } {
  const splitter = new LineSplitter(limit)
  return { lines: pieces.flatMap(piece => splitter.push(piece)), rest: splitter.remainder() }
}

const bytes = (...all: readonly number[]) => new Uint8Array(all)

test.each<[what: string, pieces: readonly (string | Uint8Array)[], lines: readonly string[], rest: string]>([
  ["including empty ones, so that line numbers stay right", ["a\n\nb\n"], ["a", "", "b"], ""],
  ["and keeps the text after the last line end", ["a\nb"], ["a"], "b"],
  ["ended by CRLF, also if a piece ends between the two", ["a\r", "\nb\r\n"], ["a", "b"], ""],
  ["with carriage returns inside them", ["a\rb\n"], ["a\rb"], ""],
  ["without a byte order mark", [bytes(0xef, 0xbb), bytes(0xbf, 0x61, 0x0a)], ["a"], ""],
  ["with invalid UTF-8 as U+FFFD", [bytes(0x61, 0xff, 0x0a, 0xe2, 0x0a)], ["a\ufffd", "\ufffd"], ""],
])("a line splitter returns lines %s", (_, pieces, lines, rest) => {
  expect(split(pieces)).toEqual({ lines: [...lines], rest })
})

describe("a line splitter returns lines", () => {
  test("that are the same if the text is split at every byte", () => {
    const text = 'é\n{"a":"日本語 👩‍👩‍👧 \\u0000"}\r\n\n\ud83d\ude00'
    const bytes = encode(text)
    const whole = split([bytes])
    expect(whole.lines).toEqual(["é", '{"a":"日本語 👩‍👩‍👧 \\u0000"}', ""])
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(split([bytes.slice(0, at), bytes.slice(at)])).toEqual(whole)
    }
    expect(split([...bytes].map(byte => new Uint8Array([byte])))).toEqual(whole)
  })

  test("that are the same for any text in any pieces (property)", async () => {
    const letters = fc.constantFrom("a", "é", "日", "😀", "\n", "\r\n", "\t")
    const cuts = fc.array(fc.nat(400), { maxLength: 12 })
    await forAll([fc.array(letters, { maxLength: 80 }), cuts], 100, (parts, at) => {
      const text = parts.join("")
      const bytes = encode(text)
      const borders = [0, ...at.filter(cut => cut < bytes.length).sort((a, b) => a - b), bytes.length]
      const pieces = borders.slice(1).map((end, index) => bytes.slice(borders[index] ?? 0, end))
      const expected = text.split("\n").map(line => line.replace(/\r$/, ""))
      const { lines, rest } = split(pieces)
      expect([...lines, rest]).toEqual(expected)
    })
  })
})

describe("a line beyond the limit", () => {
  test("keeps its first 4 KB and its full length, and the next line is read", () => {
    const long = "x".repeat(10_000)
    expect(split([long, `${long}\nnext\n`], 15_000)).toEqual({
      lines: [{ head: "x".repeat(HEAD_LIMIT), length: 20_000 }, "next"],
      rest: "",
    })
  })

  test("is counted alike in bytes and in text, however they are split (property)", async () => {
    const texts = fc.array(fc.constantFrom("abc", "\0\0\0", "é", "🙂", "\n", "x".repeat(5000)), { maxLength: 30 })
    await forAll([texts, fc.integer({ min: 1, max: 4 })], 30, (parts, size) => {
      const bytes = encode(parts.join(""))
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      )
      const lengths = (told: ReturnType<typeof split>) => [...told.lines, told.rest].map(line => line.length)
      expect(lengths(split(pieces, 4))).toEqual(lengths(split([parts.join("")], 4)))
    })
  })

  test("does not include a line of exactly the limit, and is the remainder until its line end comes", () => {
    expect(split(["12345\n123456\n"], 5)).toEqual({ lines: ["12345", { head: "123456", length: 6 }], rest: "" })
    expect(split(["12", "345\n"], 5).lines).toEqual(["12345"])
    expect(split(["1234567"], 5).rest).toEqual({ head: "1234567", length: 7 })
    expect(split([encode("1234567"), bytes(0xc3), encode("x")], 5).rest).toEqual({ head: "1234567", length: 9 })
  })

  test("never holds more memory than the limit", () => {
    const splitter = new LineSplitter(64 * 1024)
    const piece = new Uint8Array(1024 * 1024).fill(0x61)
    Bun.gc(true)
    const before = process.memoryUsage().heapUsed
    for (let n = 0; n < 200; n += 1) splitter.push(piece)
    Bun.gc(true)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20 * 1024 * 1024)
    expect(splitter.remainder()).toEqual({ head: "a".repeat(HEAD_LIMIT), length: 200 * 1024 * 1024 })
  })
})

describe("a remainder that is taken as a line", () => {
  test("is not returned again when its line end comes", () => {
    const splitter = new LineSplitter()
    splitter.push("{}")
    expect(splitter.takeRemainder()).toBe("{}")
    expect(splitter.remainder()).toBe("")
    expect(splitter.push("\r")).toEqual([])
    expect(splitter.push("\n\nb\n")).toEqual(["", "b"])
  })

  test("is followed by a line of its own if no line end comes", () => {
    const splitter = new LineSplitter()
    splitter.push("{}")
    splitter.takeRemainder()
    expect(splitter.push("b\n\nd")).toEqual(["b", ""])
    expect([splitter.takeRemainder(), ...splitter.push("\nc\n"), splitter.takeRemainder()]).toEqual(["d", "c", ""])
    expect(splitter.push("\n\nf\n")).toEqual(["", "f"])
  })
})
