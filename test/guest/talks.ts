// Plays the conversations of fixtures/talks, and keeps what a person sees and an agent hears, step by step.
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Op } from "../../packages/wire/src/command.ts"
import { isObject, type JsonObject, parseJson } from "../../packages/wire/src/json.ts"
import { startTalk } from "../../src/guest/choose-talk.ts"
import type { TalkWriter } from "../../src/guest/talk-writer.ts"
import type { Run } from "../../src/run/model/run.ts"
import { root } from "../fixtures.ts"
import { FrameDrawing } from "./drawn-frames.ts"
import { runFrom } from "./reading.ts"

/** One conversation: each step gives the frames to fold and, behind `→`, the lines to send. */
export class Played {
  readonly #wire: string[] = []
  readonly #drawing = new FrameDrawing()
  readonly #talk: TalkWriter
  /** The requests of ours that wait for a reply, and the ids of the open questions. */
  #requests: JsonObject[] = []
  #questions: string[] = []

  constructor(protocol: "acp" | "claude", options: JsonObject) {
    this.#talk = startTalk(protocol, { name: "agent", cwd: "/work", prompt: null, once: false, asks: true, ...options })
  }

  /** The run that the frames so far fold to. */
  get run(): Run {
    return runFrom(this.#wire)
  }

  /** Takes steps; returns what they let the agent hear. */
  play(...lines: readonly string[]): readonly JsonObject[] {
    return lines
      .flatMap(line => this.step(line))
      .flatMap(line => (line.startsWith("  → ") ? [objectOf(parseJson(line.slice(4)))] : []))
  }

  step(line: string): readonly string[] {
    const frames = this.#framesOf(line)
    for (const frame of frames) this.#note(parseJson(frame))
    this.#wire.push(...frames.filter(frame => frame.startsWith("{")))
    const said = this.#talk.takeSaid()
    for (const sent of said) {
      const value = parseJson(sent)
      if (!isObject(value) || sent.includes("\n")) throw new Error(`not a line of JSON: ${sent}`)
      if (value.method !== undefined) this.#requests.push(value)
    }
    const drawn = frames.map(frame => (frame.startsWith("{") ? this.#drawing.draw(frame).join(" ") : frame))
    return [...drawn, ...said.map(sent => `→ ${sent}`), ...(this.#talk.isOver ? ["is over"] : [])].map(
      one => `  ${one}`,
    )
  }

  #framesOf(line: string): readonly string[] {
    const [, verb = "", rest = ""] = /^(\S+) ?(.*)$/s.exec(line) ?? []
    const [, id = "", body = ""] = /^(\S+) (.*)$/.exec(rest) ?? []
    const json = parseJson(body)
    switch (verb.replace(/@.*/, "")) {
      case "acp":
      case "claude":
        return this.#talk.begin(0)
      case "agent":
        return this.#says(rest)
      case "stderr":
        return this.#talk.write([{ stream: "stderr", text: rest, ts: 1 }])
      case "update": {
        const sessionId = /@(.*)/.exec(verb)?.[1] ?? "s1"
        return this.#says({ method: "session/update", params: { sessionId, update: parseJson(rest) } })
      }
      case "asks":
      case "form": {
        const method = verb === "asks" ? "session/request_permission" : "elicitation/create"
        return this.#says({ id: parseJson(id), method, params: { sessionId: "s1", ...objectOf(json) } })
      }
      case "control":
        return this.#says({ type: "control_request", request_id: id, request: json })
      case "response":
        return this.#says({
          type: "control_response",
          response: { subtype: "success", request_id: id, response: json },
        })
      case "refused":
        return this.#says({ type: "control_response", response: { subtype: "error", request_id: id, error: body } })
      case "reply":
      case "fail": {
        const request = this.#requests.findLast(({ method }) => method === id)
        this.#requests = this.#requests.filter(one => one !== request)
        return this.#says({ id: request?.id ?? "none", [verb === "reply" ? "result" : "error"]: json })
      }
      case "answer":
        return this.#commanded({
          type: "answer",
          promptId: this.#questions.at(-1) ?? "",
          value: parseJson(rest) ?? null,
        })
      case "cancel":
        return this.#commanded({ type: "cancel", promptId: this.#questions.at(-1) ?? "" })
      case "do":
        return this.#commanded(parseJson(rest) as unknown as Op)
      case "leave":
        return this.#talk.leave(3)
      case "gives":
        return this.#talk.giveUp(4, 30_000) ?? ["it has said enough"]
      case "killed":
        return this.#talk.end({ code: null, signal: "SIGKILL" }, 4)
      case "ends":
        return this.#talk.end({ code: Number(rest), signal: null }, 4)
      default:
        return [`NO STEP ${line}`]
    }
  }

  #says(line: string | object): readonly string[] {
    const text = typeof line === "string" ? line : JSON.stringify(line)
    return this.#talk.write([{ stream: "stdout", text, ts: 1 }])
  }

  #commanded(command: Parameters<TalkWriter["command"]>[0]): readonly string[] {
    return this.#talk.command(command, 2) ?? ["can't be done"]
  }

  /** The questions that are open after a frame; the end of one is its session's. */
  #note(frame: unknown): void {
    if (!isObject(frame as never)) return
    const { kind, event, data, "prompt-id": id } = frame as JsonObject
    if (kind === "prompt") this.#questions = [...this.#questions.filter(one => one !== id), `${id}`]
    const { invokeid } = objectOf(data)
    if (/^human-input\/(answer|cancelled|interrupted)$/.test(`${event}`))
      this.#questions = this.#questions.filter(one => one.replace(/#.*/, "") !== invokeid)
  }
}

const objectOf = (value: unknown): JsonObject => (isObject(value as never) ? (value as JsonObject) : {})

/** Tests that keep conversations, by the names of their files. */
export function keepTalks(...names: readonly string[]): void {
  test.each(names)("%s", name => {
    const steps = readFileSync(join(root, `fixtures/talks/${name}.txt`), "utf8")
      .trimEnd()
      .split("\n")
    let played: Played | null = null
    const lines = steps.flatMap(step => {
      const [, protocol, options = ""] = /^(acp|claude) (.*)$/.exec(step) ?? []
      if (protocol !== undefined) played = new Played(protocol as "acp" | "claude", objectOf(parseJson(options)))
      return [step, ...(played?.step(step) ?? [])]
    })
    expect(lines.join("\n")).toMatchSnapshot()
  })
}
