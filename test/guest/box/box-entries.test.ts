// Tests what becomes of a message that has several parts.
import { expect, test } from "bun:test"
import { partsText } from "../../../src/guest/box/box-entries.ts"

test.each([
  ["one", "one"],
  [[{ text: "one" }, { text: "two" }], "one\ntwo"],
  [[{ text: "one" }, { image: "x" }, { text: "" }, { text: "two" }], "one\ntwo"],
  [undefined, ""],
])("the parts of %j are lines of their own, and what has no text is none", (content, text) => {
  expect(partsText(content)).toBe(text)
})
