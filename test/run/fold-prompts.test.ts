// Tests prompts and what closes them (docs/decisions.md section 3, docs/contract.md section 2).
import { describe, expect, test } from "bun:test"
import { answerWords } from "../../src/run/select/answer-words.ts"
import { report } from "../../src/run/select/report.ts"
import { event, line, logOf, tell } from "./lines.ts"
import { endings, story } from "./questions.ts"

/** Stories, and what becomes of their questions in the order asked, by the rule that they show. */
const STORIES: Readonly<Record<string, string>> = {
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
  "of several the one with our answer is meant, else the oldest of its asker": `
    ask 1 a, ask 2 a, answered a x → answered!~x, open
    ask 1 a, ask 2 a, say 2 x, answered a x → open, answered!=x~x
    ask 3 -, ask 1 a, answered - x → answered!~x, open
    ask 1 a, answered - x → open`,
  "an end that names nobody means the question that we cancelled, else the only open one": `
    ask 1 a, ask 2 b, drop 2, cancelled - → open, cancelled!
    ask 1 a, ask 2 b, drop 1, say 2 x, cancelled - → cancelled!, answered=x
    ask 1 a, ask 2 b, say 1 x, cancelled - → cancelled!=x, open
    ask 1 a, cancelled - → cancelled!
    ask 1 a, interrupted - → closed!
    ask 1 a, answered a x, ask 2 b, cancelled - → answered!~x, cancelled!
    ask 1 a, ask 2 b, say 1 x, interrupted - → closed!=x, open`,
  "several that could be meant stay open until as many events came as there are questions": `
    ask 1 a, ask 2 b, interrupted - → open, open
    ask 1 a, ask 2 b, interrupted -, interrupted - → closed!, closed!
    ask 1 a, ask 2 b, interrupted -, answered b x → closed!, answered!~x
    ask 1 a, ask 2 b, cancelled - → open, open
    ask 1 a, ask 2 b, refused - short → open, open
    ask 1 a, ask 2 b, failed - terminal → open, open`,
  "an event that names another asker means no other question": `
    ask 1 a, refused b short → open
    ask 1 a, failed b terminal → open
    ask 1 a, cancelled b → open
    ask 1 a, interrupted b → open
    ask 1 a, ask 2 b, interrupted b → open, closed!
    ask 1 a, ask 2 b, failed b terminal → open, closed! terminal`,
  "a refused answer opens its question again, with the errors; a failure closes it": `
    ask 1 a, say 1 x, refused a short → open short
    ask 1 a, refused a → open
    ask 1 a, say 1 x, refused a short, say 1 longer, answered a longer → answered!=longer~longer
    ask 1 a, ask 2 b, say 2 x, say 1 y, ask 3 c, refused - short → open short, answered=x, open
    ask 1 a, refused - short → open short
    ask 1 a, failed a terminal → closed! terminal
    ask 1 a, failed - terminal → closed! terminal
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
    attach, ask 2 -, starts a, answered a x, starts a, interrupted - → open
    attach, ask 2 -, starts a, answered a x, starts a, interrupted -, greeted → closed!`,
  "a prompt without an invokeid is its start's": `
    starts a, ask 1 -, answered a x → answered!~x
    starts a, ask 1 -, say 1 x, answered a x → answered!=x~x
    starts a, ask 1 -, say 1 x, answered a x, starts b, ask 2 -, interrupted - → answered!=x~x, closed!
    starts a, ask 1 -, say 1 x, answered a x, starts b, ask 2 -, cancelled - → answered!=x~x, cancelled!
    starts a, ask 1 -, say 1 x, answered a x, starts b, ask 2 -, failed - m → answered!=x~x, closed! m
    starts a, ask 1 -, interrupted a → closed!
    starts a, ask 1 -, starts b Why?, ask 2 - Why?, interrupted a → closed!, open
    starts a, ask 1 -, starts b Why?, ask 2 - Why?, answered b x → open, answered!~x
    starts a, starts b, ask 1 -, ask 2 -, say 1 one, say 2 two, answered b one → answered!=one~one, answered=two`,
  "what an unnamed event seemed to say is taken back once a named one tells otherwise": `
    starts a, ask 1 -, starts b Why?, ask 2 - Why?, say 1 x, interrupted - → closed!=x, open
    starts a, ask 1 -, starts b Why?, ask 2 - Why?, say 1 x, interrupted -, answered a x → answered!=x~x, closed!`,
  "a refused question is open until its agent asks anew, which takes its place and its errors": `
    starts a, ask 1 -, say 1 x, refused - short → open short
    starts a, ask 1 -, say 1 x, refused - short, starts a, ask 2 - → closed! short, open short
    starts a, ask 1 -, say 1 x, refused - short, ask 2 -, starts a → closed! short, open short
    starts a, ask 1 -, say 1 x, refused - short, starts b Why?, ask 2 - Why? → open short, open`,
  "two questions alike stay open until both have ended": `
    starts a, starts b, ask 1 -, ask 2 -, answered a x → open, open
    starts a, starts b, ask 1 -, ask 2 -, answered b x → open, open
    starts a, starts b, ask 1 -, ask 2 -, answered b x, answered a x → answered!~x, answered!~x`,
}

for (const [rule, stories] of Object.entries(STORIES)) {
  describe(rule, () => {
    for (const row of stories.trim().split("\n")) {
      const [lines = "", ends = ""] = row.split("→").map(part => part.trim())
      test(lines, () => expect(endings(lines)).toBe(ends))
    }
  })
}

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
})

test("an answer that a restart came before is told in the log, and no other", () => {
  const run = tell(story("attach, run, ask 1 a, say 1 x, answered a x, ask 2 b, say 2 Ada, attach, run"))
  const lost = logOf(run).filter(row => row.startsWith("timed-out"))
  expect(lost).toEqual([expect.stringMatching(/^timed-out answer to b: .*before the agent restarted/)])
})
