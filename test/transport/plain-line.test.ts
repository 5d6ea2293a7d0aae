// Checks that deltas and starts are read at their places as decoding reads them, in both orders that agents write.
import { expect, test } from "bun:test"
import { decode } from "../../packages/wire/src/decode.ts"
import { idsOf, readPlainLine } from "../../src/transport/plain-line.ts"

const row = (event: string, data: object): string =>
  JSON.stringify({ kind: "event", seq: 7, ts: 1_780_000_000_000, event, data })
const ids = { invokeid: "writer-1", "session-id": ":session/a.1" }
const said = (text: string, type = "text-delta"): object => ({ type, text })

test.each<[line: string, text: string | null]>([
  [row("llm/delta", { ...said("slow "), model: "m:4b", ...ids }), "slow "],
  [row("llm/delta", { ...said("slow ", "thinking-delta"), ...ids, usage: { "output-tokens": 3 } }), "slow "],
  [row("llm/delta", { ...ids, ...said("slow ") }), "slow "],
  [row("llm/delta", { ...said(""), ...ids }), ""],
  // These are decoded for their texts: an escape, a letter that is not ASCII, more than a text.
  [row("llm/delta", { ...said('a "b" \n'), ...ids }), null],
  [row("llm/delta", { ...said("Größe"), ...ids }), null],
  [row("llm/delta", { ...ids, ...said("all"), whole: true }), null],
  [row("llm/start", { ...ids, model: "m:4b" }), null],
])("the ids, the number and the text of %s stand where they are read", (line, text) => {
  const plain = readPlainLine(line)
  const frame = decode(line)
  if (plain === null || (frame.kind !== "delta" && frame.kind !== "event")) throw new Error("it was not read")
  expect(idsOf(plain.ids)).toEqual([frame.invokeid ?? "", frame.sessionId ?? ""])
  expect([plain.seq, Number(plain.ts)]).toEqual([frame.seq ?? -1, frame.ts ?? -1])
  expect(plain.adds).toBe(frame.kind === "event" ? null : frame.thinking ? "thinking" : "text")
  expect(plain.text).toBe(text)
  if (frame.kind === "delta" && text !== null) expect(frame.text).toBe(text)
})

test.each([
  row("llm/delta", { ...ids, coalesced: 3, ...said("three words of it") }),
  row("llm/delta", { ...said("three"), coalesced: 3, ...ids }),
  row("llm/delta", ids),
  row("llm/start", { ...said("no delta"), ...ids }),
  row("llm/delta", { ...said("one"), ...ids }).replace('1"}}', '1","type":"text-delta","text":"other"}}'),
])("%s must be decoded", line => {
  expect(readPlainLine(line)).toBeNull()
})
