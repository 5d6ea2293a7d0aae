// Reads opencode's database while opencode has it open: most of it stands in the log of writes beside it.
import { Database } from "bun:sqlite"
import { expect, spyOn, test } from "bun:test"
import { statSync, truncateSync, utimesSync, writeFileSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { decode } from "../../packages/wire/src/decode.ts"
import { chooseParser, isLog, startParser } from "../../src/guest/choose-parser.ts"
import { LogConversion } from "../../src/guest/convert-log.ts"
import { DatabaseLines } from "../../src/guest/opencode-database.ts"
import { fold } from "../../src/run/fold.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { runOfLog } from "../../tools/agents/log-run.ts"
import { fileScratch } from "../scratch.ts"
import { until } from "../until.ts"
import { openDatabase } from "./opencode-rows.ts"
import { blocksOf } from "./reading.ts"

test("opencode's database shows its newest session, with its subagents as sessions of their own", async () => {
  using opened = await openDatabase()
  expect(statSync(`${opened.path}-wal`).size).toBeGreaterThan(statSync(opened.path).size)
  expect(isLog(opened.path)).toBe(true)
  const run = await runOfLog(opened.path)
  expect(run.status).toBe("finished")
  expect(run.invocations.map(({ title, sessions }) => [title, sessions.length])).toEqual([
    ["opencode", 1],
    ["general", 2],
  ])
  // By the model's account: nine replies of the main loop, the summary of its compaction, and two replies of each
  // subagent. A reply that was cut is a request of which the database has no tokens.
  const counts = run.sessions.map(({ account: { requests, input, cached, output, reasoning, calls } }) => {
    return [requests, input, cached, output, reasoning, calls]
  })
  expect(counts).toEqual([
    [11, 34_940, 28_200, 393, 20, 8],
    [2, 1765, 800, 36, 0, 1],
    [2, 1770, 801, 38, 0, 1],
  ])
  expect(run.facts.ledger.total.nanos / 1e9).toBeCloseTo(0.034575 + 0.003675 + 0.0037173, 9)
  expect(run.guest.warnings).toEqual([])
  await expect(runOfLog(join(opened.path, "ses_none"))).rejects.toThrow("no session ses_none in it")
})

test("a database that grows is followed, and its lines are removed at the end", async () => {
  using opened = await openDatabase()
  utimesSync(opened.path, 0, 0)
  const spools = fileScratch()
  const conversion = await LogConversion.open(opened.path, spools, startParser(chooseParser(undefined, spools)))
  try {
    const said = async () => fold(emptyRun, (await Bun.file(conversion.path).text()).trimEnd().split("\n").map(decode))
    expect(blocksOf(await said()).at(-1)).toContain("After the compaction all is well.")
    const told = {
      session_id: "ses_df29c3ef3ffenvaoLZ3Ic1IGLx",
      time_created: 1795521010000,
      time_updated: 1795521010000,
    }
    opened.add("message", { id: "msg_z", ...told, data: { role: "user", time: { created: 1795521010000 } } })
    opened.add("part", { id: "prt_z", message_id: "msg_z", ...told, data: { type: "text", text: "One more thing." } })
    await until(async () => blocksOf(await said()).at(-1) === "user: One more thing.")
    // It goes on, although the database's own file was last written when the log of writes was taken over.
    expect((await said()).status).toBe("running")
  } finally {
    conversion.close()
  }
  expect(await readdir(spools)).toEqual([])
})

test("a database is copied anew once it has changed, and not at once, and what is copied leaves nothing", async () => {
  const temporary = tmpdir()
  using opened = await openDatabase()
  using clock = spyOn(performance, "now")
  const lines = new DatabaseLines(opened.path, fileScratch())
  process.env.TMPDIR = fileScratch()
  const inodes: number[] = []
  // A copy takes 20 ms, so that the next is not made for 400; only its owner may read it.
  for (const [now, hasChanged] of [[0], [300, true], [410], [1400], [1900, true]] as const) {
    if (hasChanged) opened.add("session", { id: `ses_${now}`, time_created: 3, time_updated: now })
    let at = now
    clock.mockImplementation(() => (at += 10))
    await using file = await lines.open()
    const { ino, mode } = await file.stat()
    inodes.push((mode & 0o777) === 0o600 ? ino : 0)
  }
  const left = await readdir(process.env.TMPDIR)
  process.env.TMPDIR = temporary
  lines.close()
  const copies = inodes.map((ino, at) => at > 0 && ino !== inodes[at - 1])
  expect([copies, left]).toEqual([[false, false, true, false, true], []])
})

test("another program's database is refused in one line", async () => {
  const directory = fileScratch()
  const other = new Database(join(directory, "other.db"))
  other.exec("CREATE TABLE bookmarks (id TEXT)")
  other.close()
  writeFileSync(join(directory, "torn.db"), "SQLite format 3\0and no more")
  for (const name of ["other.db", "torn.db"]) await expect(runOfLog(join(directory, name))).rejects.toThrow(/opencode/)
  truncateSync(join(directory, "torn.db"), 1024 ** 3 + 1)
  await expect(runOfLog(join(directory, "torn.db"))).rejects.toThrow("opencode's database: too large: 1073741825 bytes")
})
