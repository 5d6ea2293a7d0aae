// Tests the texts that an agent CLI prints as parts.
import { expect, test } from "bun:test"
import { partsText } from "../../../src/guest/common/fields.ts"

test("each part of a content stands on a line of its own, and one without a text is named", () => {
  const parts = [{ type: "text", text: "one" }, "two", { type: "image" }, { type: "text" }]
  expect(partsText(parts)).toBe("one\ntwo\n[image]")
})
