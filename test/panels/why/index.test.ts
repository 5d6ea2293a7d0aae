// Tests the list of what led somewhere: where it opens, what it shows beside each other, and where Enter leads.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { decodeCapture } from "../../../packages/wire/src/capture.ts"
import { readFrames, root } from "../../fixtures.ts"
import { event } from "../../run/lines.ts"
import { replay, type Shown, show } from "../../screen/screen.tsx"
import { walked } from "../steps.ts"

/** The log of the failing run. */
async function failing(columns = 200, rows = 40): Promise<Shown> {
  const screen = await show({ link: replay, columns, rows })
  screen.feed(...(await readFrames(join(root, "fixtures/failing-run/transcript.jsonl"))))
  screen.store.dispatch({ type: "view", change: { focus: "log" } })
  return screen
}

test.each([
  [200, 40],
  [80, 24],
  [40, 10],
])("v shows what led to the turn of a log row, and Enter opens each of it, at %dx%d", async (columns, rows) => {
  const screen = await failing(columns, rows)
  // From the end back to the error of coder 2.
  const steps = ["E E E E", "v", "enter", "escape", "j j", "enter", "escape", "G", "enter", "escape", "v"]
  expect(await walked(screen, ...steps)).toMatchSnapshot()
})

test.each([
  [200, 40],
  [40, 12],
])(
  "v on a change of states lays it beside the one that left the same state before, at %dx%d",
  async (columns, rows) => {
    const screen = await failing(columns, rows)
    const steps = ["[ s [ s", "v", "m j", "enter", "escape", "m escape escape", "[ s [ s [ s [ s [ s v", "v"]
    expect(await walked(screen, ...steps)).toMatchSnapshot()
  },
)

test("what was compared leads on: to both turns, the step before, the context, and the view of time", async () => {
  const screen = await failing(120, 40)
  await walked(screen, "E E E v")
  const told: string[] = []
  for (let line = 0; line < 8; line++) told.push(await walked(screen, "j", "enter"), await walked(screen, "escape"))
  for (const [turn, tools] of [[{ name: "read_file" }], []].entries()) {
    const capture = decodeCapture({ messages: [{ role: "user", content: "Test." }], tools })
    const ref = `nodes/coding/1/turns/${turn}/request.edn`
    screen.store.dispatch({ type: "captured", ref, captured: { capture } })
  }
  told.push("The captures were read:", await walked(screen, "g"))
  expect(told.join("\n")).toMatchSnapshot()
})

test("D shows the data of the turn that is asked about, and % its context, though the transcript is at another", async () => {
  const screen = await failing()
  expect(await walked(screen, "E E E v", "D", "escape %", "v", "escape escape ! v")).toMatchSnapshot()
})

test("where nothing is known v says so", async () => {
  const screen = await show({ link: replay }, event(1, "runner/started"))
  expect(await screen.press("v").text()).toContain("No known cause")
})
