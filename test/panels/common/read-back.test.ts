// Tests what comes of rows that are read back from disk: a search goes on, and causes are told anew.
import { expect, test } from "bun:test"
import type { EventFrame } from "../../../packages/wire/src/frame.ts"
import { causesOf } from "../../../src/panels/common/open-why.ts"
import type { Direction } from "../../../src/view/intent.ts"
import { reduce } from "../../../src/view/reduce.ts"
import { emptyState } from "../../../src/view/state.ts"
import { shownState } from "../../../src/view/store.ts"
import { event } from "../../run/lines.ts"
import { open, Planned } from "../planned.ts"

/** A run of which memory holds so many rows. */
const forgotten = (frames: readonly EventFrame[], rowWindow = 0) =>
  reduce(emptyState(open, { rowWindow }), { type: "frames", frames })

test("a search goes to the next match once the rows before it are read back, or says that there is none", () => {
  const logs = [
    [512, 0, 1600, 3],
    [512, 0, 1600, 3, 1500],
    [512, 0, 1030, 1020],
    [512, 0, 1030],
    [512, 700, 1600, 3, 900],
    [512, 1300, 1600, 3, 1200],
    [512, 1100, 3000, 1000, 2900],
    // All of it is in memory, of which a slice is looked through at a time.
    [9999, 0, 3000, 2900],
  ]
  const told = logs.map(([kept = 0, start = 0, length = 0, ...places]) => {
    const frames = Array.from({ length }, (_, n) => event(n, "note", { text: places.includes(n) ? "snow" : "rain" }))
    const screen = new Planned(open)
    screen.state = forgotten(frames as EventFrame[], kept)
    screen.ask({ type: "pane/focus", pane: "log" }).move({ unit: "to", count: start }).ask({ type: "find/begin" })
    screen.ask({ type: "typing/text", text: "snow" }).ask({ type: "typing/take" })
    const scans = () => (screen.effects.some(({ type }) => type === "log/scan") ? "scans" : "")
    const stand = () =>
      `row ${screen.view.log.cursor?.order}, wants ${screen.view.log.filters.search?.wanted} ${screen.said}${scans()}`
    const pressed = (step: Direction) => {
      screen.ask({ type: "find/step", step })
      return stand()
    }
    const steps = [stand()]
    for (let slice = 0; slice < 9; slice++) {
      const lines = screen.effects.flatMap(one => (one.type === "log/scan" ? one.lines : []))
      // Pressed again meanwhile, the key decides the direction, and goes to no row yet.
      if (slice === 0) steps.push(pressed(-1), pressed(1))
      const { state } = screen
      if (lines.length > 0) expect(screen.ask({ type: "log/scan", recalled: new Map() }).state).toBe(state)
      const recalled = new Map(lines.map(line => [line, frames[line] as EventFrame]))
      screen.ask({ type: "log/scan", recalled })
    }
    return [...steps, stand(), pressed(1), pressed(-1)].join("\n")
  })
  expect(told.join("\n\n")).toMatchSnapshot()
})

test("why a state was entered is told anew once its row is read back", () => {
  const steps = ["plan", "review"].map((state, seq) =>
    event(seq, "runner/event-processed", { entered: [state], exited: [], "config-after": [state] }),
  ) as EventFrame[]
  const notes = Array.from({ length: 600 }, (_, n) => event(2 + n, "note")) as EventFrame[]
  const state = shownState(forgotten([...steps, ...notes]))
  const about = { epoch: 0, order: 1, nth: 0 } as const
  const titles = [[], steps].map(read => {
    const recalled = new Map(read.map((frame, line) => [line, frame]))
    return causesOf({ ...state, recalled }, about).title
  })
  expect(titles).toEqual(["this row", "review"])
  // A capture that was read may tell more.
  const told = [{}, {}, { captures: new Map() }].map(read => causesOf({ ...state, ...read }, about))
  expect([told[1] === told[0], told[2] === told[0]]).toEqual([true, false])
})
