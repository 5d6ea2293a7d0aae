// Tests a run longer than memory holds: its first row is there, opens, and is found.
import { expect, test } from "bun:test"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { ROW_WINDOW } from "../../src/run/memory/pack-rows.ts"
import { CHUNK } from "../../src/run/model/chunked-list.ts"
import { scratch } from "../scratch.ts"
import { openSidecar } from "./sidecar.ts"
import type { Terminal } from "./terminal.ts"

/** More rows than fit the window and its lagging chunks. */
const ROWS = ROW_WINDOW + 4 * CHUNK

/** Turns of one session, two rows each, with the turn's number in the question. */
function longRun(): string {
  const lines = Array.from({ length: ROWS / 2 }, (_, n) => {
    const owner = { invokeid: "judge", "session-id": "s1" }
    const asked = { ...owner, "user-blocks": [{ type: "text", text: `this is question number ${n} of many` }] }
    const row = (seq: number, event: string, data: object) =>
      JSON.stringify({ kind: "event", seq, ts: 1_700_000_000_000 + seq, event, data })
    return `${row(2 * n + 1, "llm/start", { ...owner, model: "m" })}\n${row(2 * n + 2, "llm/request", asked)}\n`
  })
  return lines.join("")
}

async function reachesBack(sidecar: Terminal): Promise<void> {
  await sidecar.waitFor(`LOG  ${ROWS.toLocaleString("en")}`)
  sidecar.type("\x1b[Z")
  await sidecar.type("g").waitFor("this is question number 0 of many")
  const entry = await sidecar.type("j\r").waitFor(/─ \S+.* · llm\/request/)
  expect(entry.join("\n")).toContain("this is question number 0 of many")
  expect(entry.join("\n")).toContain('"invokeid": "judge"')
  await sidecar.type("\x1b").waitFor(shown => !shown.some(row => row.includes("DATA")))
  sidecar.type('ftext~"number 7 of"\r')
  await sidecar.waitFor(/LOG {2}1 of [\d,]+ · f text~"number 7 of" · (?!\d+ % looked)/)
  await sidecar.waitFor("this is question number 7 of many")
}

test("the log of a long recording reaches back to its first row, and is filtered by texts that are no longer in memory", async () => {
  using home = scratch()
  const path = join(home.path, "long.jsonl")
  await writeFile(path, longRun())
  await using sidecar = await openSidecar({ env: { OPENTUI_REPLAY: path } })
  await sidecar.waitFor("end of recording")
  await reachesBack(sidecar)
})
