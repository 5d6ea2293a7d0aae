// Tests --doctor in a terminal that answers, and without a terminal.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { modes } from "../pty/modes.ts"
import { spawned } from "../pty/sidecar.ts"
import { openTerminal } from "../pty/terminal.ts"
import { fileScratch } from "../scratch.ts"
import { sidecar } from "./ran.ts"

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
