// The sessions of Gemini CLI, pi and Kimi Code, which tell of no process: `quiet`, unless a question is open.
// Tried with Gemini CLI 0.61.0, pi 0.73.1 and Kimi Code 2.1.0.
import { readFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { countOf, objectOf, partsText, textOf, timeOf } from "../guest/common/fields.ts"
import { besideCache, noTokens, sumOf, type Tokens } from "../guest/common/token-usage.ts"
import { type JsonObject, parseJson } from "../protocol/json.ts"
import { filesBelow, readEnds } from "./file-ends.ts"
import { noFacts, type SessionStore, type StoredUsage } from "./stored-session.ts"

/** The sum of what requests used, where all of them were read. */
function summed(requests: Iterable<Tokens>, isWhole: boolean, costs: readonly (number | null)[] = []): StoredUsage {
  const { input, cached, output } = [...requests].reduce(sumOf, noTokens)
  if (!isWhole) return noFacts.usage
  const known = costs.filter(cost => cost !== null)
  return { input, cached, output, costUsd: known.length === 0 ? null : known.reduce((a, b) => a + b) }
}

const lastOf = (texts: readonly string[]): string | null => texts.findLast(text => text !== "") ?? null
const firstOf = (texts: readonly string[]): string | null => texts.find(text => text !== "") ?? null

export const geminiStore: SessionStore = {
  cli: "gemini",
  root: (env, home) => join(env.GEMINI_CLI_HOME || home, ".gemini"),
  files: root => filesBelow(join(root, "tmp"), 2, name => /^session-.*\.jsonl$/.test(name)),
  async read(file) {
    const { lines, isWhole } = await readEnds(file)
    const said = (kind: string) => lines.filter(({ type }) => type === kind).map(({ content }) => partsText(content))
    // The last line of an id counts.
    const requests = new Map(lines.flatMap(({ id, tokens }) => (tokens === undefined ? [] : [[textOf(id), tokens]])))
    const directory = await readFile(join(dirname(dirname(file.path)), ".project_root"), "utf8").catch(() => "")
    const { sessionId, startTime } = lines[0] ?? {}
    return {
      ...noFacts,
      id: textOf(sessionId) || null,
      directory: directory.trim() || null,
      title: firstOf(said("user").filter(text => !text.startsWith("<"))),
      model: textOf(lines.findLast(({ model }) => textOf(model) !== "")?.model) || null,
      startedAt: timeOf(startTime),
      usage: summed(
        [...requests.values()].map(objectOf).map(({ input, cached, output, thoughts }) => ({
          ...noTokens,
          input: countOf(input),
          cached: countOf(cached),
          output: (countOf(output) ?? 0) + (countOf(thoughts) ?? 0),
        })),
        isWhole,
      ),
      last: lastOf(said("gemini")),
    }
  },
}

export const piStore: SessionStore = {
  cli: "pi",
  root: (env, home) => env.PI_CODING_AGENT_DIR || join(home, ".pi", "agent"),
  files: root => filesBelow(join(root, "sessions"), 1, name => name.endsWith(".jsonl")),
  async read(file) {
    const { lines, isWhole } = await readEnds(file)
    const begun = lines.find(({ type }) => type === "session") ?? {}
    const messages = lines.filter(({ type }) => type === "message").map(({ message }) => objectOf(message))
    const by = (role: string): readonly JsonObject[] => messages.filter(message => message.role === role)
    const used = by("assistant").map(({ usage }) => objectOf(usage))
    const onlyText = (message: JsonObject): string =>
      partsText(message.content)
        .replace(/\[\w+\]/g, "")
        .trim()
    return {
      ...noFacts,
      id: textOf(begun.id) || null,
      directory: textOf(begun.cwd) || null,
      title: firstOf(by("user").map(onlyText)),
      model: textOf(by("assistant").at(-1)?.model) || null,
      startedAt: timeOf(begun.timestamp),
      usage: summed(
        used.map(({ input, output, cacheRead, cacheWrite }) =>
          besideCache({
            input: countOf(input),
            cached: countOf(cacheRead),
            written: countOf(cacheWrite),
            output: countOf(output),
          }),
        ),
        isWhole,
        used.map(({ cost }) => countOf(objectOf(cost).total)),
      ),
      last: lastOf(by("assistant").map(onlyText)),
    }
  },
}

export const kimiStore: SessionStore = {
  cli: "kimi",
  root: (env, home) => env.KIMI_CODE_HOME || join(home, ".kimi-code"),
  files: async root => {
    const files = await filesBelow(join(root, "sessions"), 4, name => name === "wire.jsonl")
    return files.filter(({ path }) => basename(dirname(path)) === "main")
  },
  async read(file) {
    const { lines, isWhole } = await readEnds(file)
    const place = dirname(dirname(dirname(file.path)))
    const state = objectOf(parseJson(await readFile(join(place, "state.json"), "utf8").catch(() => "")))
    const used = lines.filter(({ type }) => type === "usage.record")
    const asked = lines.findLast(({ type }) => textOf(type).startsWith("interaction."))
    const said = lines
      .map(({ event }) => objectOf(objectOf(event).part))
      .map(({ type, text }) => (type === "text" ? textOf(text) : ""))
    return {
      ...noFacts,
      id: textOf(state.id) || basename(place),
      directory: textOf(state.cwd) || null,
      title: textOf(state.title) || textOf(state.lastPrompt) || null,
      model: textOf(lines.findLast(({ type }) => type === "llm.request")?.model) || null,
      state: asked?.type === "interaction.request" ? "waiting" : "quiet",
      startedAt: countOf(state.createdAt),
      usage: summed(
        used.map(({ usage }) => {
          const { inputOther, inputCacheRead, inputCacheCreation, output } = objectOf(usage)
          return besideCache({
            input: countOf(inputOther),
            cached: countOf(inputCacheRead),
            written: countOf(inputCacheCreation),
            output: countOf(output),
          })
        }),
        isWhole,
      ),
      last: lastOf(said),
    }
  },
}
