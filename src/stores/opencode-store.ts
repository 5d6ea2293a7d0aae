// opencode's sessions: all of them in one database, `opencode.db`, each with those that it started. Nothing tells of
// their processes: a question, a reply and a killed process leave the same rows. Tried with 1.18.33.
import { join } from "node:path"
import { type JsonObject, parseJson } from "../../packages/wire/src/json.ts"
import { countOf, objectOf, textOf } from "../guest/common/fields.ts"
import { tokensIn } from "../guest/common/token-usage.ts"
import { databaseStamp, objectsIn, readCopy } from "../guest/opencode-database.ts"
import {
  noFacts,
  noStoredUsage,
  type SessionStore,
  type StoredFacts,
  type StoredFile,
  type ToldState,
} from "./stored-session.ts"

/** For each session that no other has started: the usage of its whole tree, and its latest message and text. */
const SESSIONS = `WITH RECURSIVE tree(root, id, depth) AS (
    SELECT id, id, 0 FROM session WHERE parent_id IS NULL
    UNION SELECT root, session.id, depth + 1 FROM session JOIN tree ON session.parent_id = tree.id WHERE depth < 16),
  used AS (SELECT root, max(message.time_updated) AS changedAt, sum(length(data)) AS size,
      sum(data ->> '$.tokens.input') AS input, sum(data ->> '$.tokens.cache.read') AS cached,
      sum(data ->> '$.tokens.cache.write') AS written, sum(data ->> '$.cost') AS cost,
      sum(data ->> '$.tokens.output') + sum(data ->> '$.tokens.reasoning') AS output
    FROM tree JOIN message ON message.session_id = tree.id WHERE json_valid(data) GROUP BY root)
  SELECT session.id, directory, title, time_created AS startedAt, used.*,
    (SELECT count(*) - 1 FROM tree WHERE root = session.id) AS agents,
    (SELECT data FROM message WHERE session_id = session.id ORDER BY time_created DESC, id DESC LIMIT 1) AS latest,
    (SELECT part.data FROM message JOIN part ON part.message_id = message.id
      WHERE message.session_id = session.id AND json_valid(part.data) AND json_valid(message.data)
        AND message.data ->> '$.role' = 'assistant' AND part.data ->> '$.type' = 'text' AND part.data ->> '$.text' <> ''
      ORDER BY message.time_created DESC, part.id DESC LIMIT 1) AS said
  FROM session JOIN used ON used.root = session.id`

class OpencodeStore implements SessionStore {
  readonly cli = "opencode"
  readonly folder = ""
  readonly files = /^opencode\.db(?:-wal)?$/
  #stamp = ""
  #sessions: readonly StoredFile[] = []

  root(env: { readonly [name: string]: string | undefined }, home: string): string {
    return join(env.XDG_DATA_HOME || join(home, ".local", "share"), "opencode")
  }

  async list(root: string): Promise<readonly StoredFile[]> {
    const path = join(root, "opencode.db")
    try {
      const stamp = `${path} ${databaseStamp(path)}`
      if (stamp !== this.#stamp) {
        const { read } = await readCopy(path, copy => objectsIn(copy, SESSIONS).map(row => sessionOf(row, path)))
        this.#sessions = read
        this.#stamp = stamp
      }
      return this.#sessions
    } catch {
      return []
    }
  }

  async read({ told }: StoredFile): Promise<StoredFacts> {
    return told ?? noFacts
  }
}

export const opencodeStore: SessionStore = new OpencodeStore()

function sessionOf(row: JsonObject, path: string): StoredFile {
  const id = textOf(row.id)
  const [latest, said] = [objectOf(parseJson(textOf(row.latest))), objectOf(parseJson(textOf(row.said)))]
  const { input, cached, output } = tokensIn(row, ["input", "cached", "written", "output"])
  // Until a reply is complete, opencode writes 0.
  const isKnown = Boolean(input || output)
  const told = {
    ...noFacts,
    id,
    directory: textOf(row.directory) || null,
    title: textOf(row.title) || null,
    model: textOf(latest.modelID) || textOf(objectOf(latest.model).modelID) || null,
    state: stateOf(latest),
    startedAt: countOf(row.startedAt),
    last: textOf(said.text) || null,
    usage: isKnown ? { input, cached, output, costUsd: countOf(row.cost) } : noStoredUsage,
    subagents: countOf(row.agents) ?? 0,
  }
  // Its messages tell more than the file, which has all sessions.
  return { path: `${path}/${id}`, inode: 0, size: countOf(row.size) ?? 0, changedAt: countOf(row.changedAt) ?? 0, told }
}

/** A reply that is not complete goes on, asks, or was killed. */
function stateOf({ role, time, error, finish }: JsonObject): ToldState {
  if (error !== undefined) return objectOf(error).name === "MessageAbortedError" ? "ended" : "failed"
  const isOver = role === "assistant" && finish !== "tool-calls" && objectOf(time).completed !== undefined
  return isOver ? "ended" : "quiet"
}
