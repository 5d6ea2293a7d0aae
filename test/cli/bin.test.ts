// Tests the command through bin/opentui-sidecar, from any directory, and --doctor with and without a terminal.
import { beforeAll, describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { mkdir, symlink } from "node:fs/promises"
import { join } from "node:path"
import { fixture, root } from "../fixtures.ts"
import { modes } from "../pty/modes.ts"
import { spawned } from "../pty/sidecar.ts"
import { cleanEnvironment, openTerminal } from "../pty/terminal.ts"
import { fileScratch } from "../scratch.ts"
import { run as runIn, sidecar } from "./ran.ts"

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

/** The facts without those of this machine and of the versions. */
const facts = (out: string) => out.trimEnd().replace(/^(program|libraries|runtime|files)( +).*/gm, "$1$2…")

test("--doctor shows the size, the colours and the terminal's answers, and restores the terminal", async () => {
  await using terminal = await openTerminal({
    // The test terminal answers OSC 11 with the colour set here.
    cmd: ["sh", "-c", `printf '\\033]11;rgb:fa/fa/fa\\007'; exec ${spawned.join(" ")} --doctor --ascii`],
    cwd: root,
    cols: 100,
    env: { TERM: "xterm-256color", COLORTERM: undefined, LC_CTYPE: "de_DE.UTF-8", LANG: "C" },
  })
  const before = terminal.flags
  expect(await terminal.exited).toBe(0)
  expect(facts((await terminal.screen()).join("\n"))).toMatchSnapshot()
  expect(terminal.flags).toEqual(before)
  expect(modes(terminal.raw)).toEqual([])
  // A terminal that can't be read is asked nothing.
  const deaf = ["sh", "-c", `exec ${spawned.join(" ")} --doctor </dev/null`]
  await using unread = await openTerminal({ cmd: deaf, cwd: root })
  expect(await unread.exited).toBe(0)
  expect((await unread.screen()).join("\n")).toContain("keyboard    unknown (not a terminal)")
  // One that says nothing is not waited for long.
  const mute = ["script", "-qec", `${spawned.join(" ")} --doctor`, "/dev/null"]
  const told = await Bun.spawn(mute, { cwd: root, stdin: "pipe", stdout: "pipe" }).stdout.text()
  expect(told).toMatch(/^terminal +\S+, answers no queries\r$/m)
})

test("--doctor without a terminal sends no queries and says so, and names the theme, the locale and what is between", async () => {
  const cwd = fileScratch()
  await Bun.write(join(cwd, ".config/opentui-sidecar/themes/paper.toml"), 'base = "light"\n')
  const env = { TMUX: "t", SSH_CONNECTION: "s", LC_ALL: "de_DE.UTF-8", LC_CTYPE: "C", LANG: "C" }
  const { code, out } = await sidecar(["--doctor", "--theme", "paper"], { cwd, env })
  expect([code, out.includes("\x1b")]).toEqual([0, false])
  expect(facts(out)).toMatchSnapshot()
})
