// Tests that who is silent does not depend on what was asked before.
import { expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import { silentSessions } from "../../../src/panels/common/silence.ts"
import { fold } from "../../../src/run/fold.ts"
import { emptyState, type State } from "../../../src/view/state.ts"
import { shownState } from "../../../src/view/store.ts"
import { delta, event } from "../../run/lines.ts"

const empty = emptyState({ state: "open", url: "ws://127.0.0.1:1/ws", since: 0 })
const a = { invokeid: "a", "session-id": "s" }
const b = { invokeid: "b", "session-id": "t" }

function after(frames: readonly Decoded[], before: State = shownState(empty)): State {
  return { ...before, run: fold(before.run, frames) }
}

const silentIn = (state: State, now: number) => [...silentSessions(state, now)]

const begun = after([
  event(0, "llm/start", a, 0),
  delta(1, "x", { ...a, ts: 1000 }),
  event(2, "llm/start", b, 0),
  delta(3, "x", { ...b, ts: 1000 }),
])

test("a session is silent from the end of patience on, and no more once it speaks", () => {
  expect(silentIn(begun, 20_999)).toEqual([])
  expect(silentIn(begun, 21_000)).toEqual([
    [0, 1000],
    [1, 1000],
  ])
  const spoken = after([delta(4, "x", { ...a, ts: 22_000 })], begun)
  expect(silentIn(spoken, 22_000)).toEqual([[1, 1000]])
  expect(silentIn(spoken, 42_000)).toEqual([
    [0, 22_000],
    [1, 1000],
  ])
})

test("an earlier moment has its own silent sessions, whatever was asked of a later one", () => {
  const spoken = after([delta(4, "x", { ...a, ts: 22_000 }), delta(5, "x", { ...b, ts: 22_000 })], begun)
  expect(silentIn(spoken, 22_000)).toEqual([])
  expect(silentIn(begun, 22_000)).toHaveLength(2)
  expect(silentIn(begun, 5000)).toEqual([])
  expect(silentIn(spoken, 42_000)).toHaveLength(2)
})

test("no session is silent while the agent is not heard", () => {
  const asked = after([event(4, "llm/delta", { type: "text-delta", ...b, text: "x" }, 2000)], begun)
  expect(silentIn(asked, 21_000)).toEqual([[0, 1000]])
  const link = { state: "connecting", url: "ws://127.0.0.1:1/ws", attempt: 1 } as const
  expect(silentIn({ ...asked, link }, 60_000)).toEqual([])
  expect(silentIn(asked, 60_000)).toHaveLength(2)
})
