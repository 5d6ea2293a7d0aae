// Tests that text typed or pasted into a text question is kept as it was.
import { expect, test } from "bun:test"
import { event, line } from "../../run/lines.ts"
import { endScreens } from "../../screen/open-screens.ts"
import { show } from "../../screen/screen.tsx"
import { press, type Step, walked } from "../steps.ts"
import { name, sent } from "./questions.ts"

const PASTED = Array.from({ length: 20 }, (_, i) => `line ${i}\t?Qé🎉  `)
const HOSTILE = "a\u001b]52;c;AAAA\u0007b\u0000\u009b1mc\u202ed"
const SENT = PASTED.join("\n")

test.each([
  ["no letter as a command", "'?Qé🎉 jkgGmhlzscpPi5s yn 1'", null, "?Qé🎉 jkgGmhlzscpPi5s yn 1"],
  ["a paste with the line ends of Windows", "", PASTED.join("\r\n"), SENT],
  ["of terminals", "", PASTED.join("\r"), SENT],
  ["of Unix", "", SENT, SENT],
  ["no control character that is typed", "'a\u009b2J\u202eb\u2066c\u2028d'", null, "a2Jbcd"],
  ["those of a paste as marks", "", HOSTILE, "a␛]52;c;AAAA␇b␀\ufffd1mc\ufffdd"],
  ["a new line", "'a' ctrl-j 'b' alt-enter 'c' shift-enter 'd'", null, "a\nb\nc\nd"],
  ["DEL as terminals send it for Backspace", "'Adax\x7f!'", null, "Ada!"],
])("a text answer takes %s", async (_what, keys, pasted, value) => {
  const screen = await show({}, line({ kind: "debug", paused: true, "step-budget": 0 }), name)
  await press(screen.pass(1000), keys)
  if (pasted !== null) await screen.paste(pasted)
  await screen.settle()
  expect(sent(screen.press("enter"))).toEqual([{ type: "answer", promptId: "name#4", value }])
  expect(screen.store.get().view.focus).toBe("live")
})

test("a text answer is completed, undone, refused, and kept through all that covers it", async () => {
  const screen = await show({ columns: 80, rows: 24 })
  const names = ["/compact", "/config", "/help", "/co1", "/co2", "/co3", "/co4", "/co5"]
  const options = names.map(value => ({ label: `${value} – Does it`, value }))
  const offers = { kind: "prompt", "prompt-id": "n#1", invokeid: "a", type: "text", opts: { prompt: "Next?", options } }
  const offered = await show({ columns: 80, rows: 24 }, line(offers))
  const covered = await show({ columns: 80, rows: 24 })
  const paste: Step = ["paste", () => screen.paste("cd")]
  const changes = [paste, "alt-u", "alt-e", "ctrl-_", "alt-h", "? escape", "alt-h"]
  const size = (columns: number, rows: number): Step => [`${columns}x${rows}`, () => screen.resize(columns, rows)]
  const sizes = [size(24, 10), size(2, 1), size(80, 24)]
  const lines = ["ctrl-j 'two' ctrl-j 'three' ctrl-j 'four' ctrl-j 'five'", "'!' enter"]
  // Nothing goes into it while help is open.
  await press(covered, "?")
  await press(covered.feed(name), "'Avk'")
  await covered.paste("pasted")
  expect([
    await walked(screen.pass(5000).feed(name).pass(1000), "'ab'", ...changes, ...sizes, ...lines),
    await walked(offered.pass(5000), "'/co'", "tab", "'/help'", "tab", "ctrl-u '/h' tab ' me' enter"),
    await walked(covered, "escape", "a", "ctrl-p", ["paste", () => covered.paste("over")], "escape", "'Ada' enter"),
  ]).toMatchSnapshot()
})

test("a text answer that the agent refuses is in the field again, with the errors, whoever the event names", async () => {
  const errors = ["at least 4 letters"]
  for (const data of [{ invokeid: "judge", errors }, { errors }]) {
    for (const isAskedFirst of [false, true]) {
      const screen = await show({}, name)
      screen.type("bad").press("enter")
      if (isAskedFirst) screen.feed(name)
      screen.feed(event(1, "human-input/validation-failed", data))
      expect(await screen.text()).toContain("at least 4 letters")
      screen.type("der").press("enter")
      expect(sent(screen).at(-1)).toEqual({ type: "answer", promptId: "name#4", value: "badder" })
      endScreens()
    }
  }
})
