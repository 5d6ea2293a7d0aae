// Reads what a rollout of Codex goes on from. A rewind begins a new file of the same thread, a fork one of another, and
// each says at which line of which file it goes on. Tried with 0.169.0.
import { basename, dirname, join } from "node:path"
import type { LineReader } from "../../packages/wire/src/files/file-reader.ts"
import { logHead, openLines, plainName } from "./saved-log.ts"

/** A rollout, with its thread's id and, after a rewind, its own. */
const ROLLOUT = /^rollout-.{19}-([\da-f-]{36})(?:_[\da-f-]{36})?\.jsonl$/
const STORE = /^(.*)[\\/]\d{4}[\\/]\d\d[\\/]\d\d[\\/][^\\/]*$/
const BASE = /"history_base":\{"thread_id":"([\da-f-]{36})","end_ordinal_exclusive":(\d+)/
const ORDINAL = /^\{"timestamp":"[^"]*","ordinal":(\d+),"type":"(\w+)"/
const PROMPT = /"type":"item_completed",.*"item":\{"type":"UserMessage"/
/** The most files that one goes on from. */
const MAX_BASES = 64

/** The id of the thread that a file of this name is of; null if it is no rollout. */
export function threadOf(name: string): string | null {
  return ROLLOUT.exec(name)?.[1] ?? null
}

/**
 * The lines before those of a rollout, oldest first. Its own first line, which names the thread, precedes them; a line
 * that says how many prompts a rewind left follows those. What is unpacked has no name in `directory`. Rejects with a
 * file system error.
 */
export async function* linesBefore(path: string, directory: string): AsyncGenerator<readonly string[]> {
  const log = plainName(path)
  const thread = threadOf(basename(log))
  const [head = ""] = thread === null ? [] : logHead(log)
  const ends = new Map<string, number>()
  let end = Infinity
  for (let base = thread && baseOf(log); base && ends.size < MAX_BASES; base = baseOf(base.path)) {
    // Damaged rollouts may continue each other.
    if (base.path === log || ends.has(base.path)) break
    end = Math.min(end, base.end)
    ends.set(base.path, end)
  }
  if (ends.size === 0) return
  yield [head]
  const own = rolloutsOf(log, `${thread}*`).filter(path => basename(path) < basename(log))
  const paths = [...new Set([...own, ...ends.keys()])].sort((a, b) => (basename(a) < basename(b) ? -1 : 1))
  for (const path of paths) {
    yield* linesOf(await openLines(path, directory), ends.get(path) ?? 0, own.includes(path))
  }
}

/** The lines before the one with the number `end`; those after it too, if they are a branch. */
async function* linesOf(reader: LineReader, end: number, isBranch: boolean): AsyncGenerator<readonly string[]> {
  let left = 0
  try {
    for (let lines = await reader.next(); lines !== null; lines = await reader.next()) {
      const read: string[] = []
      for (const line of lines) {
        const text = typeof line === "string" ? line : line.head
        const [, ordinal = "0", type] = ORDINAL.exec(text) ?? []
        if (type === "session_meta") continue
        if (Number(ordinal) >= end && !isBranch) return yield read
        if (Number(ordinal) >= end && PROMPT.test(text)) left++
        read.push(text)
      }
      yield read
    }
    const payload = { type: "thread_rolled_back", num_turns: left }
    if (isBranch) yield [JSON.stringify({ type: "event_msg", payload })]
  } finally {
    await reader.close()
  }
}

/** The file that a rollout goes on from, and the number of the first line there that it does not. */
function baseOf(log: string): { readonly path: string; readonly end: number } | null {
  const [, id = "", end] = BASE.exec(logHead(log)[0] ?? "") ?? []
  const [path] = id === "" ? [] : rolloutsOf(log, id)
  return path === undefined ? null : { path, end: Number(end) }
}

/** The rollouts whose names end with `end`, a pattern, of all days if the log is in the store. */
function rolloutsOf(log: string, end: string): readonly string[] {
  const [, store] = STORE.exec(log) ?? []
  const [root, days] = store === undefined ? [dirname(log), ""] : [store, "*/*/*/"]
  const found = new Bun.Glob(`${days}rollout-*${end}{.jsonl,.jsonl.zst}`).scanSync(root)
  return [...found].map(path => join(root, plainName(path)))
}
