// Makes the spans of recordings and of events told one by one, and has them sent to a receiver on this machine.
import { join } from "node:path"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { piecesOf } from "../../src/otlp/otlp-lines.ts"
import { encodeSpans } from "../../src/otlp/otlp-request.ts"
import { SpanFold } from "../../src/otlp/span-fold.ts"
import type { TraceSpan } from "../../src/otlp/trace-span.ts"
import { fold } from "../../src/run/fold.ts"
import { noPrices, type Prices } from "../../src/run/model/prices.ts"
import { initialRun } from "../../src/run/model/run.ts"
import { newRows } from "../../src/run/select/new-rows.ts"
import { decodeLine } from "../../src/transport/message.ts"
import { root } from "../fixtures.ts"
import { event, ids } from "../run/lines.ts"
import { decodeRequest, type ReceivedSpan } from "./decode-request.ts"

export const clean = (text: string) => text

export async function framesOf(path: string) {
  const lines = (await Bun.file(join(root, path)).text()).trimEnd().split("\n")
  return lines.map(line => decodeLine(line))
}

interface SpanOptions {
  readonly prices?: Prices
  readonly content?: boolean
  /** How many frames come at once; by default all. */
  readonly size?: number
}

export function spansOfFrames(
  frames: readonly Decoded[],
  { prices = noPrices, content = false, size }: SpanOptions = {},
) {
  const spans = new SpanFold({ content, clean })
  const all: TraceSpan[] = []
  let run = initialRun({ prices })
  for (let at = 0; at < frames.length; at += size ?? frames.length) {
    for (const piece of piecesOf(frames.slice(at, at + (size ?? frames.length)))) {
      const before = run
      run = fold(run, piece)
      all.push(...spans.add(run, newRows(before, run)))
    }
  }
  return [...all, ...spans.close()]
}

/** The spans of a recording that comes in batches of this size. */
export const spansOf = async (path: string, size: number, content = false) =>
  spansOfFrames(await framesOf(path), { size, content })

/** The spans as a receiver on this machine gets them. */
export async function received(
  spans: readonly TraceSpan[],
  encoding: "json" | "protobuf",
): Promise<readonly ReceivedSpan[]> {
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

/** The spans of these events, one a ms; the agent's data has the names of the wire. */
export function spansOfEvents(
  events: readonly (readonly [event: string, data: object])[],
  options: SpanOptions = {},
): TraceSpan[] {
  const frames = events.map(([name, data], i) => event(i + 1, name, { ...ids, ...data }, 1000 + i))
  return spansOfFrames(frames, options)
}
