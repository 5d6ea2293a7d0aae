// Tests which frames show that an op of ours had its effect.
import { describe, expect, test } from "bun:test"
import type { Op } from "../../packages/wire/src/command.ts"
import { attached, type PendingOp, stillPending } from "../../src/view/pending-ops.ts"
import { delta, event, line } from "../run/lines.ts"

const debug = (more: object = {}) => line({ kind: "debug", paused: false, "step-budget": 0, ...more })
const paused = debug({ paused: true })
const atTurn = debug({ mode: "paused-at-turn" })
const FRAMES = {
  running: debug(),
  paused,
  atTurn,
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

const debugs = ["running", "paused", "atTurn", "armed", "branch", "failed"]
const stepping = ["step", "arm", "turn-next", "turn-back"] as const
describe("an op", () => {
  test.each([
    ["pause", [...debugs, "awaiting"], ["paused"]],
    ["continue", [...debugs, "awaiting"], ["running", "armed", "branch", "failed"]],
    ...stepping.map((op): [Op["type"], string[], string[]] => [op, [...debugs, "awaiting"], []]),
    ["arm-llm-breakpoint", [...debugs, "awaiting"], ["armed"]],
    ["request-conversation", ["conversation"], ["conversation"]],
    ["request-model-catalog", ["catalog"], ["catalog"]],
    ["rerun-from", ["branch", "failed"], ["branch", "failed"]],
    ["ui-interrupt", ["awaiting", "event", "delta"], ["awaiting", "event", "delta"]],
    ["ui-quit", [], []],
  ] satisfies [Op["type"], string[], string[]][])(
    "%s waits until %j, and just after an attachment %j",
    (op, now, repeated) => {
      expect(ending({ op, sentAt: 0 })).toEqual(now)
      const [again] = attached(attached([{ op, sentAt: 0 }]))
      expect(again && ending(again)).toEqual(repeated)
    },
  )

  test("is shown by what follows the debug frame that an attachment repeats", () => {
    const step = attached([{ op: "step", sentAt: 3 }])
    const heard = stillPending(step, [debug()])
    expect(heard).toEqual([{ op: "step", sentAt: 3 }])
    expect(stillPending(heard, [debug()])).toEqual([])
    expect(stillPending(step, [FRAMES.event])).toBe(step)
  })
})
