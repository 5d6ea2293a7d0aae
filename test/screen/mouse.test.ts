// Tests what clicks and the wheel do, in panes, lists, tabs, questions, hints and on the time bar.
import { describe, expect, test } from "bun:test"
import { event, line } from "../run/lines.ts"
import { live, NOW, type Shown, show } from "./screen.tsx"

/** So many sessions under invokeids of their own, each with one reply. */
async function sessions(count: number): Promise<Shown> {
  const screen = await show({ link: live })
  for (let n = 0; n < count; n++) {
    const ids = { invokeid: `worker-${n}.`, "session-id": `s${n}` }
    screen.feed(
      event(2 * n, "llm/start", { ...ids, model: "m" }, NOW + n),
      event(2 * n + 1, "llm/response", { ...ids, content: [{ type: "text", text: `Reply ${n}.` }] }, NOW + n),
    )
  }
  return screen
}

const prompt = (type: string, labels: readonly string[] = []) =>
  line({ kind: "prompt", "prompt-id": "p#1", type, opts: { prompt: "Which?", options: labels } })
const sent = ({ effects }: Shown) => effects.flatMap(one => (one.type === "agent/send" ? [one.command] : []))

describe("a click", () => {
  test.each(["text", "full screen"])("on a tool card of the %s folds it, and again unfolds it", async place => {
    const screen = await show({ link: live })
    const ids = { invokeid: "poet", "session-id": "s" }
    const call = { type: "tool-use", id: "t", name: "look", input: { path: "snow.txt", lines: 400 } }
    screen.feed(
      event(0, "llm/start", ids, NOW),
      event(1, "llm/response", { ...ids, content: [{ type: "text", text: "I look." }, call] }, NOW),
      event(2, "llm/tool-result", { ...ids, tool: "look", "tool-use-id": "t", "content-preview": "It fell." }, NOW),
    )
    if (place !== "text") screen.press("enter", "m")
    const text = async () => (await screen.rows()).map(row => row.slice(place === "text" ? 66 : 0)).slice(0, 26)
    expect((await text()).join("\n")).toContain("400")
    const y = (await text()).findIndex(row => /▸ look {2}snow.txt/.test(row))
    expect(y).toBeGreaterThan(0)
    screen.clickAt(90, y)
    expect((await text()).slice(y, y + 3).map(row => row.trim())).toEqual([
      expect.stringMatching(/▎ look {2}snow.txt +✓/),
      expect.stringContaining("▎ lines: 400"),
      expect.stringContaining("▎ It fell."),
    ])
    screen.clickAt(90, y)
    expect((await text())[y]).toMatch(/▸ look {2}snow.txt/)
  })
})

describe("in a question", () => {
  test("the wheel moves through the options, and clicks reach the panes beside it", async () => {
    const screen = await show({ link: live })
    screen.feed(event(0, "llm/start", { invokeid: "poet", "session-id": "s", model: "m" }, NOW))
    screen.feed(
      prompt(
        "select",
        Array.from({ length: 40 }, (_, n) => `Option ${n + 1}.`),
      ),
    )
    await screen.wheel("Option 1.", "down")
    expect(await screen.row("▸")).toContain("Option 4.")
    await screen.wheel("Option 4.", "up", 3)
    expect(await screen.row("▸")).toContain("Option 1.")
    await screen.click("Waiting for the first token")
    expect(screen.store.get().view.focus).toBe("text")
    expect(sent(screen)).toEqual([])
  })
})

describe("the wheel", () => {
  test("moves the cursor of the place below it, whatever place has the focus", async () => {
    const screen = await sessions(60)
    screen.press("g", "tab")
    await screen.wheel("worker-1.", "down", 2)
    expect(await screen.row("▌")).toContain("worker-6.")
    await screen.wheel("LOG", "up")
    expect(await screen.text()).toContain("Reply 58.")
    expect(screen.store.get().view.log.cursor).not.toBeNull()
    expect(screen.store.get().view.focus).toBe("text")
    screen.press("T", "g")
    await screen.wheel("▸", "down", 2)
    expect(await screen.row("▸")).toMatch(/worker-6\. /)
  })

  test("over the text moves the text, whatever pane has the focus", async () => {
    const screen = await show({ link: live })
    const text = Array.from({ length: 200 }, (_, n) => `Line ${n}.`).join("\n\n")
    const ids = { invokeid: "a", "session-id": "s" }
    screen.feed(
      event(0, "llm/start", { ...ids, model: "m" }, NOW),
      event(1, "llm/response", { ...ids, content: [{ type: "text", text }] }, NOW),
    )
    expect(await screen.text()).toContain("Line 199.")
    await screen.wheel("Line 199.", "up", 3)
    expect(await screen.text()).not.toContain("Line 199.")
    expect(screen.store.get().view.focus).toBe("live")
  })
})
