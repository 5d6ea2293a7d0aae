// Tests how a person moves between panes and overlays, and what a failed pane leaves.
import { describe, expect, test } from "bun:test"
import { TextAttributes } from "@opentui/core"
import { delta, event, ids, line } from "../run/lines.ts"
import { live, NOW, show, spansWith } from "./screen.tsx"

const BAR = TextAttributes.INVERSE | TextAttributes.DIM

describe("the panes", () => {
  test("are where they were when the run begins anew with fewer sessions, until a resize", async () => {
    const screen = await show({ columns: 80, rows: 30 })
    const start = (n: number) => event(n, "llm/start", { invokeid: `poet${n}`, "session-id": `s${n}` })
    const logRow = async () => (await screen.rows()).findLastIndex(row => row.includes("┌─"))
    const few = [event(0, "runner/started"), start(1)]
    screen.feed(...few)
    const small = await logRow()
    screen.feed(...[2, 3, 4, 5, 6, 7, 8, 9, 10].map(start))
    const large = await logRow()
    expect(large).toBeGreaterThan(small)
    screen.store.dispatch({ type: "restart", now: NOW })
    expect(await screen.feed(...few).text()).not.toContain("poet8")
    expect(await logRow()).toBe(large)
    screen.resize(81, 30)
    expect(await logRow()).toBe(small)
  })

  test("have a bright bar under the cursor, in 16 colours and in none a faint one where keys go elsewhere", async () => {
    for (const depth of ["16", "none"] as const) {
      const screen = await show({ depth }, event(0, "llm/start", { invokeid: "poet", "session-id": "s" }))
      const bar = async () => (spansWith(await screen.frame(), "▌")[0]?.attributes ?? 0) & BAR
      expect(await bar()).toBe(TextAttributes.INVERSE)
      screen.press("tab")
      expect(await bar()).toBe(BAR)
    }
  })
})

test("a pane that throws shows the fault in its place while the others go on", async () => {
  const screen = await show()
  await screen.feed(event(0, "llm/start", ids, NOW), delta(null, "First snow", { ts: NOW })).rows()
  // A run whose log cannot be read: the pane's own lines throw.
  const { store } = screen
  const broken = new Proxy(store.get().run.log, {
    get(log, key) {
      if (key === "rows") throw new Error("the shelf fell down")
      return Reflect.get(log, key)
    },
  })
  const { get, shown } = store
  const whole = get()
  Object.assign(store, { shown: () => ({ ...shown(), run: { ...shown().run, log: broken } }) })
  store.dispatch({ type: "frames", frames: [delta(null, " falls", { ts: NOW })] })
  expect(get()).not.toBe(whole)
  const text = await screen.text()
  expect(text).toContain("Can't draw this pane: the shelf fell down")
  store.dispatch({ type: "frames", frames: [delta(null, " softly", { ts: NOW })] })
  expect(await screen.text()).toContain("First snow falls softly")
  expect(await screen.text()).toContain("SESSIONS  1 ")
})

describe("Esc and Ctrl-C", () => {
  test("Esc interrupts if pressed twice within a second, not counting an Esc that closed something", async () => {
    const screen = await show({ link: live })
    expect(await screen.press("escape").text()).toContain("Esc again to interrupt")
    screen.pass(1500).press("?", "escape", "escape", "escape", "escape")
    expect(screen.effects.filter(one => one.type === "agent/send")).toEqual([])
    expect(await screen.text()).not.toContain("Esc again")
    screen.pass(1000)
    expect(await screen.press("escape").text()).toContain("Esc again to interrupt")
    expect(screen.press("escape").effects.filter(one => one.type === "agent/send")).toEqual([
      { type: "agent/send", command: { type: "ui-interrupt" }, text: '{"kind":"control","op":"ui-interrupt"}' },
    ])
  })

  test("Esc pressed again and again after it closed the palette counts for nothing for 5 s, then interrupts", async () => {
    const screen = await show({ link: live })
    const sent = () => screen.effects.filter(one => one.type === "agent/send").length
    screen.press(":", "escape")
    for (let ms = 0; ms < 4800; ms += 400) {
      screen.pass(400).press("escape")
    }
    expect(await screen.text()).not.toContain("Esc again")
    screen.pass(400)
    expect(await screen.press("escape").text()).toContain("Esc again to interrupt")
    expect(sent()).toBe(0)
    screen.pass(400).press("escape")
    expect(sent()).toBe(1)
  })

  test("Ctrl-C quits at the second press while the run is alive, and at the first after it", async () => {
    const screen = await show({ link: live })
    expect(await screen.press("ctrl-c").text()).toContain("Press Ctrl-C again to end the run")
    expect(screen.effects.filter(one => one.type === "program/exit")).toEqual([])
    expect(screen.press("ctrl-c").effects).toEqual([
      { type: "agent/send", command: { type: "ui-quit" }, text: '{"kind":"control","op":"ui-quit"}' },
      { type: "program/exit", code: 0 },
    ])
    const over = await show({ link: live }, line({ kind: "control", op: "run-finished" }))
    expect(over.press("ctrl-c").effects).toContainEqual({ type: "program/exit", code: 0 })
  })
})
