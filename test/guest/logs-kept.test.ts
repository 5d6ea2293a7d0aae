// Keeps what logs are read as that no CLI alone has written, and what is rare in one.
import { expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
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
