// Tests that text typed or pasted into a text question is kept as it was.
import { describe, expect, test } from "bun:test"
import { event, line } from "../../run/lines.ts"
import { show } from "../../screen/screen.tsx"
import { name, sent } from "./questions.ts"

describe("a text answer", () => {
  test("takes everything typed, no letter of it as a command", async () => {
    const screen = await show({}, line({ kind: "debug", paused: true, "step-budget": 0 }), name)
    const typed = "?Qé🎉 jkgGmhlzscpPi5s yn 1"
    expect(await screen.type(typed).row("?Qé🎉")).toContain("?Qé🎉 jkgGmhlzscpPi5s yn 1")
    expect(await screen.text()).not.toContain("KEYS")
    expect(sent(screen.press("enter"))).toEqual([{ type: "answer", promptId: "name#4", value: typed }])
    expect(screen.store.get().view.focus).toBe("live")
  })

  test("is completed by Tab from what its question offers, which the border names", async () => {
    const screen = await show()
    const options = ["/compact", "/config", "/help"].map(value => ({ label: `${value} – Does it`, value }))
    screen.feed(
      line({ kind: "prompt", "prompt-id": "n#1", invokeid: "a", type: "text", opts: { prompt: "Next?", options } }),
    )
    screen.pass(5000)
    expect(await screen.type("/co").row("Tab:")).toContain("Tab: /compact – Does it · /config")
    screen.press("tab")
    await screen.type(" now").rows()
    expect(sent(screen.press("enter"))).toEqual([{ type: "answer", promptId: "n#1", value: "/compact now" }])
  })

  test("that the agent refuses is in the field again, with the errors, whoever the event names", async () => {
    const named = { invokeid: "judge", errors: ["at least 4 letters"] }
    const nobody = { errors: ["at least 4 letters"] }
    for (const data of [named, nobody]) {
      for (const isAskedFirst of [false, true]) {
        const screen = await show({}, name)
        screen.type("bad").press("enter")
        if (isAskedFirst) screen.feed(name)
        screen.feed(event(1, "human-input/validation-failed", data))
        expect(await screen.text()).toContain("at least 4 letters")
        expect(await screen.text()).toContain("bad")
        screen.type("der").press("enter")
        expect(sent(screen).at(-1)).toEqual({ type: "answer", promptId: "name#4", value: "badder" })
      }
    }
  })

  test.each([
    ["as Windows", "\r\n"],
    ["as terminals", "\r"],
    ["as Unix", "\n"],
  ] as const)("takes a paste of 20 lines unchanged, with line ends as %s write them", async (_who, end) => {
    const screen = await show({}, name)
    const lines = Array.from({ length: 20 }, (_, i) => `line ${i}\t?Qé🎉  `)
    await screen.paste(lines.join(end))
    await screen.rows()
    screen.press("enter")
    expect(sent(screen)).toEqual([{ type: "answer", promptId: "name#4", value: lines.join("\n") }])
  })

  test("takes no control character from a paste without brackets", async () => {
    const screen = await show({}, name)
    expect(await screen.type("a\u009b2J\u202eb\u2066c\u2028d").text()).toContain("a2Jbcd")
    expect(sent(screen.press("enter"))).toEqual([{ type: "answer", promptId: "name#4", value: "a2Jbcd" }])
  })

  test("shows the control characters of a paste as marks", async () => {
    const screen = await show({}, name)
    await screen.paste("a\u001b]52;c;AAAA\u0007b\u0000\u009b1mc\u202ed")
    await screen.rows()
    screen.press("enter")
    expect(sent(screen)).toEqual([{ type: "answer", promptId: "name#4", value: "a␛]52;c;AAAA␇b␀\ufffd1mc\ufffdd" }])
  })

  test.each(["ctrl-j", "alt-enter", "shift-enter"])("gets a new line with %s", async key => {
    const screen = await show()
    screen.feed(name).type("a")
    screen.press(key).type("b")
    expect(sent(screen.press("enter"))).toEqual([{ type: "answer", promptId: "name#4", value: "a\nb" }])
  })

  test("is undone and redone by keys that every terminal has", async () => {
    const screen = await show()
    screen.feed(name).type("ab")
    await screen.paste("cd")
    expect(await screen.press("alt-u").row("│ ab")).not.toContain("abcd")
    expect(await screen.press("alt-e").text()).toContain("abcd")
    expect(sent(screen.press("ctrl-_", "enter"))).toEqual([{ type: "answer", promptId: "name#4", value: "ab" }])
  })

  test("gets nothing that is typed or pasted while help is open", async () => {
    const screen = await show()
    screen.press("?")
    await screen.feed(name).rows()
    screen.type("Avk")
    await screen.paste("pasted")
    expect(await screen.text()).toContain("KEYS")
    expect(await screen.text()).not.toContain("Type an answer")
    await screen.press("escape").rows()
    expect(screen.store.get().view.questions.drafts).toEqual([])
    await screen.press("a").rows()
    expect(screen.caret()).toBe(true)
    screen.type("Ada")
    expect(sent(screen.press("enter"))).toEqual([{ type: "answer", promptId: "name#4", value: "Ada" }])
  })

  test("loses a character by DEL, which terminals send for Backspace", async () => {
    const screen = await show()
    screen.feed(name).type("Adax\x7f!")
    expect(sent(screen.press("enter"))).toEqual([{ type: "answer", promptId: "name#4", value: "Ada!" }])
  })

  test("is kept when it is hidden, when help opens, and through a resize", async () => {
    const screen = await show()
    screen.feed(name).type("Ada")
    expect(await screen.press("alt-h").text()).not.toContain("Ada")
    await screen.press("?").rows()
    screen.press("escape")
    screen.press("alt-h")
    for (const [columns, rows] of [
      [40, 10],
      [2, 1],
      [80, 24],
    ] as const) {
      await screen.resize(columns, rows).rows()
    }
    expect(await screen.text()).toContain("Ada")
    screen.type("!")
    expect(sent(screen.press("enter"))).toEqual([{ type: "answer", promptId: "name#4", value: "Ada!" }])
  })
})
