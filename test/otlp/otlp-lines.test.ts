// Tests the spans of whole recordings against trees written by hand, in both encodings, as a receiver gets them.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { otlpLines } from "../../src/otlp/otlp-lines.ts"
import { SpanFold } from "../../src/otlp/span-fold.ts"
import type { TraceSpan } from "../../src/otlp/trace-span.ts"
import { fold } from "../../src/run/fold.ts"
import { noPrices } from "../../src/run/model/prices.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { newRows } from "../../src/run/select/new-rows.ts"
import { root } from "../fixtures.ts"
import { event, ids } from "../run/lines.ts"
import { treeOf } from "./decode-request.ts"
import { clean, framesOf, received, spansOf, spansOfEvents, spansOfFrames } from "./spans.ts"

const RECORDINGS = [
  ["fixtures/frames/demo.jsonl", "demo"],
  ["fixtures/recordings/haiku-tournament.jsonl", "haiku-tournament"],
] as const

test.each(RECORDINGS)("%s has the spans that a person finds in it, in both encodings", async (path, name) => {
  const tree = await Bun.file(join(root, `fixtures/traces/${name}.txt`)).text()
  for (const size of [100_000, 1, 7]) {
    const spans = await spansOf(path, size)
    for (const encoding of ["json", "protobuf"] as const) expect(treeOf(await received(spans, encoding))).toBe(tree)
  }
})

test("both encodings say the same, and all of it", async () => {
  const all = await Promise.all([spansOf("fixtures/frames/demo.jsonl", 100), spansOf("fixtures/frames/tea.jsonl", 9)])
  const spans = all.flat()
  const [json, protobuf] = await Promise.all([received(spans, "json"), received(spans, "protobuf")])
  expect(protobuf).toEqual(json)
  for (const { dropped, traceId } of json)
    expect([dropped, traceId]).toEqual([0, expect.stringMatching(/^[0-9a-f]{32}$/)])
})

test("the same run has the same ids each time, and another has others", async () => {
  const ids = (spans: readonly TraceSpan[]) => spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`).sort()
  const [demo, again] = await Promise.all([3, 500].map(size => spansOf("fixtures/frames/demo.jsonl", size)))
  const other = await spansOf("fixtures/recordings/haiku-tournament.jsonl", 5)
  expect(ids(again ?? [])).toEqual(ids(demo ?? []))
  expect(new Set(ids(demo ?? [])).size).toBe(36)
  expect(new Set([...(demo ?? []), ...other].map(({ traceId }) => traceId)).size).toBe(2)
})

test.each(["fixtures/frames/demo.jsonl", "fixtures/failing-run/transcript.jsonl"])(
  "the output tokens of the calls of %s add up to its ledger's, however it comes",
  async path => {
    const { total } = fold(emptyRun, await framesOf(path)).facts.ledger
    for (const size of [100_000, 1, 7]) {
      const tokens = (await spansOf(path, size)).map(({ attributes }) => attributes["gen_ai.usage.output_tokens"])
      expect(tokens.reduce<number>((sum, one) => sum + Number(one ?? 0), 0)).toBe(total.output)
    }
  },
)

const PROVIDERS = await Bun.file(join(root, "fixtures/scripts/providers.txt")).text()
const told = PROVIDERS.trim().split("\n")
test.each(told.map(one => one.split(">").map(part => part.trim())))(
  "the provider of %p is %p",
  (given = "", name = "") => {
    const [model, provider] = given.split(" of ")
    const spans = spansOfEvents([["llm/start", { ...(given !== "" && { model }), ...(provider && { provider }) }]])
    const named = spans.map(({ name, attributes }) => [name.split(" ")[0], attributes["gen_ai.provider.name"] ?? ""])
    expect(named).toEqual([
      ["chat", name],
      ["invoke_agent", name],
      ["invoke_workflow", ""],
    ])
  },
)

test("the first call names the provider of an invocation, by its start, its request or its reply", () => {
  const providers = [{ provider: "first" }, { provider: "second" }, {}]
  const others = [providers.toReversed(), [{}, {}, providers[0]], [{ provider: "" }, ...providers]]
  for (const [start = {}, request = {}, reply = {}] of [providers, ...others]) {
    const spans = spansOfEvents([
      ["llm/start", start],
      ["llm/request", request],
      ["llm/response", reply],
      ["llm/start", { provider: "later" }],
    ])
    const first = [start, request, reply].flatMap(Object.values<string>).find(Boolean)
    const named = spans.map(({ name, attributes }) => `${name} ${attributes["gen_ai.provider.name"]}`)
    expect(named.slice(0, 3)).toEqual([`chat ${first}`, "chat later", `invoke_agent a ${first}`])
  }
})

test("what comes before the first time of a run begins at that time, and not in 1970", () => {
  const frames = [
    event(1, "llm/start", ids, null),
    event(2, "llm/response", ids, 5000),
    event(3, "runner/done", {}, 6000),
    event(1, "runner/started", {}, null),
    event(2, "runner/done", {}, 9000),
  ]
  const times = spansOfFrames(frames).map(({ name, start, end }) => [name, start, end])
  expect(times).toEqual([
    ["chat", 5000, 5000],
    ["invoke_agent a", 5000, 6000],
    ["invoke_workflow", 5000, 6000],
    ["invoke_workflow", 6000, 9000],
  ])
})

test("a run has one trace, whether its id has a colon or not, and whatever comes before it is told", () => {
  const started = (id: string) => ["runner/started", { "session-id": id }] as const
  const early = spansOfEvents([["llm/start", { model: "m" }], started("t"), ["runner/done", {}]])
  const told = [early, ...[":s", "s", "t", "a:s"].map(id => spansOfEvents([started(id)]))]
  const [first, second, third, other, long] = told.map(all => [...new Set(all.map(({ traceId }) => traceId))].join())
  expect([second, first]).toEqual([third, other])
  expect(new Set([first, second, long]).size).toBe(3)
})

test("no text of a span keeps a secret", async () => {
  const frames = [
    event(1, "llm/start", { ...ids, model: "secret" }),
    event(2, "llm/retry", { ...ids, category: "secret" }),
    event(3, "llm/response", { ...ids, "stop-reason": "secret" }),
    event(4, "llm/error", { ...ids, message: "secret" }),
    event(5, "runner/aborted", { reason: "a secret" }),
  ].map(frame => ({ frame }))
  const options = { content: true, prices: noPrices, clean: (text: string) => text.replaceAll("secret", "–") }
  const lines = (await Array.fromAsync(otlpLines([frames], options))).join("")
  expect(lines).toContain('"chat –"')
  expect(lines).toContain('"message":"a –"')
  expect(lines).not.toContain("secret")
})

test("spans are over once the run is, and not before, and nothing is said of what comes after their end", () => {
  const spans = new SpanFold({ content: false, clean })
  let run = emptyRun
  expect([spans.isOver, spans.close()]).toEqual([false, []])
  const overAfter = ["runner/started", "runner/done"].map((name, i) => {
    const next = fold(run, [event(i + 1, name)])
    spans.add(next, newRows(run, next))
    run = next
    return spans.isOver
  })
  expect(overAfter).toEqual([false, true])
  expect([spans.close().length, spans.close().length]).toEqual([1, 0])
  const late = fold(run, [event(3, "runner/error")])
  expect([...spans.add(late, newRows(run, late)), ...spans.close()]).toEqual([])
})
