// Keeps what each call of the agent's library and each command of a person send, and what the session directory has.
import { describe, expect, test } from "bun:test"
import { getEventListeners } from "node:events"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import type { Json, JsonObject } from "../../packages/wire/src/json.ts"
import { Agent, type AgentOptions } from "../../src/agent/agent.ts"
import { mergeDeltas } from "../../src/agent/coalesce.ts"
import { applyOp, haltBefore, initialDebugger } from "../../src/agent/debugger.ts"
import type { Question } from "../../src/agent/questions.ts"
import { fileScratch } from "../scratch.ts"
import { opened } from "../screen/open-screens.ts"
import { ManualClock } from "../transport/manual-clock.ts"
import { jsonl } from "./ui.ts"

/** What an agent is asked to do, and what it sends from then on. */
class Stage {
  readonly clock = new ManualClock()
  readonly directory = join(fileScratch(), "run-1")
  readonly lines: string[] = []
  agent!: Agent

  static async open(options: Partial<AgentOptions> = {}): Promise<Stage> {
    const stage = new Stage()
    const told = { chart: "poem", sessionDir: stage.directory, token: null, ...options }
    const outbound = ({ line }: { line: string | Uint8Array }): void => {
      // All times begin with the same ten digits.
      stage.lines.push(`${line}`.replace(/"ts":17000000(\d+)/g, '"ts":$1'))
    }
    stage.agent = await Agent.open(told, { clock: stage.clock, outbound })
    opened(() => stage.agent.close())
    return stage
  }

  /** Does something, and lets what waits for it go on. */
  async does(what: string, run: () => unknown): Promise<void> {
    this.lines.push(`# ${what}`)
    this.clock.advance(7)
    try {
      const result = run()
      if (result !== undefined && !(result instanceof Promise)) this.lines.push(`= ${JSON.stringify(result)}`)
      if (result instanceof Promise) this.#follow(result)
    } catch (error) {
      this.lines.push(`threw ${error}`)
    }
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }

  async hears(message: Json): Promise<void> {
    await this.does(`heard ${JSON.stringify(message)}`, () => this.agent.wire.receive(JSON.stringify(message)))
  }

  #follow(result: Promise<unknown>): void {
    result.then(
      value => void this.lines.push(`resolved with ${JSON.stringify(value)}`),
      error => void this.lines.push(`rejected with ${error}`),
    )
  }

  get text(): string {
    return this.lines.join("\n")
  }

  /** What a client that comes now is told first. */
  greeting(): string {
    return this.agent.wire.greeting
      .lines()
      .map(
        line =>
          /"kind":"(\w+)"(?:.*"(?:event|prompt-id)":"([^"]+)")?/.exec(line)?.slice(1).filter(Boolean).join(" ") ?? line,
      )
      .join(", ")
  }

  /** All that the session directory has, and who may do what with it. */
  files(): string {
    const names = ["", ...readdirSync(this.directory, { recursive: true, encoding: "utf8" })].sort()
    const shown = names.map(name => {
      const path = join(this.directory, name)
      const stat = statSync(path)
      const text = stat.isFile() ? readFileSync(path, "utf8").replace(/"ts":17000000(\d+)/g, '"ts":$1') : ""
      return `${name} ${(stat.mode & 0o777).toString(8)}\n${text}`
    })
    return shown.join("\n")
  }
}

test("a session", async () => {
  const stage = await Stage.open()
  const { agent } = stage
  const poet = agent.session("poet", { model: "rhymes-1", provider: "acme" })
  await stage.does("begin", () =>
    poet.begin({ user: "Write.", system: "Be brief.", messages: ["assistant", "user"].map(role => ({ role })) }),
  )
  await stage.does("thinking", () => poet.thinking("Sea?"))
  await stage.does("thinking more", () => poet.thinking(" Yes.", 2))
  await stage.does("a blank line of thinking, and no tokens yet", () => poet.thinking("\n", 0))
  await stage.does("deltas, of which the first is empty", () => void ["", "O "].map(one => poet.delta(one)))
  await stage.does("delta more", () => poet.delta("sea", 5))
  await stage.does("tool", () => poet.tool("rhyme", { word: "sea" }))
  await stage.does("tool with an id", () => poet.tool("count", undefined, "my/id"))
  await stage.does("delta after a call", () => poet.delta("!"))
  await stage.does("end", () =>
    poet.end({ usage: { inputTokens: 3, outputTokens: 2, cachedTokens: 1 }, stopReason: "tool_use" }),
  )
  await stage.does("a failed result", () => poet.result("my/id", "no such tool", true))
  await stage.does("a second result of it", () => poet.result("my/id", "late"))
  await stage.does("a result without a call", () => poet.result("other", undefined))
  await stage.does("a result of a call that no file can be named by", () => poet.result(".x", ""))
  await stage.does("a turn by itself", () => poet.delta("More."))
  await stage.does("a result of the turn before", () => poet.result("call-1-3", { rhymes: ["tree"] }))
  await stage.does("retry", () => poet.retry(1))
  await stage.does("retry with a reason", () => poet.retry(2, { limit: 3, category: "overloaded" }))
  await stage.does("fail", () => poet.fail(new Error("out of ink")))
  await stage.does("fail again", () => poet.fail({ message: "still" }))
  await stage.does("begin with another model", () => poet.begin({ model: "rhymes-2", provider: "other" }))
  await stage.does("end with a content", () =>
    poet.end({ content: [{ type: "tool_use", id: "t9", name: "read", input: {} }] }),
  )
  await stage.does("result of that", () => poet.result("t9", "text"))
  await stage.does("end without a beginning", () => poet.end())
  await stage.does("begin with a text", () => poet.begin("And?"))
  await stage.does("in a turn", () => [poet.inTurn, poet.id, poet.invokeid])
  await stage.does("close", () => poet.close("interrupted"))
  await stage.does("close again", () => poet.close())
  const second = agent.session("poet")
  await stage.does("a second of the same name, without a model", () => second.begin())
  await stage.does("a file name that is none", () => agent.session("../é x", {}).begin())
  await stage.does("nameless", () => agent.session("").close())
  await stage.does("a call begins a turn", () => agent.session("cook").tool("stir"))
  expect(stage.text).toMatchSnapshot()
  expect(stage.files()).toMatchSnapshot()
})

test("an agent", async () => {
  const stage = await Stage.open()
  const { agent } = stage
  await stage.does("emit", () => agent.emit("test/note"))
  await stage.does("emit with data", () => agent.emit("test/note", { a: 1 }))
  await stage.does("emit a frame", () => agent.emit({ kind: "prompt", "prompt-id": "p#1" }))
  await stage.does("emit an event as a frame", () =>
    agent.emit({ kind: "event", event: "x", seq: 99, ts: 1, data: {}, more: 7 }),
  )
  await stage.does("enter", () => agent.enter("run", "planning"))
  await stage.does("enter another", () => agent.enter("run", "writing"))
  await stage.does("enter fewer", () => agent.enter("run"))
  await stage.does("enter nothing", () => agent.enter())
  await stage.hears({ kind: "control", op: "ui-interrupt" })
  for (const [fraction, label] of [[0.25], [0.5, "pages"], [1], [-1], [7], [0]] as const)
    await stage.does(`progress ${fraction}`, () => {
      agent.progress("reader", fraction, label)
      if (fraction < 1) agent.progress("writer", 0.5)
    })
  await stage.does("two starts", () => void [1, 2].map(n => agent.emit("runner/started", { n })))
  await stage.does("greeting", () => stage.greeting())
  await stage.does("finish", () => agent.finish())
  await stage.does("finish again", () => agent.finish(new Error("late")))
  await stage.does("ask after the end", () => agent.ask("Still there?"))
  await stage.does("gate after the end", () => agent.gate())
  expect([stage.text, stage.files()].join("\n")).toMatchSnapshot()
})

test("only what an event may name is captured, once, as the agent's own captures are", async () => {
  const stage = await Stage.open()
  const turn = "nodes/a-b/0/turns/0"
  const refs = [`${turn}/request.edn`, `${turn}/request.edn`, "../x.edn", "nodes/../0/x.edn", "/nodes/a/0/x.edn", 7]
  const blocks = { "user-blocks": [{ type: "text", text: 'say "\\"', "odd key": [true, null, 1.5] }] }
  for (const [index, ref] of refs.entries())
    stage.agent.emit("llm/request", { "io/ref": ref, model: `m${index}`, ...blocks })
  stage.agent.emit("llm/response", { "io/ref": `${turn}/response.edn`, "stop-reason": "end_turn" })
  stage.agent.emit("llm/response", {
    "io/ref": `${turn}/odd.edn`,
    "stop-reason": "not a name",
    content: [{ role: "x", type: ["y"], "1st": "z" }],
  })
  stage.agent.emit("llm/tool-result", {
    "io/ref": `${turn}/tool-results/r.1.edn`,
    "content-preview": { type: "seven" },
  })
  stage.agent.emit("llm/tool-result", { "io/ref": `${turn}/tool-results/none.edn` })
  for (const name of ["start", "request"]) stage.agent.emit(`llm/${name}`, { "io/ref": `${turn}/bare-${name}.edn` })
  stage.agent.emit("runner/started", {})
  await stage.agent.close()
  stage.agent.emit("late", {})
  expect(stage.files()).toMatchSnapshot()
})

describe("the end of a run by", () => {
  const ends: Readonly<Record<string, (agent: Agent) => unknown>> = {
    "its work": agent => agent.run(async () => agent.enter("done")),
    "an error": agent => agent.run(() => Promise.reject(new Error("out of ink"))),
    "an error that is none": agent => agent.finish({ code: 7 }),
    "a close": agent => agent.close(),
    "a person": agent => agent.run(() => agent.ask("Go?").then(() => undefined)),
  }
  test.each(Object.keys(ends))("%s", async name => {
    const stage = await Stage.open()
    await stage.does(name, () => ends[name]?.(stage.agent))
    if (name === "a person") await stage.hears({ kind: "control", op: "ui-quit" })
    await stage.agent.close()
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    const { aborted, reason } = stage.agent.signal
    expect([stage.text, `aborted: ${aborted} ${reason}`].join("\n")).toMatchSnapshot()
  })
})

describe("a question", () => {
  const options = [{ label: "One", value: 1 }, "b", { label: "three" }]
  const questions: Readonly<Record<string, Question>> = {
    "of a text": { prompt: "Name?" },
    "of a text that is refused": {
      prompt: "Age?",
      invokeid: "planner",
      refuse: one => (/^\d+$/.test(one) ? null : "digits, please"),
    },
    "that is secret": { prompt: "Key?", secret: true },
    "of yes or no": { type: "confirm", prompt: "Sure?", default: false },
    "of one": { type: "select", prompt: "Which?", options },
    "of some": { type: "multi", prompt: "Which ones?", options, secret: true },
  }
  const answers: readonly Json[] = ["7", "x", true, 1, "b", { label: "three" }, [], [1, "b"], ["c"], null]
  test.each(Object.keys(questions))("%s", async name => {
    const outcomes = new Map<string, string[]>()
    let asked = ""
    for (const value of answers) {
      const stage = await Stage.open()
      await stage.does("asked", () => stage.agent.ask(questions[name] as never))
      asked = stage.lines.splice(0).join("\n")
      const [, id = ""] = /"prompt-id":"([^"]+)"/.exec(asked) ?? []
      await stage.hears({ kind: "answer", "prompt-id": id, value })
      const given = JSON.stringify(value)
      const told = stage.lines.slice(1).concat(`greets with: ${stage.greeting()}`)
      const outcome = told.map(line =>
        line.replace(`"answer":${given}`, '"answer":IT').replace(`with ${given}`, "with IT"),
      )
      outcomes.set(outcome.join("\n"), [...(outcomes.get(outcome.join("\n")) ?? []), given])
    }
    const shown = [...outcomes].map(([told, given]) => `# heard ${given.join(" or ")}\n${told}`)
    expect([asked, ...shown].join("\n")).toMatchSnapshot()
  })
  test("beside others", async () => {
    const stage = await Stage.open()
    await stage.does("older", () => stage.agent.ask("Older?"))
    await stage.does("between", () => stage.agent.ask("Between?"))
    await stage.does("newer", () => stage.agent.ask({ type: "confirm", prompt: "Newer?" }))
    const greet = () => stage.does("greeting", () => stage.greeting())
    await stage.hears({ kind: "answer", "prompt-id": "question-9#9", value: "x" })
    await greet()
    await stage.hears({ kind: "answer", "prompt-id": "question-3#3", cancelled: true })
    await greet()
    await stage.hears({ kind: "answer", "prompt-id": "question-3#3", value: true })
    await stage.hears({ kind: "answer", "prompt-id": "question-1#1" })
    await stage.hears({ kind: "answer", value: "x" })
    await stage.hears({ kind: "answer", "prompt-id": "question-1#1", value: "x", cancelled: "yes" })
    await greet()
    // Of the one that is open.
    expect(getEventListeners(stage.agent.signal, "abort")).toHaveLength(1)
    expect(stage.text).toMatchSnapshot()
  })
})

/** Commands, each on its own line with its members; `gate` and `turn` are the program's. */
const DEBUGGING = await jsonl<string>("debugging")

describe("a debugger", () => {
  test.each(DEBUGGING)("%s", async script => {
    const stage = await Stage.open({ onInterrupt: () => void stage.lines.push("interrupted") })
    stage.agent.enter("run")
    let gates = 0
    for (const step of script.split("|")) {
      const [op = "", n] = step.split(" ")
      if (op === "gate" || op === "turn") {
        const name = `${op} ${++gates}`
        await stage.does(name, () => stage.agent.gate({ name, turn: op === "turn" }).then(() => name))
      } else
        await stage.hears({
          kind: "control",
          op,
          ...(n === undefined ? {} : { n: Number.isNaN(Number(n)) ? n : Number(n) }),
        })
    }
    expect(stage.text).toMatchSnapshot()
  })
  test("that is paused at its start", async () => {
    const stage = await Stage.open()
    await stage.does("hold", () => stage.agent.hold())
    await stage.does("hold again", () => stage.agent.hold())
    await stage.hears({ kind: "control", op: "arm-llm-breakpoint" })
    await stage.does("gate", () => stage.agent.gate({ turn: true }))
    for (const op of ["step", "continue"]) await stage.hears({ kind: "control", op })
    expect(getEventListeners(stage.agent.signal, "abort")).toEqual([])
    expect(stage.text).toMatchSnapshot()
  })
  test("knows no other op, and holds no turn that it has just released", () => {
    expect(applyOp(initialDebugger(false), { type: "ui-quit" }, 0)).toBeNull()
    const released = { ...initialDebugger(false), armed: true, breakpoint: true, releasedPosition: 3 }
    const gates = [3, 4].map(position => haltBefore(released, { external: false, turn: 1 }, position)?.gate)
    expect(gates).toEqual([undefined, "turn"])
  })
})

test("what a person sends reaches the program", async () => {
  const commands: string[] = []
  const stage = await Stage.open({ onCommand: command => commands.push(JSON.stringify(command)) > 0 })
  for (const message of await jsonl<Json>("sent")) {
    const before = commands.length
    stage.agent.wire.receive(JSON.stringify(message))
    if (commands.length === before) commands.push(`nothing of ${JSON.stringify(message)}`)
  }
  stage.agent.wire.receive("{ no JSON")
  expect(commands.join("\n")).toMatchSnapshot()
})

test("deltas that follow each other become one", async () => {
  const pairs = await jsonl<[JsonObject, JsonObject]>("deltas")
  expect(pairs.map(([one, next]) => JSON.stringify(mergeDeltas(one, next))).join("\n")).toMatchSnapshot()
})
