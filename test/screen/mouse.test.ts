// Tests what the wheel does: in panes and lists, over a text, and in a question. Clicks are kept of the stories.
import { expect, test } from "bun:test"
import { event, ids, line } from "../run/lines.ts"
import { NOW, show } from "./screen.tsx"

test("the wheel moves the cursor of the place below it, whatever place has the focus", async () => {
  const screen = await show()
  const long = Array.from({ length: 99 }, (_, n) => `Word ${n}. ${"is so long that it is broken ".repeat(4)}`)
  for (let n = 0; n < 60; n++) {
    const ids = { invokeid: `worker-${n}.`, "session-id": `s${n}` }
    screen.feed(
      event(2 * n, "llm/start", { ...ids, model: "m" }, NOW + n),
      event(2 * n + 1, "llm/response", { ...ids, content: [{ type: "text", text: `Reply ${n}.` }] }, NOW + n),
    )
  }
  const [content, ids] = [[{ type: "text", text: long.join("\n\n") }], { invokeid: "worker-59.", "session-id": "s59" }]
  screen.feed(event(120, "llm/start", ids, NOW + 60), event(121, "llm/response", { ...ids, content }, NOW + 60))
  // A text moves by lines, as its pane breaks them.
  await screen.wheel("Word 98.", "up")
  expect(await screen.text()).toContain("Word 97.")
  screen.press("g", "tab")
  await screen.wheel("worker-1.", "down", 2)
  expect(await screen.row("▌")).toContain("worker-6.")
  await screen.wheel("LOG", "up")
  expect(await screen.text()).toContain("Reply 58.")
  expect(screen.store.get().view.log.cursor).not.toBeNull()
  expect(screen.store.get().view.focus).toBe("text")
  // What lies over the panes takes it, and the clicks beside it.
  const { log } = screen.store.get().view
  await screen.press(":").wheel("LOG", "down")
  screen.clickAt(1, 1)
  expect([screen.store.get().view.log, screen.store.get().view.focus]).toEqual([log, "text"])
  screen.press("escape", "T", "g")
  await screen.wheel("▸", "down", 2)
  expect(await screen.row("▸")).toMatch(/worker-6\. /)
  // A page goes to the first row that was in sight.
  screen.press("G", "pageup")
  expect(await screen.row("▸")).toContain("worker-40.")
  screen.press("escape", "tab", "tab", "G", "pageup")
  expect(await screen.row("▌")).toContain("worker-36.")
})

test("in a question the wheel moves through the options, and clicks reach the panes beside it", async () => {
  const options = Array.from({ length: 40 }, (_, n) => `Option ${n + 1}.`)
  const asks = line({ kind: "prompt", "prompt-id": "p#1", type: "select", opts: { prompt: "Which?", options } })
  const screen = await show({}, event(0, "llm/start", { ...ids, model: "m" }, NOW), asks)
  await screen.wheel("Option 1.", "down")
  expect(await screen.row("▸")).toContain("Option 4.")
  await screen.wheel("Option 4.", "up", 3)
  expect(await screen.row("▸")).toContain("Option 1.")
  await screen.click("Waiting for the first token")
  expect(screen.store.get().view.focus).toBe("text")
  expect(screen.effects.filter(({ type }) => type === "agent/send")).toEqual([])
})
