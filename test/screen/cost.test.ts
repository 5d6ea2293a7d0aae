// Tests what drawing costs: nothing while nothing changes, and only visible rows otherwise.
import { afterEach, beforeEach, expect, jest, spyOn, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { liveRows } from "../../src/panels/common/session-rows.ts"
import { liveLines } from "../../src/panels/live/lines.ts"
import { unicode } from "../../src/ui/glyphs.ts"
import { shownState } from "../../src/view/store.ts"
import { fixture, readFrames } from "../fixtures.ts"
import { delta, event, ids, line } from "../run/lines.ts"
import { endScreens } from "./open-screens.ts"
import { live, NOW, replay, type Shown, show } from "./screen.tsx"

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  endScreens()
  jest.useRealTimers()
})

function sessions(count: number): readonly Decoded[] {
  return Array.from({ length: count }, (_, i) =>
    event(null, "llm/start", { invokeid: `i${i % 32}`, "session-id": `s.${i}`, model: "m" }, NOW),
  )
}

/** The frames drawn in a minute without input, with the runtime's and the screen's timers running. */
async function drawnInAMinute(screen: Shown): Promise<number> {
  await screen.settle()
  const before = screen.drawn()
  for (let quarter = 0; quarter < 240; quarter++) {
    screen.pass(250)
    jest.advanceTimersByTime(250)
    await screen.settle()
  }
  return screen.drawn() - before
}

/** A list that tells which of its rows are read. */
function watched<T extends object>(rows: T, read: (row: string) => void): T {
  return new Proxy(rows, {
    get(all, key, receiver) {
      if (typeof key === "string" && /^\d+$/.test(key)) read(key)
      return Reflect.get(all, key, receiver)
    },
  })
}

for (const motion of [true, false]) {
  test(`nothing is drawn in a minute after the run ended, with motion ${motion ? "on" : "off"}`, async () => {
    const lines = await readFrames(fixture("demo"))
    for (const link of [live, replay]) {
      const screen = await show({ link, motion })
      expect(await drawnInAMinute(screen.feed(...lines, line({ kind: "control", op: "run-finished" })))).toBe(0)
    }
  })

  test(`a session that streams is drawn once a second, and told of when it falls silent, with motion ${motion ? "on" : "off"}`, async () => {
    const screen = await show({ motion })
    screen.feed(event(0, "llm/start", ids, NOW), delta(1, "word ", { ts: NOW }))
    expect(await drawnInAMinute(screen)).toBe(60)
    expect((await screen.rows()).at(-1)).toStartWith(" ! needs you")
  })
}

test("a key without effect draws nothing, and a batch of many frames is drawn once", async () => {
  const screen = await show({}, event(0, "runner/started", {}))
  await screen.settle()
  const state = screen.store.get()
  const before = screen.drawn()
  screen.press("ctrl-t", "ctrl-q")
  await screen.settle()
  expect(screen.store.get()).toBe(state)
  expect(screen.drawn() - before).toBe(0)
  screen.feed(...Array.from({ length: 500 }, (_, i) => delta(i + 1, "word ")))
  await screen.settle()
  expect(screen.drawn() - before).toBe(1)
})

test("the element tree is as small for 2,048 sessions or 100,000 log rows as for one session", async () => {
  const screen = await show()
  await screen.feed(...sessions(1)).rows()
  const one = screen.elements()
  await screen.feed(...sessions(2048)).rows()
  expect(screen.elements()).toBe(one)
  await screen.feed(...Array.from({ length: 100_000 }, (_, i) => event(null, "note", { i }, NOW))).rows()
  expect(screen.elements()).toBe(one)
  expect(one).toBeLessThan(40)
  expect(liveRows(shownState(screen.store.get()), 4000).rows.length).toBe(2048 + 32)
})

test("drawing 2,048 sessions reads only the rows that fit", async () => {
  const screen = await show()
  const streams = Array.from({ length: 2048 }, (_, i) =>
    delta(1 + i, "word ", { invokeid: `i${i % 32}`, "session-id": `s.${i}`, ts: NOW + i }),
  )
  screen.feed(...sessions(2048), ...streams)
  const state = shownState(screen.store.get())
  const { rows } = liveRows(state, 30)
  const read = new Set<string>()
  const seen = { rows: watched(rows, row => read.add(row)), pinned: 0, top: 100 }
  const context = { glyphs: unicode, motion: false, now: NOW }
  const draw = () => liveLines(state, context, 80, 30, seen)
  // The first drawing of a list finds out where each row stands.
  draw()
  read.clear()
  const lines = draw()
  expect(lines).toHaveLength(30)
  expect(read.size).toBeLessThanOrEqual(30)
})

test("an open transcript wraps only new text, also while the pane behind it has another width", async () => {
  const screen = await show({}, event(0, "llm/start", ids, NOW))
  screen.feed(...Array.from({ length: 10_000 }, (_, i) => delta(i + 1, "日本語 words and more ")))
  await screen.press("enter").rows()
  const measured = spyOn(Bun, "stringWidth")
  for (let i = 0; i < 10; i++) {
    await screen.feed(delta(10_001 + i, "さらに ")).rows()
    screen.press("k")
  }
  const units = measured.mock.calls.reduce((sum, [whole]) => sum + whole.length, 0)
  measured.mockRestore()
  expect(units / 10).toBeLessThan(250_000)
})
