// Tests `sessions` as a process whose output is a pipe: a plain list.
import { beforeAll, expect, test } from "bun:test"
import { cp, mkdir, rename, symlink, utimes } from "node:fs/promises"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { sidecar } from "./ran.ts"

const scratch = fileScratch()
const runs = join(scratch, ".escapement")
beforeAll(async () => {
  await cp(join(root, "fixtures/cases/sessions"), runs, { recursive: true })
  await rename(join(runs, "bad"), join(runs, "bad\u001b[2J"))
  // Only the end of it is read.
  const more = "x".repeat(40_000)
  const data = { invokeid: "poet", "session-id": "p", usage: { "output-tokens": 2 }, "cost-usd": 0.25, more }
  const reply = { event: "llm/response", ts: 5, data }
  await Bun.write(join(runs, "long/transcript.jsonl"), `${JSON.stringify(reply)}\n`.repeat(40))
  const hours = { long: 2, done: 3, asks: 5.25, again: 50, "bad\u001b[2J": 72, failed: 96, stopped: 120 }
  for (const [name, ago] of Object.entries(hours)) {
    const at = Date.now() / 1000 - ago * 3600
    await utimes(join(runs, name, "transcript.jsonl"), at, at)
  }
  await mkdir(join(runs, "no-run"))
  await symlink("/", join(runs, "link"))
})

/** What is printed, with the dates and times replaced by how long they are. */
async function printed(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, out, err } = await sidecar(args, { cwd: scratch, env })
  return `${out}${err}exit ${code}`
    .replaceAll(scratch, "HERE")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d|(?<="activeAt": )\d+/g, "DATE")
}

test("sessions into a pipe lists how each run ended, when, how long it took and what happened last", async () => {
  const told = await printed(["sessions"])
  expect(told).toMatchSnapshot()
  expect(await Promise.all([printed([]), printed(["--plain"])])).toEqual([told, told])
  expect(await printed(["sessions", "--as", "json"])).toMatchSnapshot()
})

test("what `run` kept is listed with the others, but not below a directory that was named", async () => {
  const env = { XDG_STATE_HOME: join(scratch, "elsewhere") }
  const kept = join(scratch, "elsewhere/opentui-sidecar/runs/2026-11-24T10-00-00.000Z-1-claude/transcript.jsonl")
  await Bun.write(kept, '{"event":"runner/started","seq":0,"ts":1}\n{"event":"runner/done","seq":1,"ts":2}\n')
  const [first = "", ...others] = (await printed(["sessions"], env)).split("\n")
  expect(first).toMatch(/^done .* claude .*chart done$/)
  expect(others.map(row => row.split(/ {2,}/).at(-2) ?? "")).toEqual([
    ...["long", "done", "asks", "again", "bad␛[2J", "failed", "stopped", ""],
  ])
  expect(await printed(["sessions", ".escapement"], env)).not.toContain("claude")
  expect(await printed(["sessions", "--as", "json"], env)).toContain(
    `"path": "HERE/elsewhere/opentui-sidecar/runs/2026`,
  )
})

test("the sessions of agent CLIs follow, with their tokens and what they cost", async () => {
  const home = fileScratch()
  await cp(join(root, "fixtures/agents/sessions/pi-0.73.1.jsonl"), join(home, ".pi/agent/sessions/--p--/1_2.jsonl"))
  // 23,720 tokens of input, of which 17,700 are cached, and 269 of output.
  expect((await sidecar(["sessions"], { cwd: home })).out).toContain("  pi  23,989  $0.03  /home/ada/pi-full  What ")
  expect(await sidecar(["sessions", "."], { cwd: home })).toMatchObject({ code: 2, out: "" })
})

test("sessions fails if there is nothing to list", async () => {
  const told = ["sessions nowhere", "sessions .escapement/no-run", "sessions a b", "sessions .escapement/done"].map(
    line => printed(line.split(" ")),
  )
  expect(await Promise.all(told)).toMatchSnapshot()
  expect(await printed(["sessions", ".escapement/no-run", "--as", "json"])).toBe("[]\nexit 0")
})
