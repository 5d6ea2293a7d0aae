// Keeps how recordings are read as scripts, and how a playback goes on at gates, questions and ops.
import { describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Command, Op } from "../../packages/wire/src/command.ts"
import type { JsonObject } from "../../packages/wire/src/json.ts"
import type { Outgoing } from "../../src/agent/greeting.ts"
import {
  advance,
  applyCommand,
  nextStep,
  type Playback,
  type PlaybackChange,
  startPlayback,
} from "../../src/scripted-agent/playback.ts"
import { readScript, recordedLines, type ScriptQuestion } from "../../src/scripted-agent/read-script.ts"
import { event, phase, prompt } from "../agent/ui.ts"
import { fileScratch } from "../scratch.ts"

const scratch = fileScratch()

const answer = (id: string, more: object) => JSON.stringify({ kind: "answer", "prompt-id": id, ...more })
/** No two are alike, which would be repeats. */
let nextTs = 2000
const turn = (name: string, session: string | null, data: object = {}, ts = nextTs++) =>
  event(`llm/${name}`, { invokeid: "a", ...(session !== null && { "session-id": session }), ...data }, ts)
const at = (visit: number, number: number) => ({ "io/ref": `nodes/n/${visit}/turns/${number}/request.edn` })
const asked = (text: string) => ({ model: "m1", "system-preview": "Be kind.", "user-blocks": [{ type: "text", text }] })
const said = (...texts: readonly string[]) => ({ content: texts.map(text => ({ type: "text", text })) })
const processed = (name: string, after: readonly string[]) =>
  event("runner/event-processed", { "event-name": name, "config-before": [], "config-after": after })

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

const QUESTIONS = [
  ...[prompt("q#1"), prompt("q#2", "multi"), prompt("r#3", "confirm")],
  ...[answer("q#2", { value: ["x"] }), answer("r#3", { cancelled: true }), answer("s#4", { value: 1 })],
  event("human-input/answer", { invokeid: "q", answer: "told" }),
  event("human-input/answer", { invokeid: "q", answer: "other" }),
  event("human-input/answer", { invokeid: "nobody", answer: "x" }),
  ...[prompt("t#5"), event("human-input/cancelled"), event("human-input/interrupted")],
  ...[prompt("u#6"), answer("u#6", { secret: true }), event("human-input/answer", { invokeid: "u" })],
  ...[prompt("v#7"), prompt("w#8"), event("human-input/interrupted"), event("human-input/cancelled")],
  ...[answer("w#8", {}), event("human-input/validation-failed", { invokeid: "w" })],
  ...[answer("v#7", { value: 2 }), prompt("x#9"), event("human-input/validation-failed", {})],
  ...[event("human-input/cancelled"), event("human-input/cancelled", { again: true })],
]

describe("a recording is read as a script", () => {
  test("with its gaps, states, turns and messages, without repeats and what is no message", () => {
    const again = JSON.stringify({ kind: "event", seq: 5, ts: 4000, event: "app/note", data: {} })
    const lines = [
      ...["", "no json", '"a text"', JSON.stringify('{"kind":"phase","config":["in","text"]}'), "[1]", '{"kind":7}'],
      JSON.stringify({ kind: "sidecar", at: 1, what: "link", state: "open" }),
      JSON.stringify({ kind: "debug", paused: true }),
      event("runner/start-config", { config: ["first"] }, 1000),
      turn("request", "s", at(0, 0), 1500),
      ...[turn("start", "s", {}, 1500), turn("request", "s", at(0, 1), 9000), turn("request", "s", {}, 8000)],
      ...[turn("delta", "s", { type: "text-delta", text: "x" }, 8500), turn("start", null, {}, 9001)],
      JSON.stringify({ kind: "event", seq: 4, ts: 10, event: "llm/start", data: { invokeid: "b" } }),
      ...[again, again, phase("then"), processed("go", ["second"]), processed("done.invoke.x", ["third"])],
      ...[processed("error.platform", []), JSON.stringify({ kind: "progress", phase: "x", pct: 0.5 })],
      JSON.stringify({ kind: "conversation", invokeid: "a", turns: [] }),
      JSON.stringify({ kind: "model-catalog", aliases: [] }),
      JSON.stringify({ kind: "control", op: "pause" }),
      JSON.stringify({ kind: "control", op: "run-finished" }),
      event("runner/done", { "final-config": ["over"], status: "done" }),
    ]
    expect(told(lines)).toMatchSnapshot()
    expect(told(lines.slice(-4, -2))).toMatchSnapshot()
  })

  test("with its questions and who closes each, whether or not a refusal ends one", () => {
    expect(told(QUESTIONS)).toMatchSnapshot()
    expect(told(QUESTIONS, [], true)).toMatchSnapshot()
    const [open] = readScript([prompt("q#1")]).lines.flatMap(({ opens }) => opens ?? [])
    expect(told([prompt("q#1"), event("human-input/answer", { invokeid: "q" })], open && [open])).toMatchSnapshot()
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
    for (;;) {
      const step = nextStep(this.#playback)
      if (step.type !== "line") return void this.#told.push(`waits: ${step.type}`)
      this.#take(`${this.#playback.position}`, advance(this.#playback))
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

const TURNS = [
  ...[phase("run"), turn("delta", "s", { type: "text-delta", text: "before", model: "m0" }), event("app/note")],
  ...[
    turn("start", "s"),
    turn("request", "s", { ...at(0, 0), ...asked("one") }),
    turn("response", "s", said("1", "!")),
  ],
  ...[turn("start", "t"), turn("request", "t", asked("other")), turn("response", "t", {})],
  ...[turn("start", "s"), turn("request", "s", { ...at(0, 1), ...asked("two") }), turn("tool-result", "s")],
  ...[
    turn("delta", "s", { type: "text-delta", text: "2" }),
    turn("response", "s", said("2")),
    turn("worker-exit", "s"),
  ],
  ...[turn("start", "s"), turn("request", "s", { ...at(1, 0), ...asked("anew") }), processed("go", ["over"])],
  turn("request", "s", asked("again")),
  event("llm/request", { invokeid: "b", model: "m9" }),
]

describe("a playback", () => {
  test("stops at its gates, and goes on as the ops of its debugger say", () => {
    const lines = [...TURNS.slice(0, 6), processed("go", ["on"]), ...TURNS.slice(9)]
    const played = new Played(lines, "paused").does(
      ...[{ type: "step", n: 2 } as const, op("arm"), op("continue"), op("continue"), op("continue")],
    )
    const turns = new Played(lines, "paused").does(
      ...[op("arm-llm-breakpoint"), op("pause"), op("continue"), op("turn-back"), op("turn-next"), op("turn-next")],
      ...[op("turn-back"), op("turn-next"), op("turn-next"), op("continue")],
    )
    expect(`${played.text}\n\n${turns.text}`).toMatchSnapshot()
    expect(new Played(lines).does(op("pause")).text).toEndWith('> {"type":"pause"}\nwaits: over')
  })

  test("replies to requests from what it played, else with what was recorded", () => {
    const request = { type: "request-conversation", invokeid: "a" } as const
    const requests = [
      ...[request, { ...request, nodeId: ":n" }, { ...request, nodeId: ":n", visit: 1 }, { ...request, visit: 0 }],
      ...[{ ...request, nodeId: ":m" }, { ...request, invokeid: "b" }, { type: "request-model-catalog" } as const],
    ]
    const reply = (visit: number, invokeid = "a") =>
      JSON.stringify({ kind: "conversation", invokeid, "node-id": ":n", visit, turns: [] })
    const replies = [
      reply(1, "b"),
      reply(2),
      reply(1),
      ...["x", "y"].map(one => JSON.stringify({ kind: "model-catalog", aliases: [one] })),
    ]
    const [made, recorded] = [new Played(TURNS), new Played([...TURNS, ...replies])]
    const part = ({ text }: Played) => text.slice(text.indexOf("> "))
    expect(part(made.does(...requests))).toMatchSnapshot()
    expect(part(recorded.does(...requests))).toMatchSnapshot()
  })

  test("re-runs a turn that was captured, beside the recording, and says which was not", () => {
    const rerun = (number: number, overrides: JsonObject = {}, more: object = {}) =>
      ({
        ...{ type: "rerun-from", invokeid: "a", sessionId: "s", nodeId: ":n", visit: 0, turn: number, overrides },
        ...more,
      }) as Op
    const played = new Played(TURNS, true).does(
      rerun(0, { model: "m2", system: "Be brief.", messages: [{ text: "first" }, { text: "last" }] }),
      rerun(1, { alias: "fast", messages: [] }),
      ...[rerun(2), rerun(0, {}, { visit: 1 }), rerun(0, {}, { invokeid: "b" }), rerun(0, {}, { sessionId: "t" })],
      ...[op("continue"), rerun(1, { model: 3, system: 3 })],
    )
    expect(played.text.slice(played.text.indexOf("> "))).toMatchSnapshot()
    expect(new Played(TURNS).does(rerun(0)).text).toEndWith("\nwaits: over")
  })

  test("waits for answers, skips the recorded ones of questions that were answered, and ends when it is quit", () => {
    const lines = [
      ...[prompt("q#1"), event("human-input/start", { invokeid: "q" }), prompt("q#2", "multi"), event("app/after")],
      ...[answer("q#1", { value: "rec" }), event("human-input/answer", { invokeid: "q", answer: "rec" })],
      ...[event("human-input/answer", { invokeid: "q", answer: [] }), prompt("r#3"), event("app/more")],
      event("human-input/validation-failed", { invokeid: "r" }),
      ...[prompt("r#4"), event("human-input/interrupted"), prompt("r#5"), event("human-input/cancelled")],
    ]
    const say = (promptId: string, value: string): Command => ({ type: "answer", promptId, value })
    const all = [say("q#2", "b"), say("q#2", "c"), say("q#1", "a"), say("r#3", "d"), { type: "ui-interrupt" } as const]
    const rest = [say("r#4", "e"), { type: "cancel", promptId: "r#5" } as const, { type: "ui-quit" } as const]
    for (const endsRefused of [false, true])
      expect(new Played(lines, false, endsRefused).does(...all, ...rest, say("r#5", "f")).text).toMatchSnapshot()
    expect(new Played(lines).does({ type: "ui-quit" }, ...all).text).toMatchSnapshot()
  })
})
