// pi's sessions: `sessions/--DIRECTORY--/TIME_ID.jsonl`; nothing tells of their processes. Tried with 0.73.1.
import { join } from "node:path"
import type { JsonObject } from "../../packages/wire/src/json.ts"
import { countOf, objectOf, partsText, textOf, timeOf } from "../guest/common/fields.ts"
import { tokensIn } from "../guest/common/token-usage.ts"
import { PI_TOKENS } from "../guest/pi/pi-message.ts"
import { readEnds } from "./file-ends.ts"
import { firstText, lastText, noFacts, type SessionStore, summedUsage } from "./stored-session.ts"

export const piStore: SessionStore = {
  cli: "pi",
  root: (env, home) => env.PI_CODING_AGENT_DIR || join(home, ".pi", "agent"),
  folder: "sessions",
  files: /^[^/]+\/[^/]+\.jsonl$/,
  async read(file) {
    const { lines, isWhole } = await readEnds(file)
    const begun = lines.find(({ type }) => type === "session") ?? {}
    const messages = lines.filter(({ type }) => type === "message").map(({ message }) => objectOf(message))
    const by = (role: string): readonly JsonObject[] => messages.filter(message => message.role === role)
    const used = by("assistant").map(({ usage }) => objectOf(usage))
    const { stopReason } = messages.at(-1) ?? {}
    const onlyText = (message: JsonObject): string =>
      partsText(message.content)
        .replace(/\[\w+\]/g, "")
        .trim()
    return {
      ...noFacts,
      id: textOf(begun.id) || null,
      directory: textOf(begun.cwd) || null,
      title: firstText(by("user").map(onlyText)),
      model: textOf(by("assistant").at(-1)?.model) || null,
      state: stopReason === "error" ? "failed" : stopReason === "stop" || stopReason === "aborted" ? "ended" : "quiet",
      startedAt: timeOf(begun.timestamp),
      usage: summedUsage(
        used.map(usage => tokensIn(usage, PI_TOKENS)),
        isWhole,
        used.map(({ cost }) => countOf(objectOf(cost).total)),
      ),
      last: lastText(by("assistant").map(onlyText)),
    }
  },
}
