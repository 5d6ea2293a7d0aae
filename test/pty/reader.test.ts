// Tests the reader and the views of the list in a terminal, on a session directory with captures and artifacts.
import { expect, test } from "bun:test"
import { chmod, mkdir } from "node:fs/promises"
import { join } from "node:path"
import { capturedRun } from "../captured.ts"
import { fileScratch } from "../scratch.ts"
import { modes } from "./modes.ts"
import { openSidecar } from "./sidecar.ts"

const scratch = fileScratch()

test("the reader shows whole captured texts, and opens an artifact in the viewer, by argv", async () => {
  await using run = await capturedRun()
  const viewer = join(scratch, "a viewer")
  await Bun.write(viewer, '#!/bin/sh\nprintf "VIEWING %s %s" "$1" "$(basename "$2")"; read line\n')
  await chmod(viewer, 0o700)
  const env = { OPENTUI_REPLAY: join(run.path, "transcript.jsonl"), OPENTUI_VIEWER: `'${viewer}' '-n;x'` }
  await using sidecar = await openSidecar({ cols: 120, rows: 70, env })
  await sidecar.waitFor("end of recording")
  await sidecar.press("\r\r").waitFor("edit_file  poems/4.txt")
  await sidecar.waitFor("excerpt: nodes/../../../etc/passwd: outside the session directory")
  await sidecar.press(":files\r").waitFor("judge.verdict.md")
  await sidecar.press("o").waitFor(/VIEWING -n;x (?:judge\.verdict\.md|scores\.json)/)
  expect(modes(sidecar.raw)).toEqual([])
  await sidecar.press("\r").waitFor("FILES  2")
  await sidecar.press(":agent-log\r").waitFor("WARN slow model")
  expect(await sidecar.press("\x03").exited).toBe(0)
})

test("the list of files opens the agent's checkpoint, and the run's states and data model are laid out", async () => {
  await using run = await capturedRun()
  const model = `{:topic "snow", :tries [1 2]}`
  const wmem = `{:configuration #{:run :judging}, :working-memory-data-model/data-model ${model}}`
  await mkdir(join(run.path, "checkpoints"))
  await Bun.write(join(run.path, "checkpoints/j.edn"), `{:escapement.engine.store/wmem ${wmem}, :queue nil}`)
  await using sidecar = await openSidecar({ env: { OPENTUI_REPLAY: join(run.path, "transcript.jsonl") } })
  await sidecar.waitFor("end of recording")
  await sidecar.press(":files\r").waitFor("checkpoints/j.edn")
  await sidecar.press("G\r").waitFor("FILE  checkpoints/j.edn")
  const rows = (await sidecar.waitFor('"topic":"snow"')).join("\n")
  expect(rows).toContain('"configuration": ["run","judging"]')
  expect(rows).toContain('"tries":[1,2]')
})
