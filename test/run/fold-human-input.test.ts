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
  test("whose start has left the ring is closed by what comes later, and by a full ring", () => {
    const talk = Array.from({ length: 256 }, (_, i) => delta(301 + i, "x"))
    expect(states([attach, ask("q#1"), ...talk, greeted, answered(557, "ask")])).toEqual(["q#1 answered"])
    const ring = [...talk.slice(0, -1), ended(556, "interrupted")]
    // Older than the connection, so it may be of a question before this one.
    const late = line({ kind: "sidecar", at: 10_000, what: "link", state: "open" })
    expect(states([late, ask("q#1"), ...ring])).toEqual(["q#1 open"])
    expect(states([late, ask("q#1"), ...ring, delta(557, "y")])).toEqual(["q#1 closed"])
  })

  test("is told as asked before this screen attached where only its start is known", () => {
    const late = line({ kind: "sidecar", at: 10_000, what: "link", state: "open" })
    const run = tell([late, ask("q#2", null, "Second?"), start(1, "a", "First?"), start(2, "b", "Second?"), greeted])
    expect(unheardPrompts(run)).toMatchObject([{ invokeid: "a", text: "First?", inGreeting: true }])
    expect(unheardPrompts(tell([answered(3, "a")], run))).toEqual([])
  })
})

test("a question without an invokeid stays open if a custom one may have ended", () => {
  const custom = event(2, "human-input/start", { kind: "custom", invokeid: "form" })
  expect(states([start(1, "ask"), ask("prompt#1"), custom, ended(3, "interrupted")])).toEqual(["prompt#1 open"])
  expect(unheardPrompts(tell([custom]))).toEqual([])
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

test("every question that a viewer was told is open on it until it ends, and no other (property)", () =>
  trySchedules(31, 1000))

test("of ever more questions that wait the latest are known", () => {
  const run = tell(Array.from({ length: 70 }, (_, i) => start(i, `ask ${i}`)))
  const known = [run.personWaits, unheardPrompts(run)].map(all => [all.length, all.at(-1)?.invokeid])
  expect(known).toEqual([64, 64].map(count => [count, "ask 69"]))
})
