// Writes captures: the EDN files that events name by `io/ref` (docs/contract.md section 5).
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { isList, isObject, type Json, type JsonObject } from "../../packages/wire/src/json.ts"

/** Only paths where the real agent keeps captures are written, since a recording is untrusted. */
const REF = /^nodes\/[\w-][\w.-]*\/\d{1,9}\/(?:turns\/\d{1,9}\/)?(?:tool-results\/)?[\w-][\w.-]*\.edn$/

/** Keys whose values are keywords in EDN. */
const KEYWORDS = ["type", "role", "stop-reason"]

export class CaptureWriter {
  constructor(private readonly directory: string) {}

  /** Writes what an event's `io/ref` names, once. Throws a file system error. */
  write({ event, data }: JsonObject, whole?: Json): void {
    if (!isObject(data)) return
    const ref = data["io/ref"]
    const capture = whole ?? captureIn(event, data)
    if (typeof ref !== "string" || !REF.test(ref) || capture === null) return
    const file = join(this.directory, ref)
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    if (!existsSync(file)) writeFileSync(file, `${toEdn(capture)}\n`, { mode: 0o600 })
  }
}

function captureIn(name: Json | undefined, data: JsonObject): Json | null {
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

/** JSON as EDN. Keys become keywords where possible. */
function toEdn(value: Json, key = ""): string {
  if (value === null) return "nil"
  if (typeof value === "string") return KEYWORDS.includes(key) && isName(value) ? `:${value}` : quoted(value)
  if (isList(value)) return `[${value.map(one => toEdn(one)).join(" ")}]`
  if (!isObject(value)) return String(value)
  const entries = Object.entries(value).map(
    ([name, one]) => `${isName(name) ? `:${name}` : quoted(name)} ${toEdn(one, name)}`,
  )
  return `{${entries.join(", ")}}`
}

function isName(text: string): boolean {
  return /^[A-Za-z][\w-]*$/.test(text)
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`
}
