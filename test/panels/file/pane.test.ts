// Tests that a file of the session directory is shown by its kind.
import { expect, test } from "bun:test"
import { replay, type Shown, show, spansWith } from "../../screen/screen.tsx"

async function opened(name: string, text: string, more: { top?: number; asIs?: boolean } = {}): Promise<Shown> {
  const screen = await show({ columns: 80, rows: 24, link: replay })
  screen.store.dispatch({ type: "files", change: { open: { name, title: name, text, why: null, isCut: false } } })
  screen.store.dispatch({ type: "view", change: { overlays: [{ type: "file", name, top: 0, ...more }] } })
  return screen
}

async function colour(screen: Shown, text: string): Promise<string | undefined> {
  return spansWith(await screen.frame(), text)[0]?.fg.toString()
}

test("a Markdown artifact is rendered, and its words for and if are no program", async () => {
  const screen = await opened(
    "artifacts/letter.md",
    "# Dear all\n\nThis is **for** you if you wish.\n\n| a | b |\n|---|---|\n| 1 | 2 |",
  )
  const shown = await screen.text()
  expect(shown).toContain("│ Dear all ")
  expect(shown).toContain("This is for you if you wish.")
  expect(shown).toContain("a │ b")
  expect(await colour(screen, "if you wish")).toBeDefined()
})

test("a plain text has one colour, a program has those of its words", async () => {
  const words = "return if while"
  const text = await opened("artifacts/notes.txt", `${words} we can`)
  expect(spansWith(await text.frame(), `${words} we can`)).toHaveLength(1)
  const code = await opened("artifacts/a.ts", "return whole")
  expect(await colour(code, "return")).not.toBe(await colour(code, "whole"))
})

test("a JSON artifact opens as a log entry does: its values fold", async () => {
  const screen = await opened(
    "artifacts/plan.json",
    JSON.stringify({ steps: Array.from({ length: 30 }, (_, i) => `step ${i}`) }),
  )
  expect(await screen.row("step 3")).toContain('"step 3"')
  expect(await screen.press("j", "h").text()).not.toContain("step 3")
  expect(await screen.row("steps")).toContain("30")
})

test("JSON that parsing would change, or that is none, stands as it is", async () => {
  for (const text of ['{"id": 12345678901234567890}', '{"id": ']) {
    expect(await (await opened("a.json", text)).text()).toContain(text)
  }
})

test("a file that a match opens stands as it is, from the line of the match on", async () => {
  const lines = Array.from({ length: 40 }, (_, i) => `**line ${i}**`)
  const screen = await opened("artifacts/letter.md", lines.join("\n"), { top: 9, asIs: true })
  expect(await screen.text()).toContain("**line 9**")
  expect(await screen.text()).not.toContain("**line 8**")
})
