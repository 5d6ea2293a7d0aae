// Reads the newest session of opencode's database, or another, with its subagents, as the lines that opencode prints.
// Tried with 1.18.33. The database is copied first: it may be written meanwhile, and is never opened in place.
import { Database } from "bun:sqlite"
import { constants, rmSync, type Stats, statSync } from "node:fs"
import { copyFile, mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { headLines, holderOf, InputError } from "../../packages/wire/src/files/recording-path.ts"
import { isObject, type JsonObject, parseJson } from "../../packages/wire/src/json.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { objectOf, textOf } from "./common/fields.ts"
import { AGENT } from "./common/subagent.ts"

/** The most bytes of the database with its log of writes. */
const MAX_BYTES = 1024 * 1024 * 1024
const MAGIC = "SQLite format 3\0"
/** How often a copy is made again because the database was written meanwhile. */
const TRIES = 5
/** The share of the time that copies of a database that grows may take. */
const SHARE = 0.05

/** The named session or the newest, those that it started, and theirs. */
const TREE = `WITH RECURSIVE tree(id, depth) AS (
  SELECT * FROM (SELECT id, 0 FROM session WHERE CASE ?1 WHEN '' THEN parent_id IS NULL ELSE id = ?1 END
    ORDER BY time_updated DESC LIMIT 1)
  UNION SELECT session.id, depth + 1 FROM session JOIN tree ON session.parent_id = tree.id WHERE depth < 16)`
const SESSIONS = `${TREE} SELECT session.id, parent_id AS parent, agent, title, time_created AS time
  FROM session JOIN tree ON tree.id = session.id ORDER BY depth`
const MESSAGES = `${TREE} SELECT id, session_id AS session, time_created AS time, data
  FROM message WHERE session_id IN (SELECT id FROM tree)`
const PARTS = `${TREE} SELECT id, message_id AS message, session_id AS session, time_created AS time, data
  FROM part WHERE session_id IN (SELECT id FROM tree)`

/** The parts that opencode also prints, by the types of their lines. */
const PRINTED: ReadonlyMap<string, string> = new Map([
  ["step-start", "step_start"],
  ["step-finish", "step_finish"],
  ["tool", "tool_use"],
  ["text", "text"],
  ["reasoning", "reasoning"],
  ["compaction", "compaction"],
])

/** True for the file of a database. Never throws. */
export function isDatabase(path: string): boolean {
  try {
    return headLines(holderOf(path))[0]?.startsWith(MAGIC) ?? false
  } catch {
    return false
  }
}

/** The lines of a database, in a private file that is written anew when the database has changed. */
export class DatabaseLines {
  readonly path: string
  readonly #database: string
  /** The session's id; empty for the newest. */
  readonly #session: string
  #stamp = ""
  /** When the next copy may be made, ms. */
  #next = 0

  /** `directory` has the file, which is named like a spool, so that it is removed with the spools. */
  constructor(path: string, directory: string) {
    this.#database = holderOf(path)
    this.#session = this.#database === path ? "" : basename(path)
    this.path = join(directory, `run-${process.pid}-${crypto.randomUUID()}.jsonl`)
  }

  /** Rejects with an InputError if the database can't be copied or is not opencode's. */
  async refresh(): Promise<void> {
    const began = performance.now()
    if (began < this.#next || this.#stamp === databaseStamp(this.#database)) return
    try {
      const next = `${this.path}.next`
      const { stamp, read } = await readCopy(this.#database, copy => sessionLines(copy, this.#session))
      await writeFile(next, read, { mode: 0o600 })
      // Its reader sees that the file was replaced, and never one that is half written.
      await rename(next, this.path)
      this.#stamp = stamp
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new InputError(
        `${sanitizeLine(this.#database)}: can't be read as opencode's database: ${sanitizeLine(why)}`,
      )
    } finally {
      this.#next = performance.now() + (performance.now() - began) / SHARE
    }
  }

  /** When the database was last written, epoch ms. */
  get writtenMs(): number {
    return Math.max(...statsOf(this.#database).map(({ mtimeMs }) => mtimeMs))
  }

  close(): void {
    rmSync(this.path, { force: true })
  }
}

/** Of a database, and of its log of writes if it has one. */
function statsOf(path: string): readonly Stats[] {
  return [statSync(path), statSync(`${path}-wal`, { throwIfNoEntry: false })].filter(stat => stat !== undefined)
}

/** A stamp that changes whenever the database does. Throws a file system error. */
export function databaseStamp(path: string): string {
  return statsOf(path)
    .map(({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`)
    .join(", ")
}

/** What `read` finds in a private copy of a database, and the stamp of that. Rejects if it can't be copied or read. */
export async function readCopy<T>(path: string, read: (copy: Database) => T): Promise<{ stamp: string; read: T }> {
  const directory = await mkdtemp(join(tmpdir(), "opentui-sidecar-"))
  try {
    const copy = join(directory, "copy.db")
    const stamp = await copyTo(copy, path)
    using database = new Database(copy)
    return { stamp, read: read(database) }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Copies a database with its log of writes, which may have all of it, and returns its stamp. */
async function copyTo(copy: string, path: string): Promise<string> {
  const bytes = statsOf(path).reduce((sum, { size }) => sum + size, 0)
  if (bytes > MAX_BYTES) throw new Error(`too large: ${bytes} bytes`)
  for (let left = TRIES; ; left--) {
    const stamp = databaseStamp(path)
    await copyFile(path, copy, constants.COPYFILE_FICLONE)
    // It may have none.
    await copyFile(`${path}-wal`, `${copy}-wal`).catch(() => rm(`${copy}-wal`, { force: true }))
    if (stamp === databaseStamp(path) || left <= 1) return stamp
  }
}

interface Row {
  readonly id: string
  readonly session: string
  readonly time: number
  readonly data: JsonObject
}

function sessionLines(database: Database, id: string): string {
  const sessions = objectsIn(database, SESSIONS, id)
  const [main] = sessions
  if (main === undefined) throw new Error(id === "" ? "no session in it" : `no session ${id} in it`)
  const messages = rowsOf(database, MESSAGES, id)
  const lines = [
    ...sessions.map(one => ({ time: Number(one.time), id: "", line: begun(one, main) })),
    ...partLines(rowsOf(database, PARTS, id), new Map(messages.map(row => [row.id, row.data]))),
    ...messages.flatMap(errorLines),
  ].sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
  const marked = lines.map(({ line }) => {
    return JSON.stringify(line.sessionID === main.id ? line : { [AGENT]: line.sessionID, ...line })
  })
  return `${marked.join("\n")}\n`
}

type Part = Row & { readonly message: string }

interface Line {
  readonly time: number
  readonly id: string
  readonly line: JsonObject
}

/** The line that begins a session, and describes a subagent. */
function begun({ id, parent, agent, title, time }: JsonObject, main: JsonObject): JsonObject {
  const facts = { type: AGENT, parent: parent === main.id ? "" : (parent ?? ""), agentType: agent ?? "" }
  const told = { sessionID: id ?? "", timestamp: time ?? null }
  return id === main.id ? { type: "session", ...told } : { ...facts, ...told, description: title ?? "" }
}

function partLines(parts: readonly Part[], messages: ReadonlyMap<string, JsonObject>): readonly Line[] {
  return parts.flatMap(({ id, session, message, time, data }): readonly Line[] => {
    const { role, modelID } = messages.get(message) ?? {}
    const lineAt = (at: number, more: JsonObject): Line => {
      return { time: at, id, line: { timestamp: at, sessionID: session, ...more } }
    }
    if (role === "user" && data.type === "text") {
      return data.synthetic === true ? [] : [lineAt(time, { type: "prompt", text: data.text ?? "" })]
    }
    const type = PRINTED.get(textOf(data.type))
    if (type === undefined) return []
    const line = lineAt(time, { type, model: modelID ?? "", part: data })
    const { end } = objectOf(objectOf(data.state).time)
    // Events during a tool run stand between its call and its result.
    if (type !== "tool_use" || typeof end !== "number") return [line]
    return [lineAt(time, { type: "tool_call", part: data }), lineAt(end, { type: "tool_result", part: data })]
  })
}

/** How a message failed, if it did. */
function errorLines({ id, session, time, data }: Row): readonly Line[] {
  if (!isObject(data.error)) return []
  const { completed } = objectOf(data.time)
  const at = typeof completed === "number" ? completed : time
  return [{ time: at, id, line: { type: "error", timestamp: at, sessionID: session, error: data.error } }]
}

function rowsOf(database: Database, query: string, id: string): readonly Part[] {
  return objectsIn(database, query, id).flatMap(({ id, session, message, time, data }) => {
    const value = parseJson(textOf(data))
    if (typeof time !== "number" || !isObject(value)) return []
    return [{ id: textOf(id), session: textOf(session), message: textOf(message), time, data: value }]
  })
}

/** The rows that a query finds. Throws an error of the database. */
export function objectsIn(database: Database, query: string, ...given: string[]): readonly JsonObject[] {
  return database
    .query(query)
    .all(...given)
    .filter(row => isObject(row))
}
