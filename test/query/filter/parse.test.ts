// Tests the grammar of the filter language and its errors.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { type Filter, KEYS } from "../../../src/query/filter/filter.ts"
import { parse } from "../../../src/query/filter/parse.ts"
import { print } from "../../../src/query/filter/print.ts"
import { forAll } from "../../for-all.ts"
import { read } from "./parsed.ts"

const error: Filter = { type: "word", word: "error" }
const warning: Filter = { type: "word", word: "warning" }
const prompt: Filter = { type: "word", word: "prompt" }

describe("a filter term", () => {
  test("compares a text with a glob, bare or quoted", () => {
    const glob = (text: string) => ({ type: "glob", key: "invokeid", op: "=", glob: text }) as const
    expect(read("invokeid=judge*")).toEqual(glob("judge*"))
    expect(read("invokeid = judge*")).toEqual(glob("judge*"))
    expect(read('invokeid="the judge"')).toEqual(glob("the judge"))
    expect(read('invokeid="a \\"b\\" \\\\ c"')).toEqual(glob('a "b" \\ c'))
    expect(read('invokeid=""')).toEqual(glob(""))
    expect(read("invokeid=:session/a.4")).toEqual(glob(":session/a.4"))
    expect(read("invokeid=f(x)")).toEqual(glob("f(x)"))
    expect(read("(invokeid=f(x))")).toEqual(glob("f(x)"))
    expect(read("invokeid!=a\\b")).toEqual({ ...glob("a\\b"), op: "!=" })
  })

  test("matches quoted text literally, and a bare text or one in slashes as a pattern", () => {
    expect(read('text~"I can\'t (really)"')).toEqual({ type: "plain", key: "text", text: "I can't (really)" })
    const pattern = (source: string, flags: string) => ({ type: "pattern", key: "text", source, flags }) as const
    expect(read("text~time(out|d)")).toEqual(pattern("time(out|d)", "i"))
    expect(read("text~(a|b)")).toEqual(pattern("(a|b)", "i"))
    expect(read("text~a\\)b")).toEqual(pattern("a\\)b", "i"))
    expect(read("text~a/b")).toEqual(pattern("a/b", "i"))
    expect(read("text~/no space/")).toEqual(pattern("no space", ""))
    expect(read("text~/a[/)]\\/b/smi")).toEqual(pattern("a[/)]\\/b", "ims"))
    expect(read("text~//")).toEqual(pattern("", ""))
  })

  test("compares a number, also in thousands", () => {
    const number = (op: string, value: number) => ({ type: "number", key: "tokens", op, value })
    for (const op of ["=", "!=", ">=", "<=", ">", "<"]) expect<unknown>(read(`tokens${op}12`)).toEqual(number(op, 12))
    expect<unknown>(read("tokens>4k")).toEqual(number(">", 4000))
    expect<unknown>(read("tokens>=1.5k")).toEqual(number(">=", 1500))
    expect<unknown>(read("tokens < 0.25")).toEqual(number("<", 0.25))
    expect<unknown>(read("tokens>-3")).toEqual(number(">", -3))
    expect<unknown>(read("tokens=-0")).toEqual(number("=", 0))
  })

  test("compares a time at the precision written", () => {
    const time = (from: string, ms: number, span: number) => ({
      type: "time",
      key: "ts",
      op: ">",
      moment: { from, ms, span },
    })
    expect<unknown>(read("ts>1700000000000")).toEqual(time("epoch", 1_700_000_000_000, 1))
    expect<unknown>(read("ts>14:03")).toEqual(time("clock", 50_580_000, 60_000))
    expect<unknown>(read("ts>14:03:22")).toEqual(time("clock", 50_602_000, 1000))
    expect<unknown>(read("ts>9:03:22.5")).toEqual(time("clock", 32_602_500, 100))
    expect<unknown>(read("ts>+12s")).toEqual(time("start", 12_000, 1000))
    expect<unknown>(read("ts>+12.05s")).toEqual(time("start", 12_050, 10))
    expect<unknown>(read("ts>+2:03:04")).toEqual(time("start", 7_384_000, 1000))
  })

  test("is read in any case", () => {
    expect(read("ERROR AND Not Model=GPT")).toEqual({
      type: "and",
      parts: [error, { type: "not", part: { type: "glob", key: "model", op: "=", glob: "GPT" } }],
    })
  })
})

describe("a filter", () => {
  const and = (...parts: Filter[]): Filter => ({ type: "and", parts })
  const or = (...parts: Filter[]): Filter => ({ type: "or", parts })
  const not = (part: Filter): Filter => ({ type: "not", part })

  test("without text matches everything", () => {
    for (const text of ["", "  ", "\t\n"]) expect(read(text)).toEqual(and())
  })

  test("binds not tighter than and, and and tighter than or, and may leave out and", () => {
    expect(read("error warning or prompt")).toEqual(or(and(error, warning), prompt))
    expect(read("error or warning and prompt")).toEqual(or(error, and(warning, prompt)))
    expect(read("not error warning")).toEqual(and(not(error), warning))
    expect(read("error and warning prompt")).toEqual(and(error, warning, prompt))
    expect(read("error or warning or prompt")).toEqual(or(error, warning, prompt))
    expect(read("not not error")).toEqual(not(not(error)))
  })

  test("is grouped by parentheses, with or without spaces", () => {
    expect(read("error(warning or prompt)")).toEqual(and(error, or(warning, prompt)))
    expect(read("not(error or warning)prompt")).toEqual(and(not(or(error, warning)), prompt))
    expect(read("((error))")).toEqual(error)
    expect(read("error (warning prompt)")).toEqual(and(error, and(warning, prompt)))
    expect(read("error or (warning or prompt)")).toEqual(or(error, or(warning, prompt)))
  })

  test("prints without redundant parts", () => {
    const printed = (text: string) => print(read(text))
    expect(printed(" ((error))  and(warning or prompt) ")).toBe("error (warning or prompt)")
    expect(printed("(error and warning) or not (prompt)")).toBe("error warning or not prompt")
    expect(printed("not (error warning)")).toBe("not (error warning)")
    expect(printed('model="gpt-4" text~/foo/i text~"foo" tokens>4k')).toBe(
      'model=gpt-4 text~foo text~"foo" tokens>4000',
    )
    expect(printed('model="a b" model="" model="=" model="(" text~/a b/ text~/a/m')).toBe(
      'model="a b" model="" model="=" model="(" text~/a b/ text~/a/m',
    )
    expect(printed("ts>9:03 ts<09:03:07.5 ts=+1.50s ts=5")).toBe("ts>09:03 ts<09:03:07.5 ts=+1.50s ts=5")
    expect(printed("")).toBe("")
  })
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

  test("lists the keys if one is unknown", () => {
    expect(wrong("error foo=1")).toEqual(["error «foo»=1", `unknown key "foo"; ${keys}`])
    for (const name of ["__proto__", "constructor", "toString"])
      expect(wrong(`${name}=1`)).toEqual([`«${name}»=1`, `unknown key "${name}"; ${keys}`])
    const words = `words are error warning prompt; ${keys}; to find text, use text~"…"`
    expect(wrong("timeout")).toEqual(["«timeout»", `unknown word "timeout"; ${words}`])
  })

  test("names the operators that a key takes", () => {
    expect(wrong('tokens~"x"')).toEqual(['tokens«~»"x"', "expected one of = != >= <= > < after tokens, got ~"])
    expect(wrong("model >= 3")).toEqual(["model «>=» 3", "expected one of = != ~ after model, got >="])
    expect(wrong("ts~12")).toEqual(["ts«~»12", "expected one of = != >= <= > < after ts, got ~"])
    expect(wrong("model")).toEqual(["model«»", "expected one of = != ~ after model"])
    expect(wrong("model error")).toEqual(["model «e»rror", "expected one of = != ~ after model"])
    expect(wrong("error>3")).toEqual(["error«>»3", "error takes no operator"])
  })

  test("says which value is expected", () => {
    const number = "expected a number after tokens, such as 250, 0.5 or 4k"
    expect(wrong("tokens>many more")).toEqual(["tokens>«many» more", number])
    expect(wrong("tokens>")).toEqual(["tokens>«»", number])
    expect(wrong("tokens=>3")).toEqual(["tokens=«>»3", number])
    expect(wrong("tokens>1e999")).toEqual(["tokens>«1e999»", number])
    const time = "expected a time after ts, such as 14:03:22, +12.5s or epoch ms"
    for (const bad of ["24:00", "14:60", "12.5x", "+12.5.1", "noon"])
      expect(wrong(`ts>${bad}`)).toEqual([`ts>«${bad}»`, time])
    expect(wrong("model=")).toEqual(["model=«»", 'expected a value after =; spaces and signs need quotes: "…"'])
    expect(wrong("model==x")).toEqual(["model=«=»x", 'expected a value after =; spaces and signs need quotes: "…"'])
  })

  test("marks an unclosed parenthesis or quote, and a stray closing one", () => {
    expect(wrong("error (warning")).toEqual(["error «(»warning", "missing ) for this ("])
    expect(wrong("error) warning")).toEqual(["error«)» warning", "unexpected )"])
    expect(wrong('text~"abc')).toEqual(['text~«"abc»', 'missing closing "'])
    expect(wrong("text~/abc")).toEqual(["text~«/abc»", "missing closing / of the regular expression"])
    expect(wrong("model=a(b c)")).toEqual([
      "model=«a(b c)»",
      "missing ) for a ( in this value; quote the value to search for parentheses",
    ])
    expect(wrong('text~"a"b')).toEqual(['text~"a"«b»', 'expected a space after "'])
    expect(wrong('text~"\\d"')).toEqual(['text~"«\\d»"', 'in quotes, a backslash is only allowed before " and \\'])
  })

  test("marks where a term is missing", () => {
    const ends = "expected a term such as error or tokens>100, got the end"
    for (const text of ["not", "error or", "error and", "(", "error and not"]) expect(wrong(text)[1]).toBe(ends)
    expect(wrong("error or  ")).toEqual(["error or  «»", ends])
    expect(wrong("or error")).toEqual(["«or» error", 'expected a term such as error or tokens>100, got "or"'])
    expect(wrong("()")).toEqual(["(«)»", 'expected a term such as error or tokens>100, got ")"'])
    expect(wrong("=3")).toEqual(["«=»3", 'expected a term such as error or tokens>100, got "="'])
  })

  test("refuses an invalid pattern, and one that needs backtracking", () => {
    expect(wrong("text~a[b")[0]).toBe("text~«a[b»")
    expect(wrong("text~a[b")[1]).toMatch(/^Invalid regular expression/)
    expect(wrong("text~/(a)\\1/")).toEqual(["text~«/(a)\\1/»", "back-references are not supported"])
    for (const ahead of ["/a(?=b)/", "/a(?!b)/", "/(?<=a)b/", "/(?<!a)b/", "/(?i:a)/"])
      expect(wrong(`text~${ahead}`)[1]).toBe("look-around and flags inside of a group are not supported")
    expect(read("text~/a{249}/")).toMatchObject({ source: "a{249}" })
    for (const large of ["/a{250}/", "/(a{30}){30}/", "/((a{9999}){9999}){9999}/"])
      expect(wrong(`text~${large}`)[1]).toBe("this regular expression is too large")
    expect(wrong("text~/a/g b")).toEqual([
      "text~/a/«g» b",
      'expected flags i, m or s, each once, got "g"; quote plain text',
    ])
  })

  test("limits length and nesting", () => {
    const long = `model=${"x".repeat(4090)}`
    expect("filter" in parse(long)).toBe(true)
    expect(parse(`${long}y`)).toEqual({
      error: { at: 4096, length: 1, message: "expected at most 4096 characters, got 4097" },
    })
    const nested = (n: number) => `${"(".repeat(n)}error${")".repeat(n)}`
    expect(read(nested(64))).toEqual(error)
    const deep = { at: 64, length: 1, message: "( ) and not can be nested at most 64 deep" }
    expect(parse(nested(65))).toEqual({ error: deep })
    expect("filter" in parse(`${"not ".repeat(64)}error`)).toBe(true)
    expect(parse(`${"not ".repeat(65)}error`)).toEqual({ error: { ...deep, at: 256 } })
    expect("error" in parse("(".repeat(4096))).toBe(true)
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
