// Decodes the kinds of Paperclip's transcript entries from untrusted JSON.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { decodeEntry } from "../../src/guest/transcript-entry.ts"
import { forAll } from "../for-all.ts"

const ts = "2026-03-01T10:00:00.000Z"
const at = Date.UTC(2026, 2, 1, 10)
const line = (name: string, text: string, isError = false) => ({ kind: "line", name, text, isError, ts: at }) as const

describe("an entry of kind", () => {
  test("assistant and thinking, whole and as a delta", () => {
    expect(decodeEntry({ kind: "assistant", ts, text: "hi" })).toEqual({
      kind: "assistant",
      ts: at,
      text: "hi",
      delta: false,
    })
    expect(decodeEntry({ kind: "thinking", ts, text: "hm", delta: true, lifecycle: "started" })).toEqual({
      ...{ kind: "thinking", ts: at, text: "hm", delta: true },
    })
  })
  test("user", () =>
    expect(decodeEntry({ kind: "user", ts, text: "go" })).toEqual({ kind: "user", ts: at, text: "go" }))
  test("tool_call, with an id and without", () => {
    expect(decodeEntry({ kind: "tool_call", ts, name: "read", input: { path: "/a" }, toolUseId: "t1" })).toEqual({
      ...{ kind: "tool_call", ts: at, name: "read", input: { path: "/a" }, id: "t1" },
    })
    expect(decodeEntry({ kind: "tool_call", ts, name: "read" })).toEqual({
      ...{ kind: "tool_call", ts: at, name: "read", input: null, id: null },
    })
  })
  test("tool_result", () => {
    const entry = { kind: "tool_result", ts, toolUseId: "t1", toolName: "read", content: "x", isError: true }
    expect(decodeEntry(entry)).toEqual({
      ...{ kind: "tool_result", ts: at, id: "t1", name: "read", content: "x", isError: true, delta: false },
    })
  })
  test("init", () =>
    expect(decodeEntry({ kind: "init", ts, model: "m", sessionId: "s" })).toEqual({
      ...{ kind: "init", ts: at, model: "m", sessionId: "s" },
    }))
  test("result", () => {
    const numbers = { inputTokens: 10, outputTokens: 5, cachedTokens: 0, costUsd: 0.5 }
    expect(
      decodeEntry({
        kind: "result",
        ts,
        text: "done",
        ...numbers,
        subtype: "success",
        isError: false,
        errors: [1, "e"],
      }),
    ).toEqual({
      ...{ kind: "result", ts: at, text: "done", input: 10, output: 5, cached: null, costUsd: 0.5 },
      ...{ subtype: "success", isError: false, errors: ["e"] },
    })
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
