// The inspector in a real terminal, on a session directory: whole texts, artifacts, and a viewer of the person's choice.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { capturedRun } from "../captured.ts"
import { modes } from "./modes.ts"
import { openSidecar } from "./sidecar.ts"

let scratch = ""
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "sidecar viewer-"))
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

test("a transcript has the whole texts of its captures, and an artifact opens in the viewer, by argv", async () => {
  await using run = await capturedRun()
  const viewer = join(scratch, "a viewer")
  await Bun.write(viewer, '#!/bin/sh\nprintf "VIEWING %s %s" "$1" "$(basename "$2")"; read line\n')
  await chmod(viewer, 0o700)
  const env = { OPENTUI_REPLAY: join(run.path, "transcript.jsonl"), OPENTUI_VIEWER: `'${viewer}' '-n;x'` }
  await using sidecar = await openSidecar({ cols: 120, rows: 50, env })
  await sidecar.waitFor("end of recording")
  sidecar.press("i")
  await sidecar.waitFor("INVOCATIONS  1 session")
  sidecar.press("\r")
  await sidecar.waitFor("tool call  edit_file  poems/4.txt")
  await sidecar.waitFor("snippet: nodes/../../../etc/passwd: lies outside the session directory")
  sidecar.press("4")
  await sidecar.waitFor("judge.verdict.md")
  sidecar.press("o")
  await sidecar.waitFor(/VIEWING -n;x (?:judge\.verdict\.md|scores\.json)/)
  expect(modes(sidecar.raw)).toEqual([])
  sidecar.press("\r")
  await sidecar.waitFor("ARTIFACTS  2")
  sidecar.press("6")
  await sidecar.waitFor("WARN slow model")
  sidecar.press("\x03")
  expect(await sidecar.exited).toBe(0)
})
