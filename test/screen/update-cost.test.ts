// Tests that an update reads as little of a run, however many turns and sessions it did not change.
import { afterEach, expect, test } from "bun:test"
import { plan } from "../../src/panels/plan.ts"
import type { Decoded } from "../../src/protocol/frame.ts"
import { createStore } from "../../src/view/store.ts"
import { ReadCounter } from "../read-counter.ts"
import { delta, event } from "../run/lines.ts"
import { endScreens, live, NOW, show } from "./screen.tsx"

afterEach(endScreens)

const idsOf = (session: number) => ({ invokeid: `i${session % 8}`, "session-id": `s${session}` })

/** So many sessions that stream, of which the last has had so many turns. */
function begun(turns: number, sessions: number): readonly Decoded[] {
  const last = idsOf(sessions - 1)
  const starts = Array.from({ length: sessions }, (_, i) => [
    event(2 * i, "llm/start", idsOf(i), NOW),
    delta(2 * i + 1, "word", { ...idsOf(i), ts: NOW }),
  ]).flat()
  const content = [{ type: "text", text: "a word" }]
  const rows = Array.from({ length: turns }, (_, i) => [
    event(2 * (sessions + i), "llm/response", { ...last, content, usage: { "input-tokens": 10 } }, NOW + i),
    event(2 * (sessions + i) + 1, "llm/start", last, NOW + i),
  ]).flat()
  return [...starts, ...rows]
}

/** The items that are read of the run for one delta of the last session, with these keys pressed before. */
async function readsPerDelta(keys: readonly string[], turns: number, sessions: number): Promise<number> {
  const counter = new ReadCounter()
  const store = createStore({ plan, link: live })
  const { shown } = store
  Object.assign(store, { shown: () => counter.wrap(shown()) })
  const screen = await show({ store, now: NOW + 5000 })
  const before = begun(turns, sessions)
  screen.feed(...before)
  await screen.rows()
  screen.press(...keys)
  for (let i = 0; i < 10; i++) {
    if (i === 5) counter.reads = 0
    screen.feed(delta(before.length + i, "more ", { ...idsOf(sessions - 1), ts: NOW + 5000 }))
    await screen.rows()
  }
  endScreens()
  return counter.reads / 5
}

const SHOWN: { readonly [what: string]: readonly string[] } = {
  "the three panes": [],
  "the list of invocations": ["i", "1"],
  "a transcript": ["i", "2"],
  "the ledger by session": ["i", "8", "S", "S", "S", "S"],
  "the ledger by turn": ["i", "8", "S", "S", "S", "S", "S"],
  "the list of what needs a person": ["!"],
  "the chart": ["i", "3"],
  "the artifacts": ["i", "4"],
  "the status": ["i", "5"],
  "the agent's log": ["i", "6"],
  "the waterfall": ["i", "7"],
  "the context": ["i", "9"],
}

for (const [what, keys] of Object.entries(SHOWN)) {
  test(`a delta costs as little after a thousand turns, or among 512 sessions, with ${what} shown`, async () => {
    // A binary search takes some more steps, and the strip of a session looks at up to eight stages a column.
    expect(await readsPerDelta(keys, 1000, 8)).toBeLessThan(4 * (await readsPerDelta(keys, 10, 8)))
    // So few fill the screen with rows. The header adds up the rates of the sessions that stream: two reads for each.
    // The ledger bills the reply of each.
    const screenful = await readsPerDelta(keys, 10, 64)
    const perSession = what.startsWith("the ledger") ? 12 : 2
    expect(await readsPerDelta(keys, 10, 512)).toBeLessThan(1.2 * screenful + perSession * 512)
  })
}
