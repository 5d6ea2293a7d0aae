// Tests the command through bin/opentui-sidecar, from any directory.
import { beforeAll, describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { mkdir, symlink } from "node:fs/promises"
import { join } from "node:path"
import { fixture, root } from "../fixtures.ts"
import { cleanEnvironment, openTerminal } from "../pty/terminal.ts"
import { fileScratch } from "../scratch.ts"
import { run as runIn } from "./ran.ts"

const bin = join(root, "bin/opentui-sidecar")

const scratch = fileScratch()
/** A directory with files that Bun would run or read if it trusted the working directory. */
const trap = join(scratch, "trap")
/** The file that any of them would write. */
const sprung = join(scratch, "sprung")
beforeAll(async () => {
  await mkdir(trap)
  const spring = `require("node:fs").writeFileSync(${JSON.stringify(sprung)}, "")`
  await Bun.write(join(trap, "trap.ts"), spring)
  await Bun.write(join(trap, "bunfig.toml"), 'preload = ["./trap.ts"]\n[run]\npreload = ["./trap.ts"]\n')
  await Bun.write(join(trap, ".env"), "OPENTUI_WS_PORT=trap\nOPENTUI_CHART=trap\n")
  await Bun.write(
    join(trap, "tsconfig.json"),
    '{"compilerOptions":{"jsx":"react-jsx","jsxImportSource":"./trap","paths":{"*":["./trap.ts"]}}}',
  )
  await Bun.write(join(trap, "package.json"), '{"name":"trap","imports":{"#*":"./trap.ts"}}')
  await Bun.write(join(trap, "node_modules/@opentui/core/index.js"), spring)
  await Bun.write(join(trap, "node_modules/ws/index.js"), spring)
  await symlink(bin, join(scratch, "sidecar"))
})

const run = (cmd: readonly string[], { cwd = scratch, env = {} } = {}) =>
  runIn(cmd, cwd, { ...cleanEnvironment(scratch), ...env })

describe("bin/opentui-sidecar", () => {
  test("prints its help and version from any directory and through a symlink", async () => {
    for (const name of [bin, join(scratch, "sidecar")]) {
      const { code, out, err } = await run([name, "--help"])
      expect({ code, err }).toEqual({ code: 0, err: "" })
      expect(out).toContain("OPENTUI_WS_URL")
    }
    const { version } = await Bun.file(join(root, "package.json")).json()
    expect(await run([bin, "--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" })
  })

  test("runs nothing from the working directory", async () => {
    const { code, out, err } = await run([join(scratch, "sidecar"), "replay", fixture("prompts")], { cwd: trap })
    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(out).toContain("kiosk")
    await using demo = await openTerminal({ cmd: [bin, "replay", fixture("prompts")], cwd: trap, cols: 120, rows: 36 })
    await demo.waitFor("kiosk")
    expect((await demo.screen()).join("\n")).not.toContain("trap")
    expect(await demo.press("\x03").exited).toBe(0)
    expect(existsSync(sprung)).toBe(false)
  })
})
