// Tests --doctor in a terminal that answers, and without a terminal.
import { expect, test } from "bun:test"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { modes } from "../pty/modes.ts"
import { spawned } from "../pty/sidecar.ts"
import { cleanEnvironment, openTerminal } from "../pty/terminal.ts"

test("--doctor shows the size, the colours and the terminal's answers, and restores the terminal", async () => {
  await using terminal = await openTerminal({
    cmd: [...spawned, "--doctor", "--ascii"],
    cwd: root,
    cols: 100,
    env: { TERM: "xterm-256color", COLORTERM: undefined, TMUX: "/tmp/tmux", LANG: "C.UTF-8" },
  })
  const before = terminal.flags
  expect(await terminal.exited).toBe(0)
  const printed = (await terminal.screen()).join("\n")
  for (const line of [
    /^program +opentui-sidecar \d/m,
    /^terminal +xterm-256color/m,
    /^within +tmux$/m,
    /^size +100 columns, 24 rows$/m,
    /^colours +256$/m,
    /^keyboard +(kitty protocol|legacy)/m,
    /^clipboard +OSC 52, through tmux if allowed there; support can't be detected$/m,
    /^locale +C\.UTF-8$/m,
    /^output +screen, in ASCII$/m,
  ])
    expect(printed).toMatch(line)
  expect(terminal.flags).toEqual(before)
  expect(modes(terminal.raw)).toEqual([])
})

test("--doctor without a terminal sends no queries and says so", async () => {
  const child = Bun.spawn([...spawned, "--doctor"], {
    cwd: root,
    env: cleanEnvironment(join(tmpdir(), "sidecar-doctor-nobody")),
    stdio: ["ignore", "pipe", "pipe"],
  })
  const [out, code] = await Promise.all([child.stdout.text(), child.exited])
  expect(code).toBe(0)
  expect(out).not.toContain("\x1b")
  expect(out).toMatch(/^size +unknown \(not a terminal\)$/m)
  expect(out).toMatch(/^keyboard +unknown \(not a terminal\)$/m)
  expect(out).toMatch(/^output +plain lines$/m)
})
