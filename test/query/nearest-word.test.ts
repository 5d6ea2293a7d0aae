// Tests which word somebody is taken to have meant.
import { expect, test } from "bun:test"
import { nearestWord } from "../../src/query/nearest-word.ts"

test.each([
  ["exprot", ["export", "expect"], "export"],
  ["atach", ["attach"], "attach"],
  ["theem", ["theme"], "theme"],
  ["abc", ["abd"], "abd"],
  ["abc", ["xbd"], "abc"],
  ["abcd", ["bxcd"], "abcd"],
  ["ab", ["ac"], "ab"],
  ["export", ["abcort"], "export"],
  ["export", ["expoab"], "expoab"],
  ["export", ["expo", "expor"], "expor"],
  ["export", [], "export"],
])("%s among %j means %s", (term, known, meant) => {
  expect(nearestWord(term, known)).toBe(meant)
})
