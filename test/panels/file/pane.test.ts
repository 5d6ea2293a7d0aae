// Tests that a file of the session directory is shown by its kind.
import { expect, test } from "bun:test"
import { replay, type Shown, show } from "../../screen/screen.tsx"

async function opened(name: string, text: string, more: { top?: number; asIs?: boolean } = {}): Promise<Shown> {
  const screen = await show({ columns: 80, rows: 24, link: replay })
  screen.store.dispatch({ type: "files", change: { open: { name, title: name, text, why: null, isCut: false } } })
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
