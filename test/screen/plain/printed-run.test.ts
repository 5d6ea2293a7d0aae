// Tests what plain mode prints of one run, by a clock that stands still, and what typed lines do to it.
import { expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { features } from "../../../src/panels/plan.ts"
import { PrintedRun } from "../../../src/screen/plain/printed-run.ts"
import { plainStatusLines } from "../../../src/screen/plain/run-lines.ts"
import type { SurfaceOptions } from "../../../src/screen/surface.ts"
import type { Effect } from "../../../src/view/effect.ts"
import { emptyState } from "../../../src/view/state.ts"
import { createStore, shownState } from "../../../src/view/store.ts"
import { open } from "../../panels/planned.ts"
import { delta, event, line } from "../../run/lines.ts"
import { ManualClock } from "../../transport/manual-clock.ts"

class Printed {
  readonly clock = new ManualClock()
  readonly effects: Effect[] = []
  readonly #store = createStore({ link: open, ...features })
  readonly #printed: PrintedRun
  readonly #pieces: string[] = []
  isFull = false
  /** The rows whose frames are asked for; null for none. */
  held: unknown = undefined

  constructor(times: SurfaceOptions["times"] = "no") {
    const run = {
      store: this.#store,
      title: { chart: null, session: null },
      perform: (effects: readonly Effect[]) => void this.effects.push(...effects),
      showRows: (rows: unknown) => {
        this.held = rows
      },
      keyPressed: () => undefined,
      forwardSignal: () => false,
      fault: () => null,
      close: () => null,
    }
    const options = { now: () => this.clock.now(), after: this.clock.after.bind(this.clock), times }
    this.#printed = new PrintedRun(
      run,
      options,
      { write: text => this.#pieces.push(text), isFull: () => this.isFull },
      () => undefined,
    )
  }

  /** The lines printed since the last call, once everything told has been printed. */
  get lines(): readonly string[] {
    this.#printed.print()
    return this.#pieces.splice(0).join("").split("\n").slice(0, -1)
  }

  tell(...lines: readonly Decoded[]): this {
    this.#store.dispatch({ type: "frames", frames: lines })
    return this
  }

  type(text: string): readonly string[] {
    this.#printed.typed(text)
    return this.lines
  }

  get sent(): readonly unknown[] {
    return this.effects.flatMap(one => (one.type === "agent/send" ? [one.command] : []))
  }
}

const started = event(0, "runner/started")
const poet = (seq: number, name: string, data: object = {}) =>
  event(seq, `llm/${name}`, { invokeid: "poet", "session-id": "p.1", ...data })
const asked = (id: string, opts: JsonObject = {}, type = "text") =>
  line({ kind: "prompt", "prompt-id": `${id}#1`, invokeid: id, type, opts: { prompt: `${id}?`, ...opts } })

test("an empty line answers nothing, whatever the question; /empty and /default answer", () => {
  const printed = new Printed().tell(started, asked("sign"), asked("sure", { default: true }, "confirm"))
  expect(printed.lines.slice(2)).toEqual([
    "question 1, sign asks: sign?",
    "answer 1: type your answer; end a line with \\ to continue; /empty for none; /cancel 1 cancels it",
    "question 2, sure asks: sure?",
    "answer 2: type yes or no; /default answers yes; /cancel 2 cancels it",
  ])
  expect(printed.type("")).toEqual(["Type your answer, or /empty to answer with nothing"])
  expect(printed.type("  ")).toEqual(["Type your answer, or /empty to answer with nothing"])
  expect(printed.type("#2")).toEqual(["Type yes or no"])
  expect(printed.type("/empty 2")).toEqual(["Only a question for a text takes /empty"])
  expect(printed.type("/default")).toEqual(["This question has no default"])
  expect(printed.sent).toEqual([])
  expect(printed.type("/empty")).toEqual(["question 1 answered: nothing"])
  expect(printed.type("")).toEqual(["Type yes or no"])
  expect(printed.type("/default")).toEqual(["question 2 answered: yes"])
  expect(printed.sent).toEqual([
    { type: "answer", promptId: "sign#1", value: "" },
    { type: "answer", promptId: "sure#1", value: true },
  ])
})

test("an answer is confirmed before the next question is asked, and each question is read once", () => {
  const printed = new Printed().tell(
    started,
    asked("sure", {}, "confirm"),
    event(1, "human-input/start", { invokeid: "sure", kind: "confirm", prompt: "sure?" }),
  )
  expect(printed.lines.filter(one => one.includes("sure?"))).toEqual(["question 1, sure asks: sure?"])
  printed.type("yes")
  printed.tell(
    event(2, "human-input/answer", { invokeid: "sure", kind: "confirm", answer: true }),
    asked("sign"),
    event(3, "human-input/start", { invokeid: "sign", kind: "text", prompt: "sign?" }),
  )
  expect(printed.lines.map(one => one.replace(/: .*/, ""))).toEqual(["question 2, sign asks", "answer 2"])
  // Another screen answers, and the next question comes in the same breath.
  printed.tell(event(4, "human-input/answer", { invokeid: "sign", kind: "text", answer: "Ada" }), asked("last"))
  expect(printed.lines.slice(0, 2)).toEqual(["question 2 answered: Ada", "question 3, last asks: last?"])
})

test("a question of a recording that was closed before it could be read stands in the log's rows", () => {
  const printed = new Printed().tell(
    asked("sure", {}, "confirm"),
    event(1, "human-input/start", { invokeid: "sure", kind: "confirm", prompt: "sure?" }),
    event(2, "human-input/answer", { invokeid: "sure", kind: "confirm", answer: true }),
  )
  expect(printed.lines.slice(1)).toEqual(["sure: asks sure?  (confirm)", "sure: answer yes"])
})

test("an unknown order says that it is unknown, and how to answer with it", () => {
  const printed = new Printed().tell(started)
  expect(printed.type("/stauts").at(-1)).toBe("/stauts is unknown; /help lists what you can type")
  expect(printed.type("/constructor")).toEqual(["/constructor is unknown; /help lists what you can type"])
  printed.tell(asked("path"))
  expect(printed.type("/tmp").at(-1)).toBe(
    "/tmp is unknown; /help lists what you can type. To answer with it, type #1 /tmp",
  )
  printed.type("#1 /tmp")
  expect(printed.sent).toEqual([{ type: "answer", promptId: "path#1", value: "/tmp" }])
})

test("a line typed for a question that closed does not answer the next one", () => {
  const printed = new Printed().tell(started, asked("name"), asked("path"))
  printed.lines
  const other = event(1, "human-input/answer", { invokeid: "name", kind: "text", answer: "Bo" })
  expect(printed.tell(other).lines).toEqual(["question 1 answered: Bo"])
  expect(printed.type("delete nothing please")).toEqual([
    "Not sent: question 2 came in front while you typed. To settle it with your line, type #2 and the line",
  ])
  expect(printed.type("/tmp/out ").at(-1)).toBe("question 2 answered: /tmp/out ")
  printed.tell(event(2, "human-input/answer", { invokeid: "path", kind: "text", answer: "/tmp/out " }), asked("sure"))
  printed.lines
  printed.tell(event(3, "human-input/interrupted", { invokeid: "sure" }), asked("last", { default: "x" }))
  expect(printed.type("/default").at(-1)).toBe(
    "Not sent: question 4 came in front while you typed. To settle it with /default, type /default 4",
  )
  printed.type("#4 yes")
  expect(printed.sent).toMatchObject([{ promptId: "path#1" }, { promptId: "last#1", value: "yes" }])
})

test("while nobody reads, nothing is printed; then the latest rows are, and how many are left out", () => {
  const printed = new Printed().tell(started)
  printed.lines
  printed.isFull = true
  const rows = Array.from({ length: 5000 }, (_, i) => event(1 + i, "cli/step", { n: i }))
  expect(printed.tell(...rows, asked("sure")).lines).toEqual([])
  expect(printed.type("yes")).toEqual([
    "Not sent: question 1 came in front while you typed. To settle it with your line, type #1 and the line",
  ])
  printed.isFull = false
  const { lines } = printed
  expect(lines[0]).toBe("sidecar: 4000 rows are left out, which nobody read")
  expect(lines.length).toBe(1 + 1000 + 2)
  expect(lines.at(-2)).toBe("question 1, sure asks: sure?")
  expect(printed.sent).toEqual([])
})

test("/help says what each order does", () => {
  const help = new Printed().type("/HELP").join("\n")
  for (const words of ["/arm pauses at", "/next runs it", "/back steps back", "/last repeats the last reply"])
    expect(help).toContain(words)
})

test("/last, /errors and /repeat look back", () => {
  const printed = new Printed()
  expect(printed.type("/last").at(-1)).toBe("no reply so far")
  expect(printed.type("/errors")).toEqual(["no error so far"])
  printed.tell(
    started,
    poet(1, "start"),
    poet(2, "response", { content: [{ type: "text", text: "Snow\nfalls" }], usage: { "output-tokens": 3 } }),
    poet(3, "response", { content: [{ type: "tool-call", name: "read", arguments: {} }] }),
    poet(4, "error", { message: "connection reset" }),
    asked("sign"),
    asked("other"),
  )
  expect(printed.lines).toContain("error: poet: model error connection reset")
  expect(printed.type("/last")).toEqual(["poet: said 3 tok", "  Snow", "  falls"])
  expect(printed.type("/errors")[0]).toBe("error: poet: model error connection reset")
  expect(printed.held).toBeNull()
  expect(printed.type("/repeat 2")[0]).toBe("question 2, other asks: other?")
  expect(printed.type("/repeat")[0]).toBe("question 1, sign asks: sign?")
})

test("/errors lists the last ten", () => {
  const printed = new Printed().tell(
    ...Array.from({ length: 12 }, (_, seq) => event(seq, "runner/error", { message: `no. ${seq}` })),
  )
  printed.lines
  expect(printed.type("/errors").map(one => one.replace(/.* /, ""))).toEqual(
    Array.from({ length: 10 }, (_, i) => `${i + 2}`),
  )
})

test("/interrupt interrupts the agent at once, and says why it can't", () => {
  const printed = new Printed().tell(started)
  expect(printed.type("/interrupt").at(-1)).toBe("sidecar: Interrupting the agent")
  expect(printed.sent).toEqual([{ type: "ui-interrupt" }])
  printed.tell(event(1, "runner/done"))
  expect(printed.type("/interrupt").at(-1)).toBe("sidecar: The run is over. Nothing to interrupt")
})

test("/quit asks for /quit again, and leaves time to type it", () => {
  const printed = new Printed().tell(started)
  expect(printed.type("/quit").at(-1)).toBe("sidecar: Type /quit again to end the run and quit")
  printed.clock.advance(20_000)
  printed.type("/quit")
  expect(printed.sent).toEqual([{ type: "ui-quit" }])
  expect(printed.effects).toContainEqual({ type: "program/exit", code: 0 })
})

test("while a model writes, a line says how much every five seconds, unless nothing was written since", () => {
  const printed = new Printed().tell(started, poet(1, "start"))
  const words = (seq: number) => delta(seq, "one two ", { invokeid: "poet", "session-id": "p.1", coalesced: 40 })
  printed.tell(words(41))
  printed.lines
  printed.clock.advance(4999)
  expect(printed.lines).toEqual([])
  printed.clock.advance(1)
  expect(printed.lines).toEqual(["poet is writing, 40 tokens"])
  printed.tell(words(81)).clock.advance(5000)
  expect(printed.lines).toEqual(["poet is writing, 80 tokens"])
  printed.clock.advance(20_000)
  expect(printed.lines).toEqual([])
  printed.tell(poet(82, "response", { content: [{ type: "text", text: "Done" }] }))
  printed.lines
  printed.clock.advance(20_000)
  expect(printed.lines).toEqual([])
})

test("nobody is said to write once the run has ended amid a reply", () => {
  const printed = new Printed().tell(
    started,
    poet(1, "start"),
    delta(2, "one", { invokeid: "poet", "session-id": "p.1" }),
  )
  printed.tell(event(3, "runner/aborted", { reason: "killed" }))
  printed.lines
  printed.clock.advance(20_000)
  expect(printed.lines).toEqual([])
})

test("of many models that write, one line tells the sum", () => {
  const printed = new Printed().tell(started)
  for (let n = 0; n < 4; n++) {
    printed.tell(delta(1 + n, "word", { invokeid: `judge${n}`, "session-id": `j${n}`, coalesced: 300 }))
  }
  printed.lines
  printed.clock.advance(5000)
  expect(printed.lines).toEqual(["4 sessions are writing, 1,200 tokens"])
})

test("a session keeps the name that it was first printed with", () => {
  const start = (seq: number, session: string) =>
    event(seq, "llm/start", { invokeid: "drafter", "session-id": session, model: "m" })
  const printed = new Printed().tell(started, start(1, "d.1"))
  expect(printed.lines.at(-1)).toBe("drafter: start m")
  printed.tell(start(2, "d.2"), start(3, "d.1"))
  expect(printed.lines).toEqual(["drafter 2: start m", "drafter: start m"])
})

for (const [times, rows] of [
  ["full", ["+00:00.000 chart: started", "+01:08.156 chart: done"]],
  ["short", ["0s chart: started", "1m08s chart: done"]],
  ["no", ["chart: started", "chart: done"]],
] as const) {
  test(`--times ${times} begins lines with ${rows[1]?.replace(/ ?chart.*/, "") || "no time"}`, () => {
    const done = event(1, "runner/done", {}, 1000 + 68_156)
    expect(new Printed(times).tell(started, done).lines.slice(1)).toEqual([...rows])
  })
}

test("of a reply that failed amid its words, the words are printed", () => {
  const printed = new Printed().tell(started, poet(1, "start"))
  printed.tell(delta(2, "Half a verse", { invokeid: "poet", "session-id": "p.1" }))
  expect(printed.tell(poet(3, "error", { message: "reset" })).lines.slice(-2)).toEqual([
    "  reply so far:",
    "  Half a verse",
  ])
})

test("a recording's name is shown with its control characters as pictures, also while it plays", () => {
  const { time, ...state } = shownState(emptyState({ state: "ended", path: "a\u001b[2Jb.jsonl", incompleteLength: 0 }))
  const [words] = plainStatusLines({ ...state, isPast: true, time: { ...time, playing: true } })
  expect(words).toBe("recording: a␛[2Jb.jsonl")
})
