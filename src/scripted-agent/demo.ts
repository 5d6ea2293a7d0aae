// Tells the demo with the answers that it got, and writes the files that its tools and its agent would write.
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Answer } from "../../packages/wire/src/command.ts"
import { isList, isObject, type Json, type JsonObject } from "../../packages/wire/src/json.ts"
import type { Outgoing } from "../agent/greeting.ts"
import { systemClock } from "../transport/clock.ts"

/** What the recording says where a person may answer otherwise, each in one delta (fixtures/demo-texts.ts). */
const TITLE = "Eleven minutes"
const TITLE_VALUE = "eleven-minutes"
const UNTESTED = "It has no test yet; that is being written as you read this."
const SIGNATURE = "Marit, harbour office"
const TITLES: { readonly [value: string]: string } = {
  "no-pier": "The ferry without a pier",
  official: "Report on the unavailability of timetable services on 14 March",
}

/** The file that each tool writes below `artifacts`: the last reply of its session. */
const FILES: { readonly [tool: string]: string } = { save_draft: "letter.md", publish: "report.md" }
const LOG = "escapement.log"
const LEVELS: { readonly [event: string]: string } = {
  "llm/error": "ERROR",
  "llm/retry": "WARN",
  "llm/model-down": "WARN",
  "llm/context-warning": "WARN",
}

/** The demo as one person sees it. Methods throw a file system error. */
export class DemoRun {
  readonly #replaced = new Map<string, string>()
  readonly #replies = new Map<Json | undefined, string>()

  constructor(private readonly directory: string) {
    mkdirSync(join(directory, "artifacts"), { recursive: true, mode: 0o700 })
  }

  /** Notes an answer: the messages from here on are told with it. */
  answered(answer: Answer): void {
    const value = answer.type === "cancel" ? null : answer.value
    switch (answer.promptId) {
      case "pick-title#1":
        this.#replaced.set(TITLE, TITLES[String(value)] ?? TITLE)
        this.#replaced.set(TITLE_VALUE, value === null ? TITLE_VALUE : String(value))
        break
      case "own-up#2":
        this.#replaced.set(UNTESTED, value === true ? UNTESTED : "")
        break
      case "sign#3":
        this.#replaced.set(SIGNATURE, String(value ?? "").trim() || "unsigned")
        break
    }
  }

  /** The message to send in the place of a recorded one. */
  tell(message: Outgoing): Outgoing {
    if (typeof message === "string" || message.kind !== "event" || !isObject(message.data)) return message
    const { event } = message
    const isAnswer = String(event).startsWith("human-input/")
    const data = isAnswer ? message.data : this.#retoldIn(message.data)
    if (event !== "llm/delta") this.#write(String(event), data)
    return { ...message, data }
  }

  #write(event: string, data: JsonObject): void {
    const { tool, content } = data
    if (event === "llm/response" && isList(content)) this.#replies.set(data["session-id"], textOf(content))
    const file = event === "llm/tool-result" ? FILES[String(tool)] : undefined
    if (file !== undefined)
      writeFileSync(join(this.directory, "artifacts", file), this.#replies.get(data["session-id"]) ?? "", MODE)
    const what = [data.invokeid, tool ?? data.model ?? data["event-name"], data.message ?? data.reason]
    const words = what.filter(one => typeof one === "string").join(" ")
    const line = `${new Date(systemClock.now()).toISOString()} ${LEVELS[event] ?? "INFO"} ${event} ${words}\n`
    appendFileSync(join(this.directory, LOG), line, MODE)
  }

  #retoldIn(data: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, this.#retold(value)]))
  }

  /** Replaces everything at once, since an answer may hold what stands for another. */
  #retold(value: Json): Json {
    if (typeof value === "string" && this.#replaced.size > 0) {
      const recorded = new RegExp([...this.#replaced.keys()].join("|"), "g")
      return value.replace(recorded, found => this.#replaced.get(found) ?? found)
    }
    if (isList(value)) return value.map(one => this.#retold(one))
    return isObject(value) ? this.#retoldIn(value) : value
  }
}

const MODE = { mode: 0o600 }

function textOf(content: readonly Json[]): string {
  return content.map(block => (isObject(block) && block.type === "text" ? String(block.text) : "")).join("")
}
