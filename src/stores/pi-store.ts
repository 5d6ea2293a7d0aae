// pi's sessions: `sessions/--DIRECTORY--/TIME_ID.jsonl`; nothing tells of their processes. Tried with 0.73.1.
import { join } from "node:path"
import { isObject, type JsonObject } from "../../packages/wire/src/json.ts"
import { countOf, objectOf, partsText, textOf, timeOf } from "../guest/common/fields.ts"
import { tokensIn } from "../guest/common/token-usage.ts"
import { PI_TOKENS } from "../guest/pi/pi-stream.ts"
import { readEnds } from "./file-ends.ts"
import { noFacts, type SessionStore, summedUsage } from "./stored-session.ts"

const KINDS = /"type":"(session|message)"/
const messageOf = ({ message }: JsonObject): JsonObject => objectOf(message)

export const piStore: SessionStore = {
  cli: "pi",
  root: (env, home) => env.PI_CODING_AGENT_DIR || join(home, ".pi", "agent"),
  folder: "sessions",
  files: /^[^/]+\/[^/]+\.jsonl$/,
  async read(file) {
    const ends = await readEnds(file, KINDS)
    const begun = ends.first(line => line, "session") ?? {}
    const saidBy =
      (role: string) =>
      (line: JsonObject): string =>
        messageOf(line).role === role ? onlyText(messageOf(line)) : ""
    const { stopReason } = ends.last(messageOf, "message") ?? {}
    const told = ends.all("message").map(line => messageOf(line).usage)
    const usages = ends.isWhole ? told.filter(usage => isObject(usage)) : null
    return {
      ...noFacts,
      id: textOf(begun.id) || null,
      directory: textOf(begun.cwd) || null,
      title: ends.first(saidBy("user"), "message"),
      model: ends.last(line => textOf(messageOf(line).model), "message"),
      state: stopReason === "error" ? "failed" : stopReason === "stop" || stopReason === "aborted" ? "ended" : "quiet",
      startedAt: timeOf(begun.timestamp),
      usage: summedUsage(
        usages?.map(usage => tokensIn(usage, PI_TOKENS)),
        usages?.map(({ cost }) => countOf(objectOf(cost).total)),
      ),
      last: ends.last(saidBy("assistant"), "message"),
    }
  },
}

function onlyText({ content }: JsonObject): string {
  return partsText(content)
    .replace(/\[\w+\]/g, "")
    .trim()
}
