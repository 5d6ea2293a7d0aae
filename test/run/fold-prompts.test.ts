// Tests prompts and what closes them (docs/decisions.md section 3, docs/contract.md section 2).
import { expect, test } from "bun:test"
import { report } from "../../src/run/select/report.ts"
import { answerWords } from "../../src/run/select/row-words.ts"
import { event, line, logOf, tell } from "./lines.ts"
import { story, testStories } from "./questions.ts"

testStories("prompts")

test("an answer that is a list is confirmed by an equal one, a secret one by any, and another's is told in its words", () => {
  const many = [line({ kind: "answer", "prompt-id": "p#1", value: [1, "b"] })]
  const same = event(1, "human-input/answer", { kind: "text", invokeid: "a", answer: [1, "b"] })
  const [listed] = tell([...story("ask 1 a"), ...many, same]).prompts
  expect([listed?.answer?.value, listed && answerWords(listed)]).toEqual([[1, "b"], '[1,"b"]'])
  const hidden = line({ kind: "answer", "prompt-id": "p#1", value: null, secret: true })
  const [secret] = tell([...story("ask 1 a"), hidden, ...story("answered a x")]).prompts
  expect([secret?.answer?.secret, secret?.confirmed]).toEqual([true, true])
  expect(tell(story("ask 1 a, say 1 Bob, answered a Ada")).prompts.map(answerWords)).toEqual(["Ada"])
  expect(tell(story("ask 1 a ? confirm, say 1 perhaps")).prompts.map(answerWords)).toEqual(["perhaps"])
})

test("an answer to no prompt is counted, a start makes no prompt, and an event of nobody's is a row of the log", () => {
  expect(report(tell(story("say 9 x")))).toMatchObject({ frames: { answer: 1 }, prompts: [] })
  const kinds = ["progress", "custom", "text"].map((kind, seq) => event(seq, "human-input/start", { kind }))
  expect(tell(kinds).prompts).toEqual([])
  expect(tell(story("ask 1 a, ask 2 b, refused - short")).log.rows.length).toBe(1)
  const faulty = line({ kind: "prompt", "prompt-id": "p#1", invokeid: "a", type: "text", opts: 7 })
  expect(logOf(tell([faulty]))).toEqual([expect.stringMatching(/^prompt a: .*opts/)])
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
