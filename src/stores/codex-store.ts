// Codex' sessions: `sessions/Y/M/D/rollout-TIME-ID.jsonl`, with a lock while one runs. Tried with 0.169.0 and 0.110.0.
import { basename, join } from "node:path"
import { isObject, type JsonObject } from "../../packages/wire/src/json.ts"
import { countOf, objectOf, partsText, textOf, timeOf } from "../guest/common/fields.ts"
import { filesBelow, readEnds } from "./file-ends.ts"
import { lockedFiles, lockHolder } from "./process-state.ts"
import {
  firstText,
  lastText,
  noFacts,
  type SessionStore,
  type StoredFacts,
  type StoredUsage,
  type ToldState,
} from "./stored-session.ts"

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
    const { lines, hasEnd } = await readEnds(file)
    const facts = factsOf(lines)
    const { id, directory, branch, title, model, startedAt, parent } = facts
    return hasEnd ? facts : { ...noFacts, id, directory, branch, title, model, startedAt, parent }
  },
}

function factsOf(lines: readonly JsonObject[]): StoredFacts {
  const payloads = lines.map(({ type, payload }) => ({ type: textOf(type), payload: objectOf(payload) }))
  const meta = payloads.find(({ type }) => type === "session_meta")?.payload ?? {}
  // Older versions tell each message as an event of its own.
  const said = (kind: string, older: string) =>
    payloads.map(({ payload: { type, item, message } }) => {
      const { type: itemType, content } = objectOf(item)
      return type === older ? textOf(message) : itemType === kind ? partsText(content) : ""
    })
  const spawned = objectOf(objectOf(objectOf(meta.source).subagent).thread_spawn)
  return {
    ...noFacts,
    id: textOf(meta.id) || null,
    directory: textOf(meta.cwd) || null,
    branch: textOf(objectOf(meta.git).branch) || null,
    title: firstText(said("UserMessage", "user_message")),
    state: stateOf(lines),
    model: payloads.findLast(({ type }) => type === "turn_context")?.payload.model?.toString() ?? null,
    startedAt: timeOf(meta.timestamp),
    usage: usageOf(payloads.map(({ payload }) => payload)),
    context: contextOf(payloads.map(({ payload }) => payload)),
    last: lastText(said("AgentMessage", "agent_message")),
    parent: textOf(meta.parent_thread_id) || textOf(spawned.parent_thread_id) || null,
  }
}

/** The latest sum of the thread that a request has told. */
function usageOf(payloads: readonly JsonObject[]): StoredUsage {
  const told = payloads.findLast(({ thread_token_usage }) => isObject(thread_token_usage))
  const counted = payloads.findLast(({ type, info }) => type === "token_count" && isObject(info))
  const sum = objectOf(told?.thread_token_usage ?? objectOf(counted?.info).total_token_usage)
  return {
    input: countOf(sum.input_tokens),
    cached: countOf(sum.cached_input_tokens),
    output: countOf(sum.output_tokens),
    costUsd: null,
  }
}

function contextOf(payloads: readonly JsonObject[]): number | null {
  const { last_token_usage, model_context_window } = objectOf(payloads.findLast(({ info }) => isObject(info))?.info)
  const [used, window] = [countOf(objectOf(last_token_usage).total_tokens), countOf(model_context_window)]
  return used === null || window === null || window === 0 ? null : used / window
}

/** A turn that began and did not end looks the same while it asks a person. */
function stateOf(lines: readonly JsonObject[]): ToldState {
  const turns = lines.map(({ payload }) => objectOf(payload)).filter(({ type }) => /^t(ask|urn)_/.test(textOf(type)))
  const last = turns.at(-1)
  if (last === undefined) return "quiet"
  if (last.type === "task_started") return "working"
  return isObject(last.error) ? "failed" : "ended"
}
