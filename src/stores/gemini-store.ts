// Gemini CLI's sessions: `tmp/PROJECT/chats/session-TIME-ID.jsonl`, and its subagents in `chats/ID`; nothing tells of
// their processes. Tried with 0.61.0.
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { countOf, objectOf, partsText, textOf, timeOf } from "../guest/common/fields.ts"
import { noTokens } from "../guest/common/token-usage.ts"
import { filesBelow, readAllEnds, readEnds } from "./file-ends.ts"
import { firstText, lastText, noFacts, type SessionStore, summedUsage } from "./stored-session.ts"

export const geminiStore: SessionStore = {
  cli: "gemini",
  root: (env, home) => join(env.GEMINI_CLI_HOME || home, ".gemini"),
  folder: "tmp",
  files: /^[^/]+\/chats\/session-[^/]*\.jsonl$/,
  async read(file) {
    const { lines, isWhole } = await readEnds(file)
    const said = (kind: string) => lines.filter(({ type }) => type === kind).map(({ content }) => partsText(content))
    // The last line of an id counts.
    const { sessionId, startTime } = lines[0] ?? {}
    // A session that goes on writes another file of its id, with none of its messages.
    const isEmpty = !lines.some(({ type }) => type !== undefined)
    const id = isEmpty ? null : (/^[\w-]+$/.exec(textOf(sessionId))?.[0] ?? null)
    const agents = id === null ? [] : await filesBelow(join(dirname(file.path), id), /^[^/]+\.jsonl$/)
    const others = await readAllEnds(agents)
    const all = [...lines, ...others.lines]
    const requests = new Map(all.flatMap(({ id, tokens }) => (tokens === undefined ? [] : [[textOf(id), tokens]])))
    const directory = await readFile(join(dirname(dirname(file.path)), ".project_root"), "utf8").catch(() => "")
    return {
      ...noFacts,
      id,
      directory: directory.trim() || null,
      title: firstText(said("user").filter(text => !text.startsWith("<"))),
      model: textOf(lines.findLast(({ model }) => textOf(model) !== "")?.model) || null,
      startedAt: timeOf(startTime),
      usage: summedUsage(
        [...requests.values()].map(objectOf).map(({ input, cached, output, thoughts }) => ({
          ...noTokens,
          input: countOf(input),
          cached: countOf(cached),
          output: (countOf(output) ?? 0) + (countOf(thoughts) ?? 0),
        })),
        isWhole && others.isWhole,
      ),
      subagents: agents.length,
      last: lastText(said("gemini")),
    }
  },
}
