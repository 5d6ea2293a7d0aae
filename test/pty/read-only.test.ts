// Tests that a read-only screen sends nothing to the agent, and says so.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { event, prompt } from "../agent/ui.ts"
import { root } from "../fixtures.ts"
import { until } from "../until.ts"
import { onEachAgent, spawned } from "./sidecar.ts"
import { openTerminal } from "./terminal.ts"

const question = prompt("asked#1", "confirm", { prompt: "Well?", default: true })
const started = event("runner/started", { "session-id": "s", "chart-id": "c" })

onEachAgent("with --read-only an op says why it is not sent, and quitting leaves without a word", async open => {
  await using sidecar = await open([started], { agent: { debug: "paused" }, cmd: [...spawned, "--read-only"] })
  const rows = await sidecar.waitFor("PAUSED")
  expect(rows[0]).toContain("read-only")
  await sidecar.press("s").waitFor("Nothing is sent: this screen is read-only")
  expect(await sidecar.press("\x03\x03").exited).toBe(0)
  expect(sidecar.agent.inbound()).toEqual([])
})

onEachAgent("with OPENTUI_READ_ONLY=1 an answer says why it is not sent, and the question stays open", async open => {
  await using sidecar = await open([started, question], { env: { OPENTUI_READ_ONLY: "1", OPENTUI_PLAIN: "1" } })
  await sidecar.waitFor("Well?")
  await sidecar.type("yes\r").waitFor("Nothing is sent: this screen is read-only")
  sidecar.kill("SIGTERM")
  expect(await sidecar.exited).toBe(143)
  expect(sidecar.agent.inbound()).toEqual([])
})

test("with --read-only an agent without a socket gets no request over HTTP, as it does otherwise", async () => {
  let asked: string[] = []
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      asked.push(new URL(request.url).pathname)
      return new Response(null, { status: 503 })
    },
  })
  const attach = [join(root, "bin/opentui-sidecar"), "attach", `ws://127.0.0.1:${server.port}/ws`]
  const attempts = (path: string): number => asked.filter(one => one === path).length
  {
    await using _ = await openTerminal({ cmd: attach })
    await until(() => attempts("/api") > 0 && attempts("/ws") > 1)
  }
  asked = []
  await using _ = await openTerminal({ cmd: [...attach, "--read-only"] })
  await until(() => attempts("/ws") > 2)
  expect(attempts("/api")).toBe(0)
})
