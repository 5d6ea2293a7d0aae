// Tests whom the store notifies.
import { expect, test } from "bun:test"
import { features } from "../../src/panels/plan.ts"
import { leaving } from "../../src/panels/program/index.ts"
import { createStore } from "../../src/view/store.ts"
import { open, quit } from "../panels/planned.ts"
import { delta } from "../run/lines.ts"

test("what subscribes because of a change hears of the next one first", () => {
  const store = createStore({ ...features, link: open })
  let later = 0
  store.subscribe(() => void (later === 0 && store.subscribe(() => later++)))
  store.dispatch({ type: "frames", frames: [delta(0, "x")] })
  expect(later).toBe(0)
})

test("the store notifies its listeners of changes only, until they unsubscribe", () => {
  const store = createStore({ ...features, link: open })
  let heard = 0
  const leave = store.subscribe(() => heard++)
  store.dispatch({ type: "frames", frames: [] })
  expect(heard).toBe(0)
  store.dispatch({ type: "frames", frames: [delta(0, "x")] })
  expect(heard).toBe(1)
  store.ask(quit, { now: 1, page: 1, lines: 1 })
  expect(store.get().view.notice?.until).toBe(3001)
  expect(leaving.of(store.get().view).at).toBe(1)
  const before = heard
  leave()
  store.dispatch({ type: "frames", frames: [delta(1, "y")] })
  expect(heard).toBe(before)
  expect(store.get().run.frames.event).toBe(2)
})
