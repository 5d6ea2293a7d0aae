// Writes the captures of the scripted agent: the EDN files that its rows name by `io/ref` (docs/contract.md section 5).
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { isList, isObject, type Json, type JsonObject } from "../protocol/json.ts"

/** A recording is somebody else's: what it names is written only where the real agent keeps captures. */
const REF = /^nodes\/[\w-][\w.-]*\/\d{1,9}\/(?:turns\/\d{1,9}\/)?(?:tool-results\/)?[\w-][\w.-]*\.edn$/

/** Keys whose texts are keywords in EDN. */
const KEYWORDS = ["type", "role", "stop-reason"]

/** The captures of one session directory. */
export class CaptureWriter {
  /** `snippets`: characters to which a row's texts are cut once the whole is captured; null leaves them. */
  constructor(
    private readonly directory: string,
    private readonly snippets: number | null,
  ) {}

  /**
   * Captures what an event tells, where it names its file, and gives the event as it goes out. The first of a turn is
   * kept: what is tried again is not captured. Throws the error of the file system where it cannot be written.
   */
  take(event: JsonObject): JsonObject {
    const { data } = event
    if (!isObject(data)) return event
    const ref = data["io/ref"]
    const whole = captureOf(event.event, data)
    if (typeof ref !== "string" || !REF.test(ref) || whole === null) return event
    const file = join(this.directory, ref)
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    if (!existsSync(file)) writeFileSync(file, `${edn(whole)}\n`, { mode: 0o600 })
    return this.snippets === null ? event : { ...event, data: cutTexts(data, this.snippets) }
  }
}

function captureOf(name: Json | undefined, data: JsonObject): Json | null {
  switch (name) {
    case "llm/request": {
      const { model = null, "system-preview": system = null, "user-blocks": content = [] } = data
      return { model, system, messages: [{ role: "user", content }] }
    }
    case "llm/response":
      return { content: data.content ?? [], "stop-reason": data["stop-reason"] ?? null }
    case "llm/tool-result":
      return data["content-preview"] ?? null
    default:
      return null
  }
}

/** Data as EDN: keys are keywords where they can be. */
function edn(value: Json, key = ""): string {
  if (value === null) return "nil"
  if (typeof value === "string") return KEYWORDS.includes(key) && isName(value) ? `:${value}` : quoted(value)
  if (isList(value)) return `[${value.map(one => edn(one)).join(" ")}]`
  if (!isObject(value)) return String(value)
  const entries = Object.entries(value)
  return `{${entries.map(([name, one]) => `${isName(name) ? `:${name}` : quoted(name)} ${edn(one, name)}`).join(", ")}}`
}

function isName(text: string): boolean {
  return /^[A-Za-z][\w-]*$/.test(text)
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`
}

/** The data with its long texts cut, as the agent does; what says where the whole is stays. */
function cutTexts(data: JsonObject, most: number): JsonObject {
  const cut = (value: Json): Json => {
    if (typeof value === "string") return value.length > most ? `${value.slice(0, most - 1)}…` : value
    if (isList(value)) return value.map(cut)
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cut(one)])) : value
  }
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, SPOKEN.includes(name) ? cut(value) : value]),
  )
}

const SPOKEN = ["system-preview", "user-blocks", "content", "content-preview"]
