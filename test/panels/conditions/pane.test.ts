// Tests the list of conditions by its keys, and how a mistake in a condition is marked.
import { describe, expect, test } from "bun:test"
import { delta, event, line } from "../../run/lines.ts"
import { LARGE_SIZES, NOW, show } from "../../screen/screen.tsx"
import { name, sent } from "../prompt/questions.ts"

describe.each(LARGE_SIZES)("the list of conditions at %dx%d", (columns, rows) => {
  const open = () => show({ columns, rows })

  test("adds a typed condition in canonical form, and takes letters as text, not commands", async () => {
    const screen = await open()
    screen.press("B", "+")
    expect((await screen.rows()).at(-1)).toBe(" Enter accept   Esc cancel".padEnd(columns))
    screen.type("invokeid=judge* and turn>=3")
    screen.press("enter", "+")
    screen.type("error")
    screen.press("enter")
    expect(await screen.row("invokeid=judge")).toContain("[x] pause         0× invokeid=judge* turn>=3")
    expect(await screen.row("0× error")).toContain("▸ [x] pause")
    expect(await screen.row("CONDITIONS")).toContain("2 of 2 on")
    expect((await screen.rows()).at(-1)).toContain(" + add   d delete   Enter all changes")
  })

  test("marks a mistake in a condition, keeps the text, and takes it once it is corrected", async () => {
    const screen = await open()
    screen.press("B", "+")
    screen.type("error trun>3")
    await screen.settle()
    expect(await screen.text()).toContain("^^^^")
    screen.press("enter")
    const all = await screen.rows()
    const at = all.findIndex(row => row.includes("error trun>3"))
    const field = all[at] ?? ""
    const mark = all[at + 1] ?? ""
    expect(mark.indexOf("^")).toBe(field.indexOf("trun"))
    expect(mark.trim().replaceAll(/[│ ]/g, "")).toBe("^^^^")
    expect(all[at + 2]).toContain("trun")
    expect(screen.store.get().view.conditions.list).toEqual([])
    screen.press(...Array.from({ length: 6 }, () => "backspace"))
    expect(await screen.text()).not.toContain("^^^^")
    screen.type("turn>3")
    screen.press("enter")
    expect(await screen.row("error turn>3")).toContain("[x] pause")
  })

  test("does not take an empty condition, and drops the text at Esc", async () => {
    const screen = await open()
    screen.press("B", "+", "enter")
    expect(await screen.text()).toContain("expected a condition")
    screen.type("error")
    screen.press("escape")
    expect(await screen.text()).toContain("CONDITIONS")
    expect(screen.store.get().view).toMatchObject({ conditions: { list: [] }, typing: null })
  })

  test("moves its cursor, and switches, deletes and changes a breakpoint", async () => {
    const screen = await open()
    screen.press("B")
    for (const text of ["error", "prompt", "warning"]) {
      screen.press("+")
      screen.type(text)
      screen.press("enter")
    }
    const react = () => screen.choose("choose what it does")
    screen.press("g", "j")
    screen.choose("condition on")
    screen.press("g")
    react()
    screen.press("j", "j")
    react()
    react()
    expect(await screen.row(" prompt")).toContain("[ ] pause")
    expect(await screen.row(" error")).toContain("[x] turn")
    expect(await screen.row(" warning")).toContain("▸ [x] log only")
    expect(await screen.row("CONDITIONS")).toContain("2 of 3 on")
    screen.press("d")
    expect(await screen.row(" prompt")).toContain("▸ [ ]")
    screen.choose("condition on")
    for (let i = 0; i < 4; i++) react()
    expect(await screen.row(" prompt")).toContain("▸ [x] pause")
  })

  test("counts hits, and the log and the footer say what each did", async () => {
    const screen = await open()
    screen.press("B", "+")
    screen.type("tokens>1")
    screen.press("enter")
    screen.feed(
      line({ kind: "debug", paused: false, "step-budget": 0 }),
      event(0, "llm/start", { invokeid: "judge", "session-id": "s" }, NOW),
      delta(1, "one ", { invokeid: "judge" }),
      delta(2, "two ", { invokeid: "judge" }),
      delta(3, "three ", { invokeid: "judge" }),
    )
    expect(await screen.row("tokens>1")).toContain("1× tokens>1")
    screen.effects.push(...screen.store.ask({ type: "conditions/tell" }, { now: NOW, page: 0, lines: 0 }))
    expect(sent(screen)).toEqual([{ type: "pause" }])
    const [footer = ""] = (await screen.rows()).slice(-1)
    expect(footer).toContain("Breakpoint tokens>1: pauses at the next event of any session")
    expect(footer).toContain("pause pending")
    screen.press("escape", "shift-tab")
    expect(await screen.row("tokens>1  pauses at the")).toContain("! breakpoint")
  })

  test("is not said to be never true before the whole run was searched for it", async () => {
    const screen = await open()
    screen.press("B", "+").type("error")
    screen.press("enter", "enter")
    const { generation } = screen.store.get().view.conditions
    const searched = (read: number) => screen.store.dispatch({ type: "watched", generation, found: new Map(), read })
    searched(0.5)
    expect(await screen.row("× error")).toContain("0 changes")
    searched(1)
    expect(await screen.row("× error")).toContain("not yet")
  })

  test("has the keys while a question waits behind it, and sanitizes a paste", async () => {
    const screen = await open()
    screen.press("B", "+")
    screen.feed(name)
    screen.type("turn")
    await screen.paste(">3\n")
    screen.press("enter")
    expect(screen.store.get().view.conditions.list.map(one => one.text)).toEqual(["turn>3"])
    screen.press("+")
    await screen.paste("\u001b[2J\u202e")
    screen.press("enter")
    expect(screen.store.get().view.typing?.text).not.toMatch(/[\u001b\u202e]/)
    expect(sent(screen)).toEqual([])
    screen.press("escape", "escape")
    expect(await screen.text()).toContain("asks: Which name goes on the cup? · a answers")
    screen.type("aAda")
    screen.press("enter")
    expect(sent(screen)).toEqual([{ type: "answer", promptId: "name#4", value: "Ada" }])
  })
})
