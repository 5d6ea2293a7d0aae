// Tests that a file of the session directory is shown by its kind.
import { expect, test } from "bun:test"
import { replay, type Shown, show } from "../../screen/screen.tsx"

const file = (name: string, text: string | null, more: { why?: string; isCut?: boolean } = {}) =>
  ({ name, title: name, text, why: null, isCut: false, ...more }) as const

async function opened(name: string, text: string, more: { top?: number; asIs?: boolean } = {}): Promise<Shown> {
  const screen = await show({ columns: 80, rows: 24, link: replay })
  screen.store.dispatch({ type: "files", change: { open: file(name, text) } })
  screen.store.dispatch({ type: "view", change: { overlays: [{ type: "file", name, top: 0, ...more }] } })
  return screen
}

test("a file that a match opens stands as it is, from the line of the match on", async () => {
  const lines = Array.from({ length: 40 }, (_, i) => `**line ${i}**`)
  const screen = await opened("artifacts/letter.md", lines.join("\n"), { top: 9, asIs: true })
  expect(await screen.text()).toContain("**line 9**")
  expect(await screen.text()).not.toContain("**line 8**")
  const overlays = [{ type: "file", name: "artifacts/letter.md", top: 0 } as const]
  screen.store.dispatch({ type: "view", change: { overlays } })
  expect(await screen.row("line 8")).not.toContain("**")
})

test("a file is rendered by its name unless it is long or says nothing, each kind in its colours", async () => {
  const screen = await opened("none", "")
  const told: string[] = []
  const inks = new Map<string, string>()
  for (const one of [
    file("a.md", "*so* it goes"),
    file("a.MD", `*so* ${"x".repeat(262_144)}`, { isCut: true }),
    file("a.json", '{"a":[1]}'),
    file("b.json", "[1,2]"),
    file("c.json", '{"a":1234567890123456}'),
    file("d.json", "17"),
    file("a.patch", "+new\n-old\n same"),
    file("a.log", "an ERROR\na WARNING\na FATAL one\nnothing"),
    file("src/Makefile", "all: # build"),
    file("a.txt", "# as it is"),
    file("empty.ts", ""),
    file("gone.md", null, { why: "no such file" }),
    file("odd.md", null),
  ]) {
    screen.store.dispatch({ type: "view", change: { overlays: [{ type: "file", name: one.name, top: 0 }] } })
    expect(await screen.text()).toMatch(/--session-dir|directory/)
    screen.store.dispatch({ type: "files", change: { open: one } })
    const { lines } = await screen.frame()
    const from = lines.findIndex(({ spans }) => spans.some(({ text }) => text.includes("FILE")))
    for (const { spans } of lines.slice(from, from + 6)) {
      const seen = spans.filter(({ text }) => /[^\s│└─]/.test(text))
      const words = seen.map(({ text, fg }) => {
        const ink = inks.get(fg.toString()) ?? `${inks.size}`
        inks.set(fg.toString(), ink)
        return `${ink}:${text.trim().slice(0, 40)}`
      })
      if (words.length > 0) told.push(words.join(" "))
    }
  }
  expect(told.join("\n")).toMatchSnapshot()
})
