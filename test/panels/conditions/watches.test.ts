// Tests how conditions are watched, by keys.
import { describe, expect, test } from "bun:test"
import { event } from "../../run/lines.ts"
import { type Shown, SIZES, show, spansWith } from "../../screen/screen.tsx"

const entered = (seq: number, state: string) =>
  event(seq, "runner/event-processed", { entered: [state], exited: [], "config-after": [state] })

async function command(screen: Shown, text: string): Promise<void> {
  screen.press(":")
  // The field takes text once it was drawn.
  await screen.settle()
  screen.type(text)
  screen.press("enter")
  await screen.settle()
}

describe.each(SIZES)("a watch at %dx%d", (columns, rows) => {
  test("starts with a field, marks a mistake in it, and lists each change once it is found", async () => {
    const screen = await show({ columns, rows })
    screen.feed(entered(1, "plan"), entered(2, "review"), entered(3, "plan"))
    await command(screen, "watch")
    screen.type("stat=review")
    await screen.settle()
    expect(await screen.text()).toContain("^^^^")
    screen.press("enter", "escape", "escape")
    await screen.settle()
    await command(screen, "watch state=review")
    expect(await screen.row("state=review")).toMatch(/▸ \[x\] watch +state=review +0( changes|×)/)
    const change = { epoch: 0, seq: 2, ts: 1002, words: "" }
    const found = new Map([
      [
        1,
        [
          { ...change, frame: 2, to: true },
          { ...change, frame: 3, seq: 3, ts: 1003, to: false },
        ],
      ],
    ])
    screen.store.dispatch({ type: "watched", generation: 0, found, read: 1 })
    expect(await screen.row("state=review")).toMatch(/state=review +2( changes|×)/)
    expect(await screen.row("true")).toContain("#2 ")
    expect(await screen.row("true")).toContain(columns < 60 ? "00:00  true" : "+00:00.001  true")
    screen.press("j", "j", "enter")
    expect(screen.effects.findLast(({ type }) => type === "time/seek")).toEqual({
      type: "time/seek",
      moment: { type: "frame", frame: 3 },
    })
    expect(await screen.text()).not.toContain("CONDITIONS")
  })

  test("lists the changes of a breakpoint with Enter, and goes with d", async () => {
    const screen = await show({ columns, rows })
    screen.press("B", "+")
    await screen.settle()
    screen.type("error")
    screen.press("enter")
    expect(await screen.row(" error")).toMatch(/pause +0× error +│/)
    screen.press("enter")
    expect(await screen.row(" error")).toMatch(/pause +0× error +0( changes|×)/)
    screen.press("d", "+")
    await screen.settle()
    screen.press("escape", "escape")
    expect(await screen.text()).not.toContain("CONDITIONS")
  })
})

test("a watch that is asked for again warns of no limit, and is listed once", async () => {
  const screen = await show()
  for (const _ of [1, 2]) await command(screen, "watch error")
  expect(await screen.row("CONDITIONS")).toContain("1 of 1 on")
  expect(await screen.text()).not.toContain("Limit")
})

test("a change up to the moment shown is bright, and one still to come dim", async () => {
  const screen = await show()
  screen.feed(entered(1, "plan"), entered(2, "review"))
  await command(screen, "watch state=review")
  const change = { epoch: 0, seq: null, ts: null, to: true }
  const changes = ["before", "here", "later"].map((words, i) => ({ ...change, words, frame: i + 1 }))
  screen.store.dispatch({ type: "watched", generation: 0, found: new Map([[1, changes]]), read: 1 })
  const frame = await screen.frame()
  const [before, here, later] = changes.map(({ words }) => spansWith(frame, words)[0]?.fg.toInts())
  expect(here).toEqual(before)
  expect(later).not.toEqual(here)
})

test("a watch leaves out changes found in an earlier version of the run", async () => {
  const screen = await show()
  await command(screen, "watch error")
  const found = new Map([[1, [{ frame: 1, epoch: 0, seq: 1, ts: 1, to: true, words: "" }]]])
  screen.store.dispatch({ type: "watched", generation: 1, found, read: 1 })
  expect(await screen.row("error")).toContain("0 changes")
})
