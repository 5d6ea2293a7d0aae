// Lists rows of runs for Paperclip: every kind with all its keys, and the sequences that a run's account depends on.
import type { JsonObject } from "../../wire/src/json.ts"

const who = { invokeid: "planner", "session-id": "session/1" }
const usage = { "input-tokens": 1000, "output-tokens": 50, "cached-tokens": 400 }
const text = { type: "text", text: "I look\nat it." }
const thinking = { type: "thinking", thinking: "first the list" }
const call = { type: "tool_use", id: "t1", name: "read file", input: { path: "a b" } }
const image = { type: "image", source: { media: "png" } }
const result = { type: "tool_result", tool_use_id: "t1", content: "seen" }

export type Row = readonly [event: string, data: JsonObject]

/** A row of every kind, with every key that is read. */
export const ROWS: readonly Row[] = [
  ["runner/started", { "session-id": "paperclip-run-1", model: "gemma3:1b", "chart-id": ":plan" }],
  ["runner/started", { "session-id": ":session/1" }],
  ["runner/start-config", { config: ["run", "planning"] }],
  ["runner/event-processed", { "event-name": "llm.idle", "config-before": ["run", "a"], "config-after": ["run", "b"] }],
  ["runner/event-processed", { "event-name": "timer", "config-before": ["run"], "config-after": ["run"] }],
  ["runner/event-processed", { "event-name": ":error.llm.timeout", "config-after": ["run", "failed"] }],
  ["runner/done", { status: "done", "final-config": ["run", "done"] }],
  [
    "runner/done",
    { status: "failed", "final-config": "lost", "adapter/summary": "It\nsnows.", ...totals(7, 2, 1, 0.5) },
  ],
  ["runner/done", { status: "timed-out", ...totals(0, 0, 0, 0) }],
  ["runner/aborted", { reason: "budget" }],
  ["runner/error", { message: "bad chart" }],
  ["runner/tick", { n: 1 }],
  ["runner/resumed", { config: ["run"] }],
  ["checkpoint/written", { path: "x" }],
  ["llm/usage", { ...who, usage }],
  ["llm/start", { ...who, model: "gemma3:1b", "session-label": "plan" }],
  ["llm/request", { ...who, "user-blocks": [{ type: "text", text: "Do\nit" }, image, { type: "text", text: "" }] }],
  ["llm/delta", { ...who, type: "text-delta", text: "One.\n\n  Two.\\\nThr" }],
  ["llm/delta", { ...who, type: "thinking-delta", text: "Hm.\n" }],
  [
    "llm/response",
    {
      ...who,
      ...{ model: "gemma3:1b", provider: "ollama", content: [thinking, text, call, result, image], usage },
      ...{ "cost-usd": 0.25, "elapsed-ms": 426, "stop-reason": "tool_use", "adapter/streamed": ["thinking"] },
    },
  ],
  ["llm/response", { ...who, content: [{ name: "read", input: {} }], usage: { "total-cost-usd": 2 } }],
  ["llm/response", { content: [{ type: "text", text: "  \n" }], usage: { cost: 3 } }],
  ["llm/tool-result", { ...who, tool: "read", "tool-use-id": "t1", "is-error": true, "content-preview": "one\ntwo\n" }],
  ["llm/tool-result", { tool: "read", "io/ref": "n/tool-results/t 7.edn", "content-preview": "" }],
  ["llm/error", { ...who, message: "529 overloaded", category: "overloaded" }],
  ["llm/error", { ...who, message: "HTTP 503", category: ":transport" }],
  ["llm/error", { ...who, message: "no credit left" }],
  ["llm/error", { ...who, message: "bad request 4290", category: "invalid" }],
  ["llm/model-down", { ...who, model: "gemma3:1b", message: "gone", category: ":rate-limited", remaining: 2 }],
  ["llm/model-policy-empty", { policy: "smart", "strict?": true }],
  ["llm/retry", { ...who, attempt: 1, "max-retries": 3, category: "network" }],
  ["llm/context-warning", { ...who, "used-frac": 0.834 }],
  ["llm/context-warning", { "used-frac": 83 }],
  ["llm/worker-exit", { ...who, reason: "killed", "is-error": true }],
  ["llm/user-message", { text: "and this\nas well" }],
  ["human-input/start", { invokeid: "ask", kind: "confirm", prompt: "Ship it?" }],
  [
    "human-input/start",
    { invokeid: "ask", kind: "select", prompt: "Which?", options: ["a", { label: "B", value: 2 }] },
  ],
  ["human-input/start", { kind: "select", opts: { options: [{ label: "C", value: { c: 1 } }, 5] } }],
  ["human-input/answer", { answer: ["a", "b"] }],
  ["human-input/cancelled", { invokeid: "ask" }],
  ["human-input/interrupted", { invokeid: "ask" }],
  ["human-input/validation-failed", { invokeid: "ask", errors: ["too short", { message: "no digit" }] }],
  ["human-input/error", { invokeid: "ask", message: "no such form" }],
  ["debug/branch-error", { error: "no guard" }],
  ["debug/awaiting-quit", { msg: "press q" }],
  ["debug/awaiting-step", { "event-name": "timer" }],
  ["transcript/serialize-error", { why: "cycle" }],
  ["adapter/notice", { ...who, text: "compiled", "is-error": false }],
  ["adapter/notice", { ...who, text: "broken", "is-error": true }],
  ["cli/config-loaded", { keys: ["a"] }],
  ["cli/deps-added", {}],
]

function totals(input: number, output: number, cached: number, cost: number): JsonObject {
  return { "adapter/totals": { input, output, cached, cost } }
}

const delta = (one: string, more: JsonObject = who): Row => ["llm/delta", { ...more, type: "text-delta", text: one }]
const hm = (one: string): Row => ["llm/delta", { ...who, type: "thinking-delta", text: one }]
const reply = (content: JsonObject[], more: JsonObject = who): Row => ["llm/response", { ...more, content }]
const used = (name: string, id?: string): JsonObject => ({ name, input: {}, ...(id === undefined ? {} : { id }) })
const answer = (tool: string, more: JsonObject = who): Row => ["llm/tool-result", { ...more, tool }]
const plain = (one: string): JsonObject => ({ type: "text", text: one })
const refusal: Row = ["llm/error", { ...who, message: "429", category: "rate-limited" }]
const done: Row = ["runner/done", { status: "done" }]
const other = { invokeid: "writer", "session-id": "session/2" }

/** What a run's account depends on: which rows stood before. */
export const RUNS: Readonly<Record<string, readonly Row[]>> = {
  "a reply that was streamed": [delta("I "), delta("look."), reply([plain("I look.")]), done],
  "a reply that was streamed in part": [delta("I "), reply([plain("I look.")]), done],
  "a reply in two texts": [delta("I "), delta("look."), reply([plain("I "), plain("look.")]), done],
  "thoughts that were streamed": [hm("Hm."), reply([{ type: "thinking", thinking: "Hm." }, plain("Yes.")])],
  "a reply after a turn that began anew": [delta("I look."), ["llm/start", who], reply([plain("I look.")])],
  "streams of two sessions": [delta("A"), delta("B", other), reply([plain("B")]), reply([plain("B")], other)],
  "the same reply twice": [delta("A"), reply([plain("A")]), reply([plain("A")])],
  "calls of one tool": [reply([used("read"), used("read")]), answer("read"), answer("read"), answer("read")],
  "calls of two sessions": [reply([used("read")]), reply([used("read")], other), answer("read", other), answer("read")],
  "a result that names no session": [reply([used("read")]), answer("read", {})],
  "a result that names no tool": [reply([used("")]), answer("", who), ["llm/tool-result", who]],
  "a result of another tool": [reply([used("read")]), answer("write")],
  "named calls": [
    reply([used("read", "t1"), used("read", "t2"), used("read", "")]),
    answer("read", { ...who, "tool-use-id": "t2" }),
    answer("read", { ...who, "tool-use-id": "t9" }),
    answer("read"),
  ],
  "a refusal that somebody answered after": [refusal, reply([plain("A")]), done],
  "a refusal at the end": [reply([plain("A")]), refusal, done],
  "a question that was answered": [
    ["human-input/start", { prompt: "Ship?" }],
    ["human-input/answer", {}],
  ],
  "a question that was withdrawn": [
    ["human-input/start", { prompt: "Ship?" }],
    ["human-input/interrupted", {}],
  ],
  "a question that was cancelled": [
    ["human-input/start", { prompt: "Ship?" }],
    ["human-input/cancelled", {}],
  ],
  "two starts": [
    ["runner/started", { "session-id": "a" }],
    reply([plain("A")], { usage, "cost-usd": 1 }),
    ["runner/started", { "session-id": "b/c" }],
    reply([plain("B")], { usage: { "output-tokens": 1 } }),
    done,
  ],
  "two costs": [reply([], { "cost-usd": 1 }), reply([], { usage: { cost: 0.5 } }), reply([], { "cost-usd": -1 }), done],
  "a summary too long": [reply([plain("é".repeat(5000))]), done],
  "an end with totals of its own": [
    reply([plain("A")]),
    ["runner/done", { ...totals(1, 2, 3, 4), "adapter/summary": "B" }],
  ],
  "a run that did nothing": [
    ["runner/started", {}],
    ["runner/resumed", {}],
    ["runner/tick", {}],
    ["cli/deps-added", {}],
    done,
  ],
  "a run that asked in vain": [["runner/start-config", {}], ["llm/request", who], ["llm/retry", who], refusal],
}
