// Tests what comes of rows that are read back from disk: a search goes on, and causes are told anew.
import { expect, test } from "bun:test"
import type { EventFrame } from "../../../packages/wire/src/frame.ts"
import { causesOf } from "../../../src/panels/common/open-why.ts"
import { reduce } from "../../../src/view/reduce.ts"
import { emptyState } from "../../../src/view/state.ts"
import { shownState } from "../../../src/view/store.ts"
import { event } from "../../run/lines.ts"
import { open, Planned } from "../planned.ts"

/** A run of which memory holds no row. */
const forgotten = (frames: readonly EventFrame[]) =>
  reduce(emptyState(open, { rowWindow: 0 }), { type: "frames", frames })

test("a search goes to its match once the last rows are read back, or says that there is none", () => {
  const frames = Array.from({ length: 600 }, (_, n) => event(n, "note", { text: n === 3 ? "snow" : "rain" }))
  const told = ["snow", "hail"].map(text => {
    const screen = new Planned(open)
    screen.state = forgotten(frames as EventFrame[])
    screen.ask({ type: "pane/focus", pane: "log" }).ask({ type: "find/begin" })
    screen.ask({ type: "typing/text", text }).ask({ type: "typing/take" })
    for (let slice = 0; slice < 50; slice++) {
      const lines = screen.effects.flatMap(one => (one.type === "log/scan" ? one.lines : []))
      const recalled = new Map(lines.map(line => [line, frames[line] as EventFrame]))
      screen.ask({ type: "log/scan", recalled })
    }
    return [screen.view.log.cursor?.order ?? "no row", screen.view.log.filters.search?.wanted, screen.said]
  })
  expect(told).toEqual([
    [3, null, ""],
    ["no row", null, `No match for text~"hail"`],
  ])
})

test("why a state was entered is told anew once its row is read back", () => {
  const steps = ["plan", "review"].map((state, seq) =>
    event(seq, "runner/event-processed", { entered: [state], exited: [], "config-after": [state] }),
  ) as EventFrame[]
  const notes = Array.from({ length: 600 }, (_, n) => event(2 + n, "note")) as EventFrame[]
  const state = shownState(forgotten([...steps, ...notes]))
  const titles = [[], steps].map(read => {
    const recalled = new Map(read.map((frame, line) => [line, frame]))
    return causesOf({ ...state, recalled }, { epoch: 0, order: 1, nth: 0 }).title
  })
  expect(titles).toEqual(["this row", "review"])
})
