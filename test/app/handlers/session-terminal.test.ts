// Tests the way from a session of an agent CLI to its terminal, or to going on with it.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { goToTerminal } from "../../../src/app/handlers/session-terminal.ts"
import { fileScratch } from "../../scratch.ts"

const home = fileScratch()

const ID = "0000000a-aaaa-4bbb-8ccc-dddddddddddd"
/** Puts a session of Claude Code there; `pid` runs it. Returns what `o` says, and what it copied. */
async function wayTo(pid: number | null, copies = true): Promise<readonly [said: string, copied: readonly string[]]> {
  const path = join(home, `.claude/projects/-p/${ID}.jsonl`)
  const prompt = { type: "user", cwd: "/home/ada/the shop", message: { role: "user", content: "Hello" } }
  await Bun.write(path, `${JSON.stringify(prompt)}\n`)
  if (pid !== null) {
    const stat = await Bun.file(`/proc/${pid}/stat`).text()
    const procStart = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
    const status = { pid, procStart, sessionId: ID, status: "idle" }
    await Bun.write(join(home, `.claude/sessions/${pid}.json`), JSON.stringify(status))
  }
  const copied: string[] = []
  const said = await goToTerminal(path, {}, text => copied.push(text) > 0 && copies, home)
  return [said, copied]
}

test("of a session that no process holds, the command that goes on with it is copied, for its directory", async () => {
  const command = `cd '/home/ada/the shop' && claude --resume ${ID}`
  // The number of a process that held it is another's by now.
  const status = { pid: 1, procStart: "0", sessionId: ID, status: "idle" }
  await Bun.write(join(home, ".claude/sessions/1.json"), JSON.stringify(status))
  expect(await wayTo(null)).toEqual([`Copied: ${command}`, [command]])
  expect(await wayTo(null, false)).toEqual([`Go on with it by: ${command}`, [command]])
})

test("a session that runs is never offered to go on with: its terminal is told", async () => {
  const child = Bun.spawn(["setsid", "sleep", "60"], { stdio: ["ignore", "ignore", "ignore"] })
  const alone = await wayTo(child.pid)
  expect(alone).toEqual([`It runs without a terminal, as process ${child.pid}`, []])
  child.kill()
  await child.exited
})

test("a session whose file is gone, or whose CLI tells nothing of processes, says so", async () => {
  const gemini = join(home, ".gemini/tmp/p/chats/session-2026-1.jsonl")
  await Bun.write(gemini, '{"sessionId":"g","startTime":"2026-01-01"}\n{"id":"a","type":"user","content":"Hi"}\n')
  const said = "gemini doesn't tell where its sessions run"
  expect(await goToTerminal(gemini, {}, () => true, home)).toBe(said)
  expect(await goToTerminal("/none", {}, () => true, home)).toBe("The session is gone")
})
