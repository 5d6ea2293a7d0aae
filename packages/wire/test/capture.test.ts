// Keeps what captures are read as, and tests that the preview of a tool result shows its text, not the EDN around it.
import { expect, test } from "bun:test"
import { decodeCapture, resultPreview, textOfBlock } from "../src/capture.ts"

test("the text of a part is what was said, called with, answered or shown", () => {
  const call = { type: "tool-call", name: "rm", input: "-r" } as const
  const result = { type: "tool-result", text: "gone", isError: false } as const
  const [thought, image] = [
    { type: "thinking", text: "hm" },
    { type: "other", name: "image", shown: "{}" },
  ] as const
  expect([thought, call, result, image].map(textOfBlock)).toEqual(["hm", "-r", "gone", "{}"])
})

test.each([
  ['{:tool_use_id "t1", :content "ENOENT\\nno \\"a\\"", :is-error true}', 'ENOENT\nno "a"'],
  ['{:content "cut in the midd…', "cut in the midd…"],
  ['[{:type :text :text "one"} {:type "text", :text "two"}]', "one\ntwo"],
  ['{:type :tool_result :content [{:type "text" :text "a"}]}', "a"],
  ['{:content "\\u001b[2J"}', "␛[2J"],
  [`{:content "${"x".repeat(987)}"}`, "x".repeat(987)],
])("%s is read as its text", (preview, text) => {
  expect(resultPreview(preview)).toBe(text)
})

test.each([
  ["plain text"],
  ['{"content": "json"}'],
  ['{:exit 1, :content "has more keys"}'],
  ["{:content 17}"],
  ["{:content }"],
  [`{:content "${"x".repeat(988)}"}`],
])("%p stays as it is", preview => {
  expect(resultPreview(preview)).toBe(preview)
})

const RESULT = { tool_use_id: "t", content: "x" }
const MESSAGES = [
  { role: "user", content: "hi\u0007" },
  { content: [{ type: "text", text: "ho" }] },
  {},
  { role: 7, content: "" },
]
const TOOLS = [{ name: "t\u0007", description: "d" }, "bare", { name: 7 }, 3]

test.each([
  [{ system: "be\u001b[2J kind", messages: MESSAGES, tools: TOOLS, model: "m", temperature: 0.2, stop: null }],
  [{ system: [{ type: "text", text: "a" }], messages: [] }],
  [{ system: ["a", { type: "text", text: "b" }, { type: "image" }] }],
  [{ system: [{ type: "image" }] }],
  [{ system: 7, tools: "x", max: { a: 1 } }],
  [{ messages: [7, { role: "user", content: { a: 1 } }] }],
  [{ messages: [], content: [{ type: "text", text: "x" }] }],
  [{ content: [] }],
  [{ content: "x" }],
  [{ content: [{ type: "tool_result", tool_use_id: "", "tool-use-id": "t", "is-error": true, content: ["a", 1] }] }],
  [{ content: ["said\u0007", { type: "thinking", text: "hm" }, { type: "web", name: "n", input: 1, id: 7 }] }],
  [{ ...RESULT, "is-error": true }],
  [{ ...RESULT, is_error: true, type: "tool_result" }],
  [{ "tool-use-id": "t", content: [{ type: "text", text: "a" }, "b", { image: 1 }] }],
  [{ ...RESULT, content: { out: 1 }, exit: 1, env: {} }],
  [{ ...RESULT, content: null }],
  [{ ...RESULT, content: [] }],
  [{ exit: 1, out: "x" }],
  ["17 words\u0007"],
  [[1]],
  [[{ text: "a" }]],
  [null],
  [true],
])("the capture %j", value => {
  expect(JSON.stringify(decodeCapture(value), null, 1)).toMatchSnapshot()
})
