// Tests the tmux panes that these tests run programs in.
import { describe, expect, test } from "bun:test"
import { isRunning } from "../running.ts"
import { until } from "../until.ts"
import { missingTmux, openTmux } from "./tmux.ts"

const missing = missingTmux()

describe.skipIf(missing !== null)(`a tmux pane${missing === null ? "" : ` (${missing})`}`, () => {
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

  test("knows the terminal modes of its program, which has a clean environment", async () => {
    await using pane = await openTmux({
      cmd: ["sh", "-c", "printf '\\033[?1049h'; echo $TERM:$HERE:$TMUX_PANE:$CI; read line"],
      env: { HERE: "yes" },
    })
    await pane.waitFor(/^(screen|tmux).*:yes:%0:$/m)
    expect(await pane.ask("#{alternate_on}")).toBe("1")
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
