// Tests that figures and a recording that is read are drawn seldom, and everything else at once.
import { expect, test } from "bun:test"
import { delta, event } from "../run/lines.ts"
import { untilShown } from "../until.ts"
import { NOW, replay, show } from "./screen.tsx"

const start = event(0, "llm/start", { invokeid: "a", "session-id": "s", model: "m" }, NOW)
const words = (seq: number, text: string) => delta(seq, text, { coalesced: 10, ts: NOW + seq })

test("while a reply grows its text is drawn at once, and its tokens wait", async () => {
  const screen = await show({ calmMs: 60_000 })
  screen.feed(start)
  screen.feed(words(10, "one "))
  screen.feed(words(20, "two "))
  expect(await screen.text()).toContain("one two")
  expect(await screen.row("◌ a")).toContain("waiting for first token")
  // A row of the log is no figure.
  screen.feed(event(21, "llm/start", { invokeid: "b", "session-id": "t", model: "m" }, NOW + 30))
  expect(await screen.row("● a")).toContain("one two")
})

test("the last figures are shown, though nothing follows them", async () => {
  const screen = await show({ calmMs: 1 })
  screen.feed(start)
  screen.feed(words(10, "one "))
  screen.feed(words(20, "two "))
  const rows = await untilShown({ screen: screen.rows }, /● a +one two/)
  expect(rows[0]).toContain(" 20 out")
})

test("while a recording is read its rows wait, but no key does", async () => {
  const screen = await show({ calmMs: 60_000, link: replay })
  screen.feed(start)
  await screen.rows()
  screen.feed(event(1, "llm/start", { invokeid: "b", "session-id": "t", model: "m" }, NOW + 30))
  expect(await screen.text()).not.toContain("◌ b")
  screen.press("j")
  expect(await screen.text()).toContain("◌ b")
})

test("while a recording is read an earlier moment waits for no row of the present", async () => {
  const screen = await show({ calmMs: 60_000, link: replay })
  screen.feed(start)
  screen.store.dispatch({ type: "show", run: screen.store.get().run })
  expect(await screen.text()).toContain("0 later")
  screen.feed(event(1, "llm/start", { invokeid: "b", "session-id": "t", model: "m" }, NOW + 30))
  expect(await screen.text()).toContain("0 later")
  screen.press("j")
  expect(await screen.text()).toContain("1 later")
})

test("the end of a recording that was read is drawn at once", async () => {
  const screen = await show({ calmMs: 60_000, link: replay })
  screen.feed(start)
  await screen.rows()
  screen.feed(event(1, "llm/start", { invokeid: "b", "session-id": "t", model: "m" }, NOW + 30))
  screen.link({ state: "ended", path: "run.jsonl", incompleteLength: 0 })
  expect(await screen.text()).toContain("◌ b")
})

test("a recording that plays while it is read is drawn seldom, and paused at once", async () => {
  const screen = await show({ calmMs: 60_000, link: replay })
  screen.feed(start)
  const { run } = screen.store.get()
  screen.store.dispatch({ type: "show", run })
  screen.store.dispatch({ type: "time", change: { playing: true } })
  const before = await screen.text()
  screen.store.dispatch({ type: "play", frames: [words(10, "one ")] })
  expect(await screen.text()).toBe(before)
  screen.store.dispatch({ type: "time", change: { playing: false } })
  expect(await screen.text()).toContain("one")
})
