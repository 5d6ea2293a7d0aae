// Keeps how recordings are read as scripts, and how a playback goes on at gates, questions and ops.
import { describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Command, Op } from "../../packages/wire/src/command.ts"
import type { Outgoing } from "../../src/agent/greeting.ts"
import {
  advance,
  applyCommand,
  nextStep,
  type Playback,
  type PlaybackChange,
  playLine,
  startPlayback,
} from "../../src/scripted-agent/playback.ts"
import { readScript, recordedLines, type ScriptQuestion } from "../../src/scripted-agent/read-script.ts"
import { event, jsonl, prompt } from "../agent/ui.ts"
import { fileScratch } from "../scratch.ts"

const scratch = fileScratch()

const named = (question: ScriptQuestion | null, mark: string) => {
  if (question === null) return ""
  const { promptId, inputKind, recorded, isPrivate, isAbandoned, isRefused } = question
  const flags = [isPrivate && "private", isAbandoned && "abandoned", isRefused && "refused"].filter(Boolean)
  return [` ${mark}${promptId}`, inputKind, JSON.stringify(recorded), ...flags].join(" ")
}

/** A script, a line on each line: its gap, what is sent, its states, turn and question. */
function told(lines: readonly string[], open: readonly ScriptQuestion[] = [], endsRefused = false): string {
  const script = readScript(lines, open, endsRefused)
  const each = script.lines.map(({ message, gap, config, opens, closes, external, turn: number }) => {
    const sent = message === null || typeof message === "string" ? message : (message.event ?? message.kind)
    const marks = [config && ` [${config}]`, number !== null && ` turn ${number}`, external && " external"]
    return `${gap} ${sent}${marks.filter(Boolean).join("")}${named(opens, "+")}${named(closes, "-")}`
  })
  const { replies, hasDebugger, finishes } = script
  return [...each, JSON.stringify({ replies: replies.map(({ kind }) => kind), hasDebugger, finishes })].join("\n")
}

const QUESTIONS = await jsonl<string>("questions")

describe("a recording is read as a script", () => {
  test("with its gaps, states, turns and messages, without repeats and what is no message", async () => {
    const lines = await jsonl<string>("gaps")
    expect(told(lines)).toMatchSnapshot()
    expect(told(lines.slice(-4, -2))).toMatchSnapshot()
    const twice = ["start", "start", "request", "request", "request"].map((name, n) =>
      event(`llm/${name}`, { invokeid: "a", n }),
    )
    expect(told(twice)).toMatchSnapshot()
  })

  test("with its questions and who closes each, whether or not a refusal ends one", () => {
    expect(told(QUESTIONS)).toMatchSnapshot()
    expect(told(QUESTIONS, [], true)).toMatchSnapshot()
    const [open] = readScript([prompt("q#1")]).lines.flatMap(({ opens }) => opens ?? [])
    expect(
      told(
        [...["q#1", "r#2", "q#1"].map(id => prompt(id)), event("human-input/answer", { invokeid: "q" })],
        open && [open],
      ),
    ).toMatchSnapshot()
  })

  test("from a file, a session directory, with its last line whether or not that ends", async () => {
    const path = join(scratch, "frames.jsonl")
    writeFileSync(path, "one\n\ntwo")
    expect(await recordedLines(path)).toEqual(["one", "", "two"])
    writeFileSync(path, "one\ntwo\n")
    expect(await recordedLines(path)).toEqual(["one", "two", ""])
    expect(await recordedLines(["x"])).toEqual(["x"])
  })
})

/** A playback that goes on as far as it can after each command, and what it sends. */
class Played {
  #playback: Playback
  readonly #told: string[] = []

  constructor(lines: readonly string[], debug: boolean | "paused" = false, endsRefused = false) {
    const { playback, messages } = startPlayback(readScript(lines, [], endsRefused), debug)
    this.#playback = playback
    this.#note("start", messages)
    this.#run()
  }

  #note(what: string, messages: readonly Outgoing[]): void {
    for (const message of messages)
      this.#told.push(`${what} ${JSON.stringify(message).replace(/,?"[st][es]q?":\d+/g, "")}`)
  }

  #take(what: string, { playback, messages }: PlaybackChange): void {
    this.#playback = playback
    this.#note(what, messages)
  }

  #run(): void {
    for (let waited = 0; ; ) {
      const step = nextStep(this.#playback)
      if (step.type !== "line") return void this.#told.push(`waits: ${step.type}`)
      waited += step.gap
      const change = advance(this.#playback)
      this.#take(`${this.#playback.position}${waited === 0 ? "" : ` after ${waited}`}`, change)
      if (change.messages.length > 0) waited = 0
    }
  }

  does(...commands: readonly Command[]): this {
    for (const command of commands) {
      this.#told.push(`> ${JSON.stringify(command)}`)
      this.#take("sends", applyCommand(this.#playback, command))
      this.#run()
    }
    return this
  }

  get text(): string {
    return this.#told.join("\n")
  }
}

const op = (type: "pause" | "continue" | "arm" | "arm-llm-breakpoint" | "turn-next" | "turn-back"): Op => ({ type })

const TURNS = await jsonl<string>("turns")

describe("a playback", () => {
  test("stops at its gates, and goes on as the ops of its debugger say", () => {
    const lines = [
      ...TURNS.slice(0, 6),
      event("runner/event-processed", { "event-name": "go", "config-before": [], "config-after": ["on"] }),
      ...TURNS.slice(9),
    ]
    const played = new Played(lines, "paused").does(
      ...[{ type: "step", n: 2 } as const, op("arm"), op("continue"), op("continue"), op("continue")],
    )
    const turns = new Played(lines, "paused").does(
      ...[op("arm-llm-breakpoint"), op("pause"), op("continue"), op("turn-back"), op("turn-next"), op("turn-next")],
      { type: "rerun-from", invokeid: "a", sessionId: "s", nodeId: ":n", visit: 0, turn: 0, overrides: {} },
      ...[op("turn-back"), op("turn-next"), op("turn-next"), op("continue")],
    )
    expect(`${played.text}\n\n${turns.text}`).toMatchSnapshot()
    const [line] = readScript(TURNS).lines
    // Played while it is paused, which it was before.
    expect(line && playLine(startPlayback(readScript(lines), "paused").playback, line).messages).toHaveLength(1)
    expect(new Played(lines).does(op("pause")).text).toEndWith('> {"type":"pause"}\nwaits: over')
  })

  test("replies to requests from what it played, else with what was recorded", async () => {
    const requests = await jsonl<Command>("requests")
    const reply = (visit?: number, invokeid = "a") =>
      JSON.stringify({ kind: "conversation", invokeid, "node-id": ":n", visit, turns: [] })
    const replies = [
      ...[reply(1, "b"), reply(), reply(2), reply(1)],
      ...["x", "y"].map(one => JSON.stringify({ kind: "model-catalog", aliases: [one] })),
    ]
    const bare = ["one", "two"].map(text =>
      event("llm/request", { invokeid: "c", "session-id": "u", "user-blocks": [{ type: "text", text }] }),
    )
    const [made, recorded] = [new Played([...TURNS, ...bare]), new Played([...TURNS, ...replies])]
    const part = ({ text }: Played) => text.slice(text.indexOf("> "))
    expect(part(made.does(...requests))).toMatchSnapshot()
    expect(part(recorded.does(...requests))).toMatchSnapshot()
  })

  test("re-runs a turn that was captured, beside the recording, and says which was not", async () => {
    const reruns = await jsonl<Op>("reruns")
    const ofNoSession = event("llm/model-down", { invokeid: "a", message: "gone" })
    const played = new Played([...TURNS, ofNoSession], true).does(...reruns)
    expect(played.text.slice(played.text.indexOf("> "))).toMatchSnapshot()
    expect(new Played(TURNS).does(...reruns.slice(0, 1)).text).toEndWith("\nwaits: over")
  })

  test("waits for answers, skips the recorded ones of questions that were answered, and ends when it is quit", async () => {
    const lines = await jsonl<string>("waits")
    const say = (promptId: string, value: string): Command => ({ type: "answer", promptId, value })
    const all = [say("q#2", "b"), say("q#2", "c"), say("q#1", "a"), say("r#3", "d"), { type: "ui-interrupt" } as const]
    const rest = [say("r#4", "e"), { type: "cancel", promptId: "r#5" } as const, { type: "ui-quit" } as const]
    for (const endsRefused of [false, true])
      expect(new Played(lines, false, endsRefused).does(...all, ...rest, say("r#5", "f")).text).toMatchSnapshot()
    expect(new Played(lines).does({ type: "ui-quit" }, ...all).text).toMatchSnapshot()
    const cancel = (promptId: string): Command => ({ type: "cancel", promptId })
    expect(new Played(lines, false, true).does(...["q#2", "q#1", "r#3", "r#4"].map(cancel)).text).toMatchSnapshot()
    // The recorded answer, which tells nothing, is skipped with its pause.
    const secret = [
      event("a"),
      prompt("p#1"),
      event("human-input/answer", { invokeid: "p" }, 1500),
      event("b", {}, 1700),
    ]
    expect(new Played(secret).does(say("p#1", "mine")).text).toMatchSnapshot()
  })
})
