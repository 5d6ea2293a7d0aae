// Tests the spans of whole recordings against trees written by hand, in both encodings, as a receiver gets them.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { otlpLines } from "../../src/otlp/otlp-lines.ts"
import { encodeSpans, type OtlpEncoding } from "../../src/otlp/otlp-request.ts"
import { SpanFold } from "../../src/otlp/span-fold.ts"
import type { TraceSpan } from "../../src/otlp/trace-span.ts"
import { fold } from "../../src/run/fold.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { newRows } from "../../src/run/select/new-rows.ts"
import { decodeLine } from "../../src/transport/message.ts"
import { root } from "../fixtures.ts"
import { decodeRequest, type ReceivedSpan, treeOf } from "./decode-request.ts"

const RECORDINGS = [
  ["fixtures/frames/demo.jsonl", "demo"],
  ["fixtures/recordings/haiku-tournament.jsonl", "haiku-tournament"],
] as const
const clean = (text: string) => text

async function framesOf(path: string) {
  const lines = (await Bun.file(join(root, path)).text()).trimEnd().split("\n")
  return lines.map(line => decodeLine(line))
}

/** The spans of a recording that comes in batches of this size. */
async function spansOf(path: string, size: number, content = false): Promise<TraceSpan[]> {
  const frames = await framesOf(path)
  const spans = new SpanFold({ content, clean })
  const all: TraceSpan[] = []
  let run = emptyRun
  for (let at = 0; at < frames.length; at += size) {
    const before = run
    run = fold(run, frames.slice(at, at + size))
    all.push(...spans.add(run, newRows(before, run)))
  }
  return [...all, ...spans.close()]
}

/** The spans as a receiver on this machine gets them. */
async function received(spans: readonly TraceSpan[], encoding: OtlpEncoding): Promise<readonly ReceivedSpan[]> {
  const got = Promise.withResolvers<readonly ReceivedSpan[]>()
  await using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      got.resolve(decodeRequest(await request.bytes(), request.headers.get("content-type") ?? "").spans)
      return new Response()
    },
  })
  const headers = { "content-type": encoding === "json" ? "application/json" : "application/x-protobuf" }
  await fetch(server.url, { method: "POST", headers, body: encodeSpans(spans, encoding) })
  return await got.promise
}

test.each(RECORDINGS)("%s has the spans that a person finds in it, in both encodings", async (path, name) => {
  const tree = await Bun.file(join(root, `fixtures/traces/${name}.txt`)).text()
  for (const size of [100_000, 1, 7]) {
    const spans = await spansOf(path, size)
    for (const encoding of ["json", "protobuf"] as const) expect(treeOf(await received(spans, encoding))).toBe(tree)
  }
})

test("both encodings say the same, with the names of OpenTelemetry", async () => {
  const spans = await spansOf("fixtures/frames/demo.jsonl", 100)
  const [json, protobuf] = await Promise.all([received(spans, "json"), received(spans, "protobuf")])
  expect(protobuf).toEqual(json)
  const call = json.find(
    ({ name, attributes }) => name === "chat qwen3:8b" && "gen_ai.usage.input_tokens" in attributes,
  )
  expect(call).toMatchObject({ kind: 3, traceId: expect.stringMatching(/^[0-9a-f]{32}$/) })
  expect(call?.attributes).toEqual({
    "gen_ai.operation.name": "chat",
    "gen_ai.agent.name": "drafter",
    "gen_ai.conversation.id": "multiplex.drafter.2",
    "gen_ai.request.model": "qwen3:8b",
    "gen_ai.response.model": "qwen3:8b",
    "gen_ai.response.finish_reasons": ["tool_use"],
    "gen_ai.usage.input_tokens": 195,
    "gen_ai.usage.output_tokens": 133,
  })
})

test("the same run has the same ids each time, and another has others", async () => {
  const ids = (spans: readonly TraceSpan[]) => spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`).sort()
  const [demo, again] = await Promise.all([3, 500].map(size => spansOf("fixtures/frames/demo.jsonl", size)))
  const other = await spansOf("fixtures/recordings/haiku-tournament.jsonl", 5)
  expect(ids(again ?? [])).toEqual(ids(demo ?? []))
  expect(new Set(ids(demo ?? [])).size).toBe(31)
  expect(new Set([...(demo ?? []), ...other].map(({ traceId }) => traceId)).size).toBe(2)
})

test("what is open when the run is left is cut there", async () => {
  const frames = (await framesOf("fixtures/recordings/haiku-tournament.jsonl")).slice(0, 20)
  const run = fold(emptyRun, frames)
  const spans = new SpanFold({ content: false, clean })
  spans.add(run, newRows(emptyRun, run))
  const tree = treeOf(await received(spans.close(), "json"))
  expect(tree).toBe(`invoke_workflow :escapement.runner/chart 0-327 cut
  state run 3-327 cut
    state planning 3-327 cut
      invoke_agent planner 2-327 cut
        chat gemma3:1b 2-327 cut
`)
})

test("contents are told only if they are asked for, without secrets", async () => {
  const path = "fixtures/frames/demo.jsonl"
  const words = "pier of nil"
  expect(JSON.stringify(await spansOf(path, 100))).not.toContain(words)
  const told = await spansOf(path, 100, true)
  expect(JSON.stringify(told)).toContain(words)
  const call = told.find(({ name, attributes }) => name === "execute_tool read_log" && attributes)
  expect(call?.attributes["gen_ai.tool.call.result"]).toBe('06:41:07 sailing 0931 "Selkie" pier=nil state=dry-dock')
  const output = told.find(({ name }) => name === "chat qwen3:8b")?.attributes["gen_ai.output.messages"]
  expect(JSON.parse(String(output))).toMatchObject([
    {
      role: "assistant",
      parts: [{ type: "reasoning" }, { type: "tool_call", name: "read_log" }],
      finish_reason: "tool_use",
    },
  ])
  const frames = (await framesOf(path)).map(frame => ({ frame }))
  const hidden = await Array.fromAsync(
    otlpLines([frames], { content: true, clean: text => text.replaceAll(words, "–") }),
  )
  expect(hidden.join("")).not.toContain(words)
})
