// Tests that who is silent does not depend on what was asked before.
import { expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import { silentAt, silentSessions } from "../../../src/panels/common/silence.ts"
import { fold } from "../../../src/run/fold.ts"
import { emptyState, type State } from "../../../src/view/state.ts"
import { shownState } from "../../../src/view/store.ts"
import { delta, event, line } from "../../run/lines.ts"

const empty = emptyState({ state: "open", url: "ws://127.0.0.1:1/ws", since: 0 })
const a = { invokeid: "a", "session-id": "s" }
const b = { invokeid: "b", "session-id": "t" }

function after(frames: readonly Decoded[], before: State = shownState(empty)): State {
  return { ...before, run: fold(before.run, frames) }
}

const silentIn = (state: State, now: number) =>
  [...silentSessions(state, now)].map(([session, heard]) => `${session} since ${heard}`)

const begin = () =>
  after([
    event(0, "llm/start", a, 0),
    delta(1, "x", { ...a, ts: 1000 }),
    event(2, "llm/start", b, 0),
    delta(3, "x", { ...b, ts: 1000 }),
  ])
const begun = begin()

test("a session is silent from the end of patience on, and no more once it speaks", () => {
  expect(silentIn(begun, 20_999)).toEqual([])
  expect(silentIn(begun, 21_000)).toEqual(["0 since 1000", "1 since 1000"])
  const spoken = after([delta(4, "x", { ...a, ts: 22_000 })], begun)
  expect(silentIn(spoken, 22_000)).toEqual(["1 since 1000"])
  expect(silentIn(spoken, 42_000)).toEqual(["0 since 22000", "1 since 1000"])
  // An earlier moment has its own, whatever was asked of a later one.
  const early = begin()
  const late = after([delta(4, "x", { ...a, ts: 22_000 }), delta(5, "x", { ...b, ts: 22_000 })], early)
  const asked = [late, early, early, late].map(
    (state, i) => silentIn(state, [22_000, 22_000, 5000, 42_000][i] ?? 0).length,
  )
  expect(asked).toEqual([0, 2, 0, 2])
})

test("no session is silent while the agent is not heard, or a question or a debugger holds it", () => {
  const tools = after([event(4, "llm/response", { ...b, content: [{ type: "tool_use", name: "ls" }] }, 2000)], begun)
  expect(silentIn(tools, 60_000)).toEqual(["0 since 1000"])
  const link = { state: "connecting", url: "ws://127.0.0.1:1/ws", attempt: 1 } as const
  expect(silentIn({ ...begun, link }, 60_000)).toEqual([])
  const asks = line({ kind: "prompt", "prompt-id": "q", invokeid: "a", type: "text", opts: { prompt: "?" } })
  expect(silentIn(after([asks], begun), 60_000)).toEqual(["1 since 1000"])
  expect(silentIn(after([line({ kind: "debug", paused: true })], begun), 60_000)).toEqual([])
  expect(silentIn(begun, 60_000)).toHaveLength(2)
  expect(silentIn(after([event(4, "runner/done")], begun), 60_000)).toEqual([])
  expect(silentIn(after([event(4, "llm/start", a, 30_000)], begun), 74_999)).toEqual(["1 since 1000"])
  // The next to fall silent is told of once, and only of what is live.
  const past = { ...begun, link: { state: "replaying", path: "x", incompleteLength: 0 } } as const
  const spoken = after([delta(4, "x", { ...a, ts: 9000 })], begun)
  const next = [begun, spoken, after([asks], spoken), past, { ...begun, link }]
  expect(next.map(state => [20_999, 21_000, 29_000].map(now => silentAt(state, now)))).toEqual([
    [21_000, null, null],
    [21_000, 29_000, null],
    [21_000, null, null],
    ...[1, 2].map(() => [null, null, null]),
  ])
})
