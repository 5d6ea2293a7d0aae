// Tests what clicks and the wheel do, in panes, lists, tabs, questions, hints and on the time bar.
import { describe, expect, test } from "bun:test"
import { fixture, readFrames } from "../fixtures.ts"
import { event, line } from "../run/lines.ts"
import { live, NOW, replay, type Shown, show } from "./screen.tsx"

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
  test("on a session selects it, and on the selected one opens its text", async () => {
    const screen = await sessions(3)
    await screen.click("worker-1.")
    expect(await screen.row("▌")).toContain("worker-1.")
    expect(await screen.text()).toContain("Reply 1.")
    expect(screen.store.get().view.focus).toBe("live")
    await screen.click("▌")
    expect(screen.store.get().view.focus).toBe("text")
    expect(await screen.text()).toContain("Reply 1.")
  })

  test("on a group selects it, and again folds and unfolds it", async () => {
    const screen = await show({ link: live })
    for (const n of [1, 2]) {
      screen.feed(event(n, "llm/start", { invokeid: "judge", "session-id": `j.${n}`, model: "m" }, NOW))
    }
    await screen.click("▾ judge")
    expect(await screen.row("▌")).toContain("▾ judge")
    await screen.click("▾ judge")
    expect(await screen.row("▌")).toContain("▸ judge")
    await screen.click("▸ judge")
    expect(await screen.row("▌")).toContain("▾ judge")
  })

  test("on a row of the log focuses the log and puts its cursor there, and again opens the row", async () => {
    const screen = await sessions(3)
    const y = (await screen.rows()).findIndex(row => row.includes("LOG"))
    screen.clickAt(10, y + 2)
    const { view, run } = screen.store.get()
    expect([view.focus, run.log.rows.length]).toEqual(["log", 6])
    expect((await screen.rows())[y + 2]).toContain("▌")
    screen.clickAt(10, y + 2)
    expect(screen.store.get().view.overlays.map(({ type }) => type)).toEqual(["entry"])
  })

  test("on a line of the text puts the cursor there, and again shows it on the full screen", async () => {
    const screen = await sessions(2)
    await screen.click("worker-1.")
    await screen.click("turn 1")
    expect(screen.store.get().view.focus).toBe("text")
    await screen.click("turn 1")
    expect(screen.store.get().view.maximized).toBe(true)
  })

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

  test("on a hint of the footer presses its key", async () => {
    const screen = await sessions(1)
    await screen.click("? keys")
    expect(await screen.text()).toContain("KEYS")
    screen.press("escape")
    await screen.click("Tab next")
    expect(screen.store.get().view.focus).toBe("text")
  })

  test("on a pane behind a list does nothing", async () => {
    const screen = await sessions(3)
    screen.press("y")
    const before = screen.store.get().view
    await screen.click("LOG")
    expect(screen.store.get().view).toEqual(before)
  })

  test("on the time bar goes to that moment", async () => {
    const screen = await show({ link: replay }, ...(await readFrames(fixture("demo"))))
    const row = (await screen.rows()).findIndex(one => one.includes("━") || one.includes("paused"))
    const bar = (await screen.rows())[row] ?? ""
    const [from, to] = [bar.search(/[━─✗?]/), bar.search(/ [\d,]+\/[\d,]+ /)]
    screen.clickAt(Math.round((from + to) / 2), row)
    const { moment } = screen.effects.find(one => one.type === "time/seek") ?? {}
    const frames = screen.store.get().run.frames.lines
    expect(moment).toMatchObject({ type: "frame" })
    const frame = moment?.type === "frame" ? moment.frame : 0
    expect(Math.abs(frame - frames / 2)).toBeLessThan(frames / 20)
  })
})

describe("in a question", () => {
  test("a click on an option puts the cursor there, and a second one answers", async () => {
    const screen = await show({ link: live })
    screen.feed(prompt("select", ["Alder", "Birch", "Cedar"])).pass(1000)
    await screen.click("Birch")
    expect(sent(screen)).toEqual([])
    expect(await screen.row("▸")).toContain("Birch")
    await screen.click("Birch")
    expect(sent(screen)).toEqual([{ type: "answer", promptId: "p#1", value: "Birch" }])
  })

  test("a second click on an option of several picks it, and sends nothing", async () => {
    const screen = await show({ link: live })
    screen.feed(prompt("multi", ["Alder", "Birch"])).pass(1000)
    await screen.click("Birch")
    await screen.click("Birch")
    expect(sent(screen)).toEqual([])
    expect(screen.store.get().view.questions.drafts[0]?.picked).toEqual([1])
  })

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
