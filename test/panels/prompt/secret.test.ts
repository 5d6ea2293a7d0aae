// Tests that the answer to a secret question is seen nowhere on the screen, and still reaches the agent.
import { expect, test } from "bun:test"
import { NOW, show, URL } from "../../screen/screen.tsx"
import { asks, sent } from "./questions.ts"

const SECRET = "hunter2 XYZ é猫"
const password = asks("pass#1", "text", { prompt: "Your password?", secret: true })
const answer = { type: "answer", promptId: "pass#1", value: SECRET, secret: true } as const

test("a secret answer is drawn as marks while it is typed, corrected and pasted, and once sent nowhere", async () => {
  const screen = await show()
  expect(await screen.feed(password).text()).toContain("Type a secret answer")
  expect(await screen.type("hunter2").text()).toContain("•••••••")
  const text = await screen.press("left", "backspace").text()
  expect(text).toContain("••••••")
  expect(text).not.toContain("•••••••")
  expect(text).not.toContain("hunte")
  await screen.paste(" one\ntwo ")
  expect(await screen.text()).not.toMatch(/one|two|hunte/)
  // Where a row ends tells no word's end.
  const narrow = await show({ columns: 40, rows: 16 }, password)
  expect(await narrow.listen().type("it is ".repeat(9)).row("••")).toBe(`│ ${"•".repeat(36)} │`)
  expect(sent(screen.press("enter"))).toEqual([{ ...answer, value: "hunte one\ntwo 2" }])
  expect(screen.store.get().view.notice?.text).toBe("Answered")
  expect(JSON.stringify(screen.store.get().run.prompts)).not.toContain("hunte")
  expect(await screen.text()).not.toContain("hunte")
})

test("a secret choice and a secret yes are not named, before they are sent and after", async () => {
  for (const [type, key, value, seen] of [
    ["select", "2", "beta", "Answered · Backspace"],
    ["confirm", "y", true, "Answered · Backspace"],
  ] as const) {
    const screen = await show()
    screen.feed(asks("pass#1", type, { prompt: "Which?", options: ["alpha", "beta"], secret: true }))
    expect(await screen.press(key).text()).toContain(seen)
    expect(sent(screen)).toEqual([{ ...answer, value }])
    expect(screen.store.get().view.notice?.text).toBe("Answered")
  }
})

test("a secret answer goes to no editor, which would write it to a file, and that is said", async () => {
  const screen = await show({}, password)
  expect((await screen.rows()).at(-1)).not.toContain("editor")
  screen.type(SECRET).press("ctrl-x", "ctrl-e")
  expect(await screen.text()).toContain("An editor would write a secret answer to a file")
  expect(screen.effects.filter(({ type }) => type === "answer/edit")).toEqual([])
})

test("a secret answer is sent again after a reconnect, on the screen and without one", async () => {
  for (const isTyped of [true, false]) {
    const screen = await show({}, password)
    const facts = { now: NOW, page: 0, lines: 0 }
    const [asked] = screen.store.get().run.prompts
    const settled = { type: "prompt/settle", answer: { value: SECRET } } as const
    if (isTyped) screen.type(SECRET).press("enter")
    else if (asked) screen.effects.push(...screen.store.ask({ ...settled, key: asked.key }, facts))
    screen.link({ state: "lost", url: URL, since: NOW, retryAt: NOW, why: "gone", everOpen: true })
    screen.link({ state: "open", url: URL, since: NOW + 1 })
    screen.effects.push(...screen.store.ask({ type: "prompt/resend" }, facts))
    expect(sent(screen)).toEqual([answer, answer])
  }
})
