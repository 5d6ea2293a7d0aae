// Tests the home screen in a terminal: the runs, what opens from there, and the way back.
import { beforeAll, describe, expect, test } from "bun:test"
import { mkdir, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { play } from "../agent/ui.ts"
import { fixture, root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { expectAsItWas, expectTaken } from "./as-it-was.ts"
import { openLive } from "./sidecar.ts"
import { openTerminal, type Terminal } from "./terminal.ts"

const bin = join(root, "bin/opentui-sidecar")
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

/** Nobody listens at this port. */
const NOBODY = { OPENTUI_WS_PORT: "1" }

function openHome(env: Record<string, string> = NOBODY, cwd = place): Promise<Terminal> {
  return openTerminal({ cmd: [bin, "sessions"], cwd, cols: 110, rows: 32, env })
}

test("the runs are listed with what happened last; a finished one opens at its end, and q comes back to it", async () => {
  await using terminal = await openHome()
  const before = terminal.flags
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

test("the demo starts, and leaving it leads home", async () => {
  await using terminal = await openHome()
  await terminal.waitFor("─ RUNS")
  await terminal.press(":demo\r").waitFor("planner")
  await terminal.press("q").waitFor("─ RUNS")
  await terminal.press(":demo\r").waitFor("planner")
  terminal.kill("SIGTERM")
  expect(await terminal.exited).toBe(143)
})

describe("an agent", () => {
  test("that begins to answer while home shows is attached to; q leaves it without a word, and it stays a row", async () => {
    const port = await freePort()
    await using terminal = await openHome({ OPENTUI_WS_PORT: String(port) })
    await terminal.waitFor("no agent there yet")
    const agent = await play(fixture("prompts"), { port })
    await terminal.waitFor("● live", { timeoutMs: 8000 })
    terminal.press("\x1bh")
    await terminal.press("q").waitFor(`agent at 127.0.0.1:${port}`)
    expect(await Bun.file(agent.logPath).text()).not.toMatch(/ui-quit|ui-interrupt|cancelled/)
    await terminal.press("gg\r").waitFor("● live")
    expect(await terminal.press("\x1bh\x03").exited).toBe(0)
    expect(await Bun.file(agent.logPath).text()).not.toMatch(/ui-quit/)
  })

  test("that starts the screen never shows home, also once it is gone", async () => {
    await using live = await openLive([started("spawned").trim()])
    await live.waitFor("started")
    await live.agent.stop()
    await live.waitFor("disconnected")
    expect(live.raw).not.toContain("RUNS")
  })
})

test.each([
  ["SIGTERM", 143],
  ["SIGHUP", 129],
  ["SIGINT", 130],
] as const)("home restores the terminal on %s", async (signal, code) => {
  await using terminal = await openHome()
  const before = terminal.flags
  await terminal.waitFor("─ RUNS")
  terminal.kill(signal)
  expect(await terminal.exited).toBe(code)
  expectAsItWas(terminal, before)
})

async function freePort(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
  const { port } = server
  await server.stop(true)
  return port ?? 0
}

test("a fault while home shows ends the program with 1, and the terminal is as it was", async () => {
  const entry = join(place, "fault.ts")
  await writeFile(
    entry,
    `process.on("SIGUSR2", () => setTimeout(() => { throw new Error("a fault of the list") }, 1))
     // That of the program would end it.
     const { on } = process
     process.on = (name, ...rest) => name === "SIGUSR2" ? process : on.call(process, name, ...rest)
     await import(${JSON.stringify(join(root, "src/main.tsx"))})`,
  )
  await using terminal = await openTerminal({
    cmd: [process.execPath, "run", entry, "sessions", join(place, ".escapement")],
    cwd: root,
    env: NOBODY,
  })
  const before = terminal.flags
  await terminal.waitFor("─ 1 of 3")
  terminal.kill("SIGUSR2")
  expect(await terminal.exited).toBe(1)
  expectAsItWas(terminal, before)
  expect(terminal.raw).toContain("opentui-sidecar: Error: a fault of the list")
})
