// Keeps which frames show that an op of ours had its effect.
import { expect, test } from "bun:test"
import type { Op } from "../../packages/wire/src/command.ts"
import { attached, OP_WORDS, type PendingOp, stillPending } from "../../src/view/pending-ops.ts"
import { delta, event, line } from "../run/lines.ts"

const debug = (more: object = {}) => line({ kind: "debug", paused: false, "step-budget": 0, ...more })
const FRAMES = {
  ...{ running: debug(), paused: debug({ paused: true }), atTurn: debug({ mode: "paused-at-turn" }) },
  armed: debug({ "breakpoint-armed": true }),
  branch: debug({ branch: { "session-id": "b", parent: "s" } }),
  failed: debug({ "branch-error": "no" }),
  awaiting: event(1, "debug/awaiting-step", { "event-name": "x" }),
  event: event(2, "x"),
  delta: delta(3, "x"),
  conversation: line({ kind: "conversation", invokeid: "a", turns: [] }),
  catalog: line({ kind: "model-catalog", aliases: [] }),
} as const

/** The frames that end the wait for this op, alone. */
const ending = (pending: PendingOp): readonly string[] =>
  Object.entries(FRAMES).flatMap(([name, frame]) => (stillPending([pending], [frame]).length === 0 ? [name] : []))

test("each op waits for its frames, and just after an attachment for fewer", () => {
  const told = (Object.keys(OP_WORDS) as Op["type"][]).map(op => {
    const [again = { op, sentAt: 0 }] = attached(attached([{ op, sentAt: 0 }]))
    return `${op}: ${ending({ op, sentAt: 0 })}\n  again: ${ending(again)}`
  })
  expect(told.join("\n")).toMatchSnapshot()
})

test("an op is shown by what follows the debug frame that an attachment repeats", () => {
  const step = attached([{ op: "step", sentAt: 3 }])
  const heard = stillPending(step, [debug()])
  expect(heard).toEqual([{ op: "step", sentAt: 3 }])
  expect(stillPending(heard, [debug()])).toEqual([])
  expect(stillPending(step, [FRAMES.event])).toBe(step)
})
