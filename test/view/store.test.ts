// Tests whom the store notifies.
import { expect, test } from "bun:test"
import { features } from "../../src/panels/plan.ts"
import { leaving } from "../../src/panels/program/index.ts"
import { noMarkers } from "../../src/query/timeline-markers.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { createStore } from "../../src/view/store.ts"
import { lost, open, quit } from "../panels/planned.ts"
import { delta } from "../run/lines.ts"

test("the store notifies of changes only, until one unsubscribes, and of the next one what subscribes in one", () => {
  const store = createStore({ ...features, link: open })
  let heard = 0
  let others = 0
  const leave = store.subscribe(() => heard++)
  store.subscribe(() => others++)
  let later = 0
  store.subscribe(() => void (later === 0 && store.subscribe(() => later++)))
  store.dispatch({ type: "frames", frames: [] })
  expect(heard).toBe(0)
  store.dispatch({ type: "frames", frames: [delta(0, "x")] })
  expect([heard, later]).toEqual([1, 0])
  store.ask(quit, { now: 1, page: 1, lines: 1 })
  expect(store.get().view.notice?.until).toBe(3001)
  expect(leaving.of(store.get().view).at).toBe(1)
  const before = heard
  leave()
  store.dispatch({ type: "frames", frames: [delta(1, "y")] })
  expect([heard, others, later > 0]).toEqual([before, before + 1, true])
  expect(store.get().run.frames.event).toBe(2)
})

test("within one change the reader follows the cursor, questions may add to it, and our own frames are kept first", () => {
  const told: string[] = []
  let place: string | null = "a"
  const store = createStore({
    ...{ link: open, plan: features.plan },
    follow: (view, happened) => {
      const lines = "frames" in happened ? happened.before.frames.lines : "run" in happened && happened.run.frames.lines
      told.push(`${happened.type} ${lines}`)
      return happened.type === "refilled" ? { ...view, maximized: true } : view
    },
    reader: {
      place: (_, now) => {
        told.push(`place at ${now}`)
        return place
      },
      follow: (state, now) => {
        told.push(`follows ${place} at ${now}, focus ${state.view.focus}`)
        return { maximized: !state.view.maximized }
      },
    },
    questions: (before, after, now) => {
      told.push(`asked ${before.view.maximized} ${after.view.maximized} at ${now}`)
      return after.view.maximized ? { notice: { text: place ?? "", level: "info", until: now } } : null
    },
    keep: frames => void told.push(`keeps ${frames.map(({ text }) => text)}`),
  })
  store.subscribe(() => void told.push(`hears ${store.shown().view.maximized} ${store.shown().view.notice?.text}`))
  store.dispatch({ type: "frames", frames: [delta(0, "x")], hands: { now: 5, keyAt: 0 } })
  store.dispatch({ type: "frames", frames: [delta(1, "x")] })
  place = null
  store.dispatch({ type: "frames", frames: [delta(2, "x")] })
  place = "a"
  store.dispatch({ type: "tick", now: 6 })
  store.dispatch({ type: "link", link: { ...lost, since: 1 }, now: 7 })
  store.ask({ type: "notice/show", text: "said" }, { now: 8, page: 1, lines: 1 })
  store.dispatch({ type: "show", run: emptyRun })
  store.dispatch({ type: "frames", frames: [delta(3, "x")] })
  store.dispatch({ type: "refilled", run: store.get().run, shown: null, marks: noMarkers })
  expect(told.join("\n")).toMatchSnapshot()
})
