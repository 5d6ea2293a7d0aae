// Tests that a turn with several replies shows each of them once, though it has one capture.
import { expect, test } from "bun:test"
import { decodeCapture } from "../../../packages/wire/src/capture.ts"
import type { Json } from "../../../packages/wire/src/json.ts"
import { slice } from "../../../src/run/model/chunked-list.ts"
import { eventPassages, isToldAgain, missingWords } from "../../../src/run/select/passages.ts"
import { turnParts } from "../../../src/run/select/turn-parts.ts"
import { event, ids, tell } from "../lines.ts"

const at = "nodes/n/0/turns/0"
const said = (text: string): Json => ({ type: "text", text })
const call = (id: string, name = "read_file"): Json => ({ type: "tool_use", id, name, input: { path: "a.ts" } })
const asked = (...blocks: readonly Json[]) =>
  event(null, "llm/request", { ...ids, "user-blocks": blocks, "io/ref": `${at}/request.edn` })
const replied = (...content: readonly Json[]) =>
  event(null, "llm/response", { ...ids, content, "io/ref": `${at}/response.edn` })
const LONG = `Plan: 1. add rate 2. tests 3. review. ${"Then look at each of the rates again. ".repeat(4)}`
const CUT = `${LONG.slice(0, 79)}…`

/** What is shown of a turn, each passage by its type and its text. */
function shown(lines: Parameters<typeof tell>[0], captures: Readonly<Record<string, Json>>): readonly string[] {
  const run = tell([event(0, "llm/start", ids), ...lines])
  const read = Object.entries(captures).map(
    ([file, json]) => [`${at}/${file}`, { capture: decodeCapture(json) }] as const,
  )
  const entries = run.sessions[0]?.entries
  if (entries === undefined) throw new Error("no session")
  const passages = eventPassages(slice(entries, 0, entries.length), new Map(read)).flatMap(one => one.passages)
  const reply = turnParts({ run, captures: new Map(read) }, { session: 0, turn: 1 }).reply
  const isReply = (type: string) => ["text", "thinking", "tool-call"].includes(type)
  expect(reply).toBe(
    passages
      .filter(({ type }) => isReply(type))
      .map(({ type, name, text }) => (type === "tool-call" ? `${name} ${text}` : text))
      .join("\n\n"),
  )
  return passages.map(
    ({ type, isError, text, note }) => `${type}${isError ? "!" : ""} ${text}${note === null ? "" : ` [${note}]`}`,
  )
}

const READ = 'tool-call {"path":"a.ts"}'

test("of the replies of a turn each is shown once, and whole if its capture holds it", () => {
  const held = (...content: readonly Json[]) => ({ "response.edn": { content } })
  const first = [said("Let me look."), call("a")]
  const both = [replied(...first), replied(said(CUT))]
  const [whole, excerpt] = [`text ${LONG}`, `text ${CUT} [excerpt]`]
  expect(shown(both, held(...first))).toEqual(["text Let me look.", READ, excerpt])
  expect(shown(both, held(said(LONG)))).toEqual(["text Let me look.", READ, whole])
  // Where both begin alike, the capture is of the one that made its call, else of the first.
  const alike = [replied(said(CUT), call("a")), replied(said(CUT), call("b"))]
  expect(shown(alike, held(said(LONG), call("b")))).toEqual([excerpt, READ, whole, READ])
  expect(shown([replied(said(CUT)), replied(said(CUT))], held(said(LONG)))).toEqual([whole, excerpt])
  const unnamed = { type: "tool_use", name: "read_file", input: { path: "whole.ts" } }
  expect(shown([replied(call("a"))], held(unnamed))).toEqual(['tool-call {"path":"whole.ts"}'])
  const bare = replied({ type: "tool_use", id: "a", name: "list" }, said("x"))
  expect(shown([bare], {})).toEqual(["tool-call ", "text x"])
  // What was thought is no reply, nor is a reply a thought.
  const thought: Json = { type: "thinking", thinking: "hm, hm" }
  expect(shown([replied(thought)], held(said("hm, hm!")))).toEqual(["thinking hm, hm"])
  expect(shown([replied(said("hm"))], held(thought))).toEqual(["text hm"])
  expect(shown([replied(thought)], held({ type: "thinking", thinking: "no" }))).toEqual(["thinking hm, hm"])
  expect(shown([replied(unnamed)], held(call("a")))).toEqual([READ])
  // A capture of another run of the turn is nobody's.
  expect(shown(both, held(said("Done then.")))).toEqual(["text Let me look.", READ, excerpt])
})

test("a turn's second request shows its own message, not that of the captured first", () => {
  const failed = { type: "tool_result", tool_use_id: "a", content: "gone", is_error: true }
  const requested = (...content: readonly Json[]) => ({
    "request.edn": { messages: [{ role: "user", content }], tools: [] },
  })
  const results = requested(failed, said("Go on."))
  expect(shown([asked(failed)], results)).toEqual(["tool-result! gone", "user Go on."])
  expect(shown([asked(said("Go on."))], results)).toEqual(["user Go on."])
  const other = { ...failed, tool_use_id: "b", content: "gone away" }
  expect(shown([asked(failed)], requested(other))).toEqual(["tool-result! gone"])
  expect(shown([asked(said("Go on."))], { "request.edn": "gone" })).toEqual(["user Go on."])
  const system = event(null, "llm/request", { ...ids, "system-preview": "Be…", "io/ref": `${at}/request.edn` })
  expect(shown([system], { "request.edn": { ...results["request.edn"], system: "Be brief." } })).toEqual([
    "system Be brief.",
  ])
  const result = { tool: "t", "is-error": true, "content-preview": "go", "io/ref": `${at}/tool.edn` }
  expect(shown([event(null, "llm/tool-result", { ...ids, ...result })], { "tool.edn": "gone" })).toEqual([
    "tool-result! gone",
  ])
  const request = { messages: [{ role: "user", content: "Add a rate." }], tools: [] }
  const lines = [asked(said("Add a rate.")), replied(said("Let me look.")), asked(said("Go on."))]
  expect(shown(lines, { "request.edn": request })).toEqual(["user Add a rate.", "text Let me look.", "user Go on."])
})

test("a captured request shows what it asked with and which tools it offered, but not its model alone", () => {
  const request = (more: object) =>
    ({ "request.edn": { model: "m", messages: [{ role: "user", content: "Go." }], ...more } }) as Record<string, Json>
  expect(shown([asked(said("Go."))], request({}))).toEqual(["user Go."])
  expect(shown([asked(said("Go."))], request({ temperature: 0 }))).toEqual([
    "note model: m\ntemperature: 0",
    "user Go.",
  ])
  const tools = [{ name: "read" }, { name: "write" }]
  expect(shown([asked(said("Go."))], request({ tools }))).toEqual(["note model: m\ntools: read, write", "user Go."])
})

test("an error that only begins as the one before it is told once, and a reply says by how much it was cut", () => {
  const [long, short] = ["no key, twice", "no key"].map(text => ({ type: "error", text }) as const)
  const reply = { type: "text", text: "no key" } as const
  const told = short && [
    isToldAgain(short, long),
    isToldAgain(reply, long),
    ...[reply, undefined].map(before => isToldAgain(short, before)),
  ]
  expect([told, long && isToldAgain(long, short)]).toEqual([[true, false, false, false], false])
  expect(missingWords(7)).toBe("cut: 7 more characters are in an export as JSONL")
})

test("a captured reply is known by its words however the row broke its lines", () => {
  const whole = `${LONG}\n\n- one\n- two`
  const broken = replied(said(`${LONG.slice(0, 70).replace("add rate", "add  \nrate")}...`))
  const cut = [59, 60, 90, 91].map(units => shown([replied(said(`${"x".repeat(units - 1)}…`))], {}).join(""))
  expect(cut.map(text => text.endsWith("[excerpt]"))).toEqual([false, true, true, false])
  expect(shown([broken], { "response.edn": { content: [said(whole)] } })).toEqual([`text ${whole}`])
})
