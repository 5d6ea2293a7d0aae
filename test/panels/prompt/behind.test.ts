// Tests that a question says who asks, and that the text behind it can be read.
import { expect, test } from "bun:test"
import { scopeOf } from "../../../src/panels/front.ts"
import { questionLines, questionScroll } from "../../../src/panels/prompt/lines.ts"
import { promptPlace } from "../../../src/panels/prompt/prompt-place.ts"
import { lineText } from "../../../src/ui/mark-hits.ts"
import { shownState } from "../../../src/view/store.ts"
import { delta, event, line } from "../../run/lines.ts"
import { LARGE_SIZES, show } from "../../screen/screen.tsx"
import { open, Planned } from "../planned.ts"
import { walked } from "../steps.ts"
import { asks, haiku, name, sure } from "./questions.ts"

const story = (invokeid: string, session: string, seq: number) =>
  delta(seq, Array.from({ length: 60 }, (_, i) => `${invokeid} ${session} line ${i + 1}`).join("\n"), {
    invokeid,
    "session-id": session,
  })
const run = [story("judge", "session.1", 0), story("judge", "session.2", 1), story("poet", "session.1", 2)]

test("the title of a question has who asks: its asker, else the session that it follows, and its place in the queue", async () => {
  const marked = { kind: "prompt", "prompt-id": "p", invokeid: null, type: "text", opts: { prompt: "Is *it* **so**?" } }
  const second = event(9, "llm/start", { invokeid: "poet", "session-id": "poet-2" })
  const long = line({ kind: "prompt", "prompt-id": "l", invokeid: "a-very-long-name-of-a-judge-indeed", type: "text" })
  const told: string[] = []
  for (const [columns, rows, ...lines] of [
    [80, 24, line({ kind: "prompt", "prompt-id": "prompt#3", invokeid: null, type: "confirm", opts: {} })],
    [80, 24, second, line(marked)],
    [40, 10, event(3, "runner/start-config", { config: ["run", "judging"] }), long, sure],
  ] as const) {
    const screen = await show({ columns, rows }, ...run)
    told.push(await walked(screen.pass(5000), ["it comes", () => screen.feed(...lines)], "alt-h", "a", "tab"))
  }
  expect(told.join("\n\n")).toMatchSnapshot()
})

test("the text behind a question is the end of what led to it, or the log, and PgUp reads it on any screen", async () => {
  const typing = await show({ columns: 80, rows: 24 }, ...run)
  const behind = await show({ columns: 80, rows: 24 }, ...run)
  const small = await show({ columns: 40, rows: 10 }, ...run, name)
  const covers = await show({ columns: 40, rows: 10 }, event(1, "app/note"), name)
  const inLog = await show({ columns: 80, rows: 24 }, ...run)
  const notes = Array.from({ length: 60 }, (_, i) => event(10 + i, "llm/user-message", { text: `note ${i + 1}` }))
  const many = asks("many", "select", { prompt: "?", options: Array.from({ length: 12 }, (_, i) => `o${i}`) })
  expect([
    // A question waits while a line that it would cover is typed.
    await walked(typing, "/ 'judge'", ["it comes", () => typing.feed(name)], "escape", "a"),
    await walked(behind.pass(5000), ["it comes", () => behind.feed(haiku)], "1", ["2 s", () => behind.pass(2000)]),
    await walked(small, "'half'", "pageup", "pageup", "escape"),
    await walked(covers, "pageup", "alt-h"),
    await walked(inLog, "tab tab", ["it comes", () => inLog.feed(...notes, many).pass(5000)], "a", "pageup", "pageup"),
  ]).toMatchSnapshot()
})

test.each(LARGE_SIZES)(
  "the text, or the log without one, scrolls by page behind a question at %dx%d",
  async (columns, rows) => {
    const screen = await show({ columns, rows }, ...run, name)
    const told = [await walked(screen, "", "pageup", "pageup", "pageup", "pageup", "pagedown 'xyz'")]
    expect(scopeOf(screen.store.shown()).id).toBe("text")
    const notes = Array.from({ length: 60 }, (_, i) => event(i, "app/note", { n: `note ${i + 1}` }))
    for (const focus of ["live", "text", "log"] as const) {
      const inLog = await show({ columns, rows }, ...notes, name)
      inLog.store.dispatch({ type: "view", change: { focus } })
      told.push(await walked(inLog, "'half'", "pageup pageup", "pagedown"))
    }
    expect(told.join("\n\n")).toMatchSnapshot()
  },
)

test("rows are divided between a question, its answer and what is behind: each height at which that changes", () => {
  const errors = ["this is too short, and no name that anybody would have"]
  const text = asks("t", "text", { prompt: Array.from({ length: 9 }, (_, i) => `${i}`).join("\n\n") })
  const options = Array.from({ length: 6 }, (_, i) => `${i} an option of more than one row of this screen`)
  const told: string[] = []
  for (const [asked, ...more] of [
    [sure],
    [text, event(1, "human-input/validation-failed", { invokeid: "judge", errors })],
    [asks("m", "multi", { prompt: "?", options })],
  ] as const) {
    const state = shownState(new Planned(open, [asked, ...more]).state)
    for (let height = 4, last = ""; height < 40; height++) {
      for (const prompt of state.run.prompts) {
        const { rect, columns, ...rows } = promptPlace(state, prompt, { x: 0, y: 0, width: 44, height })
        const [end] = questionLines(prompt, 99, columns, rows.question)
        const scroll = questionScroll(prompt, columns, rows.question)
        const words = JSON.stringify({ box: rect.height, ...rows, ...scroll, ...(end && { end: lineText(end) }) })
        if (words !== last) told.push(`${prompt.frame.type} ${height}: ${words.replaceAll('"', "")}`)
        last = words
      }
    }
  }
  expect(told.join("\n")).toMatchSnapshot()
})
