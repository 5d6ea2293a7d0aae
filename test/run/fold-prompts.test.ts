// Tests prompts and what closes them (docs/decisions.md section 3, docs/contract.md section 2).
import { expect, test } from "bun:test"
import { report } from "../../src/run/select/report.ts"
import { answerWords } from "../../src/run/select/row-words.ts"
import { event, line, logOf, tell } from "./lines.ts"
import { type Stories, story, testStories } from "./questions.ts"

const STORIES: Stories = {
  "our answer counts at once, and is confirmed by the event": `
    ask 1 a, say 1 yes → answered=yes
    ask 1 a, say 1 yes, answered a → answered!=yes
    ask 1 a, say 1 one, say 1 two, drop 1 → answered=one
    say 9 x →`,
  "another client's answer counts where it was faster, or alone": `
    ask 1 a, say 1 Bob, answered a Ada → answered!~Ada
    ask 1 a, answered a x → answered!~x
    ask 1 a, answered b x → open
    ask 1 a, drop 1, answered a x → answered!~x`,
  "a refused answer opens its question again, with the errors; a failure closes it": `
    ask 1 a, say 1 x, refused a short → open short
    ask 1 a, refused a → open
    ask 1 a, say 1 x, refused a short, say 1 longer, answered a longer → answered!=longer~longer
    ask 1 a, ask 2 b, say 2 x, say 1 y, ask 3 c, refused - short → open short, answered=x, open
    ask 1 a, refused - short → open short
    ask 1 a, failed a terminal → closed! terminal
    ask 1 a, failed - terminal → closed! terminal
    ask 1 a, failed a → closed! error
    ask 1 a, ask 2 b, say 2 x, failed - terminal → open, closed!=x terminal`,
  "a prompt that overtook the refusal gets the errors, unless it is answered already": `
    ask 1 a, say 1 x, ask 1 a, refused a short → closed!=x, open short
    ask 1 a, say 1 x, ask 1 a, say 1 longer, refused a short → closed!=x, answered=longer
    ask 1 a, say 1 x, ask 1 a, say 1 longer, refused a short, answered a longer → closed!=x, answered!=longer~longer`,
  "a prompt that a greeting repeats is the same, and one that comes again later is asked anew": `
    attach, ask 1 a, more, attach, ask 1 a → open
    attach, ask 1 a, say 1 x, attach, ask 1 a → answered=x
    ask 1 a, ask 1 a → open
    ask 1 a, say 1 x, answered a x, ask 1 a → answered!=x~x, open
    ask 1 a, drop 1, cancelled -, ask 1 a → cancelled!, open
    ask 1 a, say 1 x, ask 1 a → answered=x, open
    ask 1 a, say 1 x, ask 1 a, answered a x → answered!=x~x, open
    ask 1 a, say 1 x, ask 1 a, answered a x, say 1 y, answered a y → answered!=x~x, answered!=y~y`,
  "a new run forgets the questions of the old, but for those that came with its attachment": `
    attach, run, ask 1 a, ask 2 b, say 2 x, attach, run → closed, answered!=x lost
    attach, run, ask 1 a, attach, ask 2 b, run, more → closed, open
    attach, ask 1 a, run, run → closed
    ask 1 a, run, run → closed
    attach, run, ask 1 a, say 1 x, attach, run, ask 1 a → answered!=x lost, open
    attach, run, ask 1 a, attach, ask 1 a Why?, run → open
    attach, run, ask 1 a, say 1 x, attach, ask 1 a Why?, run → open`,
  "a question of a greeting is settled by what the ring tells after its start": `
    attach, ask 3 a, starts a, answered a x, starts a, interrupted -, starts a, greeted → open
    attach, ask 3 a, starts a, answered a x, starts a, interrupted -, starts a, greeted, answered a x → answered!~x
    attach, ask 3 -, starts a, answered a x, starts a, interrupted -, starts a, greeted, answered a x → answered!~x
    attach, ask 1 - Why?, answered a x → answered!~x
    attach, ask 2 b, failed - m, attach, failed - m → closed! m
    attach, ask 2 -, starts a, answered a x, starts a, interrupted - → open
    attach, ask 2 -, starts a, answered a x, starts a, interrupted -, greeted → closed!`,
  "a question of a greeting is told from those before it, however much was heard of them": `
    attach, run, starts a, ask 1 -, greeted, attach, ask 2 -, from 2, starts a, interrupted -, starts a, greeted → closed!, open
    attach, ask 2 -, run, attach, ask 2 -, starts a, interrupted -, starts a, greeted → open
    attach, ask 2 -, run, attach, ask 2 -, starts a, interrupted -, starts a, greeted, answered a x → answered!~x
    attach, ask 2 -, run, starts a, attach, ask 2 -, from 2, starts a, interrupted -, starts a, greeted → open
    attach, ask 2 -, run, starts a, interrupted -, attach, ask 2 -, from 2, starts a, interrupted -, starts a, greeted → open
    attach, starts a, ask 1 -, interrupted -, attach, ask 1 -, from 1, starts a, interrupted -, greeted → closed!
    attach, run, starts a, ask 1 -, answered a x, attach, ask 1 -, run, starts a, greeted → open`,
  "a refused question is open until its agent asks anew, which takes its place and its errors": `
    starts a, ask 1 -, say 1 x, refused - short → open short
    starts a, ask 1 -, say 1 x, refused - short, starts a, ask 2 - → closed! short, open short
    starts a, ask 1 -, say 1 x, refused - short, ask 2 -, starts a → closed! short, open short
    starts a, ask 1 -, say 1 x, refused - short, starts b Why?, ask 2 - Why? → open short, open`,
}

testStories(STORIES)

test("a prompt is open, with its question and its options", () => {
  const opts = { prompt: "Which?", options: [{ label: "Blue", value: "blue" }, 7], default: "blue" }
  const run = tell([line({ kind: "prompt", "prompt-id": "p#1", invokeid: "pick", type: "multi-select", opts })])
  expect(report(run)).toMatchObject({
    frames: { prompt: 1 },
    invocations: [],
    prompts: [{ promptId: "p#1", invokeid: "pick", type: "multi", state: "open", value: null }],
  })
  expect(run.prompts[0]?.frame).toMatchObject({ question: "Which?", options: [{ label: "Blue" }, { value: 7 }] })
})

test("an answer that is a list is confirmed by an equal one, and another's is told in its words", () => {
  const many = [line({ kind: "answer", "prompt-id": "p#1", value: [1, "b"] })]
  const same = event(1, "human-input/answer", { kind: "text", invokeid: "a", answer: [1, "b"] })
  expect(tell([...story("ask 1 a"), ...many, same]).prompts[0]?.answer).toMatchObject({ value: [1, "b"] })
  expect(tell(story("ask 1 a, say 1 Bob, answered a Ada")).prompts.map(answerWords)).toEqual(["Ada"])
})

test("an answer to no prompt is counted, a start makes no prompt, and an event of nobody's is a row of the log", () => {
  expect(report(tell(story("say 9 x")))).toMatchObject({ frames: { answer: 1 }, prompts: [] })
  const kinds = ["progress", "custom", "text"].map((kind, seq) => event(seq, "human-input/start", { kind }))
  expect(tell(kinds).prompts).toEqual([])
  expect(tell(story("ask 1 a, ask 2 b, refused - short")).log.rows.length).toBe(1)
})

test("a prompt that is asked anew has a key of its own, and after a restart its new question", () => {
  const asked = tell(story("ask 1 a, answered a x, ask 1 a")).prompts.map(({ key }) => key)
  expect(new Set(asked).size).toBe(2)
  const { prompts, epochs } = tell(story("attach, run, ask 1 a, attach, ask 1 a Why?, run"))
  expect([epochs.length, prompts.map(({ frame }) => frame.question)]).toEqual([2, ["Why?"]])
  const repeated = tell(story("attach, run, ask 1 a, ask 1 a Why?")).prompts
  expect(repeated.map(({ frame, repeatedIn }) => [frame.question, repeatedIn])).toEqual([["?", null]])
})

test("an answer that a restart came before is told in the log, and no other", () => {
  const run = tell(story("attach, run, ask 1 a, say 1 x, answered a x, ask 2 b, say 2 Ada, attach, run"))
  const lost = logOf(run).filter(row => row.startsWith("timed-out"))
  expect(lost).toEqual([expect.stringMatching(/^timed-out answer to b: .*before the agent restarted/)])
})
