// Tests that the screen's process ends, even one that ignores the polite signal.
import { afterEach, beforeEach, expect, spyOn, test } from "bun:test"
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Agent } from "../../src/agent/agent.ts"
import { divertOutput } from "../../src/agent/output-log.ts"
import { startScreen } from "../../src/agent/screen-process.ts"
import { systemClock } from "../../src/transport/clock.ts"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { ManualClock } from "../transport/manual-clock.ts"
import { until } from "../until.ts"

const NAMES =
  '["OPENTUI_WS_TOKEN", "OPENTUI_REPLAY", "OPENTUI_SESSION_SHORT", "ESCAPEMENT_SESSION_ID", "OPENTUI_CHART"]'
let directory = ""
beforeEach(() => {
  directory = fileScratch()
  process.env.OPENTUI_DIR = directory
})
afterEach(() => Reflect.deleteProperty(process.env, "OPENTUI_DIR"))

/** Puts a screen in place that does `onTerm` on SIGTERM, and is left once there is a file `left`; where it says so. */
function screenWith(onTerm: string): string {
  const ready = join(directory, "ready")
  mkdirSync(join(directory, "src"))
  writeFileSync(
    join(directory, "src/main.tsx"),
    `process.on("SIGTERM", () => { ${onTerm} })
     setInterval(() => require("node:fs").existsSync("left") && process.exit(7), 5)
     setTimeout(() => process.exit(9), 20_000)
     require("node:fs").writeFileSync(${JSON.stringify(ready)}, JSON.stringify([process.argv.length, ...${NAMES}.map(name => process.env[name] ?? null)]))`,
  )
  return ready
}

/** Starts such a screen. */
async function start(onTerm: string, token: string | null = null, after = systemClock.after) {
  const ready = screenWith(onTerm)
  const run = { url: "ws://127.0.0.1:1", token, chart: "c", sessionId: "run-1-abcdefgh", sessionDir: directory }
  const screen = startScreen(run, { ...systemClock, after })
  const told = () => (existsSync(ready) ? readFileSync(ready, "utf8") : "")
  await until(() => told() !== "")
  return { screen, told: told() }
}

test("a screen that ignores SIGTERM is killed once its grace period is over", async () => {
  const { screen } = await start('require("node:fs").writeFileSync("heard", "")', null, (_, run) => {
    void until(() => existsSync(join(directory, "heard"))).then(run)
    return () => undefined
  })
  screen.close()
  expect(await screen.exited).toBe(137)
})

test("a screen has the terminal until it is left, also when the run is over, or ends politely with its agent", async () => {
  for (const one of [process.stdin, process.stdout]) Reflect.set(one, "isTTY", true)
  const [ready, clock, own] = [screenWith("process.exit(5)"), new ManualClock(), globalThis.console]
  const told: unknown[] = []
  const open = async () => {
    const agent = await Agent.open({ chart: "c", sessionDir: directory }, { clock })
    void agent.openScreen().then(code => told.push(code, globalThis.console === own))
    process.stdout.write("printed\n")
    await until(() => existsSync(ready))
    return agent
  }
  const first = await open()
  rmSync(ready)
  const finished = Promise.all([first.finish(), first.finish(new Error("late"))])
  writeFileSync(join(directory, "left"), "")
  await finished
  rmSync(join(directory, "left"))
  await (await open()).close()
  expect([...told, `${first.signal.reason}`]).toEqual([7, true, 5, true, "RunEndedError: the screen was closed"])
  const [log, rows] = ["escapement.log", "transcript.jsonl"].map(name => readFileSync(join(directory, name), "utf8"))
  expect([log, rows?.includes("late"), clock.alarms]).toEqual(["printed\nprinted\n", false, 0])
  for (const one of [process.stdin, process.stdout]) Reflect.deleteProperty(one, "isTTY")
})

test("an agent without a terminal says where to attach, and keeps its run below where it was started", () => {
  const program = `const { createAgent } = await import("${root}/src/agent/index.ts")
    const agent = await createAgent({ chart: "a poem", token: "it's" })
    for (const stream of [process.stderr, process.stdin, process.stdout]) {
      Reflect.set(stream, "isTTY", true)
      await agent.openScreen()
      Reflect.deleteProperty(stream, "isTTY")
    }
    await agent.close()
    console.log(agent.sessionDir)`
  const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", program], { cwd: directory })
  expect(`${stderr}`).toMatch(/^(OPENTUI_WS_TOKEN='it'\\''s' opentui-sidecar attach ws:\/\/127.0.0.1:\d+\/ws\n){3}$/)
  expect(`${stdout}`.replace(/\w{8}\n$/, "TIME")).toBe(join(directory, ".escapement/a-poem-TIME"))
})

test.each([
  ['process.kill(process.pid, "SIGKILL")', "sane of the agent\n"],
  ["process.exit(7)", null],
])(
  "a terminal whose screen ends by %s is made sane again if need be: the agent's and the screen's input",
  async (end, told) => {
    mkdirSync(join(directory, "src"))
    writeFileSync(join(directory, "src/main.tsx"), end)
    writeFileSync(join(directory, "stty"), '#!/bin/sh\necho "$* $(cat)" > "$OPENTUI_DIR/told"', { mode: 0o755 })
    writeFileSync(join(directory, "bun"), "", { mode: 0o755 })
    writeFileSync(join(directory, "terminal"), "of the agent")
    const program = `const { startScreen } = await import("${root}/src/agent/screen-process.ts")
    await startScreen({ url: "", token: null, chart: "", sessionId: "", sessionDir: "" }, {}).exited`
    const env = { ...process.env, PATH: `${directory}:${process.env.PATH}` }
    const stdin = Bun.file(join(directory, "terminal"))
    await Bun.spawn([process.execPath, "-e", program], { env, stdin }).exited
    const file = join(directory, "told")
    expect(existsSync(file) ? readFileSync(file, "utf8") : null).toBe(told)
  },
)

test.each(["of-this-agent", null])("a screen has its agent's token, %p, in its environment alone", async token => {
  Object.assign(process.env, { OPENTUI_WS_TOKEN: "of-another-agent", OPENTUI_REPLAY: "a.jsonl" })
  try {
    const { screen, told } = await start("process.exit(0)", token)
    expect(told).toBe(JSON.stringify([2, token, null, "abcdefgh", "run-1-abcdefgh", "c"]))
    expect(process.env.OPENTUI_WS_TOKEN).toBe("of-another-agent")
    screen.close()
    expect(await screen.exited).toBe(0)
    process.env.BUN_BIN = "/none/bun"
    const run = { url: "ws://127.0.0.1:1", token, chart: "c", sessionId: "s", sessionDir: directory }
    await expect(startScreen(run, systemClock).exited).rejects.toThrow("expected to start the screen with /none/bun: ")
  } finally {
    for (const name of ["OPENTUI_WS_TOKEN", "OPENTUI_REPLAY", "BUN_BIN"]) Reflect.deleteProperty(process.env, name)
  }
})

test("what a program prints goes to a file while the screen has the terminal, and to its own place again after", () => {
  const { stdout, stderr } = process
  const kept: string[] = []
  using _ = spyOn(stdout, "write").mockImplementation(text => kept.push(`out ${text}`) > 0)
  using __ = spyOn(stderr, "write").mockImplementation(text => kept.push(`err ${text}`) > 0)
  const own = () => [stdout.write, stderr.write, globalThis.console]
  const before = own()
  const path = join(directory, "printed.log")
  const giveBack = divertOutput(path)
  stdout.write("out\n")
  stderr.write("err\n")
  const { console: logs } = globalThis
  logs.info("said")
  giveBack()
  // A second screen of the same run.
  divertOutput(path)()
  expect(own().map((one, i) => one === before[i])).toEqual([true, true, true])
  // Somebody has kept the console.
  logs.info("late")
  logs.error("later")
  expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["out\nerr\nsaid\n", 0o600])
  expect(kept).toEqual(["out late\n", "err later\n"])
})
