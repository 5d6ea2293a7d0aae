// Tests how the panes lie and show their cursor, and what a failed one leaves.
import { expect, test } from "bun:test"
import { TextAttributes } from "@opentui/core"
import { delta, event, ids } from "../run/lines.ts"
import { NOW, show, spansWith } from "./screen.tsx"

const BAR = TextAttributes.INVERSE | TextAttributes.DIM

test("the panes are where they were when the run begins anew with fewer sessions, until a resize", async () => {
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

test("the panes have a bright bar under the cursor, in 16 colours and in none a faint one where keys go elsewhere", async () => {
  for (const depth of ["16", "none"] as const) {
    const screen = await show({ depth }, event(0, "llm/start", { invokeid: "poet", "session-id": "s" }))
    const bar = async () => (spansWith(await screen.frame(), "▌")[0]?.attributes ?? 0) & BAR
    expect(await bar()).toBe(TextAttributes.INVERSE)
    screen.press("tab")
    expect(await bar()).toBe(BAR)
  }
})

test("a pane that throws shows the fault in its place while the others go on", async () => {
  const screen = await show()
  await screen.feed(event(0, "llm/start", ids, NOW), delta(null, "First snow", { ts: NOW })).rows()
  // A run whose log cannot be read: the pane's own lines throw.
  const { store } = screen
  const broken = new Proxy(store.get().run.log, {
    get(log, key) {
      if (key === "rows") throw new Error("the shelf fell down, and with it all the books that stood on the upper board")
      return Reflect.get(log, key)
    },
  })
  const { get, shown } = store
  const whole = get()
  Object.assign(store, { shown: () => ({ ...shown(), run: { ...shown().run, log: broken } }) })
  store.dispatch({ type: "frames", frames: [delta(null, " falls", { ts: NOW })] })
  expect(get()).not.toBe(whole)
  const text = await screen.text()
  expect(text).toMatch(/│ Can't draw this pane: the shelf fell down, .* Your run is *│\n│ fine\. /)
  store.dispatch({ type: "frames", frames: [delta(null, " softly", { ts: NOW })] })
  expect(await screen.text()).toContain("First snow falls softly")
  expect(await screen.text()).toContain("SESSIONS  1 ")
})
