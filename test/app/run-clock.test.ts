// Tests that the program looks at what ends by itself when it ends, and not all the time until then.
import { expect, test } from "bun:test"
import { tickAtEnds } from "../../src/app/run-clock.ts"
import { features } from "../../src/panels/plan.ts"
import { createStore } from "../../src/view/store.ts"
import { NOTICE_MS } from "../../src/view/view.ts"
import { live } from "../screen/screen.tsx"
import { ManualClock } from "../transport/manual-clock.ts"

test("a notice goes when its time is over, with no look before", () => {
  const clock = new ManualClock()
  const store = createStore({ ...features, link: live })
  tickAtEnds(store, clock as never)
  store.ask({ type: "notice/show", text: "Saved", level: "info" }, { now: clock.now(), page: 0, lines: 0 })
  expect([store.get().view.notice?.text, clock.step(), store.get().view.notice]).toEqual(["Saved", 3 * NOTICE_MS, null])
  expect(clock.alarms).toBe(0)
})
