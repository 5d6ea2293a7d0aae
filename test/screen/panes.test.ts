// Tests how the panes lie and show their cursor, and what a failed one leaves.
import { expect, test } from "bun:test"
import { TextAttributes } from "@opentui/core"
import type { View } from "../../src/view/view.ts"
import { sure } from "../panels/prompt/questions.ts"
import { testWalks } from "../panels/scripted.ts"
import { delta, event, groupAt, idAt, ids, tell } from "../run/lines.ts"
import { endScreens } from "./open-screens.ts"
import { NOW, type Shown, show, spansWith } from "./screen.tsx"

const BAR = TextAttributes.INVERSE | TextAttributes.DIM

test("the panes are where they were when the run begins anew with fewer sessions, until a resize or a key of the list", async () => {
  const start = (n: number) => event(n, "llm/start", { invokeid: `poet${n}`, "session-id": `s${n}` })
  const logRow = async (screen: Shown) => (await screen.rows()).findLastIndex(row => row.includes("┌─"))
  const few = [event(0, "runner/started"), start(1)]
  const list = (change: Partial<View["list"]>) => (screen: Shown) =>
    screen.store.dispatch({ type: "view", change: { list: change } })
  const run = tell(few)
  const group = groupAt(run, 0)
  for (const change of [
    ...[(screen: Shown) => screen.resize(81, 30), (screen: Shown) => screen.resize(80, 31).resize(80, 30)],
    ...[list({ folded: [group] }), list({ unfolded: [group] }), list({ order: "tokens" }), list({ filter: "poet" })],
    list({ pins: [idAt(run, 0)] }),
  ]) {
    const screen = await show({ columns: 80, rows: 30 }, ...few)
    const small = await logRow(screen)
    const large = await logRow(screen.feed(...[2, 3, 4, 5, 6, 7, 8, 9, 10].map(start)))
    expect(large).toBeGreaterThan(small)
    screen.store.dispatch({ type: "restart", now: NOW })
    expect(await screen.feed(...few).text()).not.toContain("poet8")
    expect(await logRow(screen)).toBe(large)
    change(screen)
    expect(await logRow(screen)).toBe(small)
    endScreens()
  }
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
      if (key === "rows")
        throw new Error("the shelf fell down, and with it all the books that stood on the upper board")
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

test("the border of what keys go to stands out, that of a question in its own colour once it listens", async () => {
  const screen = await show({ columns: 120, rows: 30 }, event(0, "llm/start", ids, NOW))
  const told: string[] = []
  for (const step of [
    ...[() => screen, () => screen.press("tab"), () => screen.pass(5000).feed(sure)],
    ...[() => screen.listen(), () => screen.press("alt-h", ":")],
  ])
    for (const { text, fg } of spansWith(await step().frame(), "┌─")) told.push(`${text.slice(0, 12)} ${fg.toInts()}`)
  expect(told.join("\n")).toMatchSnapshot()
})

await testWalks("screen")
