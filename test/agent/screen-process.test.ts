// Tests that the screen's process ends, even one that ignores the polite signal.
import { afterEach, beforeEach, expect, spyOn, test } from "bun:test"
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { divertOutput } from "../../src/agent/output-log.ts"
import { startScreen } from "../../src/agent/screen-process.ts"
import { systemClock } from "../../src/transport/clock.ts"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { until } from "../until.ts"

const NAMES =
  '["OPENTUI_WS_TOKEN", "OPENTUI_REPLAY", "OPENTUI_SESSION_SHORT", "ESCAPEMENT_SESSION_ID", "OPENTUI_CHART"]'
let directory = ""
beforeEach(() => {
  directory = fileScratch()
  process.env.OPENTUI_DIR = directory
})
afterEach(() => Reflect.deleteProperty(process.env, "OPENTUI_DIR"))

/** Starts a screen that does `onTerm` on SIGTERM, and lets `wait` decide what becomes of the grace period. */
async function start(onTerm: string, wait: (run: () => void) => void, token: string | null = null) {
  mkdirSync(join(directory, "src"))
  const ready = join(directory, "ready")
  writeFileSync(
    join(directory, "src/main.tsx"),
    `process.on("SIGTERM", () => { ${onTerm} })
     setInterval(() => undefined, 1000)
     require("node:fs").writeFileSync(${JSON.stringify(ready)}, JSON.stringify([process.argv.length, ...NAMES.map(name => process.env[name] ?? null)]))`.replace(
      "NAMES",
      NAMES,
    ),
  )
  let isCancelled = false
  const after = (_ms: number, run: () => void) => {
    wait(run)
    return () => {
      isCancelled = true
    }
  }
  const run = { url: "ws://127.0.0.1:1", token, chart: "c", sessionId: "run-1-abcdefgh", sessionDir: directory }
  const screen = startScreen(run, { ...systemClock, after })
  const told = () => (existsSync(ready) ? readFileSync(ready, "utf8") : "")
  await until(() => told() !== "")
  return { screen, told: told(), isCancelled: () => isCancelled }
}

test("a screen that ignores SIGTERM is killed once its grace period is over", async () => {
  const heard = join(directory, "heard")
  const { screen } = await start(`require("node:fs").writeFileSync(${JSON.stringify(heard)}, "")`, run => {
    void until(() => existsSync(heard)).then(run)
  })
  screen.close()
  expect(await screen.exited).toBe(137)
  expect(existsSync(heard)).toBe(true)
})

test("a screen that ends on SIGTERM is not killed, and its exit code is its own", async () => {
  const { screen, isCancelled } = await start("process.exit(7)", () => undefined)
  screen.close()
  expect(await screen.exited).toBe(7)
  expect(isCancelled()).toBe(true)
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
    const { screen, told } = await start("process.exit(0)", () => undefined, token)
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
