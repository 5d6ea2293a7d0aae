// Tests the texts that a turn is compared by.
import { expect, test } from "bun:test"
import { decodeCapture } from "../../../packages/wire/src/capture.ts"
import { EXPORT_FORMATS, isDocumentFormat } from "../../../src/run/select/export-format.ts"
import { textsInMemory } from "../../../src/run/select/run-texts.ts"
import { reportedParts, turnParts } from "../../../src/run/select/turn-parts.ts"
import { delta, event, ids, tell } from "../lines.ts"

test("a reply that came in pieces and broke off has no line break that nobody wrote", () => {
  const words = ["a".repeat(4000), "b".repeat(4000), "c".repeat(4000)]
  const run = tell([
    event(1, "llm/start", ids),
    ...words.map((text, i) => delta(i + 2, text)),
    event(5, "llm/start", ids),
  ])
  const place = { session: 0, turn: 1 }
  expect(turnParts({ run, captures: new Map() }, place).reply).toBe(words.join(""))
  expect(reportedParts(textsInMemory(run), place).reply).toBe(words.join(""))
})

test("a turn is whole by the capture of its request alone, whose texts go before those of events", () => {
  const said = (text: string) => [{ type: "text", text }]
  const at = (kind: string) => `nodes/n/0/turns/0/${kind}.edn`
  const asked = { "system-preview": "Be…", "user-blocks": said("Go…"), "io/ref": at("request") }
  const run = tell([
    event(1, "llm/start", { ...ids, model: "m" }),
    event(2, "llm/request", { ...ids, ...asked }),
    event(3, "llm/response", { ...ids, content: said("Gone…"), "io/ref": at("response") }),
  ])
  const call = { type: "tool_use", name: "t", input: { a: 1 } }
  const messages = [
    { role: "assistant", content: [call] },
    { role: "user", content: said("Go on.") },
  ]
  const request = { capture: decodeCapture({ messages, tools: [{ name: "t" }], temperature: 0 }) }
  const response = { capture: decodeCapture({ content: said("Gone on.") }) }
  const read = { request, response, "": { why: "no file" } } as const
  const told = [[], ["response"], ["request"], ["request", "response"]] as const
  const partsBy = (kinds: (typeof told)[number]) => {
    const captures = new Map(
      (["request", "response"] as const).map(kind => [at(kind), read[kinds.find(one => one === kind) ?? ""]]),
    )
    return Object.values(turnParts({ run, captures }, { session: 0, turn: 1 })).join(" | ")
  }
  expect(told.map(partsBy).join("\n")).toMatchSnapshot()
})

test("people read Markdown and HTML, programs the other formats", () => {
  expect(EXPORT_FORMATS.filter(isDocumentFormat)).toEqual(["md", "html"])
})
