// Tests that an answer of one key can be taken back before it is sent.
import { expect, test } from "bun:test"
import { line } from "../../run/lines.ts"
import { endScreens } from "../../screen/open-screens.ts"
import { live, NOW, type Shown, SIZES, show, URL } from "../../screen/screen.tsx"
import { walked } from "../steps.ts"
import { asks, haiku, name, sure } from "./questions.ts"

const sentNow = ({ effects }: Shown) => effects.flatMap(one => (one.type === "agent/send" ? [one.command] : []))

test("an answer of one key is sent after 2 s, and taken back by Backspace", async () => {
  const told: string[] = []
  for (const [columns, rows] of SIZES) {
    for (const [key, asked] of Object.entries({ y: sure, n: sure, escape: sure, 3: haiku })) {
      const screen = await show({ columns, rows }, asked)
      const pass = (ms: number) => [`${ms} ms`, () => screen.pass(ms)] as const
      told.push(await walked(screen, key, "backspace", pass(5000), key, pass(1999), pass(1)))
      endScreens()
    }
  }
  expect(told.join("\n\n")).toMatchSnapshot()
})

test("it is sent by the next key that does something else, closed first, kept over a lost connection, and taken back", async () => {
  const commands = await show({ columns: 80, rows: 24 }, sure)
  const marks = await show({ columns: 80, rows: 24 }, haiku, name)
  const before = await show({ columns: 80, rows: 24 }, sure, name)
  const later = await show({ columns: 80, rows: 24 }, haiku, sure)
  const typed = await show({ columns: 80, rows: 24 }, sure)
  const behind = await show({ columns: 80, rows: 24 }, asks("who#5", "text", { prompt: "Who?" }), sure)
  const closed = await show({ columns: 80, rows: 24 }, sure)
  const who = line({ kind: "prompt", "prompt-id": "who", invokeid: "poet", type: "text", opts: { prompt: "Who?" } })
  const other = await show({ columns: 80, rows: 24 }, sure, who)
  const away = await show({ columns: 80, rows: 24 }, sure)
  const quit = await show({ columns: 80, rows: 24 }, sure)
  const cancelled = line({ kind: "event", event: "human-input/cancelled", data: { invokeid: "judge" } })
  const lost = { state: "lost", url: URL, since: NOW, retryAt: NOW + 9000, why: "closed", everOpen: true } as const
  const pause = (screen: Shown) => ["0.7 s", () => screen.pass(700)] as const
  const size = (screen: Shown, columns: number) => [`${columns} columns`, () => screen.resize(columns, 24)] as const
  const wait = (screen: Shown) => ["2 s", () => screen.pass(2000)] as const
  expect([
    await walked(commands, "y", pause(commands), ": escape"),
    await walked(marks, "3", "backspace", "enter", "'Ada' enter"),
    await walked(before, "y", pause(before), size(before, 36), size(before, 41), "backspace", "n", "'Ada'"),
    await walked(later, "tab", "y", "backspace", "tab 'w' tab"),
    // A key that sends an answer does nothing else, and is not typed into the text that comes next.
    await walked(
      typed,
      "y",
      ["y at once", () => typed.pressAtOnce("y")],
      "y",
      ["a text", () => typed.feed(name).pressAtOnce("y", "1")],
      "'Marit'",
    ),
    await walked(behind, "'Ada' enter", "y", ["a text", () => behind.feed(name).pressAtOnce("y")], "'Marit'"),
    await walked(closed, "y", ["closed first", () => closed.feed(cancelled)], wait(closed)),
    await walked(other, "y", ["closed first", () => other.feed(cancelled)]),
    await walked(away, "y", ["lost", () => away.link(lost)], wait(away), ["back", () => away.link(live)]),
    await walked(quit, "n", "ctrl-c ctrl-c"),
  ]).toMatchSnapshot()
  expect(away.store.get().run.prompts[0]).toMatchObject({ state: "answered", confirmed: false })
})

test("the key that a person chose takes an answer back, and Backspace then sends it", async () => {
  const screen = await show({}, sure)
  screen.store.dispatch({ type: "view", change: { setup: { keys: new Map([["prompt/take-back", ["u"]]]) } } })
  expect(sentNow(screen.press("y", "u").pass(5000))).toEqual([])
  expect(sentNow(screen.press("y", "backspace"))).toHaveLength(1)
})

test("ten questions take ten keys, each after a moment to read the question", async () => {
  const screen = await show()
  screen.feed(...Array.from({ length: 10 }, (_, i) => asks(`q#${i}`, "confirm", { prompt: `Question ${i}?` })))
  for (let i = 0; i < 10; i++) {
    expect(await screen.text()).toContain(`Question ${i}?`)
    screen.pass(600)
    expect(sentNow(screen.pressAtOnce(i % 2 === 0 ? "y" : "n"))).toHaveLength(i)
  }
  expect(sentNow(screen.pass(2000))).toEqual(
    Array.from({ length: 10 }, (_, i) => ({ type: "answer", promptId: `q#${i}`, value: i % 2 === 0 })),
  )
})

test("a held key neither sends its answer early nor does anything else", async () => {
  const screen = await show({}, sure)
  screen.press("y").pass(500)
  for (let held = 0; held < 10; held++) {
    screen.pressAtOnce("y").pass(100)
  }
  expect(sentNow(screen)).toEqual([])
})

test("Esc pressed again and again cancels one question, and interrupts nothing", async () => {
  const screen = await show()
  screen.feed(sure).pass(600)
  for (let press = 0; press < 20; press++) {
    screen.pressAtOnce("escape").pass(225)
  }
  expect(sentNow(screen)).toEqual([{ type: "cancel", promptId: "sure#3" }])
})
