// Keeps what becomes of the entries that a foreign parser makes: how each is decoded, and the frames of a run of them.
import { expect, test } from "bun:test"
import type { Json, JsonObject } from "../../packages/wire/src/json.ts"
import { decodeEntry, type TranscriptEntry } from "../../src/guest/transcript-entry.ts"
import { FrameDrawing } from "./drawn-frames.ts"
import { call, gives, init, note, outcome, say, think, user, written } from "./entries.ts"

/** An entry of each kind, with every field that is read. */
const ENTRIES: readonly JsonObject[] = [
  { kind: "assistant", text: "hi \u001b[1mbold\u001b[0m", delta: true },
  { kind: "thinking", text: "hm" },
  { kind: "user", text: "go" },
  { kind: "system", text: "up" },
  { kind: "stderr", text: "bad" },
  { kind: "stdout", text: "plain" },
  { kind: "tool_call", name: "read", input: { n: 1 }, toolUseId: "t1" },
  { kind: "tool_result", toolUseId: "t1", toolName: "read", content: "x", isError: true, delta: true },
  { kind: "init", model: "m", sessionId: "s" },
  {
    ...{ kind: "result", text: "a", inputTokens: 10, outputTokens: 5, cachedTokens: 2, costUsd: 0.5 },
    ...{ subtype: "b", isError: true, errors: [1, "e"] },
  },
  ...["add", "remove", "hunk", "context", "file_header", "truncation", "other"].map(changeType => {
    return { kind: "diff", changeType, text: "line" }
  }),
  { kind: "hologram", text: "hi", n: 1 },
  { kind: "hologram", n: 1, none: null, list: ["a"], deep: { b: true } },
  { kind: "provider_activity", title: "Search", status: "failed" },
  { kind: "run_terminal", runState: "succeeded" },
  { kind: "run_result", disposition: "blocked", left: ["\u001b[1mkey"] },
]
const WRONG: readonly Json[] = [0, "x", ["y"], { z: 1 }, true, null]

test("an entry, without a field, and with one of a wrong type", () => {
  const shown = ENTRIES.flatMap(entry => {
    const whole = JSON.stringify(decodeEntry(entry))
    const cases = Object.keys(entry).flatMap(key => {
      const { [key]: _, ...rest } = entry
      const all = [["no", rest] as const, ...WRONG.map(one => [JSON.stringify(one), { ...entry, [key]: one }] as const)]
      return all.map(([how, changed]) => [key, how, JSON.stringify(decodeEntry(changed))] as const)
    })
    const others = Map.groupBy(cases, ([key, , decoded]) => `${key} ${decoded}`)
    const lines = [...others.values()].flatMap(([first, ...same]) => {
      const [key = "", how = "", decoded = ""] = first ?? []
      return decoded === whole ? [] : [`  ${key}: ${[how, ...same.map(one => one[1])].join(" or ")}\n    ${decoded}`]
    })
    return [JSON.stringify(entry), `  ${whole}`, ...lines]
  })
  const none = [null, "text", 7, [], {}, { kind: "" }].map(
    one => `${JSON.stringify(one)}: ${JSON.stringify(decodeEntry(one))}`,
  )
  const times = ["2026-03-01T10:00:00.000Z", "soon", 5, null].map(ts =>
    JSON.stringify(decodeEntry({ kind: "user", text: "a", ts })),
  )
  expect([...shown, ...none, ...times].join("\n")).toMatchSnapshot()
})

const figures = { input: 1200, output: 30, cached: 5, costUsd: 0.0123, subtype: "success" }

const RUNS: Readonly<Record<string, readonly TranscriptEntry[]>> = {
  deltas: [say("Hel", true), say("lo ", true), say("world", true)],
  "thoughts and text": [think("Let ", true), think("me see", true), say("Found", true)],
  "whole texts": [say("one"), say("two"), say("three\nfour"), say("five")],
  "empty texts": [say(""), say("one"), say(""), say("two")],
  "deltas beside whole texts": [say("str", true), say("eam", true), say("whole"), say("again", true)],
  "lines of other kinds": [note("system", "[x] up"), say("a"), note("hologram", "?"), say("b"), note("stderr", "bad")],
  "hostile texts": [say("a\x1b[31mb"), call("t", "\x9bname"), note("k\x1b", "\u202e")],
  "a call": [say("I look"), call("t1", "read"), gives("t1", "text"), say("So.")],
  "calls at the same time": [
    call("a", "slow"),
    call("b", "quick"),
    gives("b", "B"),
    gives("a", "A", { isError: true }),
  ],
  "a call and its result at once": [{ ...call("a", "ls"), ts: 5 }, { ...gives("a", "x"), ts: 5 }, gives("?", "y")],
  "a result in deltas": [
    call("a", "ls"),
    gives("a", "one ", { delta: true }),
    gives("a", "two", { delta: true }),
    say("done"),
  ],
  "a result in deltas that fails": [
    call("a", "ls"),
    gives("a", "one", { delta: true }),
    gives("a", "!", { isError: true }),
  ],
  "a call without an id": [call(null, "x"), gives("x", "y"), say("b")],
  prompts: [say("a"), user("b"), say("c"), user("d")],
  "a beginning": [init("m-1"), user("go"), say("a"), user("on"), say("b"), init("m-2"), say("c")],
  "a result": [say("All done"), outcome({ text: "All done", ...figures })],
  "a result that says more": [say("Working"), outcome({ text: "All done" })],
  "a result of counts": [say("a", true), call("t", "x"), say("c", true), outcome({ input: 90, output: 1 })],
  "a second result": [say("a"), outcome({ output: 10 }), user("b"), say("c"), outcome({ output: 5 })],
  "a failed result": [say("a"), outcome({ output: 122 }), outcome({ output: 0, isError: true, errors: ["no"] })],
  "an error": [say("a"), outcome({ isError: true, errors: ["no key", "no luck"] })],
  "an error without reasons": [say("a"), outcome({ isError: true, subtype: "max_turns" })],
  "an error with a text": [outcome({ text: "out of money", isError: true })],
}

const ENDS = [null, { code: 0, signal: null }, { code: 3, signal: null }, { code: null, signal: "SIGTERM" as const }]

function drawn(frames: readonly string[]): string {
  const drawing = new FrameDrawing()
  return frames.map(frame => drawing.draw(frame).join(" ")).join("\n")
}

test.each(Object.keys(RUNS))("the frames of %s", name => {
  expect(drawn(written(RUNS[name] ?? [], { code: 0, signal: null }))).toMatchSnapshot()
})

test("the end of a command", () => {
  const said = [[say("a", true)], [say("a"), outcome({ text: "b" })], [outcome({ isError: true, errors: ["no"] })], []]
  const shown = said.flatMap(entries => ENDS.map(end => [JSON.stringify(end), drawn(written(entries, end))].join("\n")))
  expect(shown.join("\n\n")).toMatchSnapshot()
})
