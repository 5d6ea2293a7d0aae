// Tests the sidecar in tmux, and under a shell with job control.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { type ScriptedAgent, type ScriptedOptions, startAgent } from "../../src/scripted-agent/scripted-agent.ts"
import { event, inboundOf } from "../agent/ui.ts"
import { fixture, root } from "../fixtures.ts"
import { until } from "../until.ts"
import { spawned } from "./sidecar.ts"
import { missingTmux, openTmux, type Tmux } from "./tmux.ts"

const missing = missingTmux()

/** An agent that stops with the test. */
async function play(
  recording: ScriptedOptions["recording"],
  debug?: "paused",
): Promise<ScriptedAgent & AsyncDisposable> {
  const agent = await startAgent({ recording, speed: 0, ...(debug === undefined ? {} : { debug }) })
  return Object.assign(agent, { [Symbol.asyncDispose]: () => agent.stop() })
}

/** A shell with job control, and a command that starts the sidecar in it. */
async function openShell(agent: ScriptedAgent, sidecar: string): Promise<Tmux> {
  const env = {
    OPENTUI_WS_URL: agent.url,
    TERM: "screen-256color",
    PS1: "shell> ",
    HISTFILE: "/dev/null",
    ESCAPEMENT_SESSION_DIR: "/runs/1",
  }
  const dress = Object.entries(env).map(([key, value]) => `${key}=${value}`)
  const cmd = [...dress, "bash", "--norc", "--noprofile", "-i"]
  const shell = await openTmux({ cmd, cols: 160, rows: 30, cwd: root })
  await shell.waitFor("shell>")
  await shell.type(sidecar)
  await shell.press("Enter")
  return shell
}

/** The modes that must be restored: alternate screen, mouse, keypad. */
const modesOf = (pane: Tmux) => pane.ask("#{alternate_on}#{mouse_any_flag}#{keypad_flag}#{keypad_cursor_flag}")
const asItWas = "0000"

const onHold = [event("runner/started", { "session-id": "s", "chart-id": ":c" }), event("runner/tick")]

describe.skipIf(missing !== null)(`the sidecar in tmux${missing === null ? "" : ` (${missing})`}`, () => {
  test("shows a run with TERM=screen-256color, answers, and restores the pane", async () => {
    await using agent = await play(fixture("prompts"))
    const cmd = [`OPENTUI_WS_URL=${agent.url}`, "TERM=screen-256color", ...spawned]
    await using pane = await openTmux({ cmd, cols: 120, rows: 36, cwd: root })
    await pane.waitFor("Which name goes on the cup?")
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

  test("gives the shell the terminal at Ctrl-Z, and takes it back at fg", async () => {
    await using agent = await play(onHold, "paused")
    // In a job of two processes the parent must stop too, or the shell would never come back.
    await using shell = await openShell(agent, `sh -c '${spawned.join(" ")}; :'`)
    await shell.waitFor("PAUSED")
    await shell.press("C-z")
    await shell.waitFor(/Stopped[\s\S]*shell>/)
    expect(await modesOf(shell)).toBe(asItWas)
    expect(await shell.ask("#{cursor_flag}")).toBe("1")
    await shell.type("stty -a | grep -o ' icanon\\| echo ' | tr -d '\\n'; echo '<<'")
    await shell.press("Enter")
    await shell.waitFor(/icanon echo +<</)
    await shell.type("fg")
    await shell.press("Enter")
    await shell.waitFor(rows => (rows[0] ?? "").includes("PAUSED"))
    await shell.press("s")
    await inboundOf(agent, frame => Bun.deepEquals(frame, { kind: "control", op: "step", n: 1 }))
    await shell.press("C-c")
    await shell.waitFor("Ctrl-C again")
    await shell.press("C-c")
    await shell.waitFor(
      rows => rows.filter(row => row.startsWith("shell>")).length >= 2 && !rows.join().includes("PAUSED"),
    )
    expect(await modesOf(shell)).toBe(asItWas)
    expect(await shell.ask("#{cursor_flag}")).toBe("1")
  })

  test("leaves the terminal to a shell that took it when the agent was killed, and says how to reopen the run", async () => {
    await using agent = await play(onHold, "paused")
    await using shell = await openShell(agent, `sh -c 'echo $$ > $HOME/agent; ${spawned.join(" ")}; :'`)
    await shell.waitFor("PAUSED")
    const pid = await Bun.file(`${shell.home}/agent`).text()
    process.kill(Number(pid), "SIGKILL")
    await shell.waitFor(/the agent that started this screen has exited[\s\S]*escapement open \/runs\/1/)
    expect(await modesOf(shell)).toBe(asItWas)
    expect(await shell.ask("#{cursor_flag}")).toBe("1")
    await shell.press("Enter")
    await shell.type("echo $((6 * 7))")
    await shell.press("Enter")
    await shell.waitFor(/^42$/m)
  })
})
