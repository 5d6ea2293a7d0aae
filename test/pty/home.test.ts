// Tests the home screen in a terminal: the runs, what opens from there, and the way back.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startAgent } from "../../src/scripted-agent/scripted-agent.ts"
import { fixture, root } from "../fixtures.ts"
import { expectAsItWas, expectTaken } from "./as-it-was.ts"
import { openLive } from "./sidecar.ts"
import { openTerminal, pressUntil, type Terminal } from "./terminal.ts"

const bin = join(root, "bin/opentui-sidecar")
const row = (seq: number, event: string, data: object) => `${JSON.stringify({ event, seq, ts: 1000 * seq, data })}\n`
const started = (chart: string) => row(0, "runner/started", { "chart-id": `:${chart}` })

let place = ""
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "sidecar-home-"))
  await put("first", started("harbour/report") + row(9, "runner/done", {}), 0)
  await put("second", started("chess/match") + row(4, "runner/error", { message: "engine: command not found" }), 3600)
  await put("third", await Bun.file(fixture("prompts")).text(), 7200)
})
afterAll(() => rm(place, { recursive: true, force: true }))

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
  terminal.press("j")
  await terminal.waitFor("─ 2 of 3")
  terminal.press("\r")
  await terminal.waitFor(/✗ error: engine: command not found/)
  terminal.press("q")
  await terminal.waitFor("─ 2 of 3")
  terminal.press("j\r")
  await terminal.waitFor("kiosk")
  terminal.press("\x1b")
  await terminal.waitFor("─ 3 of 3")
  terminal.press("q")
  expect(await terminal.exited).toBe(0)
  expectAsItWas(terminal, before)
})

test("q and Esc first close what is open in the run", async () => {
  await using terminal = await openHome()
  await terminal.waitFor("engine: command not found")
  terminal.press("\r")
  await terminal.waitFor("─ SESSIONS")
  terminal.press("$")
  await terminal.waitFor("COST")
  terminal.press("q")
  await terminal.waitFor("─ SESSIONS")
  // Within a second after the first, a second one does nothing; nor do two that lead home leave the program.
  await pressUntil(terminal, "q", "─ RUNS")
  terminal.press("q")
  terminal.press("?")
  await terminal.waitFor("─ KEYS")
  terminal.press("\x03")
  expect(await terminal.exited).toBe(0)
})

test("the demo starts, and leaving it leads home", async () => {
  await using terminal = await openHome()
  await terminal.waitFor("─ RUNS")
  terminal.press(":demo\r")
  await terminal.waitFor("planner")
  terminal.press("q")
  await terminal.waitFor("─ RUNS")
  terminal.press(":demo\r")
  await terminal.waitFor("planner")
  terminal.kill("SIGTERM")
  expect(await terminal.exited).toBe(143)
})

test("a path and a URL are typed, and one that can't be opened says why", async () => {
  await using terminal = await openHome()
  await terminal.waitFor("─ RUNS")
  terminal.press(":open a rec\r")
  terminal.type("nowhere.jsonl\r")
  const rows = await terminal.waitFor("nowhere.jsonl: no such file")
  // What was typed stays, to be mended.
  expect(rows.join("\n")).toContain("> nowhere.jsonl ")
  terminal.press("\x1b")
  await terminal.waitFor(": commands")
  terminal.press(":attach to\r")
  terminal.type("ws://192.0.2.1/ws\r")
  await terminal.waitFor("not on this machine")
  terminal.press("\x1b")
  await terminal.waitFor(": commands")
  terminal.press(":open a rec\r")
  terminal.type(`${fixture("debugger")}\r`)
  await terminal.waitFor("end of recording")
  terminal.press("q")
  expect((await terminal.waitFor("─ RUNS")).join("\n")).toContain("─ 1 of 3")
})

test("a filter leaves the runs that have its words, and Esc brings all back", async () => {
  await using terminal = await openHome()
  await terminal.waitFor("engine: command not found")
  terminal.press("/")
  terminal.type("engine")
  await terminal.waitFor(rows => rows.some(row => row.includes('1 with "engine"')))
  terminal.press("\r")
  expect((await terminal.waitFor("q leave")).join("\n")).not.toContain("harbour")
  terminal.press("\x1b")
  expect((await terminal.waitFor("─ 1 of 3")).join("\n")).toContain("harbour")
})

describe("an agent", () => {
  test("that begins to answer while home shows is attached to; q leaves it without a word, and it stays a row", async () => {
    const port = await freePort()
    await using terminal = await openHome({ OPENTUI_WS_PORT: String(port) })
    await terminal.waitFor("no agent there yet")
    const agent = await startAgent({ recording: fixture("prompts"), port, speed: 0, hold: true })
    try {
      await terminal.waitFor("● live", { timeoutMs: 8000 })
      terminal.press("\x1bh")
      terminal.press("q")
      await terminal.waitFor(`agent at 127.0.0.1:${port}`)
      expect(await Bun.file(agent.logPath).text()).not.toMatch(/ui-quit|ui-interrupt|cancelled/)
      terminal.press("gg\r")
      await terminal.waitFor("● live")
      terminal.press("\x1bh\x03")
      expect(await terminal.exited).toBe(0)
      expect(await Bun.file(agent.logPath).text()).not.toMatch(/ui-quit/)
    } finally {
      await agent.stop()
    }
  })

  test("that starts the screen never shows home, also once it is gone", async () => {
    await using live = await openLive([started("spawned").trim()])
    await live.waitFor("started")
    await live.agent.stop()
    await live.waitFor("disconnected")
    expect(live.raw).not.toContain("RUNS")
  })
})

test("without runs home says how to begin", async () => {
  const empty = join(place, "empty")
  await mkdir(empty)
  await using terminal = await openHome(NOBODY, empty)
  const screen = (await terminal.waitFor("No runs in")).join("\n")
  for (const way of [": +demo", "open +a recording", "attach +to an agent's URL", "127.0.0.1:1: no agent there yet"])
    expect(screen).toMatch(new RegExp(way))
  terminal.press("\r")
  terminal.press("q")
  expect(await terminal.exited).toBe(0)
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
