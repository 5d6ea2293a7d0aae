// Tests the way from a session of an agent CLI to its terminal, or to going on with it.
import { expect, spyOn, test } from "bun:test"
import { readlinkSync } from "node:fs"
import { join } from "node:path"
import { goToTerminal } from "../../../src/app/handlers/session-terminal.ts"
import { fileScratch } from "../../scratch.ts"
import { opened } from "../../screen/open-screens.ts"

const home = fileScratch()

const ID = "0000000a-aaaa-4bbb-8ccc-dddddddddddd"
/** Puts a session of Claude Code there; `pid` runs it. Returns what `o` says, and what it copied. */
async function wayTo(pid: number | null, { copies = true, env = {}, cwd = "/home/ada's shop" as string | null } = {}) {
  const path = join(home, `.claude/projects/-p/${ID}.jsonl`)
  const prompt = { type: "user", cwd, message: { role: "user", content: "Hello" } }
  await Bun.write(path, `${JSON.stringify(prompt)}\n`)
  if (pid !== null) {
    const stat = await Bun.file(`/proc/${pid}/stat`).text()
    const procStart = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
    const status = { pid, procStart, sessionId: ID, status: "idle" }
    await Bun.write(join(home, `.claude/sessions/${pid}.json`), JSON.stringify(status))
  }
  const copied: string[] = []
  const said = await goToTerminal(path, env, text => copied.push(text) > 0 && copies, home)
  return [said, copied]
}

test("of a session that no process holds, the command that goes on with it is copied, for its directory", async () => {
  const command = `cd '/home/ada'\\''s shop' && claude --resume ${ID}`
  // The number of a process that held it is another's by now.
  const status = { pid: 1, procStart: "0", sessionId: ID, status: "idle" }
  await Bun.write(join(home, ".claude/sessions/1.json"), JSON.stringify(status))
  expect(await wayTo(null)).toEqual([`Copied: ${command}`, [command]])
  expect(await wayTo(null, { copies: false })).toEqual([`Go on with it by: ${command}`, [command]])
  expect((await wayTo(null, { cwd: null }))[0]).toBe(`Copied: claude --resume ${ID}`)
})

test("a session that runs is never offered to go on with: its terminal is told, and its window of tmux, which shows it", async () => {
  const alone = Bun.spawn(["setsid", "sleep", "60"], { stdio: ["ignore", "ignore", "ignore"] })
  opened(() => alone.kill("SIGKILL"))
  expect(await wayTo(alone.pid)).toEqual([`It runs without a terminal, as process ${alone.pid}`, []])
  alone.kill("SIGKILL")
  await alone.exited
  const script = ["script", "-qec", "echo $$; exec sleep 60", "/dev/null"]
  const child = Bun.spawn(script, { stdio: ["ignore", "pipe", "ignore"] })
  opened(() => child.kill("SIGKILL"))
  const { value } = await child.stdout.getReader().read()
  const pid = Number(Buffer.from(value ?? []))
  const terminal = readlinkSync(`/proc/${pid}/fd/0`)
  const { spawn } = Bun
  let tmux = ""
  using _ = spyOn(Bun, "spawn").mockImplementation(((words: readonly string[], options: object) =>
    spawn(["sh", "-c", tmux, ...words.slice(1)], options)) as never)
  const said = async (env: object, lists: string, list: number, change: number) => {
    const shows = `[ "$*" = "-t %3" ] && exit ${change}`
    tmux = `case $0 in list-panes) printf '${lists}'; exit ${list};; switch-client) ${shows};; esac; exit 9`
    const [words, copied] = await wayTo(pid, { env })
    return [...(copied ?? []), String(words).replaceAll(terminal, "TTY")]
  }
  const lists = `${terminal}9 %%2 soup:1\\n${terminal} %%3 tea:2\\n`
  expect([
    await said({}, lists, 0, 0),
    await said({ TMUX: "x" }, lists, 0, 0),
    await said({ TMUX: "x" }, lists, 0, 1),
    await said({ TMUX: "x" }, lists, 1, 0),
    await said({ TMUX: "x" }, "", 0, 0),
  ]).toEqual([
    ["It runs in tmux, in tea:2 (TTY)"],
    ["Went to tea:2"],
    ["It runs in tmux, in tea:2 (TTY)"],
    ["It runs in another terminal, TTY"],
    ["It runs in another terminal, TTY"],
  ])
})

test("a session whose file is gone, or whose CLI tells nothing of processes, says so", async () => {
  const gemini = join(home, ".gemini/tmp/p/chats/session-2026-1.jsonl")
  await Bun.write(gemini, '{"sessionId":"g","startTime":"2026-01-01"}\n{"id":"a","type":"user","content":"Hi"}\n')
  const said = "gemini doesn't tell where its sessions run"
  expect(await goToTerminal(gemini, {}, () => true, home)).toBe(said)
  expect(await goToTerminal("/none", {}, () => true, home)).toBe("The session is gone")
})
