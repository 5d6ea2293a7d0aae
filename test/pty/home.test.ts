// Tests the home screen in a terminal: the runs, what opens from there, and the way back.
import { beforeAll, expect, test } from "bun:test"
import { mkdir, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { play } from "../agent/ui.ts"
import { fixture, root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { expectAsItWas, expectTaken } from "./as-it-was.ts"
import { faulty } from "./sidecar.ts"
import { openTerminal, type Terminal } from "./terminal.ts"

const row = (seq: number, event: string, data: object) => `${JSON.stringify({ event, seq, ts: 1000 * seq, data })}\n`
const started = (chart: string) => row(0, "runner/started", { "chart-id": `:${chart}` })

const place = fileScratch()
beforeAll(async () => {
  await put("first", started("harbour/report") + row(9, "runner/done", {}), 0)
  await put("second", started("chess/match") + row(4, "runner/error", { message: "engine: command not found" }), 3600)
  await put("third", await Bun.file(fixture("prompts")).text(), 7200)
})

/** A run whose recording changed so many seconds ago. */
async function put(name: string, text: string, ago: number): Promise<void> {
  const directory = join(place, ".escapement", name)
  await mkdir(directory, { recursive: true })
  const path = join(directory, "transcript.jsonl")
  await writeFile(path, text)
  await utimes(path, Date.now() / 1000 - ago, Date.now() / 1000 - ago)
}

const bin = join(root, "bin/opentui-sidecar")

/** Home, and the port of the agent that it looks for; nobody listens at 1. */
function openHome(port = "1"): Promise<Terminal> {
  const env = { OPENTUI_WS_PORT: port }
  return openTerminal({ cmd: [bin, "sessions"], cwd: place, cols: 110, rows: 32, env })
}

test("the runs are listed with what happened last; a finished one opens at its end, and q comes back to it", async () => {
  await using terminal = await openHome()
  const { before } = terminal
  const rows = await terminal.waitFor("engine: command not found")
  expect(rows.join("\n")).toMatch(/✓ harbour\/report {2}first .*✗ chess\/match {2}second .*third/s)
  expectTaken(terminal, before)
  await terminal.press("j").waitFor("─ 2 of 3")
  await terminal.press("\r").waitFor(/✗ Run failed +engine: command not found/)
  await terminal.press("q").waitFor("─ 2 of 3")
  await terminal.press("j\r").waitFor("kiosk")
  await terminal.press("\x1b").waitFor("─ 3 of 3")
  expect(await terminal.press("q").exited).toBe(0)
  expectAsItWas(terminal, before)
})

test("the demo starts, leaving it leads home, and a signal there restores the terminal", async () => {
  await using terminal = await openHome()
  const { before } = terminal
  await terminal.waitFor("─ RUNS")
  await terminal.press(":demo\r").waitFor("planner")
  await terminal.press("q").waitFor("─ RUNS")
  terminal.kill("SIGHUP")
  expect(await terminal.exited).toBe(129)
  expectAsItWas(terminal, before)
})

test("an agent that begins to answer is attached to; q leaves it without a word, and it stays a row", async () => {
  const free = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
  const { port = 0 } = free
  await free.stop(true)
  await using terminal = await openHome(String(port))
  await terminal.waitFor("no agent there yet")
  const agent = await play(fixture("prompts"), { port })
  await terminal.waitFor("● live")
  terminal.press("\x1bh")
  await terminal.press("q").waitFor(`agent at 127.0.0.1:${port}`)
  await terminal.press("gg\r").waitFor("● live")
  expect(await terminal.press("\x1bh\x03").exited).toBe(0)
  expect(await Bun.file(agent.logPath).text()).not.toMatch(/ui-quit|ui-interrupt|cancelled/)
})

test("a fault while home shows ends the program with 1, and the terminal is as it was", async () => {
  const cmd = [...faulty, "sessions", join(place, ".escapement")]
  await using terminal = await openTerminal({ cmd, cwd: root, env: { OPENTUI_WS_PORT: "1" } })
  const { before } = terminal
  await terminal.waitFor("─ 1 of 3")
  terminal.kill("SIGUSR2")
  expect(await terminal.exited).toBe(1)
  expectAsItWas(terminal, before)
  expect(terminal.raw).toContain("of a timer")
})
