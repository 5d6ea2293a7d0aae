// Tests the terminal that these tests run programs in.
import { describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { isRunning } from "../running.ts"
import { until } from "../until.ts"
import { modes } from "./modes.ts"
import { openTerminal } from "./terminal.ts"

describe("a terminal", () => {
  test("shows a frame only once it is complete", async () => {
    const frame = "printf 'one\\r\\n\\033[?2026htw'; read line; printf 'o\\033[?2026l'; read line"
    await using terminal = await openTerminal({ cmd: ["sh", "-c", `stty -echo; echo ready; read line; ${frame}`] })
    await terminal.waitFor("ready")
    await terminal.press("\r").waitFor(() => terminal.raw.includes("tw"))
    expect((await terminal.screen()).join("\n")).not.toContain("tw")
    await terminal.press("\r").waitFor(/^two/m)
  })

  test("has a clean environment: only PATH of the test's own", async () => {
    await using terminal = await openTerminal({ cmd: ["env"], env: { NO_COLOR: "1", TZ: undefined } })
    await terminal.exited
    const names = [...terminal.raw.matchAll(/^(\w+)=/gm)].map(([, name]) => name ?? "").sort()
    const ours = ["COLORTERM", "HOME", "LANG", "NO_COLOR", "PATH", "TERM", "XDG_STATE_HOME"]
    expect(names.filter(name => name !== "PWD" && name !== "_")).toEqual(ours)
    expect(terminal.raw).toContain(`HOME=${terminal.home}\r\n`)
  })

  test("fails with the last screen if the program ended without the expected text", async () => {
    await using terminal = await openTerminal({ cmd: ["echo", "something else"] })
    const wait = terminal.waitFor("the moon")
    await expect(wait).rejects.toThrow(/Never saw "the moon": the program has ended\. The screen:\n│something else/)
  })

  test("fails with the last screen when time is up", async () => {
    await using terminal = await openTerminal({ cmd: ["sh", "-c", "echo waiting; read line"] })
    await terminal.waitFor("waiting")
    const wait = terminal.waitFor(/moon/, { timeoutMs: 30 })
    await expect(wait).rejects.toThrow(/Never saw \/moon\/: nothing for 30 ms\. The screen:\n│waiting/)
  })

  test("shows whether the line discipline was restored", async () => {
    const script = "echo cooked; read line; stty raw -echo; echo raw; dd bs=1 count=1 2>&-; stty sane; exec sleep 0"
    await using terminal = await openTerminal({ cmd: ["sh", "-c", script] })
    await terminal.waitFor("cooked")
    const { before } = terminal
    await terminal.press("\r").waitFor("raw")
    expect(terminal.flags).not.toEqual(before)
    await terminal.press("x").exited
    expect(terminal.flags[2]).toBe(before[2])
  })

  test("leaves no process and no file behind, also if the program ignores signals", async () => {
    const terminal = await openTerminal({
      cmd: ["sh", "-c", "trap '' HUP TERM INT; sleep 1000 & echo child $! ready; touch $HOME/file; wait; sleep 1000"],
    })
    const rows = await terminal.waitFor(/child \d+ ready/)
    const child = Number(/child (\d+)/.exec(rows.join("\n"))?.[1])
    await terminal.close()
    await terminal.close()
    expect(existsSync(terminal.home)).toBe(false)
    await until(async () => !(await isRunning(child)))
  })
})

describe("the terminal modes left on", () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ["nothing said, nothing on", "plain \x1b[31mtext\x1b[0m\x1b[2J", []],
    ["the alternate screen", "\x1b[?1049h", ["alternate-screen"]],
    ["the alternate screen, left", "\x1b[?1049h\x1b[?1049l", []],
    [
      "mouse modes, one of them off again",
      "\x1b[?1000;1002;1003;1006h\x1b[?1002l",
      ["mouse-click", "mouse-move", "mouse-sgr"],
    ],
    [
      "paste, focus and synchronized output",
      "\x1b[?2004h\x1b[?1004h\x1b[?2026h",
      ["bracketed-paste", "focus", "synchronized"],
    ],
    ["a hidden cursor", "\x1b[?25l", ["cursor-hidden"]],
    ["a cursor that was hidden", "\x1b[?25l\x1b[?25h", []],
    ["no wrapping", "\x1b[?7l", ["no-wrap"]],
    ["a mode without a name", "\x1b[?2031h", ["?2031"]],
    ["kitty keys", "\x1b[>5u", ["kitty-keyboard"]],
    ["kitty keys, popped", "\x1b[>5u\x1b[<u", []],
    ["kitty keys pushed twice, popped once", "\x1b[>1u\x1b[>5u\x1b[<1u", ["kitty-keyboard"]],
    ["kitty keys pushed twice, both popped by one", "\x1b[>1u\x1b[>5u\x1b[<2u", []],
    ["kitty keys of the main screen, popped on the other", "\x1b[>1u\x1b[?1049h\x1b[<u\x1b[?1049l", ["kitty-keyboard"]],
    ["a pop too many", "\x1b[<u\x1b[<9u", []],
    ["a query of kitty keys", "\x1b[?u", []],
    ["other keys modified", "\x1b[>4;1m", ["modify-other-keys"]],
    ["other keys as they were", "\x1b[>4;1m\x1b[>4;0m", []],
    ["a request for a mode", "\x1b[?2026$p", []],
    ["a sequence inside a title is a title", "\x1b]0;[?1049h\x07\x1b]2;[?25l\x1b\\", []],
    ["a sequence after a title", "\x1b]0;title\x07\x1b[?25l", ["cursor-hidden"]],
    ["everything, then a full reset", "\x1b[?1049h\x1b[>1u\x1b[?25l\x1b[?2004h\x1bc", []],
  ]
  for (const [name, raw, left] of cases) {
    test(name, () => {
      expect(modes(raw)).toEqual(left)
    })
  }

  test("are seen after a program is killed in the alternate screen, not after it leaves it", async () => {
    const enter = "printf '\\033[?1049h\\033[?25linside'; read line"
    await using killed = await openTerminal({ cmd: ["sh", "-c", enter] })
    await killed.waitFor("inside")
    killed.kill("SIGKILL")
    await killed.exited
    expect(modes(killed.raw)).toEqual(["alternate-screen", "cursor-hidden"])

    await using left = await openTerminal({ cmd: ["sh", "-c", `${enter}; printf '\\033[?25h\\033[?1049lbye'`] })
    await left.waitFor("inside")
    await left.press("\r").waitFor("bye")
    expect(modes(left.raw)).toEqual([])
  })
})
