// Tests that the spans of a live run reach a receiver as it goes, and that one that is gone costs nothing but spans.
import { beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { decodeRequest, type ReceivedSpan, treeOf } from "../otlp/decode-request.ts"
import { fileScratch } from "../scratch.ts"
import { until } from "../until.ts"
import { openLive, spawned } from "./sidecar.ts"

const haiku = join(root, "fixtures/recordings/haiku-tournament.jsonl")

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

test("a receiver gets the spans of a live run, and the rest when it is left", async () => {
  const spans: ReceivedSpan[] = []
  const asked: string[] = []
  await using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const headers = ["authorization", "x-langfuse-ingestion-version", "content-type"]
      asked.push([new URL(request.url).pathname, ...headers.map(name => request.headers.get(name))].join(" "))
      spans.push(...decodeRequest(await request.bytes(), request.headers.get("content-type") ?? "").spans)
      return new Response()
    },
  })
  const cmd = [...spawned, "--otlp", `${server.url}api/public/otel`]
  const env = { OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20cGs6c2s%3D,x-langfuse-ingestion-version=4" }
  await using live = await openLive(haiku, { cmd, env })
  await live.waitFor("Which haiku wins?")
  await until(() => spans.some(({ name }) => name === "invoke_agent poet2"))
  live.kill("SIGTERM")
  await live.exited
  expect(treeOf(spans).replaceAll(/ \d+-\d+/g, "")).toBe(TREE)
  expect(new Set(asked)).toEqual(new Set([`/api/public/otel/v1/traces Basic cGs6c2s= 4 application/x-protobuf`]))
})

describe("a run that ends by accident sends what is open as cut:", () => {
  const scratch = fileScratch()
  beforeAll(async () => {
    const program = JSON.stringify(join(root, "src/main.tsx"))
    await Bun.write(
      join(scratch, "faults.ts"),
      `process.on("SIGUSR2", () => setTimeout(() => { throw new Error("a fault of a timer") }, 1))
       const { on } = process
       process.on = (name, ...rest) => name === "SIGUSR2" ? process : on.call(process, name, ...rest)
       await import(${program})`,
    )
  })

  /** A receiver, the program that can be made to fail, and its spans once the run asks its question. */
  async function openFailing(env: Record<string, string>) {
    const spans: ReceivedSpan[] = []
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        spans.push(...decodeRequest(await request.bytes(), request.headers.get("content-type") ?? "").spans)
        return new Response()
      },
    })
    const cmd = [process.execPath, "run", join(scratch, "faults.ts"), "--otlp", server.url.href]
    const live = await openLive(haiku, { cmd, env })
    await live.waitFor("Which haiku wins?")
    await until(() => spans.some(({ name }) => name === "invoke_agent poet2"))
    const dispose = async (): Promise<void> => {
      await live.close()
      await server.stop(true)
    }
    return { live, spans, [Symbol.asyncDispose]: dispose }
  }
  const treeIn = (spans: readonly ReceivedSpan[]) => treeOf(spans).replaceAll(/ \d+-\d+/g, "")

  test("a fault in plain lines", async () => {
    await using failing = await openFailing({ OPENTUI_PLAIN: "1" })
    failing.live.kill("SIGUSR2")
    expect(await failing.live.exited).toBe(1)
    expect((await failing.live.waitFor("a fault of a timer")).join("\n")).toContain("opentui-sidecar: ")
    expect(treeIn(failing.spans)).toBe(TREE)
  })

  test("the second fault of a screen, after the first one has closed it", async () => {
    await using failing = await openFailing({})
    failing.live.kill("SIGUSR2")
    await failing.live.waitFor("the screen has failed")
    expect(treeIn(failing.spans)).not.toContain("cut")
    failing.live.kill("SIGUSR2")
    expect(await failing.live.exited).toBe(1)
    expect(treeIn(failing.spans)).toBe(TREE)
  })
})

test.each([
  ["by a signal", "SIGTERM", [], 143],
  ["by a signal in plain lines", "SIGTERM", ["--plain"], 143],
  ["by Ctrl-C twice at once", "\u0003", [], 0],
  ["by Ctrl-C twice at once in plain lines", "\u0003", ["--plain"], 0],
] as const)(
  "a receiver that hangs holds nobody up who leaves %s, and what it did not get is told",
  async (_, by, options, code) => {
    await using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Promise<Response>(() => undefined),
    })
    await using live = await openLive(haiku, { cmd: [...spawned, ...options, "--otlp", server.url.href] })
    await live.waitFor("Which haiku wins?")
    const start = performance.now()
    if (by === "SIGTERM") live.kill(by)
    else for (let i = 0; i < 3; i++) live.press(by)
    expect(await live.exited).toBe(code)
    expect(performance.now() - start).toBeLessThan(7000)
    expect((await live.waitFor(/spans? not sent/)).join("\n")).toContain("did not answer in time")
  },
)

test("a receiver that is gone is told in the status and at the end, and the run goes on", async () => {
  const gone = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
  const { host } = gone.url
  await gone.stop(true)
  await using live = await openLive(haiku, { cmd: [...spawned, "--otlp", `http://${host}`] })
  await live.waitFor("Which haiku wins?")
  await live.press("\x1bh").waitFor(rows => !rows.join("\n").includes("Alt-h hide"))
  await live.press(":status\r").waitFor(rows => rows.join("\n").includes(`${host}/v1/traces: 0 `))
  live.kill("SIGTERM")
  await live.exited
  const last = await live.waitFor(/spans not sent to 127\.0\.0\.1/)
  expect(last.join("\n")).toContain("13 spans not sent")
})
