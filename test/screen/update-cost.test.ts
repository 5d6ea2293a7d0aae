// Tests that an update reads as little of a run, however many turns and sessions it did not change.
import { expect, test } from "bun:test"
import { join } from "node:path"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { features } from "../../src/panels/plan.ts"
import { createStore } from "../../src/view/store.ts"
import { root } from "../fixtures.ts"
import { ReadCounter } from "../read-counter.ts"
import { delta, event } from "../run/lines.ts"
import { endScreens } from "./open-screens.ts"
import { live, NOW, show } from "./screen.tsx"

const idsOf = (session: number) => ({ invokeid: `i${session % 8}`, "session-id": `s${session}` })

/** Ms that all turns take together, so that the lane of the session is full of them. */
const SPAN_MS = 5000

/** So many sessions that stream, of which the last has had so many turns. */
function begun(turns: number, sessions: number): readonly Decoded[] {
  const last = idsOf(sessions - 1)
  const starts = Array.from({ length: sessions }, (_, i) => [
    event(2 * i, "llm/start", idsOf(i), NOW),
    delta(2 * i + 1, "word", { ...idsOf(i), ts: NOW }),
  ]).flat()
  const content = [{ type: "text", text: "a word" }]
  const rows = Array.from({ length: turns }, (_, i) => {
    const [seq, ts] = [2 * (sessions + i), NOW + Math.floor((SPAN_MS * i) / turns)]
    return [
      event(seq, "llm/response", { ...last, content, usage: { "input-tokens": 10 } }, ts),
      event(seq + 1, "llm/start", last, ts),
    ]
  }).flat()
  return [...starts, ...rows]
}

/** Keys by what they open: what is shown while deltas come, and below it what is opened besides. */
const [SHOWN = [], BESIDES = []] = (await Bun.file(join(root, "fixtures/scripts/opened.txt")).text())
  .trimEnd()
  .split("\n\n")
  .map(part => part.split("\n").map(one => one.split(" = ")))

/** A screen of such a run, whose reads are counted; `back` leaves what keys have opened. */
async function counted(turns: number, sessions: number) {
  const counter = new ReadCounter()
  const store = createStore({ ...features, link: live })
  const { shown } = store
  Object.assign(store, { shown: () => counter.wrap(shown()) })
  const screen = await show({ store, now: NOW + SPAN_MS })
  await screen.feed(...begun(turns, sessions)).rows()
  const { view } = store.get()
  const back = async (): Promise<void> => {
    store.dispatch({ type: "view", change: view })
    await screen.rows()
  }
  return { counter, screen, back }
}

/** The items that are read of the run for one delta of the last session, by what is shown. */
async function readsPerDelta(turns: number, sessions: number): Promise<(what: string) => number> {
  const { counter, screen, back } = await counted(turns, sessions)
  let seq = 2 * (turns + sessions)
  const reads = new Map<string, number>()
  for (const [what = "", keys = ""] of SHOWN) {
    screen.press(...keys.split(" ").filter(Boolean))
    for (let i = 0; i < 10; i++) {
      if (i === 5) counter.reads = 0
      await screen.feed(delta(seq++, "more ", { ...idsOf(sessions - 1), ts: NOW + SPAN_MS })).rows()
    }
    reads.set(what, counter.reads / 5)
    await back()
  }
  endScreens()
  return what => reads.get(what) ?? Number.NaN
}

test("a delta costs as little after ten thousand turns, or among 512 sessions, whatever is shown", async () => {
  const [ten, thousand, more] = [
    await readsPerDelta(10, 8),
    await readsPerDelta(1000, 8),
    await readsPerDelta(10_000, 8),
  ]
  // So few fill the screen with rows.
  const [screenful, crowd] = [await readsPerDelta(10, 64), await readsPerDelta(10, 512)]
  const dear = SHOWN.filter(([what = ""]) => {
    // The header adds up the latest seconds of each session that streams, and the ledger bills the reply of each.
    const perSession = what.startsWith("the ledger") ? 27 : 17
    return !(
      // The lane of a session looks at up to eight stages a column, and ten turns have no more than one for each.
      thousand(what) < 6 * ten(what) &&
      // A binary search takes a third more steps.
      more(what) < 1.4 * thousand(what) &&
      crowd(what) < 1.2 * screenful(what) + perSession * 512
    )
  })
  expect(dear).toEqual([])
})

/**
 * Keys that open a list, a page or the palette, by what they open. A transcript is none of them: its blocks are made when
 * it opens, one for each text. Nor are the run's dearest turns, which are sought among all once, then in what changed.
 */
const OPENED = [...SHOWN.filter(([what]) => !["the three panes", "a transcript"].includes(`${what}`)), ...BESIDES]

/** The items that are read of the run to press these keys and draw what they lead to, after so many turns. */
async function readsToOpen(turns: number): Promise<ReadonlyMap<string, number>> {
  const { counter, screen, back } = await counted(turns, 8)
  const reads = new Map<string, number>()
  for (const [what = "", keys = ""] of OPENED) {
    const before = counter.reads
    await screen.press(...keys.split(" ")).rows()
    reads.set(what, counter.reads - before)
    await back()
  }
  endScreens()
  return reads
}

test("to open a list, a page or the palette costs no more after ten thousand turns than after a thousand", async () => {
  const [thousand, more] = [await readsToOpen(1000), await readsToOpen(10_000)]
  for (const [what, reads] of more) {
    // A list of ten thousand is one chunk deeper than one of a thousand.
    expect({ what, over: reads > 1.3 * (thousand.get(what) ?? 0) }).toEqual({ what, over: false })
  }
})

test("a key in a log of 10,000 rows reads few of them, wherever the cursor is", async () => {
  const { counter, screen } = await counted(5000, 1)
  screen.press("tab", "tab")
  for (const key of ["k", "g", "pagedown", "G", "end"]) {
    await screen.rows()
    const before = counter.reads
    await screen.press(key).rows()
    expect({ key, over: counter.reads - before > 2000 }).toEqual({ key, over: false })
  }
})

test("the session whose deltas are counted is the one that is shown", async () => {
  const screen = await show({ now: NOW + SPAN_MS })
  screen.feed(...begun(1000, 8), delta(2016, "counted ", { ...idsOf(7), ts: NOW + SPAN_MS }))
  expect(await screen.text()).toMatch(/─ i7 ─[\s\S]*turn 1001 of 1001/)
  expect(await screen.text()).toContain("counted▌")
})
