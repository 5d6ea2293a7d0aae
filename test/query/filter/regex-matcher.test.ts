// Tests that patterns and globs match like the engine's regular expressions, in linear time.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import fc from "fast-check"
import { globTest } from "../../../src/query/filter/glob.ts"
import { RegexMatcher, TESTED } from "../../../src/query/filter/regex-matcher.ts"
import { type Node, readPattern } from "../../../src/query/filter/regex-tree.ts"
import { root } from "../../fixtures.ts"
import { forAll } from "../../for-all.ts"

function nodeOf(source: string, flags = ""): Node {
  const read = readPattern(source, flags)
  if ("error" in read) throw new Error(`${source}: ${read.error}`)
  return read.node
}

const finds = (source: string, text: string, flags = "") => new RegexMatcher(nodeOf(source, flags), flags).test(text)

/** A pattern, texts that it is found in and not found in, and its flags. */
type Case = readonly [source: string, found: readonly string[], not: readonly string[], flags?: string]
const lines = (await Bun.file(join(root, "fixtures/scripts/patterns.jsonl")).text()).trimEnd().split("\n")
const PATTERNS: readonly Case[] = lines.map(line => JSON.parse(line))

describe("a pattern", () => {
  for (const [source, found, not, flags] of PATTERNS)
    test(`/${source}/${flags ?? ""}`, () => {
      for (const text of found) expect([text, finds(source, text, flags)]).toEqual([text, true])
      for (const text of not) expect([text, finds(source, text, flags)]).toEqual([text, false])
    })

  test("can be tested repeatedly", () => {
    const machine = new RegexMatcher(nodeOf("a+b$"), "")
    expect(["aab", "aac", "xab", "", "ab"].map(text => machine.test(text))).toEqual([true, false, true, false, true])
  })

  test("reads a bounded part of a text", () => {
    const text = `${"a".repeat(TESTED)}b`
    expect(finds("^a+", text)).toBe(true)
    expect(finds("b", text)).toBe(false)
    expect(finds("a$", text)).toBe(false)
  })
})

/** The tree, with each test of a character counted. */
function counted(node: Node, count: () => void): Node {
  switch (node.type) {
    case "char": {
      const test = (code: number) => {
        count()
        return node.char.test(code)
      }
      return { type: "char", char: { ...node.char, test } }
    }
    case "look":
      return node
    case "seq":
    case "either":
      return { type: node.type, parts: node.parts.map(part => counted(part, count)) }
    case "repeat":
      return { ...node, part: counted(node.part, count) }
  }
}

test("a catastrophic pattern takes time linear in pattern and text", () => {
  const evil: readonly (readonly [source: string, characters: number])[] = [
    ["(a|a)*b", 3],
    ["(a|aa)+$x", 4],
    ["(a+)+b", 4],
    ["((a*)*)*b", 2],
    ["(.*)(.*)(.*)(.*)b", 5],
    ["a*a*a*a*a*a*b", 7],
    ["(a?){20}a{20}b", 41],
  ]
  const text = "a".repeat(3000)
  for (const [source, characters] of evil) {
    let asked = 0
    const machine = new RegexMatcher(
      counted(nodeOf(source), () => asked++),
      "",
    )
    expect(machine.test(text)).toBe(false)
    expect([source, asked <= characters * text.length]).toEqual([source, true])
  }
})

// The engine backtracks: for nested repeats it takes exponential time, gives up silently and says "not found".
// So only patterns without repeats are repeated here; catastrophic patterns have their own test above.
const ONCE = ["", "", "", "?", "{2}", "{0,2}"]
const ANY = [...ONCE, "*", "+", "*?", "{1,}"]
const counts = (atom: string) => fc.constantFrom(...(/^\(.*[*+?}]/.test(atom.replace("(?:", "(")) ? ONCE : ANY))

const { source } = fc.letrec<{ source: string; atom: string }>(tie => ({
  atom: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("a", "b", "B", ".", "\\w", "\\W", "\\d", "\\s", "[ab]", "[^a]", "\\n", "1", "é", "😀", "[é-ü]"),
    tie("source").map(inner => `(${inner})`),
    tie("source").map(inner => `(?:${inner})`),
  ),
  source: fc
    .array(
      fc.oneof(
        {
          weight: 4,
          arbitrary: tie("atom").chain(atom => fc.tuple(fc.constant(atom), counts(atom))),
        },
        { weight: 1, arbitrary: fc.tuple(fc.constantFrom("^", "$", "\\b", "\\B", "|"), fc.constant("")) },
      ),
      { maxLength: 5 },
    )
    .map(parts => parts.map(([atom, count]) => atom + count).join("")),
}))
const short = fc.string({ unit: fc.constantFrom("a", "b", "B", "1", " ", "\n", "é", "É", "😀"), maxLength: 7 })
const flags = fc.subarray(["i", "m", "s"]).map(all => all.join(""))

test("a pattern finds what a regular expression finds (property)", () =>
  forAll([source, flags, fc.array(short, { minLength: 1, maxLength: 6 })], 1000, (pattern, how, texts) => {
    const read = readPattern(pattern, how)
    if ("error" in read) return
    const machine = new RegexMatcher(read.node, how)
    const library = new RegExp(pattern, `${how}u`)
    for (const text of texts) expect([text, machine.test(text)]).toEqual([text, library.test(text)])
  }))

describe("a glob", () => {
  test("matches the whole text, case-sensitively", () => {
    const matching = (glob: string, texts: readonly string[]) => texts.filter(globTest(glob))
    const all = ["judge", "judge-1", "a judge", "Judge", ""]
    expect(matching("judge", all)).toEqual(["judge"])
    expect(matching("judge*", all)).toEqual(["judge", "judge-1"])
    expect(matching("*judge", all)).toEqual(["judge", "a judge"])
    expect(matching("?udge", all)).toEqual(["judge", "Judge"])
    expect(matching("*", all)).toEqual(all)
    expect(matching("**d*?", all)).toEqual(["judge", "judge-1", "a judge", "Judge"])
    expect(matching("", all)).toEqual([""])
    expect(matching("a?b", ["a😀b", "a\nb", "ab"])).toEqual(["a😀b", "a\nb"])
    expect(matching("a.b[c]", ["a.b[c]", "axb[c]", "a.bc"])).toEqual(["a.b[c]"])
  })

  test("matches what the same regular expression does (property)", async () => {
    const glob = fc.string({ unit: fc.constantFrom("a", "b", "*", "?", ".", "😀"), maxLength: 7 })
    const text = fc.string({ unit: fc.constantFrom("a", "b", ".", "\n", "😀"), maxLength: 8 })
    await forAll([glob, text], 2000, (one, whole) => {
      const library = new RegExp(`^${one.replaceAll(".", "\\.").replaceAll("*", ".*").replaceAll("?", ".")}$`, "su")
      expect(globTest(one)(whole)).toBe(library.test(whole))
    })
  })
})
