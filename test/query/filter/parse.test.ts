// Tests the limits of the filter language, and that any text is a filter or has a mistake; matches.test.ts has the rest.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { type Filter, KEYS } from "../../../src/query/filter/filter.ts"
import { parse, readTyped } from "../../../src/query/filter/parse.ts"
import { print } from "../../../src/query/filter/print.ts"
import { forAll } from "../../for-all.ts"
import { read } from "./parsed.ts"

const error: Filter = { type: "word", word: "error" }
test("a filter without text matches everything", () => {
  for (const text of ["", "  ", "\t\n"]) expect(read(text)).toEqual({ type: "and", parts: [] })
})

test("words typed with spaces around are sought without them", () => {
  expect(readTyped("  first snow ")).toMatchObject({ text: 'text~"first snow"' })
})

describe("an error in a filter", () => {
  /** The error: the text with the place marked by «», and the message. */
  function wrong(text: string): readonly [string, string] {
    const parsed = parse(text)
    if (!("error" in parsed)) throw new Error(`${text} is a filter`)
    const { at, length, message } = parsed.error
    return [`${text.slice(0, at)}«${text.slice(at, at + length)}»${text.slice(at + length)}`, message]
  }
  const keys = `keys are ${KEYS.join(" ")}`

  test("limits length and nesting", () => {
    const long = `model=${"x".repeat(4090)}`
    expect("filter" in parse(long)).toBe(true)
    expect(parse(`${long}yz`)).toEqual({
      error: { at: 4096, length: 2, message: "expected at most 4096 characters, got 4098" },
    })
    const nested = (n: number) => `${"(".repeat(n)}error${")".repeat(n)}`
    expect(read(nested(64))).toEqual(error)
    const deep = { at: 64, length: 1, message: "( ) and not can be nested at most 64 deep" }
    expect(parse(nested(65))).toEqual({ error: deep })
    expect("filter" in parse(`${"not ".repeat(64)}error`)).toBe(true)
    expect(parse(`${"not ".repeat(65)}error`)).toEqual({ error: { ...deep, at: 256 } })
    expect("error" in parse("(".repeat(4096))).toBe(true)
    expect(parse("text~a\\")).toMatchObject({ error: { at: 5, length: 2 } })
    expect([499, 500].map(n => "filter" in parse(`text~${"a".repeat(n)}`))).toEqual([true, false])
    expect("filter" in parse("(error) not ".repeat(65) + nested(1))).toBe(true)
    expect(wrong(`text~${"(".repeat(65)}a${")".repeat(65)}`)[1]).toBe("this regular expression is too large")
  })

  test("has no control characters, whatever was typed", () => {
    expect(wrong("\u001b[2J=1")[1]).toBe(`unknown key "␛[2J"; ${keys}`)
    expect(wrong(`${"x".repeat(99)}=1`)[1]).toStartWith(`unknown key "${"x".repeat(40)}…"; `)
  })
})

const tokens = fc.constantFrom(
  ..."error warning prompt and or not ( ) model text tokens ts kind = ~ != >= < !".split(" "),
  ...'" \\ / a* 4k +1.5s 14:03 (a|b) [a-c]'.split(" "),
)
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.array(tokens, { maxLength: 24, size: "max" }).map(all => all.join("")),
  fc.array(tokens, { maxLength: 24, size: "max" }).map(all => all.join(" ")),
)

test("any text is a filter that prints and parses to itself, or an error inside the text (property)", () =>
  forAll([anyText], 3000, text => {
    const parsed = parse(text)
    if ("error" in parsed) {
      const { at, length, message } = parsed.error
      expect(message).not.toBe("")
      expect(at).toBeGreaterThanOrEqual(0)
      expect(length).toBeGreaterThanOrEqual(0)
      expect(at + length).toBeLessThanOrEqual(text.length)
      return
    }
    const printed = print(parsed.filter)
    expect(parse(printed)).toEqual(parsed)
    expect(print(read(printed))).toBe(printed)
  }))
