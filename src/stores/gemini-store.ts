// Gemini CLI's sessions: `tmp/PROJECT/chats/session-TIME-ID.jsonl`, and its subagents in `chats/ID`; nothing tells of
// their processes. Tried with 0.61.0.
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { isObject, type JsonObject } from "../../packages/wire/src/json.ts"
import { countOf, objectOf, partsText, textOf, timeOf } from "../guest/common/fields.ts"
import { noTokens, type Tokens } from "../guest/common/token-usage.ts"
import { filesBelow, readEnds, readWhole } from "./file-ends.ts"
import { noFacts, type SessionStore, summedUsage } from "./stored-session.ts"

const KINDS = /^\{(?!"\$set").*?"type":"(user|gemini)"/

export const geminiStore: SessionStore = {
  cli: "gemini",
  root: (env, home) => join(env.GEMINI_CLI_HOME || home, ".gemini"),
  folder: "tmp",
  files: /^[^/]+\/chats\/session-[^/]*\.jsonl$/,
  async read(file) {
    const ends = await readEnds(file, KINDS)
    const { sessionId, startTime } = ends.first(line => line) ?? {}
    // A session that goes on writes another file of its id, with none of its messages.
    const isEmpty = ends.last(({ type }) => textOf(type)) === null
    const id = isEmpty ? null : (/^[\w-]+$/.exec(textOf(sessionId))?.[0] ?? null)
    const agents = id === null ? [] : await filesBelow(join(dirname(file.path), id), /^[^/]+\.jsonl$/)
    const used = (await readWhole(agents, ends, KINDS))?.flatMap(one => one.all("gemini"))
    // The last line of an id counts.
    const requests = used && new Map(used.flatMap(line => (isObject(line.tokens) ? [[textOf(line.id), line]] : [])))
    const directory = await readFile(join(dirname(dirname(file.path)), ".project_root"), "utf8").catch(() => "")
    return {
      ...noFacts,
      id,
      directory: directory.trim() || null,
      title: ends.first(({ content }) => {
        const said = partsText(content)
        return said.startsWith("<") ? null : said
      }, "user"),
      model: ends.last(({ model }) => textOf(model), "gemini"),
      startedAt: timeOf(startTime),
      usage: summedUsage(requests && [...requests.values()].map(tokensOf)),
      subagents: agents.length,
      last: ends.last(({ content }) => partsText(content), "gemini"),
    }
  },
}

function tokensOf({ tokens }: JsonObject): Tokens {
  const { input, cached, output, thoughts } = objectOf(tokens)
  const all = (countOf(output) ?? 0) + (countOf(thoughts) ?? 0)
  return { ...noTokens, input: countOf(input), cached: countOf(cached), output: all }
}
