// Makes opencode's database of the rows of a real session, with a writer that has it open.
import { Database } from "bun:sqlite"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"

/** The rows of a real session: prompts, tools, two subagents, a question, a refusal, a cut reply and a compaction. */
const ROWS = join(root, "fixtures/agents/sessions/opencode-1.18.33.rows.jsonl")

/** A database with the rows of the fixture, which its writer has open. */
export async function openDatabase(directory = fileScratch()) {
  mkdirSync(directory, { recursive: true })
  const path = join(directory, "opencode.db")
  const database = new Database(path)
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, version TEXT, agent TEXT,
      cost REAL, time_created INTEGER, time_updated INTEGER);
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER,
      time_updated INTEGER, data TEXT);
    INSERT INTO session (id, title, time_created, time_updated) VALUES ('ses_old', 'An older one', 1, 2)`)
  const add = (table: string, row: Record<string, unknown>): void => {
    const values = Object.values(row).map(value =>
      typeof value === "object" && value !== null ? JSON.stringify(value) : value,
    )
    const names = Object.keys(row)
    database.query(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => "?")})`).run(...(values as string[]))
  }
  for (const line of (await Bun.file(ROWS).text()).trimEnd().split("\n")) {
    const { table, row } = JSON.parse(line)
    add(table, row)
  }
  const remove = (session: string) => database.query("DELETE FROM session WHERE id = ?").run(session)
  return { path, add, remove, [Symbol.dispose]: () => database.close() }
}
