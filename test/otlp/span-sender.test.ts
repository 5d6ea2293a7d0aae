// Tests that spans are sent in the background, and that a receiver that fails costs spans, which are counted, not time.
import { afterEach, expect, test } from "bun:test"
import { rejectedIn } from "../../src/otlp/otlp-request.ts"
import { SpanSender } from "../../src/otlp/span-sender.ts"
import type { TraceSpan } from "../../src/otlp/trace-span.ts"
import { systemClock } from "../../src/transport/clock.ts"
import { ManualClock } from "../transport/manual-clock.ts"
import { until } from "../until.ts"
import { decodeRequest } from "./decode-request.ts"

const servers: { stop(isNow: boolean): Promise<void> }[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true)
})

/** A receiver on this machine that answers by `answer`, and the names of the spans that it got. */
function receiver(answer: (request: number) => Response | Promise<Response>) {
  const got: string[] = []
  let requests = 0
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { spans } = decodeRequest(await request.bytes(), request.headers.get("content-type") ?? "")
      const response = await answer(requests++)
      if (response.ok) got.push(...spans.map(({ name }) => name))
      return response
    },
  })
  servers.push(server)
  return { url: server.url.href, got, requests: () => requests }
}

function spans(count: number, text = ""): TraceSpan[] {
  return Array.from({ length: count }, (_, i) => ({
    traceId: "0123456789abcdef0123456789abcdef",
    spanId: (i + 1).toString(16).padStart(16, "0"),
    parentId: null,
    name: `span ${i}`,
    kind: "internal",
    start: 1,
    end: 2,
    attributes: { text },
    events: [],
    error: null,
  }))
}

/** The protobuf of an answer that not all spans were taken: field 1 holds their number, and why as field 2. */
function rejecting(count: number, why: string): Uint8Array<ArrayBuffer> {
  const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)])
  const words = [...new TextEncoder().encode(why)]
  const told = [8, ...varint(count), 18, ...varint(words.length), ...words]
  return Uint8Array.from([10, ...varint(told.length), ...told])
}

const to = (url: string) => ({ url, headers: {} })
const ok = () => new Response()
const names = (count: number) => spans(count).map(({ name }) => name)

test("spans arrive in order, many in a request", async () => {
  const { url, got, requests } = receiver(ok)
  const sender = new SpanSender(to(url), systemClock)
  for (const span of spans(1000)) sender.add([span])
  await until(() => sender.status.sent === 1000)
  expect(got).toEqual(names(1000))
  expect(requests()).toBe(2)
  expect(sender.status).toEqual({ sent: 1000, waiting: 0, dropped: 0, why: null })
  expect(sender.close(1000)).toBeNull()
})

test("a busy receiver is asked again after 1, 2, 4 … 30 seconds, by turns, and gets them all once", async () => {
  const busy = [503, 429, 502, 504, 503, 503, 503, 200, 503, 200]
  const { url, got, requests } = receiver(nth => new Response("", { status: busy[nth] ?? 200 }))
  const clock = new ManualClock()
  const told: string[] = []
  const sender = new SpanSender(to(url), clock, () => {
    const { sent, waiting, dropped, why } = sender.status
    told.push(`${sent} sent, ${waiting} wait, ${dropped} dropped: ${why}`)
  })
  sender.add([])
  sender.add(spans(600))
  const waits: number[] = []
  // One that is taken is followed by the next at once.
  for (const asked of [1, 2, 3, 4, 5, 6, 7, 9, 10]) {
    await clock.idle()
    waits.push(clock.step())
    await until(() => requests() === asked && (clock.alarms > 0 || sender.status.waiting === 0))
  }
  expect(waits).toEqual([200, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 1000])
  expect(got).toEqual(names(600))
  expect([...new Set(told)]).toEqual([
    "0 sent, 600 wait, 0 dropped: null",
    ...["503", "429", "502", "504"].map(status => `0 sent, 600 wait, 0 dropped: the receiver answered ${status}`),
    "512 sent, 88 wait, 0 dropped: the receiver answered 503",
    "600 sent, 0 wait, 0 dropped: the receiver answered 503",
  ])
})

test("what a receiver refuses for good is dropped, and counted, and the latest reason is told", async () => {
  const { url } = receiver(request => new Response("no", { status: request === 0 ? 500 : 400 }))
  const sender = new SpanSender(to(url), systemClock)
  for (const [at, status] of [500, 400].entries()) {
    const dropped = 3 * (at + 1)
    sender.add(spans(3))
    await until(() => sender.status.dropped === dropped)
    expect(sender.status).toEqual({ sent: 0, waiting: 0, dropped, why: `the receiver answered ${status}` })
  }
})

test("the end says what a receiver answered last, not that it was late", async () => {
  const { url, requests } = receiver(() => new Response("", { status: 503 }))
  const clock = new ManualClock()
  const sender = new SpanSender(to(url), clock)
  sender.add(spans(600))
  clock.advance(10_000)
  await until(() => requests() === 1 && sender.status.why !== null)
  await sender.close(1)
  // Once more, and for those behind it no more.
  expect(requests()).toBe(2)
  sender.add(spans(1))
  expect(sender.status).toEqual({ sent: 0, waiting: 0, dropped: 601, why: "the receiver answered 503" })
})

test("an answer without end is read for its beginning, and given up", async () => {
  const gone = Promise.withResolvers<void>()
  let pushed = 0
  const body = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(256 * 1024))
        pushed++
      },
      cancel: () => gone.resolve(),
    })
  const { url, requests } = receiver(() => new Response(body()))
  const sender = new SpanSender(to(url), systemClock)
  sender.add(spans(3))
  await until(() => sender.status.sent === 3)
  await gone.promise
  // What fits the sockets' buffers may be on its way: far from what 10 s of it would be.
  expect(pushed).toBeLessThan(200)
  expect([requests(), sender.status.dropped]).toEqual([1, 0])
})

test("an answer that is packed is not unpacked, and not asked for", async () => {
  const asked: (string | null)[] = []
  const packed = Bun.gzipSync(Buffer.alloc(64 * 1024 * 1024, "["))
  await using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      asked.push(request.headers.get("accept-encoding"))
      return new Response(packed, { headers: { "content-encoding": "gzip" } })
    },
  })
  const sender = new SpanSender(to(server.url.href), systemClock)
  const before = process.memoryUsage().rss
  sender.add(spans(3))
  await until(() => sender.status.sent === 3)
  expect(process.memoryUsage().rss - before).toBeLessThan(32 * 1024 * 1024)
  expect(asked).toEqual(["identity"])
})

test("what a receiver says it rejected is counted", async () => {
  const { url } = receiver(nth => new Response(nth === 0 ? rejecting(2, "too old") : rejecting(200, "")))
  const sender = new SpanSender(to(url), systemClock)
  sender.add(spans(3))
  await until(() => sender.status.sent === 1)
  expect(sender.status).toEqual({ sent: 1, waiting: 0, dropped: 2, why: "too old" })
  sender.add(spans(3))
  await until(() => sender.status.waiting === 0)
  expect(sender.status).toEqual({ sent: 1, waiting: 0, dropped: 5, why: "the receiver rejected them" })
})

test("a receiver's long or senseless words become one short line, and a redirect is told and not followed", async () => {
  const { url } = receiver(nth =>
    nth === 0
      ? Response.json({ partialSuccess: { rejectedSpans: "abc", errorMessage: `no\x1b[2J${"o".repeat(100_000)}` } })
      : new Response(null, { status: 302, headers: { location: "http://127.0.0.1:1/elsewhere" } }),
  )
  const sender = new SpanSender(to(url), systemClock)
  sender.add(spans(1))
  await until(() => sender.status.sent === 1)
  expect(sender.status).toMatchObject({ dropped: 0 })
  sender.add(spans(1))
  await until(() => sender.status.dropped === 1)
  expect(sender.status.why).toBe("the receiver answered 302")
  const wordsOf = (os: number) => rejectedIn(rejecting(1, `no\x1b[2J${"o".repeat(os)}`)).why
  expect([100_000, 195, 194].map(wordsOf)).toEqual(
    [194, 194, 194].map((os, i) => `no␛[2J${"o".repeat(os)}${i < 2 ? "…" : ""}`),
  )
})

test("a receiver that hangs holds nobody up: spans wait up to a limit, and the end waits a moment", async () => {
  const { url, requests } = receiver(() => new Promise(() => undefined))
  const clock = new ManualClock()
  const sender = new SpanSender(to(url), clock)
  sender.add(spans(10_000))
  expect(sender.status).toMatchObject({ waiting: 4096, dropped: 10_000 - 4096 })
  clock.advance(10_000)
  await until(() => requests() === 1)
  const closed = sender.close(100)
  clock.advance(99)
  expect(sender.status.waiting).toBe(4096)
  clock.advance(1)
  await closed
  expect(sender.status).toMatchObject({
    sent: 0,
    waiting: 0,
    dropped: 10_000,
    why: "the receiver is slower than the run",
  })
})

test("long texts are bounded too, wherever they stand, in what waits and in a request", async () => {
  const { url, got, requests } = receiver(ok)
  const text = "x".repeat(64_000)
  for (const told of [
    { error: text },
    { events: [{ name: text, ts: 1, attributes: {} }] },
    { events: [{ name: "", ts: 1, attributes: { text } }] },
    { attributes: { text } },
    { attributes: Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [i, 16])) },
  ]) {
    const sender = new SpanSender(to(url), new ManualClock())
    sender.add(spans(300).map(span => ({ ...span, ...told })))
    // With their names 249 of them are 15,937,882 characters, and one more would be over 16 million.
    expect(sender.status).toMatchObject({ waiting: 249, dropped: 51 })
    sender.add(spans(1).map(span => ({ ...span, ...told })))
    expect(sender.status).toMatchObject({ waiting: 249, dropped: 52 })
  }
  const clock = new ManualClock()
  const sender = new SpanSender(to(url), clock)
  sender.add(spans(40, text))
  clock.advance(200)
  await until(() => sender.status.waiting === 0)
  expect(requests()).toBe(3)
  // There is as much room again.
  sender.add(spans(3, "x".repeat(7_900_000)))
  expect(sender.status).toMatchObject({ waiting: 2, dropped: 1 })
  clock.advance(200)
  await until(() => sender.status.waiting === 0)
  expect([got.length, requests()]).toEqual([42, 5])
})

test("a receiver that is gone is said at the end, at once", async () => {
  const { url } = receiver(ok)
  for (const server of servers.splice(0)) await server.stop(true)
  // Its time never passes, so the end waits for nothing.
  const sender = new SpanSender(to(url), new ManualClock())
  sender.add(spans(2))
  await sender.close(1)
  expect(sender.status).toMatchObject({ sent: 0, waiting: 0, dropped: 2, why: expect.stringMatching(/connect/i) })
})

test("what waits when the run is left is sent before the end", async () => {
  const { url, got } = receiver(ok)
  const clock = new ManualClock()
  const sender = new SpanSender(to(url), clock)
  sender.add(spans(2))
  await sender.close(1)
  expect(got).toEqual(names(2))
  expect(clock.alarms).toBe(0)
  expect(sender.status).toEqual({ sent: 2, waiting: 0, dropped: 0, why: null })
})
