// Kimi Code's sessions: `sessions/wd_NAME/session_ID/agents/main/wire.jsonl`, and its subagents beside `main`. Only
// an open question and the end of a turn tell of a state. Tried with 2.1.0.
import { readFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { parseJson } from "../../packages/wire/src/json.ts"
import { countOf, objectOf, partsText, textOf } from "../guest/common/fields.ts"
import { tokensIn } from "../guest/common/token-usage.ts"
import { KIMI_TOKENS } from "../guest/kimi/kimi-session-file.ts"
import { filesBelow, readAllEnds, readEnds } from "./file-ends.ts"
import { firstText, lastText, noFacts, type SessionStore, summedUsage } from "./stored-session.ts"

export const kimiStore: SessionStore = {
  cli: "kimi",
  root: (env, home) => env.KIMI_CODE_HOME || join(home, ".kimi-code"),
  folder: "sessions",
  files: /^[^/]+\/[^/]+\/agents\/main\/wire\.jsonl$/,
  async read(file) {
    const { lines, isWhole } = await readEnds(file)
    const place = dirname(dirname(dirname(file.path)))
    const state = objectOf(parseJson(await readFile(join(place, "state.json"), "utf8").catch(() => "")))
    const all = await filesBelow(join(place, "agents"), /^[^/]+\/wire\.jsonl$/)
    const agents = all.filter(({ path }) => path !== file.path)
    const others = await readAllEnds(agents)
    const used = [...lines, ...others.lines].filter(({ type }) => type === "usage.record")
    const asked = lines.findLast(({ type }) => textOf(type).startsWith("interaction."))
    const turn = lines.findLast(({ type }) => type === "turn.prompt" || type === "turn.ended")
    const ended = turn?.type !== "turn.ended" ? "quiet" : turn.reason === "failed" ? "failed" : "ended"
    const said = lines
      .map(({ event }) => objectOf(objectOf(event).part))
      .map(({ type, text }) => (type === "text" ? textOf(text) : ""))
    const prompts = lines.flatMap(({ type, input }) => (type === "turn.prompt" ? partsText(input) : []))
    return {
      ...noFacts,
      id: textOf(state.id) || basename(place),
      directory: textOf(state.cwd) || null,
      title: textOf(state.title) || textOf(state.lastPrompt) || firstText(prompts),
      model: textOf(lines.findLast(({ type }) => type === "llm.request")?.model) || null,
      state: asked?.type === "interaction.request" ? "waiting" : ended,
      startedAt: countOf(state.createdAt),
      usage: summedUsage(
        used.map(({ usage }) => tokensIn(objectOf(usage), KIMI_TOKENS)),
        isWhole && others.isWhole,
      ),
      subagents: agents.length,
      last: lastText(said),
    }
  },
}
