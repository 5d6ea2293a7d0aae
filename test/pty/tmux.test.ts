// Tests the tmux panes that these tests run programs in.
import { describe, expect, test } from "bun:test"
import { isRunning } from "../running.ts"
import { until } from "../until.ts"
import { missingTmux, openTmux } from "./tmux.ts"

const missing = missingTmux()

describe.skipIf(missing !== null)(`a tmux pane${missing === null ? "" : ` (${missing})`}`, () => {
  test("shows what a program prints and carries keys and text to it", async () => {
    await using pane = await openTmux({ cmd: ["sh", "-c", 'stty size; read line; echo "<$line>"; read line; exit 4'] })
    await pane.waitFor("24 80")
    await pane.type("- héllo; 漢;")
    await pane.press("Enter")
    await pane.waitFor("<- héllo; 漢;>")
    expect(await pane.screen()).toHaveLength(24)
    await pane.press("Enter")
    expect(await pane.exited()).toBe(4)
    expect(await pane.screen()).toContain("<- héllo; 漢;>")
  })

  test("keeps colours apart from text", async () => {
    await using pane = await openTmux({
      cmd: ["sh", "-c", "printf '\\033[31mred\\033[0m'; read line"],
      cols: 20,
      rows: 3,
    })
    await pane.waitFor("red")
    expect((await pane.screen())[0]).toBe("red")
    expect((await pane.screen({ ansi: true }))[0]).toContain("\x1b[31mred")
  })

  test("changes its size", async () => {
    await using pane = await openTmux({ cmd: ["sh", "-c", "read line; stty size; read line"], cols: 40, rows: 10 })
    await pane.resize(61, 13)
    await pane.press("Enter")
    await pane.waitFor("13 61")
    expect(await pane.screen()).toHaveLength(13)
  })

  test("knows the terminal modes of its program, which has a clean environment", async () => {
    await using pane = await openTmux({
      cmd: ["sh", "-c", "printf '\\033[?1049h'; echo $TERM:$HERE:$TMUX_PANE:$CI; read line"],
      env: { HERE: "yes" },
    })
    await pane.waitFor(/^(screen|tmux).*:yes:%0:$/m)
    expect(await pane.ask("#{alternate_on}")).toBe("1")
  })

  test("tells a signal from an exit", async () => {
    await using pane = await openTmux({ cmd: ["sh", "-c", "kill -9 $$"] })
    expect(await pane.exited()).toBe(137)
  })

  test("ends with its server at close", async () => {
    const pane = await openTmux({ cmd: ["sleep", "1000"] })
    const server = Number(await pane.ask("#{pid}"))
    await pane.close()
    await pane.close()
    await until(async () => !(await isRunning(server)))
    await expect(pane.screen()).rejects.toThrow("tmux capture-pane failed")
  })
})
