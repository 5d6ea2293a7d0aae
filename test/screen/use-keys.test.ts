// Keeps what keys, clicks and pastes come to: notices, drafts and what is sent, one after the other.
import { expect, test } from "bun:test"
import { asks, name } from "../panels/prompt/questions.ts"
import { event } from "../run/lines.ts"
import { NOW, show } from "./screen.tsx"

test("a key that is early, unknown, ignored or unsafe does no harm, and a typed text counts before the next key", async () => {
  const screen = await show({ columns: 100, rows: 24 }, event(0, "runner/started"))
  const told: string[] = []
  let sent = 0
  const note = (what: string): void => {
    const { notice, questions, overlays, focus } = screen.store.get().view
    const drafts = questions.drafts.map(({ text }) => JSON.stringify(text))
    const effects = screen.effects.slice(sent).map(one => (one.type === "agent/send" ? one.text : one.type))
    sent = screen.effects.length
    const state = [notice && `${notice.level} ${notice.text}`, questions.ignored && `ignores ${questions.ignored.keys}`]
    told.push(
      [`${what}:`, focus, ...overlays.map(({ type }) => type), ...state.filter(Boolean), ...drafts, ...effects].join(
        " · ",
      ),
    )
  }
  const press = (...strokes: readonly string[]): void => {
    for (const stroke of strokes) {
      screen.pressAtOnce(stroke)
      note(stroke)
    }
  }
  const say = (text: string, level?: "info"): void => {
    screen.store.ask({ type: "notice/show", text, ...(level && { level }) }, { now: NOW, page: 0, lines: 0 })
    note(`says ${text}`)
  }
  press("r", "5", "r", "]", "r", "]", "escape", "j", "\u0085", "\u200b")
  say("told", "info")
  press("tab")
  say("warned")
  press("q", "q", "j")
  screen.feed(name)
  note("asked")
  press("A", "enter")
  await screen.click("Which name")
  note("click")
  await screen.paste("early")
  note("paste")
  press("x", "enter")
  screen.pass(2000)
  note("later")
  say("told", "info")
  press("A", "d")
  say("warned")
  press("a")
  await screen.paste("b\u001b[2Jc\r\nd")
  note("paste")
  press("ctrl-u", "x")
  screen.pass(100)
  press("alt-y", "ctrl-t", "enter")
  screen.feed(asks("p#9", "text", { prompt: "More?" })).pass(9000)
  press("escape", "escape")
  screen.feed(asks("p#10", "text", { prompt: "Last?" })).pass(9000)
  press("u", "\u0085", "escape", "v", "escape", "ctrl-y", "enter")
  // The end of a time that a timer was to tell is seen by the next key.
  const until = screen.now()
  screen.store.dispatch({ type: "view", change: { questions: { ignored: { keys: "all", until, most: until } } } })
  press("tab")
  expect(told.join("\n")).toMatchSnapshot()
})
