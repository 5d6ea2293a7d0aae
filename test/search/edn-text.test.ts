// Tests which strings of an EDN file are searched, and on which line each begins.
import { expect, test } from "bun:test"
import { countLineEnds, ednTexts } from "../../src/search/edn-text.ts"

test("strings are found with their lines, a cut one too, and none in a comment or as a character", () => {
  const edn = '\n{:a "one" ; "no"\n :c \\""b""b" "t\\u0041\\n"\n\n "last\nline" "cut'
  expect([...ednTexts(edn)]).toEqual([
    { text: "one", line: 2 },
    ...["b", "b", "tA\n"].map(text => ({ text, line: 3 })),
    { text: "last\nline", line: 5 },
    { text: "cut", line: 6 },
  ])
  expect([countLineEnds("a\nb\nc", 0, 4), countLineEnds("a\nb\nc", 2, 3)]).toEqual([2, 0])
})
