// Tests the reader and the views of the list in a terminal, on a session directory with captures and artifacts.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { chmod, mkdir, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { event } from "../agent/ui.ts"
import { capturedRun } from "../captured.ts"
import { modes } from "./modes.ts"
import { openLive, openSidecar } from "./sidecar.ts"

let scratch = ""
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "sidecar viewer-"))
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

test("the reader shows whole captured texts, and opens an artifact in the viewer, by argv", async () => {
  await using run = await capturedRun()
  const viewer = join(scratch, "a viewer")
  await Bun.write(viewer, '#!/bin/sh\nprintf "VIEWING %s %s" "$1" "$(basename "$2")"; read line\n')
  await chmod(viewer, 0o700)
  const env = { OPENTUI_REPLAY: join(run.path, "transcript.jsonl"), OPENTUI_VIEWER: `'${viewer}' '-n;x'` }
  await using sidecar = await openSidecar({ cols: 120, rows: 70, env })
  await sidecar.waitFor("end of recording")
  sidecar.press("\r\r")
  await sidecar.waitFor("edit_file  poems/4.txt")
  await sidecar.waitFor("excerpt: nodes/../../../etc/passwd: outside the session directory")
  sidecar.press(":files\r")
  await sidecar.waitFor("judge.verdict.md")
  sidecar.press("o")
  await sidecar.waitFor(/VIEWING -n;x (?:judge\.verdict\.md|scores\.json)/)
  expect(modes(sidecar.raw)).toEqual([])
  sidecar.press("\r")
  await sidecar.waitFor("FILES  2")
  sidecar.press(":agent-log\r")
  await sidecar.waitFor("WARN slow model")
  sidecar.press("\x03")
  expect(await sidecar.exited).toBe(0)
})

test("the list of files opens the agent's checkpoint, and the run's states and data model are laid out", async () => {
  await using run = await capturedRun()
  const model = `{:topic "snow", :tries [1 2]}`
  const wmem = `{:configuration #{:run :judging}, :working-memory-data-model/data-model ${model}}`
  await mkdir(join(run.path, "checkpoints"))
  await Bun.write(join(run.path, "checkpoints/j.edn"), `{:escapement.engine.store/wmem ${wmem}, :queue nil}`)
  await using sidecar = await openSidecar({ env: { OPENTUI_REPLAY: join(run.path, "transcript.jsonl") } })
  await sidecar.waitFor("end of recording")
  sidecar.press(":files\r")
  await sidecar.waitFor("checkpoints/j.edn")
  sidecar.press("G\r")
  await sidecar.waitFor("FILE  checkpoints/j.edn")
  const rows = (await sidecar.waitFor('"topic":"snow"')).join("\n")
  expect(rows).toContain('"configuration": ["run","judging"]')
  expect(rows).toContain('"tries":[1,2]')
})

const LONG = `You judge haiku. ${"A season word must be there. ".repeat(6)}And that is all.`
const REPLY = `The winner is poet 4. ${"Its snow stays unsaid. ".repeat(6)}So it is.`
const ids = { invokeid: "judge", "session-id": "session/j" }
const turn = "nodes/judging/0/turns/0"

/** What the scripted agent plays: it captures its texts, and keeps 80 characters of each in its rows. */
const judged = [
  event("runner/started", { "session-id": ":session/1", "chart-id": ":haiku/chart" }),
  event("runner/start-config", { config: ["run", "writing"] }),
  event("runner/event-processed", {
    "event-name": "go",
    "config-before": ["run", "writing"],
    "config-after": ["run", "judging"],
    entered: ["judging"],
    exited: ["writing"],
  }),
  event("llm/start", { ...ids, model: "gemma3:1b" }),
  event("llm/request", {
    ...ids,
    "system-preview": LONG,
    "user-blocks": [{ type: "text", text: 'Which "haiku" \\ wins?' }],
    "io/ref": `${turn}/request.edn`,
  }),
  event("llm/response", {
    ...ids,
    content: [
      { type: "text", text: REPLY },
      { type: "tool_use", id: "u1", name: "count_words", input: { path: "poems/4.txt" } },
    ],
    usage: { "input-tokens": 210, "output-tokens": 40 },
    "io/ref": `${turn}/response.edn`,
  }),
  event("llm/tool-result", {
    ...ids,
    tool: "count_words",
    "tool-use-id": "u1",
    "content-preview": `${"17 words ".repeat(20)}in all`,
    "io/ref": `${turn}/tool-results/u1.edn`,
  }),
  event("runner/done", { "final-config": ["judging"], status: "done" }),
]

const state = (id: string, parent: string | null, children: readonly string[] = [], type = "state") => ({
  id,
  parent,
  children,
  type,
})
const chart = {
  root: "ROOT",
  elements: [
    state("ROOT", null, ["run"], "statechart"),
    state("run", "ROOT", ["writing", "judging", "aborted"]),
    state("writing", "run"),
    state("judging", "run"),
    state("aborted", "run", [], "final"),
  ],
}

for (const [cols, rows] of [
  [120, 40],
  [80, 24],
] as const) {
  test(`every view of a live run is shown at ${cols}x${rows}, with the agent's captures`, async () => {
    const sessionDir = join(scratch, `session-${cols}`)
    await mkdir(join(sessionDir, "artifacts"), { recursive: true })
    await Bun.write(join(sessionDir, "artifacts/judge.verdict.md"), "# Verdict\n")
    await Bun.write(join(sessionDir, "escapement.log"), "INFO started\nWARN slow model\n")
    const agent = { sessionDir, snippets: 80, chart }
    await using sidecar = await openLive(judged, { cols, rows, agent, env: { ESCAPEMENT_SESSION_DIR: sessionDir } })
    await sidecar.waitFor("Run finished")
    expect(await readFile(join(sessionDir, "transcript.jsonl"), "utf8")).not.toContain("And that is all.")
    sidecar.press("\r\rg")
    const turns = await sidecar.waitFor("And that is all.")
    expect(turns.join("\n")).toMatch(/── turn 1 · gemma3:1b · (?:\d+\.\ds · )?210 in · 40 out ─/)
    expect(turns.join("\n")).not.toContain("excerpt")
    sidecar.press("G")
    await sidecar.waitFor("▸ count_words  poems/4.txt")
    sidecar.press("l")
    const opened = await sidecar.waitFor("in all")
    expect(opened.join("\n")).toContain("▎ count_words  poems/4.txt")
    sidecar.press("/So it is\r")
    await sidecar.waitFor("/So it is 1 of 1")
    sidecar.press(":>chart\r")
    const outline = (await sidecar.waitFor("3 of 4 states visited")).join("\n")
    expect(outline).toMatch(/aborted {2}final +never/)
    sidecar.press(":files\r")
    await sidecar.waitFor("judge.verdict.md")
    sidecar.press(":status\r")
    await sidecar.waitFor(/session directory +\//)
    sidecar.press(":agent-log\r")
    await sidecar.waitFor("WARN slow model")
    sidecar.press("T")
    await sidecar.waitFor("TIME")
    expect((await sidecar.waitFor("judge")).join("\n")).toContain("judging")
    sidecar.press("$")
    expect((await sidecar.waitFor("SESSIONS  by state")).join("\n")).toMatch(/judging .* 210 /)
    sidecar.press("\x03")
    expect(await sidecar.exited).toBe(0)
  })
}
