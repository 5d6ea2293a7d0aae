// Tests the transcript in its pane beside the list, and that it opens full screen.
import { describe, expect, test } from "bun:test"
import { features } from "../../../src/panels/plan.ts"
import { initialRun } from "../../../src/run/model/run.ts"
import { createStore } from "../../../src/view/store.ts"
import { delta, event, ids } from "../../run/lines.ts"
import { NOW, replay, show } from "../../screen/screen.tsx"
import { walked } from "../steps.ts"

function says(text: string, keys: Parameters<typeof delta>[2] = {}) {
  return delta(null, text, { ts: NOW, ...keys })
}

function words(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, i) => `w${String(from + i).padStart(4, "0")}`).join(" ")
}

describe("the text beside the list", () => {
  test("follows streaming text, with a caret at its end", async () => {
    const screen = await show({ columns: 110, rows: 20 }, event(0, "llm/start", ids, NOW))
    const steps = [says("Poet 4 keeps "), says("the cut."), event(9, "llm/worker-exit", { ...ids, reason: "done" })]
    expect(
      await walked(screen, "tab", ...steps.map(one => [one.kind, () => screen.feed(one)] as const)),
    ).toMatchSnapshot()
  })

  test("in the past of a run shows the last words of then, not the turn's first", async () => {
    const started = event(0, "runner/started", { "chart-id": ":c" })
    const start = event(0, "llm/start", { ...ids, model: "opus" }, NOW)
    const screen = await show({}, started, start, says(words(0, 400)))
    const { run } = screen.store.get()
    screen.feed(says(words(400, 800)), event(1, "llm/start", { ...ids, "session-id": "other" }))
    screen.store.dispatch({ type: "show", run })
    expect(await screen.text()).toContain("w0399▌")
    expect(await screen.row("TEXT")).toContain(" a ─")
  })

  test("says so while some of it is read from disk", async () => {
    const given = initialRun({ rowWindow: 0, textBudget: 0 }).options
    const store = createStore({ ...features, link: replay, given })
    const said = (_: unknown, i: number) => event(i, i % 2 ? "llm/user-message" : "llm/start", { ...ids, text: "so" })
    const screen = await show({ columns: 80, rows: 10, store }, ...Array.from({ length: 900 }, said))
    expect(await walked(screen, "enter m", "/ 'so' enter", "escape escape")).toMatchSnapshot()
  })

  test("before the failed result that is read shows its call, not the turn's first words", async () => {
    const screen = await show({}, event(0, "llm/start", ids, NOW))
    screen.feed(event(1, "llm/request", { ...ids, "user-blocks": [{ type: "text", text: words(0, 400) }] }))
    const content = [{ type: "tool-use", name: "wc", input: { file: "poems/4.txt" } }]
    const { run } = screen.feed(event(2, "llm/response", { ...ids, content })).store.get()
    screen.feed(event(3, "llm/tool-result", { ...ids, tool: "wc", "is-error": true, "content-preview": "gone" }))
    expect(await screen.press("e").text()).toMatch(/▎ wc .*✗/)
    screen.store.dispatch({ type: "show", run })
    expect(await screen.text()).toContain("▎ wc ")
  })

  test("scrolls by row, half page and page, and says how far", async () => {
    const screen = await show({ columns: 80, rows: 24 })
    screen.feed(event(0, "llm/start", ids, NOW), says(Array.from({ length: 200 }, (_, i) => `line ${i}.`).join("\n")))
    expect(
      await walked(screen, "enter m g", "j", "ctrl-d", "ctrl-u pagedown", "pageup", "G", "k", "end"),
    ).toMatchSnapshot()
  })

  test("folds a block by a click on its heading, and not by one on its text", async () => {
    const asked = event(1, "llm/request", { ...ids, "user-blocks": [{ type: "text", text: "Season word?" }] })
    const screen = await show({}, event(0, "llm/start", ids, NOW), asked, says("First snow"))
    await screen.click("▎ Season word?")
    expect(await screen.text()).toContain("▎ Season word?")
    await screen.click("▎ user")
    expect(await screen.text()).not.toContain("▎ Season word?")
  })
})
