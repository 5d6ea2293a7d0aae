// Reads the newest session in opencode's database, with its subagents, as lines in the form that opencode prints. Tried
// with opencode 1.18.33. The database is copied first: it may be written meanwhile, and is never opened in place.
import { Database } from "bun:sqlite"
import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isObject, type JsonObject, parseJson } from "../../protocol/json.ts"
import { AGENT } from "../common/agent.ts"
import { objectOf, textOf } from "../common/fields.ts"

/** The most bytes of the database with its log of writes. */
const MAX_BYTES = 1024 * 1024 * 1024
const MAGIC = "SQLite format 3\0"
/** How often a copy is made again because the database was written meanwhile. */
const TRIES = 5

/** The newest session, those that it started, and theirs. */
const SESSIONS = `
  WITH RECURSIVE tree(id, depth) AS (
    SELECT * FROM (SELECT id, 0 FROM session WHERE parent_id IS NULL ORDER BY time_updated DESC LIMIT 1)
    UNION SELECT session.id, depth + 1 FROM session JOIN tree ON session.parent_id = tree.id WHERE depth < 16
  )
  SELECT session.id, session.parent_id AS parent, agent, title, time_created AS time
  FROM session JOIN tree ON tree.id = session.id ORDER BY depth`
const MESSAGES = "SELECT id, session_id AS session, time_created AS time, data FROM message"
const PARTS = "SELECT id, message_id AS message, session_id AS session, time_created AS time, data FROM part"

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
    const fd = openSync(path, "r")
    try {
      const head = Buffer.alloc(MAGIC.length)
      return statSync(path).isFile() && readSync(fd, head) === MAGIC.length && head.toString("latin1") === MAGIC
    } finally {
      closeSync(fd)
    }
  } catch {
    return false
  }
}

/** The lines of a database, in a private file that is written anew when the database has changed. */
export class DatabaseLines {
  readonly path: string
  #stamp = ""

  /** `directory` has the file, which is named like a spool, so that it is removed with the spools. */
  constructor(
    private readonly database: string,
    directory: string,
  ) {
    this.path = join(directory, `run-${process.pid}-${crypto.randomUUID()}.jsonl`)
  }

  /** Throws an Error of one line if the database can't be copied or is not opencode's. */
  refresh(): void {
    if (this.#stamp === stampOf(this.database)) return
    const directory = mkdtempSync(join(tmpdir(), "opentui-sidecar-"))
    try {
      const copy = join(directory, "copy.db")
      const stamp = copyOf(this.database, copy)
      const next = `${this.path}.next`
      writeFileSync(next, linesIn(copy), { mode: 0o600 })
      // Its reader sees that the file was replaced, and never one that is half written.
      renameSync(next, this.path)
      this.#stamp = stamp
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }

  close(): void {
    rmSync(this.path, { force: true })
  }
}

/** What changes whenever the database does. */
function stampOf(path: string): string {
  const both = [path, `${path}-wal`].map(one => statSync(one, { throwIfNoEntry: false }))
  return both.map(stat => `${stat?.ino} ${stat?.size} ${stat?.mtimeMs}`).join(", ")
}

/** Copies a database with its log of writes, which may have all of it, and returns its stamp. */
function copyOf(path: string, copy: string): string {
  const bytes = [path, `${path}-wal`].reduce(
    (sum, one) => sum + (statSync(one, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
  if (bytes > MAX_BYTES) throw new Error(`too large: ${bytes} bytes`)
  for (let left = TRIES; ; left--) {
    const stamp = stampOf(path)
    copyFileSync(path, copy)
    rmSync(`${copy}-wal`, { force: true })
    if (statSync(`${path}-wal`, { throwIfNoEntry: false }) !== undefined) copyFileSync(`${path}-wal`, `${copy}-wal`)
    if (stamp === stampOf(path) || left <= 1) return stamp
  }
}

interface Row {
  readonly id: string
  readonly session: string
  readonly time: number
  readonly data: JsonObject
}

function linesIn(copy: string): string {
  const database = new Database(copy)
  try {
    return sessionLines(database)
  } catch (error) {
    throw new Error(`no database of opencode: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    database.close()
  }
}

function sessionLines(database: Database): string {
  const sessions = objectsIn(database, SESSIONS)
  const [main] = sessions
  if (main === undefined) throw new Error("no session in it")
  const ids = new Set(sessions.map(({ id }) => textOf(id)))
  const messages = rowsOf(database, MESSAGES, ids)
  const lines = [
    ...sessions.map(one => ({ time: Number(one.time), id: "", line: begun(one, main) })),
    ...partLines(rowsOf(database, PARTS, ids), new Map(messages.map(row => [row.id, row.data]))),
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

/** The line that begins a session, with what is known of a subagent. */
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
    // What happened while a tool ran stands between its call and its result.
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

function rowsOf(database: Database, query: string, sessions: ReadonlySet<string>): readonly Part[] {
  return objectsIn(database, query).flatMap(({ id, session, message, time, data }) => {
    const value = parseJson(textOf(data))
    if (!sessions.has(textOf(session)) || typeof time !== "number" || !isObject(value)) return []
    return [{ id: textOf(id), session: textOf(session), message: textOf(message), time, data: value }]
  })
}

function objectsIn(database: Database, query: string): readonly JsonObject[] {
  return database
    .query(query)
    .all()
    .filter(row => isObject(row))
}
