// Tests that questions can be read again, in a recording and in a live run.
import { describe, expect, test } from "bun:test"
import { event, line } from "../../run/lines.ts"
import { live, replay, SIZES, show } from "../../screen/screen.tsx"
import { asks, extras, haiku, name, sent, sure } from "../prompt/questions.ts"

function starts(seq: number, kind: string, prompt: string) {
  return event(seq, "human-input/start", { invokeid: "judge", kind, prompt })
}

describe("a question in a recording", () => {
  test.each(SIZES)(
    "opens from its log row, with options and answer, and cannot be answered at %dx%d",
    async (columns, rows) => {
      const screen = await show({ link: replay, columns, rows })
      screen.feed(
        haiku,
        starts(1, "select", "Which haiku wins?"),
        line({ kind: "answer", "prompt-id": "win#1", value: false }),
      )
      screen.feed(event(2, "human-input/answer", { invokeid: "judge", answer: false }))
      screen.press("tab", "tab", "k", "enter")
      const text = [await screen.text()]
      for (let i = 0; i < 10; i++) {
        screen.press("j")
        text.push(await screen.text())
      }
      const all = text.join("\n")
      for (const one of ["Which haiku wins?", "1 First snow falls", "2 Winter holds its breath", "3 none of them"])
        expect(all).toContain(one)
      expect(all).toContain("answered: Winter holds its breath")
      expect(all).toMatch(/✓ 2 Winter/)
      expect(sent(screen.press("enter", "2", "y", " "))).toEqual([])
      // The first Esc closes the copy menu.
      expect(await screen.press("escape", "escape").text()).not.toContain("answered: Winter")
    },
  )

  test("can be left for the moment at which it was asked", async () => {
    const screen = await show(
      { link: replay },
      event(0, "runner/started"),
      haiku,
      starts(1, "select", "Which haiku wins?"),
    )
    expect(await screen.press("tab", "tab", "G", "enter").text()).toContain("QUESTION")
    expect((await screen.rows()).at(-1)).toContain("Enter go to this moment")
    screen.press("enter")
    expect(screen.effects.at(-1)).toMatchObject({ type: "time/seek", moment: { type: "frame", frame: 3 } })
  })

  test("without an answer says so, and is an alert", async () => {
    const screen = await show({ link: replay, columns: 200 }, sure, starts(1, "confirm", "Start the machine?"))
    expect(await screen.press("!").row("asks: Start")).toContain("judge")
    const text = await screen.press("enter").text()
    expect(text).toContain("QUESTION")
    expect(text).toContain("Start the machine?")
    expect(text).toContain("not answered (recordings can't be answered)")
    expect(sent(screen.press("enter", "y"))).toEqual([])
  })

  test("shows answers of many picks or lines, private ones, and a cancellation", async () => {
    const screen = await show({ link: replay })
    const open = async () => {
      const text = await screen.press("enter").text()
      screen.press("escape")
      return text
    }
    screen.feed(extras, starts(1, "multi-select", "Anything with it?"))
    screen.feed(line({ kind: "answer", "prompt-id": "extra#2", value: ["oat", { shots: 2 }] }))
    screen.feed(event(2, "human-input/answer", { invokeid: "judge", answer: ["oat", { shots: 2 }] }))
    screen.press("tab", "tab", "k")
    const many = await open()
    expect(many).toContain("answered: Oat milk, An extra shot")
    expect(many).toContain('{"shots":2}')
    screen.feed(name, starts(3, "text", "Which name goes on the cup?"))
    screen.feed(event(4, "human-input/answer", { invokeid: "judge" })).press("G", "k")
    expect(await open()).toContain("answered (kept private)")
    screen.feed(asks("x#9", "text", { prompt: "Why?" }), starts(5, "text", "Why?"))
    screen.feed(event(6, "human-input/answer", { invokeid: "judge", answer: "one\ntwo" })).press("G", "k")
    expect(await open()).toMatch(/answered:[\s\S]*one[\s\S]*two/)
    screen.feed(sure, starts(7, "confirm", "Start the machine?"), event(8, "human-input/cancelled", {}))
    screen.press("G", "k")
    expect(await open()).toContain("cancelled")
  })

  test("is shown from its event alone if its prompt is missing", async () => {
    const screen = await show({ link: replay }, starts(1, "select", "Which haiku wins?"))
    expect(await screen.press("tab", "tab", "enter").text()).toContain("Which haiku wins?")
  })
})

test("a given answer can be read while the run goes on", async () => {
  const screen = await show({ link: live })
  screen.feed(name, starts(1, "text", "Which name goes on the cup?")).type("Ada")
  const text = await screen.press("enter", "tab", "tab", "k", "enter").text()
  expect(text).toContain("answered: Ada")
  expect(text).toContain("not confirmed by the agent yet")
})
