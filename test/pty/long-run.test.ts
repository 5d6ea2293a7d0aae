// Tests a recording of two hours with 200 sessions in a terminal; it is generated, since it would be a big file.
import { expect, test } from "bun:test"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { scratch } from "../scratch.ts"
import { openSidecar, spawned } from "./sidecar.ts"

const START = 1_780_000_000_000
const TEAMS = ["triage", "coder", "tester", "judge", "critic", "scribe", "planner", "poet"]

/** A session each 36 s, which works for 100 s; every tenth one fails. */
function twoHours(): string {
  const lines = Array.from({ length: 200 }, (_, i) => {
    const ids = { invokeid: TEAMS[i % 8], "session-id": `s-${i}` }
    const from = START + i * 36_000
    const end = i % 10 === 9 ? "llm/error" : "llm/response"
    const reply = { ...ids, content: [{ type: "text", text: "done" }], message: "connection reset" }
    return [
      { kind: "event", ts: from, event: "llm/start", data: ids },
      { kind: "event", ts: from + 100_000, event: end, data: reply },
    ]
  })
  const sorted = lines.flat().sort((a, b) => a.ts - b.ts)
  return sorted.map((row, seq) => `${JSON.stringify({ ...row, seq })}\n`).join("")
}

test("a run of two hours says what runs at a moment typed as it is shown, and lists failures that can be put aside", async () => {
  using home = scratch()
  const path = join(home.path, "long.jsonl")
  await writeFile(path, twoHours())
  for (const at of ["+34:00", "+00:34:00.000", "+2040s"]) {
    await using sidecar = await openSidecar({ rows: 48, cmd: [...spawned, "replay", path, "--at", at] })
    const rows = await sidecar.waitFor(/ 54 of 57 done /)
    expect(rows.filter(row => /│ +▌? +◌ \d/.test(row))).toHaveLength(3)
  }
  await using sidecar = await openSidecar({ cmd: [...spawned, "replay", path, "--at", "+1:10:00"] })
  await sidecar.waitFor(/SESSIONS .* ✗\d+ [\s\S]* 231 of 400 /)
  const bar = (await sidecar.waitFor(/^ paused /m)).find(row => row.startsWith(" paused ")) ?? ""
  expect(bar).toMatch(/[▁▂▃▄▅▆▇█].*●/)
  expect(bar.match(/✗/g) ?? []).toEqual([])
  const before = await sidecar.press("!").waitFor(/NEEDS YOU {2}\d+/)
  const count = Number(/NEEDS YOU {2}(\d+)/.exec(before.join("\n"))?.[1])
  await sidecar.press("d").waitFor(`NEEDS YOU  ${count - 1}`)
})
