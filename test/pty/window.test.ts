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

/** So many sessions that each has a small share of memory, and one with more text than that. */
function manyVoices(): string {
  let seq = 0
  const row = (event: string, data: object) =>
    `${JSON.stringify({ kind: "event", seq: ++seq, ts: 1_700_000_000_000 + seq, event, data })}\n`
  const others = Array.from({ length: 2048 }, (_, n) => row("llm/start", { invokeid: "many", "session-id": `m${n}` }))
  const owner = { invokeid: "judge", "session-id": "s1" }
  const filler = "lorem ipsum dolor sit amet ".repeat(10)
  const turns = Array.from({ length: 40 }, (_, n) => [
    row("llm/start", { ...owner, model: "m" }),
    row("llm/request", { ...owner, "user-blocks": [{ type: "text", text: `question number ${n} ${filler}` }] }),
    row("llm/delta", { ...owner, type: "text-delta", text: `streamed number ${n} ` }),
    row("llm/delta", { ...owner, type: "text-delta", text: "and no reply told it again" }),
    row("llm/response", { ...owner, "stop-reason": "end_turn" }),
  ])
  return [...others, ...turns.flat()].join("")
}

test("a long transcript reaches back to its first turn and the text streamed there", async () => {
  using home = scratch()
  const path = join(home.path, "voices.jsonl")
  await writeFile(path, manyVoices())
  await using sidecar = await openSidecar({ cols: 200, env: { OPENTUI_REPLAY: path } })
  await sidecar.waitFor("end of recording")
  await sidecar.type("S").waitFor("sessions: newest first")
  await sidecar.type("jj\rg").waitFor("streamed number 39")
  // The text pane, from its first line.
  await sidecar.type("\tg").waitFor("question number 0 lorem")
  await sidecar.waitFor("streamed number 0 and no reply told it again")
  sidecar.type("m")
  const first = await sidecar.waitFor(rows => !rows.some(row => row.includes("─ LOG")))
  expect(first.join("\n")).toMatch(/streamed number 0 and no reply told it again[\s\S]*turn 1 of 40/)
  expect(first.join("\n")).not.toContain("question number 39")
})
