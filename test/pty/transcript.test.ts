// Tests reading a session in a terminal: its pane, its transcript, what leads there, and what is copied and compared.
import { expect, test } from "bun:test"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { delta, event } from "../agent/ui.ts"
import { capturedRun } from "../captured.ts"
import { openLive, openSidecar } from "./sidecar.ts"

const ids = { invokeid: "writer", "session-id": "s1" }
const said = (text: string, ts: number) => event("llm/response", { ...ids, content: [{ type: "text", text }] }, ts)
const start = (ts: number) => event("llm/start", { ...ids, model: "gemma3:1b" }, ts)

const FIRST = "The harbour is quiet tonight. Boats rest on the water, and nobody walks along the old stone pier."
const SECOND = "Logs show three failures since noon. The importer ran out of memory and was started again by hand."

const twoTurns = [start(1000), said(FIRST, 2000), start(3000), said(SECOND, 4000), event("runner/done", {}, 5000)]

test("Markdown is rendered while it streams, in the pane and full screen, and its table stands in columns", async () => {
  await using sidecar = await openLive([start(1000), delta("### Change\n\nIt is **bo")], { cols: 120, rows: 30 })
  await sidecar.waitFor(/│ ▎ Change +│/)
  sidecar.agent.emit(delta("ld** now.\n\n| draft | words |\n|---|---|\n| one | 1,204 |\n"))
  await sidecar.waitFor("It is bold now.")
  await sidecar.waitFor("one   │ 1,204")
  sidecar.press("\r\r")
  await sidecar.waitFor(rows => !rows.some(row => row.includes("─ LOG")))
  const rows = (await sidecar.waitFor("one   │ 1,204")).join("\n")
  expect(rows).toContain("It is bold now.")
  expect(rows).not.toMatch(/\*\*|###|\|---/)
})

test("/ searches the transcript that Enter opens, ] and [ go through its turns, and no letter reaches the debugger", async () => {
  await using sidecar = await openLive(twoTurns, {
    cols: 80,
    rows: 24,
  })
  await sidecar.waitFor("Run finished")
  sidecar.press("\r")
  await sidecar.waitFor("turn 2 of 2")
  sidecar.press("[t")
  await sidecar.waitFor("turn 1 of 2")
  sidecar.press("/status\r")
  await sidecar.waitFor("No match for status")
  sidecar.press("/importer\r")
  await sidecar.waitFor("/importer 1 of 1")
  sidecar.press("n")
  await sidecar.waitFor("/importer 1 of 1")
  sidecar.press("sp")
  const rows = (await sidecar.waitFor("does nothing here")).join("\n")
  expect(rows).not.toContain("PAUSED")
})

test("= on two turns with little in common shows the one text and then the other", async () => {
  await using sidecar = await openLive(twoTurns, {
    cols: 80,
    rows: 40,
  })
  await sidecar.waitFor("Run finished")
  sidecar.press("\r")
  await sidecar.waitFor("turn 2 of 2")
  sidecar.press("[t=")
  await sidecar.waitFor("Turn 1 marked")
  sidecar.press("]t=")
  await sidecar.waitFor("TURNS  writer turn 1 → writer turn 2")
  const rows = (await sidecar.waitFor("little in common")).map(row => row.slice(2))
  expect(rows.some(row => row.startsWith("- The harbour is quiet tonight."))).toBe(true)
  expect(rows.some(row => row.startsWith("+ Logs show three failures since noon."))).toBe(true)
})

test("an error in the log is opened by Enter, left for its moment by another, and End is now", async () => {
  const other = { invokeid: "poet", "session-id": "s2" }
  const lines = [
    ...[start(1000), said(FIRST, 2000), start(3000)],
    event("llm/error", { ...ids, message: "connection reset" }, 4000),
    event("llm/start", other, 5000),
    event("llm/response", { ...other, content: [{ type: "text", text: "Snow." }] }, 6000),
    event("runner/done", {}, 7000),
  ]
  await using sidecar = await openLive(lines, { cols: 80, rows: 24 })
  await sidecar.waitFor("Run finished")
  sidecar.press("E")
  sidecar.press("\r")
  await sidecar.waitFor("Enter go to this moment")
  sidecar.press("\r")
  const rows = await sidecar.waitFor("PAST")
  expect(rows.join("\n")).toContain("connection reset")
  sidecar.press(",\x1b[F")
  await sidecar.waitFor(screen => !screen.join("").includes("PAST"))
})

test("the copy menu stands over the transcript and says how each text begins", async () => {
  await using sidecar = await openLive([start(1000), said(FIRST, 2000), event("runner/done", {}, 3000)], {
    cols: 100,
    rows: 40,
  })
  await sidecar.waitFor("Run finished")
  sidecar.press("\ry")
  const rows = (await sidecar.waitFor("─ COPY ")).join("\n")
  expect(rows).toMatch(/reply +The harbour is quiet/)
  expect(rows).toContain("─ writer ─")
})

test("a Markdown artifact is rendered, and a JSON artifact folds", async () => {
  await using run = await capturedRun()
  await writeFile(join(run.path, "artifacts/0-letter.md"), "# Dear all\n\nThis is **for** you.\n")
  await writeFile(join(run.path, "artifacts/0-plan.json"), JSON.stringify({ steps: ["x".repeat(50), "y".repeat(50)] }))
  await using sidecar = await openSidecar({ env: { OPENTUI_REPLAY: join(run.path, "transcript.jsonl") } })
  await sidecar.waitFor("end of recording")
  sidecar.press(":files\r")
  await sidecar.waitFor("0-letter.md")
  sidecar.press("g\r")
  await sidecar.waitFor(/FILE {2}0-letter\.md[\s\S]*\/ search/)
  expect((await sidecar.waitFor("Dear all")).join("\n")).toContain("This is for you.")
  sidecar.press("\x1b")
  await sidecar.waitFor("o open")
  sidecar.press("j\r")
  await sidecar.waitFor("FILE  0-plan.json")
  await sidecar.waitFor('"steps": [')
  sidecar.press("jh")
  await sidecar.waitFor("… 2 ]")
})
