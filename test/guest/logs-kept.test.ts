// Keeps what logs are read as that no CLI alone has written, and what is rare in one.
import { expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { drawnLog, keepLogs } from "./cli-kept.ts"
import { openDatabase } from "./opencode-rows.ts"
import { guestFixture } from "./reading.ts"

keepLogs("hermes", "my-agent")

test("opencode's database, and what is rare in a session of one", async () => {
  using opened = await openDatabase()
  expect(await drawnLog(opened.path)).toMatchSnapshot()
  const rows = (await readFile(guestFixture("opencode-rows.jsonl"), "utf8")).trimEnd().split("\n")
  for (const { table, row } of rows.map(line => JSON.parse(line))) opened.add(table, row)
  for (const id of ["rare", "kid"]) expect(await drawnLog(`${opened.path}/ses_${id}`)).toMatchSnapshot()
})

test("the tokens of a reply of pi that failed are counted", async () => {
  const log = await readFile(join(root, "fixtures/agents/pi-0.73.1-refused.jsonl"), "utf8")
  const path = join(fileScratch(), "pi-failed.jsonl")
  await Bun.write(path, log.replaceAll('"input":0,"output":0', '"input":5,"output":3'))
  expect(await drawnLog(path)).toContain(
    `usage={"input-tokens":5,"cached-tokens":0,"cache-write-tokens":0,"output-tokens":3}`,
  )
})
