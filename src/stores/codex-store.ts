// Codex' sessions: `sessions/Y/M/D/rollout-TIME-ID.jsonl`, with a lock while one runs. Tried with 0.169.0 and 0.110.0.
import { basename, join } from "node:path"
import { isObject, type JsonObject } from "../../packages/wire/src/json.ts"
import { countOf, objectOf, partsText, textOf, timeOf } from "../guest/common/fields.ts"
import { type FileEnds, filesBelow, readEnds } from "./file-ends.ts"
import { lockedFiles, lockHolder } from "./process-state.ts"
import { noFacts, type SessionStore, type StoredFacts, type StoredUsage, type ToldState } from "./stored-session.ts"

const KINDS = new RegExp(
  `"type":"(${[
    ...["session_meta", "turn_context", "task_started", "task_complete", "turn_aborted", "token_count"],
    ...["token_usage_record", "UserMessage", "user_message", "AgentMessage", "agent_message"],
  ].join("|")})"`,
)

export const codexStore: SessionStore = {
  cli: "codex",
  root: (env, home) => env.CODEX_HOME || join(home, ".codex"),
  folder: "sessions",
  files: /^[^/]+\/[^/]+\/[^/]+\/rollout-[^/]*\.jsonl(?:\.zst)?$/,
  processes: "thread-writer-locks",
  async running(root) {
    const locks = await filesBelow(join(root, "thread-writer-locks"), /^[^/]+\.lock$/)
    const held = await lockedFiles(locks)
    // Whether it works or not is told by its turns.
    return new Map(held.map(({ path }) => [basename(path, ".lock"), "idle"]))
  },
  process: (root, id) => lockHolder(join(root, "thread-writer-locks", `${id}.lock`)),
  resume: id => ["codex", "resume", id],
  async read(file) {
    const ends = await readEnds(file, KINDS)
    const facts = factsOf(ends)
    const { id, directory, branch, title, model, startedAt, parent } = facts
    return ends.hasEnd ? facts : { ...noFacts, id, directory, branch, title, model, startedAt, parent }
  },
}

const payloadOf = (line: JsonObject): JsonObject => objectOf(line.payload)

function factsOf(ends: FileEnds): StoredFacts {
  const meta = objectOf(ends.first(payloadOf, "session_meta") ?? {})
  const spawned = objectOf(objectOf(objectOf(meta.source).subagent).thread_spawn)
  return {
    ...noFacts,
    id: textOf(meta.id) || null,
    directory: textOf(meta.cwd) || null,
    branch: textOf(objectOf(meta.git).branch) || null,
    // Older versions tell each message as an event of its own.
    title: ends.first(saidIn, "UserMessage", "user_message"),
    state: stateOf(ends),
    model: ends.last(line => textOf(payloadOf(line).model), "turn_context"),
    startedAt: timeOf(meta.timestamp),
    usage: usageOf(ends),
    context: contextOf(ends),
    last: ends.last(saidIn, "AgentMessage", "agent_message"),
    parent: textOf(meta.parent_thread_id) || textOf(spawned.parent_thread_id) || null,
  }
}

function saidIn(line: JsonObject): string {
  const { item, message } = payloadOf(line)
  return textOf(message) || partsText(objectOf(item).content)
}

const infoOf = (line: JsonObject): JsonObject | null => {
  const { info } = payloadOf(line)
  return isObject(info) ? info : null
}

/** The latest sum of the thread that a request has told. */
function usageOf(ends: FileEnds): StoredUsage {
  const told = ends.last(line => payloadOf(line).thread_token_usage, "token_usage_record")
  const sum = objectOf(told ?? ends.last(infoOf, "token_count")?.total_token_usage)
  return {
    input: countOf(sum.input_tokens),
    cached: countOf(sum.cached_input_tokens),
    output: countOf(sum.output_tokens),
    costUsd: null,
  }
}

function contextOf(ends: FileEnds): number | null {
  const { last_token_usage, model_context_window } = ends.last(infoOf, "token_count") ?? {}
  const [used, window] = [countOf(objectOf(last_token_usage).total_tokens), countOf(model_context_window)]
  return used === null || window === null || window === 0 ? null : used / window
}

/** A turn that began and did not end looks the same while it asks a person. */
function stateOf(ends: FileEnds): ToldState {
  const last = ends.last(payloadOf, "task_started", "task_complete", "turn_aborted")
  if (last === null) return "quiet"
  if (last.type === "task_started") return "working"
  return isObject(last.error) ? "failed" : "ended"
}
