// Tests prompts and what closes them (docs/decisions.md section 3, docs/contract.md section 2).
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { slice } from "../../src/run/model/chunked-list.ts"
import type { Prompt } from "../../src/run/model/prompts.ts"
import { answerWords } from "../../src/run/select/answer-words.ts"
import { report } from "../../src/run/select/report.ts"
import { attach, delta, event, line, tell } from "./lines.ts"

function ask(id: string, invokeid: string | null, keys: object = {}): Decoded {
  return line({ kind: "prompt", "prompt-id": id, invokeid, type: "text", opts: { prompt: "?" }, ...keys })
}
const answer = (id: string, value: unknown) => line({ kind: "answer", "prompt-id": id, value })
const cancel = (id: string) => line({ kind: "answer", "prompt-id": id, cancelled: true })
const answered = (seq: number, invokeid: string | null, keys: object = { answer: "x" }) =>
  event(seq, "human-input/answer", { kind: "text", ...(invokeid === null ? {} : { invokeid }), ...keys })
const cancelled = (seq: number) => event(seq, "human-input/cancelled")
const interrupted = (seq: number) => event(seq, "human-input/interrupted")

function states(lines: readonly Decoded[], wanted: readonly Prompt["state"][]): void {
  expect(tell(lines).prompts.map(prompt => prompt.state)).toEqual([...wanted])
}

describe("a prompt", () => {
  test("is open, with its question", () => {
    const opts = { prompt: "Which?", options: [{ label: "Blue", value: "blue" }, 7], default: "blue" }
    const run = tell([ask("p#1", "pick", { type: "multi-select", opts })])
    expect(report(run)).toMatchObject({
      frames: { prompt: 1 },
      invocations: [],
      prompts: [{ promptId: "p#1", invokeid: "pick", type: "multi", state: "open", value: null }],
    })
    expect(run.prompts[0]?.frame).toMatchObject({
      question: "Which?",
      options: [
        { label: "Blue", value: "blue" },
        { label: "7", value: 7 },
      ],
    })
  })

  test("is answered by our answer and confirmed by the event", () => {
    const sent = tell([ask("p#1", "a"), answer("p#1", "yes")])
    expect(sent.prompts[0]).toMatchObject({ state: "answered", confirmed: false, answer: { value: "yes" } })
    const seen = tell([answered(1, "a", {})], sent)
    expect(seen.prompts[0]).toMatchObject({ state: "answered", confirmed: true, answer: { value: "yes" } })
    expect(report(seen)).toMatchObject({ prompts: [{ state: "answered", value: "yes" }] })
  })

  test("is answered as the agent says if another client was faster than our answer", () => {
    const late = tell([ask("p#1", "a"), answer("p#1", "Bob"), answered(1, "a", { answer: "Ada" })])
    expect(late.prompts[0]).toMatchObject({ state: "answered", confirmed: true, answer: null, reportedAnswer: "Ada" })
    expect(late.prompts.map(answerWords)).toEqual(["Ada"])
    const many = tell([ask("p#1", "a"), answer("p#1", [1, "b"]), answered(1, "a", { answer: [1, "b"] })])
    expect(many.prompts[0]?.answer).toMatchObject({ value: [1, "b"] })
  })

  test("is answered by the event alone if another client answered", () => {
    states([ask("p#1", "a"), answered(1, "a")], ["answered"])
    states([ask("p#1", "a"), answered(1, "b")], ["open"])
  })

  test("keeps its first answer", () => {
    const run = tell([ask("p#1", "a"), answer("p#1", "one"), answer("p#1", "two"), cancel("p#1")])
    expect(run.prompts).toMatchObject([{ state: "answered", answer: { value: "one" } }])
  })

  test("is not changed by an answer to an unknown prompt, which is counted", () => {
    expect(report(tell([answer("p#9", 1)]))).toMatchObject({ frames: { answer: 1 }, prompts: [] })
  })

  test("is not made by human-input/start of kind progress or custom", () => {
    const lines = ["progress", "custom", "text"].map((kind, seq) =>
      event(seq, "human-input/start", { kind, invokeid: "a" }),
    )
    expect(tell(lines).prompts).toEqual([])
  })
})

describe("several prompts", () => {
  test("of one invokeid close in order of age", () => {
    states([ask("p#1", "a"), ask("p#2", "a"), answered(1, "a")], ["answered", "open"])
  })

  test("close by the answer given, not by age", () => {
    const lines = [ask("p#1", "a"), ask("p#2", "a"), answer("p#2", "x"), answered(1, "a")]
    states(lines, ["open", "answered"])
    expect(tell(lines).prompts.map(prompt => prompt.confirmed)).toEqual([false, true])
  })

  test("without invokeid match events without one", () => {
    states([ask("prompt#3", null), ask("p#1", "a"), answered(1, null)], ["answered", "open"])
    states([ask("p#1", "a"), answered(1, null)], ["open"])
  })

  test("close the one we cancelled at human-input/cancelled without an id", () => {
    const lines = [ask("p#1", "a"), ask("p#2", "b"), cancel("p#2"), cancelled(1)]
    states(lines, ["open", "cancelled"])
    expect(tell(lines).prompts[1]?.confirmed).toBe(true)
  })

  test("close the only open one if we cancelled none", () => {
    states([ask("p#1", "a"), cancelled(1)], ["cancelled"])
    states([ask("p#1", "a"), interrupted(1)], ["closed"])
    states([ask("p#1", "a"), answered(1, "a"), ask("p#2", "b"), cancelled(2)], ["answered", "cancelled"])
  })

  test("stay open if several could be meant, until as many events came as there are questions", () => {
    const lines = [ask("p#1", "a"), ask("p#2", "b"), interrupted(1)]
    states(lines, ["open", "open"])
    states([...lines, interrupted(2)], ["closed", "closed"])
    states([...lines, answered(2, "b")], ["closed", "answered"])
  })

  test("count as answered if we cancelled one and the agent took an answer", () => {
    const lines = [ask("p#1", "a"), cancel("p#1"), answered(1, "a")]
    states(lines, ["answered"])
    expect(tell(lines).prompts[0]?.confirmed).toBe(true)
  })
})

describe("a refused answer", () => {
  test("opens the prompt again with the errors", () => {
    const run = tell([
      ask("p#1", "a"),
      answer("p#1", "x"),
      event(1, "human-input/validation-failed", { invokeid: "a", errors: ["too short", "no digit"] }),
    ])
    expect(run.prompts).toMatchObject([
      { state: "open", answer: null, confirmed: false, errors: ["too short", "no digit"] },
    ])
    states([ask("p#1", "a"), event(1, "human-input/validation-failed", { invokeid: "a", errors: [] })], ["open"])
    expect(tell([answer("p#1", "longer"), answered(2, "a", { answer: "longer" })], run).prompts).toMatchObject([
      { state: "answered", confirmed: true, errors: [], answer: { value: "longer" } },
    ])
  })

  test("puts its errors on the repeated prompt, since prompts overtake events", () => {
    const run = tell([
      ask("p#1", "a"),
      answer("p#1", "x"),
      ask("p#1", "a"),
      event(1, "human-input/validation-failed", { invokeid: "a", errors: ["too short"] }),
    ])
    expect(run.prompts.filter(prompt => prompt.state === "open")).toMatchObject([{ errors: ["too short"] }])
    expect(run.prompts.at(-1)?.state).toBe("open")
  })

  test("leaves a prompt alone that was asked and answered again meanwhile", () => {
    const refused = event(1, "human-input/validation-failed", { invokeid: "a", errors: ["too short"] })
    const lines = [ask("p#1", "a"), answer("p#1", "x"), ask("p#1", "a"), answer("p#1", "longer"), refused]
    states(lines, ["closed", "answered"])
    expect(tell([...lines, answered(2, "a")]).prompts.at(-1)).toMatchObject({ state: "answered", confirmed: true })
  })

  test("that is a human-input/error closes the prompt and keeps the message", () => {
    const run = tell([ask("p#1", "a"), event(1, "human-input/error", { invokeid: "a", message: "no terminal" })])
    expect(run.prompts).toMatchObject([{ state: "closed", errors: ["no terminal"] }])
  })
})

describe("an event that names nobody", () => {
  const refused = (seq: number) => event(seq, "human-input/validation-failed", { errors: ["too short"] })
  const failed = (seq: number) => event(seq, "human-input/error", { message: "no terminal" })

  test("and refuses an answer opens the question answered last again", () => {
    const lines = [ask("p#1", "a"), ask("p#2", "b"), answer("p#2", "x"), answer("p#1", "y"), ask("p#3", "c")]
    const run = tell([...lines, refused(1)])
    expect(run.prompts).toMatchObject([
      { state: "open", answer: null, errors: ["too short"] },
      { state: "answered", answer: { value: "x" }, errors: [] },
      { state: "open", errors: [] },
    ])
  })

  test("and refuses an answer shows its errors on the only open question", () => {
    expect(tell([ask("p#1", "a"), refused(1)]).prompts).toMatchObject([{ state: "open", errors: ["too short"] }])
  })

  test("and reports an error closes the question answered last, or the only open one", () => {
    const closed = { state: "closed", confirmed: true, errors: ["no terminal"] }
    expect(tell([ask("p#1", "a"), failed(1)]).prompts).toMatchObject([closed])
    const lines = [ask("p#1", "a"), ask("p#2", "b"), answer("p#2", "x"), failed(1)]
    expect(tell(lines).prompts).toMatchObject([{ state: "open" }, closed])
  })

  test("and interrupts closes the question answered last", () => {
    states([ask("p#1", "a"), ask("p#2", "b"), answer("p#1", "x"), interrupted(1)], ["closed", "open"])
  })

  test("and cancels means the question that we cancelled, though another was answered later", () => {
    const lines = [ask("p#1", "a"), ask("p#2", "b"), cancel("p#1"), answer("p#2", "x"), cancelled(1)]
    states(lines, ["cancelled", "answered"])
    expect(tell(lines).prompts.map(prompt => prompt.confirmed)).toEqual([true, false])
    states([ask("p#1", "a"), ask("p#2", "b"), answer("p#1", "x"), cancelled(1)], ["cancelled", "open"])
  })

  test("is a row of the log if several questions could be meant", () => {
    for (const one of [refused(1), failed(1), cancelled(1), interrupted(1)]) {
      const run = tell([ask("p#1", "a"), ask("p#2", "b"), one])
      expect(run.prompts).toMatchObject([
        { state: "open", errors: [] },
        { state: "open", errors: [] },
      ])
      expect(run.log.rows.length).toBe(1)
    }
  })

  test("but does name an invokeid means no other question", () => {
    for (const name of ["validation-failed", "error", "cancelled", "interrupted"]) {
      const data = { invokeid: "b", message: "m", errors: ["e"] }
      expect(tell([ask("p#1", "a"), event(1, `human-input/${name}`, data)]).prompts).toMatchObject([
        { state: "open", errors: [] },
      ])
      const lines = [ask("p#1", "a"), ask("p#2", "b"), event(1, `human-input/${name}`, data)]
      expect(tell(lines).prompts[0]).toMatchObject({ state: "open", errors: [] })
    }
  })
})

describe("a repeated prompt", () => {
  test("in the ring is the one that is open, or answered and not yet confirmed", () => {
    states([attach, ask("p#1", "a"), delta(1, "x"), attach, ask("p#1", "a")], ["open"])
    states([attach, ask("p#1", "a"), answer("p#1", 1), attach, ask("p#1", "a")], ["answered"])
    states([ask("p#1", "a"), ask("p#1", "a")], ["open"])
  })

  test("is asked anew if it was settled", () => {
    states([ask("p#1", "a"), answer("p#1", 1), answered(1, "a"), ask("p#1", "a")], ["answered", "open"])
    states([ask("p#1", "a"), cancel("p#1"), cancelled(1), ask("p#1", "a")], ["cancelled", "open"])
    states([ask("p#1", "a"), answer("p#1", 1), ask("p#1", "a")], ["answered", "open"])
  })

  test("is not closed by the late event of its first answer", () => {
    const lines = [ask("p#1", "a"), answer("p#1", 1), ask("p#1", "a"), answered(1, "a")]
    states(lines, ["answered", "open"])
    states([...lines, answer("p#1", 2), answered(2, "a")], ["answered", "answered"])
  })

  test("has a key of its own each time", () => {
    const run = tell([ask("p#1", "a"), answered(1, "a"), ask("p#1", "a")])
    expect(new Set(run.prompts.map(prompt => prompt.key)).size).toBe(2)
  })
})

describe("a new epoch", () => {
  const restart = event(1, "runner/started", {}, 900)

  test("forgets the prompts of the old one, answered or not", () => {
    const old = [attach, event(1, "runner/started", {}, 10), ask("p#1", "a"), ask("p#2", "b"), answer("p#2", 1)]
    const run = tell([...old, attach, restart])
    expect(run.prompts).toMatchObject([{ state: "closed" }, { state: "answered", confirmed: true, lost: true }])
  })

  test("logs an answer that was not taken, and no other", () => {
    const said = event(2, "human-input/answer", { invokeid: "a" })
    const old = [attach, event(1, "runner/started", {}, 10), ask("p#1", "a"), answer("p#1", 1), said]
    const run = tell([...old, ask("p#2", "b"), answer("p#2", "Ada"), attach, restart])
    const rows = slice(run.log.rows, 0, run.log.rows.length).flatMap(({ what }) =>
      what.kind === "timed-out" ? [what] : [],
    )
    expect(rows.map(row => row.op)).toEqual(["answer to b"])
    expect(rows[0]?.why).toContain("before the agent restarted")
  })

  test("keeps a prompt that came with the new attachment before its first event", () => {
    const old = [attach, event(1, "runner/started", {}, 10), ask("p#1", "a")]
    states([...old, attach, ask("q#1", "b"), restart, delta(2, "x")], ["closed", "open"])
  })

  test("within one attachment also forgets prompts before the attachment's first event", () => {
    states([attach, ask("p#1", "a"), event(1, "runner/started", {}, 10), restart], ["closed"])
    states([ask("p#1", "a"), event(1, "runner/started", {}, 10), restart], ["closed"])
  })

  test("has prompt ids of its own, which may repeat old ones", () => {
    const old = [attach, event(1, "runner/started", {}, 10), ask("p#1", "a"), answer("p#1", 1)]
    states([...old, attach, restart, ask("p#1", "a")], ["answered", "open"])
  })
})

describe("a restarted agent", () => {
  const ask = line({ kind: "prompt", "prompt-id": "ask#1", invokeid: "ask", type: "text", opts: { prompt: "Old?" } })
  const askAnew = line({
    kind: "prompt",
    "prompt-id": "ask#1",
    invokeid: "ask",
    type: "text",
    opts: { prompt: "New?" },
  })
  const first = [attach, event(1, "runner/started", { "session-id": "a" }), event(2, "runner/start-config"), ask]
  const second = [attach, askAnew, event(1, "runner/started", { "session-id": "b" })]

  test("may reuse a prompt id of the old run", () => {
    const { prompts, epochs } = tell([...first, ...second])
    expect(epochs).toHaveLength(2)
    expect(prompts.map(({ state, frame }) => [state, frame.question])).toEqual([["open", "New?"]])
  })

  test("gets no answer to a prompt of the old run", () => {
    const answered = line({ kind: "answer", "prompt-id": "ask#1", value: "x" })
    const { prompts } = tell([...first, answered, ...second])
    expect(prompts.map(({ state, answer }) => [state, answer])).toEqual([["open", null]])
  })
})
