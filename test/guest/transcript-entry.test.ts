// Decodes the kinds of Paperclip's transcript entries from untrusted JSON.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { decodeEntry } from "../../src/guest/transcript-entry.ts"
import { forAll } from "../for-all.ts"

const ts = "2026-03-01T10:00:00.000Z"
const at = Date.UTC(2026, 2, 1, 10)
const line = (name: string, text: string, isError = false) => ({ kind: "line", name, text, isError, ts: at }) as const

describe("an entry of kind", () => {
  test.each([
    ["assistant", { text: "hi" }, { text: "hi", delta: false }],
    ["thinking", { text: "hm", delta: true, lifecycle: "started" }, { text: "hm", delta: true }],
    ["user", { text: "go" }, { text: "go" }],
    ["tool_call", { name: "read", input: { n: 1 }, toolUseId: "t1" }, { name: "read", input: { n: 1 }, id: "t1" }],
    ["tool_call", { name: "read" }, { name: "read", input: null, id: null }],
    [
      "tool_result",
      { toolUseId: "t1", toolName: "read", content: "x", isError: true },
      { id: "t1", name: "read", content: "x", isError: true, delta: false },
    ],
    ["init", { model: "m", sessionId: "s" }, { model: "m", sessionId: "s" }],
    [
      "result",
      {
        text: "a",
        inputTokens: 10,
        outputTokens: 5,
        cachedTokens: 0,
        costUsd: 0.5,
        subtype: "b",
        isError: true,
        errors: [1, "e"],
      },
      { text: "a", input: 10, output: 5, cached: null, costUsd: 0.5, subtype: "b", isError: true, errors: ["e"] },
    ],
  ])("%s has its fields: %j", (kind, entry, decoded) => {
    expect<unknown>(decodeEntry({ kind, ts, ...entry })).toEqual({ kind, ts: at, ...decoded })
  })
  test.each(["system", "stderr", "stdout"])("%s", kind =>
    expect(decodeEntry({ kind, ts, text: "x" })).toEqual(line(kind, "x")),
  )
  test("diff, with the sign of its change", () => {
    expect(decodeEntry({ kind: "diff", ts, changeType: "add", text: "new" })).toEqual(line("diff", "+ new"))
    expect(decodeEntry({ kind: "diff", ts, changeType: "remove", text: "old" })).toEqual(line("diff", "- old"))
    expect(decodeEntry({ kind: "diff", ts, changeType: "file_header", text: "a.ts" })).toEqual(line("diff", "a.ts"))
    expect(decodeEntry({ kind: "diff", ts, changeType: "context", text: "same" })).toEqual(line("diff", "  same"))
  })
  test.each([
    [{ kind: "hologram", text: "hi" }, "hi", false],
    [{ kind: "hologram", n: 1, none: null }, "n: 1", false],
    [{ kind: "provider_activity", title: "Search", status: "failed" }, "title: Search\nstatus: failed", true],
    [{ kind: "run_terminal", runState: "succeeded" }, "runState: succeeded", false],
    [{ kind: "run_result", disposition: "blocked", left: ["\u001b[1mkey"] }, /^disposition: blocked\nleft: /, true],
  ] as const)("any other, %j: its text or its fields", (entry, text, isError) => {
    expect(decodeEntry({ ...entry, ts })).toEqual({
      ...line(entry.kind, "", isError),
      text: typeof text === "string" ? text : expect.stringMatching(text),
    })
  })
})

test.each([
  [null, "an entry that is not an object"],
  ["text", "an entry that is not an object"],
  [{ ts, text: "x" }, "an entry without a kind"],
  [{ kind: 7 }, "an entry without a kind"],
  [{ kind: "assistant", ts }, "assistant without text"],
  [{ kind: "user", ts, text: 5 }, "user without text"],
  [{ kind: "tool_call", ts, input: {} }, "tool_call without name"],
  [{ kind: "tool_result", ts, content: "x", isError: false }, "tool_result without toolUseId"],
  [{ kind: "tool_result", ts, toolUseId: "t", isError: false }, "tool_result without content"],
  [{ kind: "tool_result", ts, toolUseId: "t", content: "x" }, "tool_result without isError"],
  [{ kind: "init", ts }, "init without model"],
  [{ kind: "result", ts }, "result without text"],
  [{ kind: "diff", ts, changeType: "add" }, "diff without text"],
])("an invalid entry names the missing field %j", (value, why) => expect(decodeEntry(value)).toBe(why))

test("no JSON makes decoding throw (property)", async () => {
  const kinds = ["result", "diff", "tool_result", "init", "?"]
  const value = fc.oneof(
    fc.jsonValue(),
    fc
      .tuple(fc.constantFrom(...kinds), fc.dictionary(fc.constantFrom("text", "files", "ts", "errors"), fc.jsonValue()))
      .map(([kind, rest]) => ({ ...rest, kind })),
  )
  await forAll([value], 100, one => {
    const decoded = decodeEntry(JSON.parse(JSON.stringify(one)))
    // An entry, or a description of what is wrong with it.
    if (typeof decoded === "string") expect(decoded).not.toBe("")
    else expect(decoded.kind).toBeString()
  })
})
