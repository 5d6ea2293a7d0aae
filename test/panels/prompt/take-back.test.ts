// Tests that an answer of one key can be taken back before it is sent.
import { describe, expect, test } from "bun:test"
import { line } from "../../run/lines.ts"
import { live, NOW, type Shown, SIZES, show, URL } from "../../screen/screen.tsx"
import { asks, haiku, name, sure } from "./questions.ts"

const sentNow = ({ effects }: Shown) => effects.flatMap(one => (one.type === "agent/send" ? [one.command] : []))
const yes = { type: "answer", promptId: "sure#3", value: true } as const

describe.each(SIZES)("at %dx%d", (columns, rows) => {
  test.each([
    ["y", sure, "Yes", yes],
    ["n", sure, "No", { ...yes, value: false }],
    ["escape", sure, "Cancelled", { type: "cancel", promptId: "sure#3" }],
    ["3", haiku, "none of them", { type: "answer", promptId: "win#1", value: "none of them" }],
  ] as const)("an answer by %s is sent after 2 s, and taken back by Backspace", async (key, asked, words, command) => {
    const screen = await show({ columns, rows }, asked)
    expect(await screen.press(key).text()).toContain(
      columns === 40 ? "· Backspace takes it back" : `${words} · Backspace takes it back`,
    )
    expect(await screen.press("backspace").text()).not.toContain("takes it back")
    expect(sentNow(screen.pass(5000))).toEqual([])
    screen.press(key)
    expect(sentNow(screen.pass(1999))).toEqual([])
    expect(sentNow(screen.pass(1))).toEqual([command])
    const footer = command.type === "cancel" ? "Cancelled" : `Answered: ${words}`
    expect((await screen.rows()).at(-1)).toContain(footer)
  })
})

test("the key of the commands sends it, and opens them: their words are no keys of what lies below", async () => {
  const screen = await show({}, sure)
  screen.press("y").pass(700)
  expect(sentNow(screen.press(":"))).toEqual([yes])
  expect(await screen.text()).toContain("COMMANDS")
})

test("the mark stands on the option that can be taken back", async () => {
  const screen = await show({}, haiku)
  expect(await screen.press("3").row("none of them")).toContain("▸ 3 none of them")
  expect(await screen.press("backspace").row("none of them")).toContain("▸ 3 none of them")
  const confirm = await show({}, sure)
  expect(await confirm.press("n").row("▸")).toContain("▸   No")
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

test("Backspace goes back to the question before, behind which the next one stood already", async () => {
  const screen = await show({}, sure, name)
  expect(await screen.press("y").text()).toContain("Which name goes on the cup?")
  expect(await screen.text()).toContain("Last: Yes · Backspace takes it back")
  expect(await screen.press("backspace").text()).toContain("Start the machine?")
  expect(await screen.text()).toContain("One moment…")
  screen.press("n")
  expect(sentNow(screen.type("Ada"))).toEqual([{ ...yes, value: false }])
  expect(await screen.text()).toContain("│ Ada")
})

test("a key that sends an answer does nothing else, and is not typed into the text that comes next", async () => {
  const screen = await show()
  screen.feed(sure).press("y")
  expect((await screen.pressAtOnce("y").rows()).at(-1)).not.toContain("again")
  expect(sentNow(screen.press("y"))).toEqual([yes])
  expect(await screen.text()).not.toContain("COPY")
  screen.feed(name).pressAtOnce("y", "1")
  expect(await screen.type("Marit").text()).toContain("│ Marit")
})

test("a held key neither sends its answer early nor does anything else", async () => {
  const screen = await show({}, sure)
  screen.press("y").pass(500)
  for (let held = 0; held < 10; held++) {
    screen.pressAtOnce("y").pass(100)
  }
  expect(sentNow(screen)).toEqual([])
})

test("Enter sends a choice and a text at once", async () => {
  const screen = await show({}, haiku, name)
  expect(sentNow(screen.press("enter"))).toHaveLength(1)
  screen.type("Ada")
  expect(sentNow(screen.press("enter"))).toHaveLength(2)
})

test("an answer whose question the agent closes meanwhile is dropped, and the screen says so", async () => {
  const screen = await show({}, sure)
  screen.press("y").feed(line({ kind: "event", event: "human-input/cancelled", data: { invokeid: "judge" } }))
  expect(await screen.text()).toContain("The question was closed first. Your answer was not sent")
  expect(sentNow(screen.pass(2000))).toEqual([])
})

test("an answer that was held while the connection was lost is sent after reconnecting", async () => {
  const screen = await show()
  screen.feed(sure).press("y")
  screen.link({ state: "lost", url: URL, since: NOW, retryAt: NOW + 9000, why: "closed", everOpen: true })
  expect(await screen.pass(2000).text()).toContain("Will be sent after reconnecting")
  screen.link(live)
  expect(screen.store.get().run.prompts[0]).toMatchObject({ state: "answered", confirmed: false })
})

test("Ctrl-C sends the answer first", async () => {
  const screen = await show({}, sure)
  expect(sentNow(screen.press("y", "ctrl-c", "ctrl-c"))).toEqual([yes, { type: "ui-quit" }])
})

test("Esc pressed again and again cancels one question, and interrupts nothing", async () => {
  const screen = await show()
  screen.feed(sure).pass(600)
  for (let press = 0; press < 20; press++) {
    screen.pressAtOnce("escape").pass(225)
  }
  expect(sentNow(screen)).toEqual([{ type: "cancel", promptId: "sure#3" }])
})
