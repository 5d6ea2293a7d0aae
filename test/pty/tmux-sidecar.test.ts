// Tests the sidecar in tmux.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { play } from "../agent/ui.ts"
import { fixture, root } from "../fixtures.ts"
import { until } from "../until.ts"
import { spawned } from "./sidecar.ts"
import { missingTmux, openTmux, type Tmux } from "./tmux.ts"

const missing = missingTmux()

/** The modes that must be restored: alternate screen, mouse, keypad. */
const modesOf = (pane: Tmux) => pane.ask("#{alternate_on}#{mouse_any_flag}#{keypad_flag}#{keypad_cursor_flag}")
const asItWas = "0000"

describe.skipIf(missing !== null)(`the sidecar in tmux${missing === null ? "" : ` (${missing})`}`, () => {
  test("shows a run with TERM=screen-256color, answers, and restores the pane", async () => {
    const agent = await play(fixture("prompts"))
    const cmd = [`OPENTUI_WS_URL=${agent.url}`, "TERM=screen-256color", ...spawned]
    await using pane = await openTmux({ cmd, cols: 120, rows: 36, cwd: root })
    await pane.waitFor(/─ .* asks[\s\S]*Which name goes on the cup\?/)
    await pane.type("Żółw 亀")
    await pane.waitFor("│ Żółw 亀")
    await pane.press("Enter")
    await pane.waitFor("What size?")
    await pane.press("Escape")
    await pane.waitFor("Anything with it?")
    expect(agent.inbound()).toEqual([
      { kind: "answer", "prompt-id": "ask-name#1", value: "Żółw 亀" },
      { kind: "answer", "prompt-id": "ask-size#2", cancelled: true },
    ])
    await pane.resize(60, 20)
    await pane.waitFor(/Anything with it\?[\s\S]*Oat milk/)
    await pane.press("C-c")
    await pane.waitFor("Ctrl-C again")
    await pane.press("C-c")
    expect(await pane.exited()).toBe(0)
    expect(await modesOf(pane)).toBe(asItWas)
  })

  test("o on a session that runs in another window of tmux goes there", async () => {
    const waiting = "tmux new-window -d 'exec sleep 600'; tmux list-panes -t :1 -F '#{pane_pid}' > pid"
    const cmd = ["sh", "-c", `cd "$HOME"; ${waiting}; exec ${spawned.join(" ")}`]
    await using pane = await openTmux({ cmd, cols: 120, rows: 36 })
    await pane.waitFor("no agent there yet")
    const pid = Number(await Bun.file(join(pane.home, "pid")).text())
    const { 21: procStart } = (await Bun.file(`/proc/${pid}/stat`).text()).split(" ")
    const [id, claude] = ["0000000a-aaaa-4bbb-8ccc-dddddddddddd", join(pane.home, ".claude")]
    await Bun.write(
      join(claude, `sessions/${pid}.json`),
      JSON.stringify({ pid, procStart, sessionId: id, status: "busy" }),
    )
    const prompt = { type: "user", cwd: "/", message: { role: "user", content: "Mend the lamp" } }
    await Bun.write(join(claude, `projects/-/${id}.jsonl`), `${JSON.stringify(prompt)}\n`)
    await pane.waitFor("Mend the lamp")
    const env = { ...process.env, TMUX: "", TMUX_TMPDIR: pane.home }
    const attached = Bun.spawn(["tmux", "-L", "sidecar", "-C", "attach"], { env, stdin: "pipe", stdout: "ignore" })
    await until(async () => (await pane.ask("#{session_attached}")) === "1")
    expect(await pane.ask("#{window_index}")).toBe("0")
    await pane.press("o")
    await until(async () => (await pane.ask("#{window_index}")) === "1")
    attached.kill()
  })

  test.each([
    ["no colours", { NO_COLOR: "1" }],
    ["16 colours", { OPENTUI_COLORS: "16" }],
  ])("shows with %s the focused pane and the selected row in reverse, and content not bold", async (_, env) => {
    const cmd = [...spawned, "replay", fixture("demo"), "--at", "#826"]
    await using pane = await openTmux({ cmd, cols: 120, rows: 36, cwd: root, env })
    await pane.waitFor("drafter 1/4")
    const styled = async (text: string) => (await pane.screen({ ansi: true })).find(row => row.includes(text)) ?? ""
    await pane.press("g")
    await pane.waitFor("1 of 6 ")
    // The row is in reverse up to its end, so that no column of it vanishes.
    expect(await styled(" planner   ")).toMatch(/;7m[^m]*m[^m]*m planner +1\. Timeline[^\x1b]* {3}8\.2s\x1b/)
    expect(await styled(" SESSIONS ")).toContain("\x1b[7m SESSIONS ")
    expect(await styled("quieter")).not.toMatch(/\x1b\[1m[^\x1b]*quieter/)
    await pane.press("Tab")
    await until(async () => (await styled(" SESSIONS ")).includes("\x1b[7m planner "))
  })
})
