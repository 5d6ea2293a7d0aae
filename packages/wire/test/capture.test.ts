// Tests that the preview of a tool result shows its text, not the EDN around it.
import { expect, test } from "bun:test"
import { resultPreview, textOfBlock } from "../src/capture.ts"

test("the text of a part is what was said, called with, answered or shown", () => {
  const call = { type: "tool-call", name: "rm", input: "-r" } as const
  const result = { type: "tool-result", text: "gone", isError: false } as const
  const blocks = [
    { type: "thinking", text: "hm" },
    call,
    result,
    { type: "other", name: "image", shown: "{}" },
  ] as const
  expect(blocks.map(textOfBlock)).toEqual(["hm", "-r", "gone", "{}"])
})

test.each([
  ['{:tool_use_id "t1", :content "ENOENT\\nno \\"a\\"", :is-error true}', 'ENOENT\nno "a"'],
  ['{:content "cut in the midd…', "cut in the midd…"],
  ['[{:type :text :text "one"} {:type "text", :text "two"}]', "one\ntwo"],
  ['{:type :tool_result :content [{:type "text" :text "a"}]}', "a"],
  ['{:content "\\u001b[2J"}', "␛[2J"],
])("%s is read as its text", (preview, text) => {
  expect(resultPreview(preview)).toBe(text)
})

test.each([
  ["plain text"],
  ['{"content": "json"}'],
  ['{:exit 1, :content "has more keys"}'],
  ["{:content 17}"],
  ["{:content }"],
  [`{:content "${"x".repeat(1000)}"}`],
])("%p stays as it is", preview => {
  expect(resultPreview(preview)).toBe(preview)
})
