// Kimi Code's sessions: `sessions/wd_NAME/session_ID/agents/main/wire.jsonl`, and its subagents beside `main`. Only
// an open question and the end of a turn tell of a state. Tried with 2.1.0.
import { readFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { parseJson } from "../../packages/wire/src/json.ts"
import { countOf, objectOf, partsText, textOf } from "../guest/common/fields.ts"
import { tokensIn } from "../guest/common/token-usage.ts"
import { KIMI_TOKENS } from "../guest/kimi/kimi-session-file.ts"
import { filesBelow, readEnds, readWhole } from "./file-ends.ts"
import { noFacts, type SessionStore, summedUsage } from "./stored-session.ts"

const KINDS = /"type":"(turn\.prompt|turn\.ended|usage\.record|llm\.request|content\.part|interaction\.\w+)"/

export const kimiStore: SessionStore = {
  cli: "kimi",
  root: (env, home) => env.KIMI_CODE_HOME || join(home, ".kimi-code"),
  folder: "sessions",
  files: /^[^/]+\/[^/]+\/agents\/main\/wire\.jsonl$/,
  async read(file) {
    const ends = await readEnds(file, KINDS)
    const place = dirname(dirname(dirname(file.path)))
    const state = objectOf(parseJson(await readFile(join(place, "state.json"), "utf8").catch(() => "")))
    const all = await filesBelow(join(place, "agents"), /^[^/]+\/wire\.jsonl$/)
    const agents = all.filter(({ path }) => path !== file.path)
    const used = (await readWhole(agents, ends, KINDS))?.flatMap(one => one.all("usage.record"))
    const isAsked =
      ends.last(({ type }) => textOf(type), "interaction.request", "interaction.resolved") === "interaction.request"
    const turn = ends.last(line => line, "turn.prompt", "turn.ended")
    const ended = turn?.type !== "turn.ended" ? "quiet" : turn.reason === "failed" ? "failed" : "ended"
    return {
      ...noFacts,
      id: textOf(state.id) || basename(place),
      directory: textOf(state.cwd) || null,
      title:
        textOf(state.title) || textOf(state.lastPrompt) || ends.first(({ input }) => partsText(input), "turn.prompt"),
      model: ends.last(({ model }) => textOf(model), "llm.request"),
      state: isAsked ? "waiting" : ended,
      startedAt: countOf(state.createdAt),
      usage: summedUsage(used?.map(({ usage }) => tokensIn(objectOf(usage), KIMI_TOKENS))),
      subagents: agents.length,
      last: ends.last(({ event }) => {
        const { type, text } = objectOf(objectOf(event).part)
        return type === "text" ? textOf(text) : ""
      }, "content.part"),
    }
  },
}
