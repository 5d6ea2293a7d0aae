// Tests that the sessions of a machine are seen as they come, grow, wait and go, without a look at all of them.
import { expect, test } from "bun:test"
import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { StoredRuns } from "../../src/app/stored-runs.ts"
import { noPrices } from "../../src/run/model/prices.ts"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { opened } from "../screen/open-screens.ts"
import { until } from "../until.ts"

const home = fileScratch()

const ID = "0000000a-aaaa-4bbb-8ccc-dddddddddddd"
const path = join(home, `.claude/projects/-p/${ID}.jsonl`)
const line = (type: string, content: string) =>
  `${JSON.stringify({ type, cwd: "/p", sessionId: ID, message: { role: type, model: "m", content: [{ type: "text", text: content }] } })}\n`

test("a session that comes, grows, waits and goes is seen by its own file", async () => {
  mkdirSync(dirname(path), { recursive: true })
  mkdirSync(join(home, ".claude/sessions"), { recursive: true })
  let told = 0
  const began = Date.now()
  const runs = new StoredRuns({}, () => told++, home)
  opened(() => runs.stop())
  await until(() => told > 0)
  expect(runs.runs).toEqual([])
  writeFileSync(path, line("user", "Mend the lamp"))
  await until(() => runs.runs.length === 1)
  expect(runs.roots).toEqual(["~/.claude"])
  const read = async () => {
    const [run] = runs.runs
    return run?.stored === undefined ? null : await runs.read(run.stored, noPrices)
  }
  expect((await read())?.session).toMatchObject({ id: ID, title: "Mend the lamp", place: "/p", state: "ended" })
  const { size = 0 } = runs.runs[0] ?? {}
  appendFileSync(path, line("assistant", "It burns"))
  await until(() => (runs.runs[0]?.size ?? 0) > size)
  expect((await read())?.last).toBe("It burns")
  const stat = await Bun.file("/proc/self/stat").text()
  const procStart = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
  const status = { pid: process.pid, procStart, sessionId: ID, status: "waiting" }
  writeFileSync(join(home, `.claude/sessions/${process.pid}.json`), JSON.stringify(status))
  await until(() => runs.facts(noPrices)[0]?.[1]?.asks === "It burns")
  // It is told once.
  expect(runs.facts(noPrices)).toEqual([])
  rmSync(path)
  await until(() => runs.runs.length === 0)
  expect(Date.now() - began).toBeLessThan(20_000)
  // Also where the folder itself goes, and comes back.
  rmSync(join(home, ".claude"), { recursive: true })
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, line("user", "Mend the stove"))
  await until(() => runs.runs.length === 1)
})

test("a session is one run, whatever files it has, without those that it started, and changes as theirs do", async () => {
  const other = fileScratch()
  const sessions = join(root, "fixtures/agents/sessions")
  for (const [name, place] of [
    ["codex-0.169.0-subagents", ".codex/sessions/2026/11/24"],
    ["codex-0.169.0-rewound", ".codex/sessions/2026/11/25"],
    ["kimi-2.1.0-subagents", ".kimi-code/sessions/wd_p"],
  ] as const)
    cpSync(join(sessions, name), join(other, place), { recursive: true })
  let told = 0
  const runs = new StoredRuns({}, () => told++, other)
  opened(() => runs.stop())
  await until(() => told > 0)
  expect([runs.runs.length, runs.roots]).toEqual([7, ["~/.codex", "~/.kimi-code"]])
  for (const { stored } of runs.runs) if (stored !== undefined) await runs.read(stored, noPrices)
  expect(runs.runs.map(({ name }) => /01a2[\w-]{32}|session_\w+/.exec(name)?.[0]).sort()).toEqual([
    ...["01a20edb-ae19-7c82-af46-852ddd270fc9", "01a218dd-c8d5-7922-8df8-f43e813c4063"],
    ...["01a218de-b13f-71d0-872d-40f925f55819", "session_05be34ce"],
  ])
  expect(runs.facts(noPrices)).toEqual([])
  const [before, began] = [told, Date.now()]
  appendFileSync(
    join(other, ".kimi-code/sessions/wd_p/session_05be34ce-b04b-4855-a9c9-ba4b34c674c7/agents/agent-0/wire.jsonl"),
    "\n",
  )
  await until(() => told > before)
  expect(runs.runs).toHaveLength(4)
  // All files are looked at every 30 s.
  expect(Date.now() - began).toBeLessThan(20_000)
  const { name = "" } = runs.runs.find(one => one.name.includes("01a20edb-ae19")) ?? {}
  rmSync(name)
  // Those that it started are runs of their own where it is not there.
  await until(() => runs.runs.length === 5)
})
