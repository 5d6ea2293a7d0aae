// Tests the changes of watched conditions: each with its frame, however the run was read.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { changesIn, whoWords } from "../../src/query/condition-changes.ts"
import { type ConditionChange, conditionRows, ENDS, withChanges } from "../../src/query/conditions.ts"
import { emptyRun, type Run } from "../../src/run/model/run.ts"
import { decodeLine } from "../../src/transport/message.ts"
import { forAll } from "../for-all.ts"
import { eventText, line } from "../run/lines.ts"
import { row } from "../run/rows.ts"
import { watching } from "./watching.ts"

/** The changes of one watch, as `#frame epoch/seq to words`. */
function changes(text: string, lines: readonly Decoded[], step: number): readonly string[] {
  const { list } = watching(text)
  const all: ConditionChange[] = []
  let run: Run = emptyRun
  for (let from = 0; from < lines.length; from += step) {
    const next = changesIn(run, lines.slice(from, from + step), list, 0)
    run = next.run
    for (const found of next.found.values()) all.push(...found)
  }
  return all.map(({ frame, epoch, seq, to, words }) => `#${frame} ${epoch}/${seq} ${to} ${words}`.trimEnd())
}

const said = (seq: number, event: string, data: object = {}, session = "s") =>
  eventText(seq, event, { invokeid: "a", "session-id": session, ...data }, seq * 1000)
const entered = (seq: number, states: readonly string[]) =>
  said(seq, "runner/event-processed", { entered: states, exited: [], "config-after": states })

const frames = [
  said(0, "runner/started"),
  entered(1, ["board", "plan"]),
  said(2, "llm/start"),
  "nonsense",
  said(3, "llm/delta", { text: "I can" }),
  said(4, "llm/delta", { text: "not do" }),
  said(5, "llm/delta", { text: " that" }),
  entered(6, ["board", "review"]),
  said(7, "llm/error", { message: "no" }),
  said(8, "llm/start"),
  entered(9, ["board", "done"]),
  // The agent is restarted.
  said(0, "runner/started", { again: true }),
  entered(1, ["board", "review"]),
]
const lines = frames.map(decodeLine)

describe("a watch", () => {
  test.each([
    ["state=review", ["#7 0/6 true", "#10 0/9 false", "#12 1/1 true"]],
    ['text~"I cannot"', ["#5 0/4 true a", "#9 0/8 false a"]],
    ["error", ["#8 0/7 true a", "#9 0/8 false a"]],
    ["event=llm/start", ["#3 0/2 true a", "#9 0/8 true a"]],
    ["turn>1", ["#9 0/8 true a"]],
    ["text~nobody", []],
  ])("%s has the expected changes, line by line and all at once", (text, expected) => {
    expect(changes(text, lines, 1)).toEqual(expected)
    expect(changes(text, lines, 1000)).toEqual(expected)
  })

  test("knows of a question before the first event", () => {
    const asked = JSON.stringify({ kind: "prompt", "prompt-id": "p", type: "text", opts: {} })
    expect(changes("prompt", [decodeLine(asked)], 1)).toEqual(["#1 0/null true"])
    const note = JSON.stringify({
      kind: "sidecar",
      at: 1,
      what: "breakpoint",
      condition: "error",
      who: "a",
      outcome: "logged",
    })
    expect(changes("kind=breakpoint", [decodeLine(note)], 1)).toEqual([])
  })

  test("has the same changes, however the lines come (property)", async () => {
    const names = ["state=run", "error", "not error", "model=a", "prompt", "event=llm/start", "turn>1"]
    const all = fc.array(row.map(line), { maxLength: 40 })
    await forAll([all, fc.constantFrom(...names), fc.integer({ min: 2, max: 9 })], 80, (lines, name, step) => {
      expect(changes(name, lines, step)).toEqual(changes(name, lines, 1))
    })
  })
})

test("who made a change is named, and those beyond are counted", () => {
  const run = changesIn(emptyRun, lines, [], 0).run
  const told = [
    [[0], 1],
    [[0], 2],
    [[0], 3],
    [[], 1],
    [[], 2],
    [[99], 1],
  ] as const
  const words = told.map(([sessions, count]) => whoWords(run, { sessions, count }))
  expect(words).toEqual(["a", "a and 1 more", "a and 2 more", "", "2 times", ""])
})

test("a long list keeps both its ends, and counts the changes between", () => {
  const all = watching("turn>1", "error")
  const change = { epoch: 0, seq: 0, ts: 0, to: true, words: "" }
  const many = Array.from({ length: 2 * ENDS + 7 }, (_, i): ConditionChange => ({ ...change, frame: i + 1 }))
  const half = withChanges(all, new Map([[1, many.slice(0, 600)]]), 0.5)
  const whole = withChanges(half, new Map([[1, many.slice(600)]]), 1)
  expect(whole).toEqual(withChanges(all, new Map([[1, many]]), 1))
  expect(conditionRows(whole)).toHaveLength(1 + ENDS + 1 + ENDS + 1)
  const [first] = whole.list
  expect([first?.count, first?.first.length, first?.latest.length]).toEqual([2 * ENDS + 7, ENDS, ENDS])
  const rows = conditionRows(whole)
  expect([1, ENDS, ENDS + 2].map(at => rows[at]?.change?.frame)).toEqual([1, ENDS, ENDS + 8])
  expect(rows[ENDS + 1]).toMatchObject({ change: null, hidden: 7 })
  expect(rows[2 * ENDS + 2]?.condition.text).toBe("error")
  expect(rows[2 * ENDS + 3]).toBeUndefined()
})
