// Tests which question an event settles: fixed stories, and random ones against a model of the real agent
// (docs/contract.md section 2).
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { mayBeAnswered, unheardPrompts } from "../../src/run/select/figures.ts"
import { greeted } from "./agent-model.ts"
import { attach, delta, event, line, tell } from "./lines.ts"
import { trySchedules } from "./question-schedules.ts"

const ask = (id: string, invokeid: string | null = null, prompt = "Go on?") =>
  line({ kind: "prompt", "prompt-id": id, invokeid, type: "text", opts: { prompt } })
const start = (seq: number, invokeid: string, prompt = "Go on?") =>
  event(seq, "human-input/start", { kind: "text", invokeid, prompt })
const answered = (seq: number, invokeid: string, answer = "x") =>
  event(seq, "human-input/answer", { kind: "text", invokeid, answer })
const ended = (seq: number, how: string, data: object = {}) => event(seq, `human-input/${how}`, data)
const answer = (id: string, value: unknown) => line({ kind: "answer", "prompt-id": id, value })

function states(lines: readonly Decoded[]): readonly string[] {
  return tell(lines).prompts.map(({ frame, state }) => `${frame.promptId} ${state}`)
}

describe("a question in a greeting", () => {
  test("stays open though older events of its asker, or of nobody, follow it", () => {
    const ring = [start(1, "ask"), answered(2, "ask"), start(3, "ask"), ended(4, "interrupted"), start(5, "ask")]
    for (const name of ["ask", null]) {
      expect(states([attach, ask("q#3", name), ...ring, greeted])).toEqual(["q#3 open"])
      expect(states([attach, ask("q#3", name), ...ring, greeted, answered(6, "ask")])).toEqual(["q#3 answered"])
    }
  })

  test("is closed by what the ring tells after its start", () => {
    const ring = [start(1, "ask"), answered(2, "ask"), start(3, "ask"), ended(4, "interrupted")]
    expect(states([attach, ask("q#2"), ...ring])).toEqual(["q#2 open"])
    expect(states([attach, ask("q#2"), ...ring, greeted])).toEqual(["q#2 closed"])
  })

  test("stays open after a reconnect during which an earlier one was withdrawn", () => {
    const before = [attach, event(1, "runner/started"), start(2, "ask"), ask("q#1"), greeted]
    const after = [attach, ask("q#2"), start(2, "ask"), ended(3, "interrupted"), start(4, "ask"), greeted]
    expect(states([...before, ...after])).toEqual(["q#1 closed", "q#2 open"])
  })

  test("that was cut short is open after the next greeting, which tells of earlier ones and only then its start", () => {
    const earlier = [start(2, "ask"), ended(3, "interrupted")]
    for (const heard of [0, 1, 2]) {
      const cut = [attach, ask("q#2"), event(1, "runner/started"), ...earlier.slice(0, heard)]
      const next = [attach, ask("q#2"), event(1, "runner/started"), ...earlier, start(4, "ask"), greeted]
      expect(states([...cut, ...next])).toEqual(["q#2 open"])
      expect(states([...cut, ...next, answered(5, "ask")])).toEqual(["q#2 answered"])
    }
  })

  test("that was withdrawn before the reconnect does not come back", () => {
    const before = [attach, start(1, "ask"), ask("q#1"), ended(2, "interrupted")]
    expect(states([...before, attach, ask("q#1"), start(1, "ask"), ended(2, "interrupted"), greeted])).toEqual([
      "q#1 closed",
    ])
  })

  test("whose start has left the ring is closed by what comes later, and by a full ring", () => {
    const talk = Array.from({ length: 256 }, (_, i) => delta(301 + i, "x"))
    expect(states([attach, ask("q#1"), ...talk, greeted, answered(557, "ask")])).toEqual(["q#1 answered"])
    const ring = [...talk.slice(0, -1), ended(556, "interrupted")]
    // Older than the connection, so it may be of a question before this one.
    const late = line({ kind: "sidecar", at: 10_000, what: "link", state: "open" })
    expect(states([late, ask("q#1"), ...ring])).toEqual(["q#1 open"])
    expect(states([late, ask("q#1"), ...ring, delta(557, "y")])).toEqual(["q#1 closed"])
  })

  test("is the run's own after a restart, whatever became of its id before", () => {
    const before = [attach, event(1, "runner/started", {}, 10), start(2, "ask"), ask("q#1"), answered(3, "ask")]
    const again = [attach, ask("q#1"), event(1, "runner/started", {}, 900), start(2, "ask", "Go on?"), greeted]
    expect(states([...before, ...again])).toEqual(["q#1 open"])
  })

  test("is told as asked before this screen attached where only its start is known", () => {
    const late = line({ kind: "sidecar", at: 10_000, what: "link", state: "open" })
    const run = tell([late, ask("q#2", null, "Second?"), start(1, "a", "First?"), start(2, "b", "Second?"), greeted])
    expect(unheardPrompts(run)).toMatchObject([{ invokeid: "a", text: "First?", inGreeting: true }])
    expect(unheardPrompts(tell([answered(3, "a")], run))).toEqual([])
  })
})

describe("a question without an invokeid", () => {
  const asked = [start(1, "ask"), ask("prompt#1")]

  test("is closed by another viewer's answer, and confirmed by the agent's to ours", () => {
    expect(states([...asked, answered(2, "ask")])).toEqual(["prompt#1 answered"])
    const { prompts } = tell([...asked, answer("prompt#1", "x"), answered(2, "ask")])
    expect(prompts).toMatchObject([{ state: "answered", confirmed: true, answer: { value: "x" } }])
  })

  test("is withdrawn though an answered one stands before it", () => {
    const lines = [...asked, answer("prompt#1", "x"), answered(2, "ask"), start(3, "other"), ask("prompt#2")]
    for (const how of ["interrupted", "cancelled", "error"]) {
      const [first, second] = tell([...lines, ended(4, how, { message: "m" })]).prompts
      expect([first?.state, second?.state]).toEqual(["answered", how === "cancelled" ? "cancelled" : "closed"])
    }
  })

  test("is closed by an event that names its asker, and by none that names another", () => {
    expect(states([...asked, ended(2, "interrupted", { invokeid: "ask" })])).toEqual(["prompt#1 closed"])
    const two = [...asked, start(2, "other", "Why?"), ask("prompt#2", null, "Why?")]
    expect(states([...two, ended(3, "interrupted", { invokeid: "ask" })])).toEqual(["prompt#1 closed", "prompt#2 open"])
    expect(states([...two, answered(3, "other")])).toEqual(["prompt#1 open", "prompt#2 answered"])
  })

  test("among others alike is confirmed by its value, whichever was answered last", () => {
    const two = [start(1, "a"), start(2, "b"), ask("prompt#1"), ask("prompt#2")]
    const sent = [...two, answer("prompt#1", "one"), answer("prompt#2", "two")]
    const { prompts } = tell([...sent, answered(3, "b", "one")])
    expect(prompts.map(({ confirmed }) => confirmed)).toEqual([true, false])
  })

  test("stays open if a custom one may have ended", () => {
    const custom = event(2, "human-input/start", { kind: "custom", invokeid: "form" })
    expect(states([...asked, custom, ended(3, "interrupted")])).toEqual(["prompt#1 open"])
    expect(unheardPrompts(tell([custom]))).toEqual([])
  })

  test("takes back what an unnamed event seemed to say once a named one tells otherwise", () => {
    const two = [...asked, start(2, "other", "Why?"), ask("prompt#2", null, "Why?"), answer("prompt#1", "x")]
    expect(states([...two, ended(3, "interrupted")])).toEqual(["prompt#1 closed", "prompt#2 open"])
    expect(states([...two, ended(3, "interrupted"), answered(4, "ask")])).toEqual([
      "prompt#1 answered",
      "prompt#2 closed",
    ])
  })
})

describe("a refused question", () => {
  const refused = [
    start(1, "ask"),
    ask("prompt#1"),
    answer("prompt#1", "x"),
    ended(2, "validation-failed", { errors: "short" }),
  ]

  test("is open again until the agent asks anew, which takes its place and its errors", () => {
    expect(tell(refused).prompts).toMatchObject([{ state: "open", errors: ["short"] }])
    expect(tell([...refused, start(3, "ask"), ask("prompt#2")]).prompts).toMatchObject([
      { state: "closed", answer: null },
      { state: "open", errors: ["short"] },
    ])
    expect(states([...refused, ask("prompt#2"), start(3, "ask")])).toEqual(["prompt#1 closed", "prompt#2 open"])
  })

  test("stays if another asks meanwhile", () => {
    expect(states([...refused, start(3, "b", "Why?"), ask("prompt#2", null, "Why?")])).toEqual([
      "prompt#1 open",
      "prompt#2 open",
    ])
  })
})

test("of two askers in the same words both nameless questions stay open until both have ended", () => {
  // Whose prompt came first isn't told: the same frames are of an agent that goes on to ask either.
  const both = [start(1, "a"), start(2, "b"), ask("prompt#1"), ask("prompt#2")]
  for (const first of ["a", "b"])
    expect(states([...both, answered(3, first)])).toEqual(["prompt#1 open", "prompt#2 open"])
  expect(states([...both, answered(3, "b"), answered(4, "a")])).toEqual(["prompt#1 answered", "prompt#2 answered"])
})

test("an answer of another's to one of two questions alike leaves both open after a reconnect, and marked", () => {
  const both = [start(1, "a"), start(2, "b"), ask("prompt#1"), ask("prompt#2"), answer("prompt#1", "x")]
  for (const theirs of ["x", "y"]) {
    const run = tell([...both, answered(3, "b", theirs), attach, greeted])
    expect(run.prompts.map(({ state, answer }) => [state, answer])).toEqual([
      ["open", null],
      ["open", null],
    ])
    expect(run.prompts.map(prompt => mayBeAnswered(run, prompt))).toEqual([true, true])
  }
})

test("every question that a viewer was told is open on it until it ends, and no other (property)", () => {
  trySchedules(31, 1000)
})
