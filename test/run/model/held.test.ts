// Tests what is known of the debugger when each frame tells only a part of it (docs/contract.md section 3).
import { expect, test } from "bun:test"
import { isHeld, isPaused, isUntold } from "../../../src/run/model/held.ts"
import { report } from "../../../src/run/select/report.ts"
import { event, line, logOf, tell } from "../lines.ts"

const debug = (told: object) => line({ kind: "debug", ...told })
/** The two shapes of the frame: of the event gate, and of the turn gate. */
const gate = (paused: boolean) => debug({ paused, "step-budget": 0, config: [":run"] })
const turns = (index: number, armed: boolean) =>
  debug({ mode: armed ? "paused-at-turn" : "running", "turn-index": index, "breakpoint-armed": armed, branch: null })
const failed = debug({ mode: "running", "branch-error": "no checkpoint" })
const started = debug({ mode: "branch-running", "turn-index": 0, "breakpoint-armed": false, branch: {} })

test("a run that stands still is paused after every op that tells nothing of the pause", () => {
  for (const after of [[turns(0, true)], [turns(0, false)], [failed], [started], [turns(1, true), failed]]) {
    const run = tell([gate(true), ...after])
    expect(isPaused(run)).toBe(true)
    expect(report(run).debug).toMatchObject({ paused: true, stepBudget: 0, config: [":run"] })
  }
})

test("whether a run is paused is unknown until a frame says it", () => {
  for (const told of [turns(0, true), turns(0, false), failed]) {
    expect(report(tell([told])).debug).toMatchObject({ paused: null, stepBudget: null })
    expect([isUntold(tell([told])), isUntold(tell([told, event(1, "debug/awaiting-quit")]))]).toEqual([true, false])
    expect(report(tell([told, gate(false)])).debug).toMatchObject({ paused: false, stepBudget: 0 })
  }
})

test("an armed turn gate holds nothing yet, and a failed re-run leaves it as it was", () => {
  const armed = tell([gate(false), turns(2, true)])
  expect(isHeld(armed)).toBe(false)
  const { debug: before } = armed
  expect(tell([failed], armed).debug).toEqual(before === null ? null : { ...before, branchError: "no checkpoint" })
})

test("a pointer that is moved back does not open the gate; going on does", () => {
  const at = (...told: Parameters<typeof tell>[0]) => {
    const { debug: known } = tell([gate(false), turns(1, true), ...told])
    return [known?.mode, known?.turnIndex, known?.waitingTurn]
  }
  expect(at()).toEqual(["paused-at-turn", 1, 1])
  expect(at(turns(0, false))).toEqual(["paused-at-turn", 0, 1])
  expect(at(turns(0, false), turns(1, true))).toEqual(["paused-at-turn", 1, 1])
  expect(at(turns(2, true), turns(1, false), turns(0, false))).toEqual(["paused-at-turn", 0, 2])
  expect(at(debug({ mode: "running", "turn-index": 2, "branch-error": "no" }))).toEqual(["running", 2, null])
  expect(at(debug({ mode: "running", "breakpoint-armed": false, "branch-error": "no" }))).toEqual(["running", 1, null])
  expect(at(debug({ paused: false, mode: "running", "turn-index": 0 }))).toEqual(["running", 0, null])
  expect(at(turns(2, true))).toEqual(["paused-at-turn", 2, 2])
  expect(at(gate(false), turns(1, false))).toEqual(["running", 1, null])
  expect(at(turns(0, false), gate(false), turns(0, false))).toEqual(["running", 0, null])
})

test("null where null is a value says that there is none, and a key left out that it is as it was", () => {
  const branch = { "session-id": "b", parent: "a", "branch-point": null }
  const known = (...told: Parameters<typeof tell>[0]) => tell([debug({ "turn-index": 3, branch }), ...told]).debug
  expect(known(gate(true))).toMatchObject({ turnIndex: 3, branch: { sessionId: "b" } })
  expect(known(debug({ paused: true, "step-budget": 3 }), debug({ paused: false }))).toMatchObject({ stepBudget: 3 })
  expect(known(debug({ paused: true, "pending-events": [] }), turns(1, true))?.pendingEvents).toEqual([])
  expect(known(debug({ paused: true, "pending-events": [] }), gate(true))?.pendingEvents).toBeNull()
  expect(known(debug({ "turn-index": null, branch: null }))).toMatchObject({ turnIndex: null, branch: null })
  expect(known(debug({ "turn-index": "3", branch: 7 }))).toMatchObject({ turnIndex: 3, branch: { sessionId: "b" } })
})

test("a branch that dies is an error row, and the failed re-run is told in its place", () => {
  const branch = { "session-id": "w/branch-1", parent: "w", "branch-point": null }
  const runs = debug({ mode: "branch-running", "turn-index": 0, "breakpoint-armed": false, branch })
  const died = (id: string) => event(1, "debug/branch-error", { "session-id": id, error: "no checkpoint" })
  const run = tell([gate(false), runs, died("w/branch-1")])
  expect([logOf(run), run.log.errors]).toEqual([["debug/branch-error"], 1])
  expect(run.debug).toMatchObject({ branch: null, branchError: "no checkpoint", mode: "running", paused: false })
  const many = Array.from({ length: 257 }, (_, i) => debug({ branch: { ...branch, "session-id": `${i}` } }))
  expect(tell(many).facts.branches.length).toBe(256)
  const other = tell([gate(false), runs, died("w/branch-0")])
  expect(other.log.errors).toBe(1)
  expect(other.debug).toMatchObject({ branch: { sessionId: "w/branch-1" }, branchError: null })
})
