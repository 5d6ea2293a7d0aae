// Tests that the spans of a live run reach a receiver as it goes, and that one that hangs costs nothing but spans.
import { describe, expect, test } from "bun:test"
import { spanReceiver } from "../app/open-run.ts"
import { haiku } from "../fixtures.ts"
import { decodeRequest, type ReceivedSpan, treeOf } from "../otlp/decode-request.ts"
import { until } from "../until.ts"
import { faulty, type Live, openLive, spawned } from "./sidecar.ts"

/** The recording up to its question, at which the run is left; the agent gives it times of its own. */
const TREE = `invoke_workflow :escapement.runner/chart
  state run
    state planning
      invoke_agent planner
        chat gemma3:1b end_turn 224>29
    state route-planner
    state aborted
      invoke_agent poet1
        chat gemma3:1b end_turn 210>17
        execute_tool save_haiku
      invoke_agent poet2 !_OTHER
        chat gemma3:1b ?>2 !network
      ask pick-winner cut
`
const treeIn = (spans: readonly ReceivedSpan[]): string => treeOf(spans).replaceAll(/ \d+-\d+/g, "")

/** A program that can be made to fail, with the run at its question and its first spans received. */
async function openFailing(env = {}): Promise<{ live: Live; spans: readonly ReceivedSpan[] }> {
  const { spans, url } = spanReceiver()
  const live = await openLive(haiku, { cmd: [...faulty, "--otlp", url.href], env })
  await live.waitFor("Which haiku wins?")
  await until(() => spans.some(({ name }) => name === "invoke_agent poet2"))
  return { live, spans }
}

test("a receiver gets the spans of a live run with the headers that it wants, and the rest when the run is left", async () => {
  const asked = new Set<string>()
  const spans: ReceivedSpan[] = []
  await using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const headers = ["authorization", "x-langfuse-ingestion-version", "content-type"]
      asked.add([new URL(request.url).pathname, ...headers.map(name => request.headers.get(name))].join(" "))
      spans.push(...decodeRequest(await request.bytes(), request.headers.get("content-type") ?? "").spans)
      return new Response()
    },
  })
  const env = { OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20cGs6c2s%3D,x-langfuse-ingestion-version=4" }
  await using live = await openLive(haiku, { cmd: [...spawned, "--otlp", `${server.url}api/public/otel`], env })
  await live.waitFor("Which haiku wins?")
  await until(() => spans.some(({ name }) => name === "invoke_agent poet2"))
  live.kill("SIGTERM")
  await live.exited
  expect(treeIn(spans)).toBe(TREE)
  expect([...asked]).toEqual(["/api/public/otel/v1/traces Basic cGs6c2s= 4 application/x-protobuf"])
})

describe("a run that ends by accident sends what is open as cut:", () => {
  test("a fault in plain lines", async () => {
    const { live, spans } = await openFailing({ OPENTUI_PLAIN: "1" })
    await using _ = live
    live.kill("SIGUSR2")
    expect(await live.exited).toBe(1)
    expect((await live.waitFor("of a timer")).join("\n")).toContain("opentui-sidecar: ")
    expect(treeIn(spans)).toBe(TREE)
  })

  test("the second fault of a screen, after the first one has closed it", async () => {
    const { live, spans } = await openFailing()
    await using _ = live
    live.kill("SIGUSR2")
    await live.waitFor("the screen has failed")
    expect(treeIn(spans)).not.toContain("cut")
    live.kill("SIGUSR2")
    expect(await live.exited).toBe(1)
    expect(treeIn(spans)).toBe(TREE)
  })
})

test.each([
  ["by a signal", "SIGTERM", [], 143],
  ["by Ctrl-C twice at once in plain lines", "\u0003", ["--plain"], 0],
] as const)(
  "a receiver that hangs holds nobody up who leaves %s, and what it did not get is told",
  async (_, by, options, code) => {
    const { url } = spanReceiver(new Promise(() => undefined))
    await using live = await openLive(haiku, { cmd: [...spawned, ...options, "--otlp", url.href] })
    await live.waitFor("Which haiku wins?")
    const start = performance.now()
    if (by === "SIGTERM") live.kill(by)
    else for (let i = 0; i < 3; i++) live.press(by)
    expect(await live.exited).toBe(code)
    expect(performance.now() - start).toBeLessThan(7000)
    expect((await live.waitFor(/spans? not sent/)).join("\n")).toContain("did not answer in time")
  },
)
