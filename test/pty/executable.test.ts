// Tests what `bun run build` and `bun run compile` make, started in a directory full of traps.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fixture, root } from "../fixtures.ts"
import { openTerminal, type Terminal } from "./terminal.ts"

const home = mkdtempSync(join(tmpdir(), "executable-"))
const executable = join(home, "opentui-sidecar")
const empty = join(home, "empty")
const HARM = {
  "bunfig.toml": 'preload = ["./harm.ts"]\n',
  ".env": "OPENTUI_REPLAY=/gone\n",
  "harm.ts": "process.exit(99)\n",
}

beforeAll(async () => {
  const made = Bun.spawn([process.execPath, join(root, "build.ts"), "compile", executable], {
    stdio: ["ignore", "ignore", "inherit"],
  })
  expect(await made.exited).toBe(0)
  await Promise.all(Object.entries(HARM).map(([name, text]) => Bun.write(join(empty, name), text)))
}, 240_000)

afterAll(() => rmSync(home, { recursive: true, force: true }))

const programs = [
  ["the executable", [executable]],
  ["bin/opentui-sidecar", [process.execPath, "--config=/dev/null", "--no-env-file", join(root, "bin/opentui-sidecar")]],
] as const

describe.each(programs)("%s, started in a directory of traps", (_, program) => {
  const start = (...words: readonly string[]): Promise<Terminal> =>
    openTerminal({ cmd: [...program, ...words], cwd: empty, cols: 100, rows: 30 })

  test("shows a recording", async () => {
    await using sidecar = await start("replay", fixture("demo"), "--timing", "instant")
    await sidecar.waitFor("end of recording")
    sidecar.press("\x03")
    expect(await sidecar.exited).toBe(0)
  })

  test("plays the demo that it carries", async () => {
    await using sidecar = await start("demo")
    await sidecar.waitFor("plan")
    sidecar.press("\x03")
    await sidecar.waitFor("Press Ctrl-C again to end the run")
    sidecar.press("\x03")
    expect(await sidecar.exited).toBe(0)
  })

  test("reads a guest's log through its parser, in a worker thread", async () => {
    const log = join(home, "guest.log")
    await Bun.write(log, 'starting\n{"event":"llm/user-message","seq":1,"ts":2,"data":{"text":"hello"}}\n')
    const child = Bun.spawn([...program, "replay", log, "--parser", "escapement", "--plain", "--timing", "instant"], {
      cwd: empty,
      stdio: ["ignore", "pipe", "inherit"],
    })
    expect(await new Response(child.stdout).text()).toContain("user hello")
    expect(await child.exited).toBe(0)
  })
})

test("no program leaves a file in the directory of traps", () => {
  expect(readdirSync(empty).sort()).toEqual(Object.keys(HARM).sort())
  expect(existsSync(join(empty, "node_modules"))).toBe(false)
})
