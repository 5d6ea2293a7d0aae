// Tests filters and the search on the screen: the field with its mistakes, the counts and the list.
import { expect, test } from "bun:test"
import { TextAttributes } from "@opentui/core"
import { event, line } from "../../run/lines.ts"
import { type Shown, show, spansWith } from "../../screen/screen.tsx"

const of = (n: number, who: string) => ({ invokeid: who, "session-id": `${who}.${n}`, n })
const note = (n: number) => event(n, "test/note", of(n, "poet"))
const wrong = (n: number) => event(n, "llm/error", { ...of(n, "judge"), message: "first snow" })

async function title(screen: Shown): Promise<string> {
  return (await screen.row("LOG ")).replaceAll(/[┌─┐]/g, "").trim()
}

/** Types an expression into the field of `key`. */
function typed(screen: Shown, key: string, text: string): void {
  screen.press(key).type(text)
}

async function crowd(options: { columns?: number; rows?: number } = {}): Promise<Shown> {
  const screen = await show(options)
  screen.feed(...Array.from({ length: 300 }, (_, i) => (i % 100 === 50 ? wrong(i) : note(i))))
  return screen
}

test("a search of the log counts its hits, moves with n and N, and marks them", async () => {
  const screen = await crowd({ columns: 200 })
  typed(screen.press("shift-tab"), "/", "first snow")
  expect(await title(screen.press("enter"))).toContain('/ text~"first snow" 3 of 3')
  expect((await screen.rows()).find(row => row.startsWith("│▌") || row.startsWith("│ ▌+"))).toContain("model error")
  const lit = spansWith(await screen.frame(), "first snow").filter(
    one => (one.attributes & (TextAttributes.INVERSE | TextAttributes.UNDERLINE)) !== 0,
  )
  expect(lit.map(one => one.text)).toEqual(Array.from({ length: lit.length }, () => "first snow"))
  expect(lit.length).toBeGreaterThan(0)
  expect(await title(screen.press("N"))).toContain('/ text~"first snow" 2 of 3')
  expect(await title(screen.press("k"))).toContain('/ text~"first snow" 3 matches')
  expect(await screen.press("n", "enter").text()).toContain("seq 150")
  // The hit is marked in the row too.
  expect(await screen.row("DATA")).toMatch(/\/first snow \d+ matches/)
  expect(await screen.press("n").row("DATA")).toMatch(/\/first snow 1 of \d+/)
  expect(await screen.press("escape", "n", "enter").text()).toContain("seq 250")
  expect(await title(screen.press("escape", "escape"))).not.toContain("first snow")
})

test("s runs the next turn at a turn gate; n never does", async () => {
  const screen = await crowd()
  screen.feed(line({ kind: "debug", paused: true, mode: "paused-at-turn" }))
  typed(screen.press("shift-tab"), "/", "first snow")
  screen.press("enter", "n")
  const sent = () => screen.effects.filter(one => one.type === "agent/send").map(one => one.command.type)
  expect(sent()).toEqual([])
  screen.press("escape", "n")
  expect(sent()).toEqual([])
  screen.press("s")
  expect(sent()).toEqual(["turn-next"])
})

test("a filter of the log leaves the live pane as it is", async () => {
  const screen = await show()
  for (const who of ["poet", "judge"]) screen.feed(event(null, "llm/start", { invokeid: who, "session-id": who }))
  typed(screen, "f", "invokeid=judge")
  expect(await screen.press("enter").row("LOG")).toContain("1 of 2")
  expect(await screen.text()).toContain("◌ judge")
  expect(await screen.text()).toContain("◌ poet")
})

test("the list of filters switches, changes and deletes them, and counts what passes each", async () => {
  const screen = await crowd()
  typed(screen, "f", "seq=7")
  expect(await screen.press("enter", "f").row("] ")).toMatch(/▸ \[x\] +1 row {2}seq=7/)
  screen.press("d")
  typed(screen, "f", "error")
  screen.press("enter", "f", "+").type("seq>100")
  expect(await title(screen.press("enter"))).toContain("LOG  2 of 300 · 2 filters")
  expect(await screen.press("f").row("] ")).toMatch(/▸ \[x\] +3 rows {2}error/)
  expect(await screen.row("seq>100")).toMatch(/\[x\] +199 rows {2}seq>100/)
  screen.choose("filter on or off")
  expect(await title(screen.press("escape"))).toContain("LOG  199 of 300 · f seq>100")
  screen.press("f", "space", "j", "enter")
  screen.press("backspace", "backspace", "backspace").type("250")
  expect(await screen.press("enter", "f", "d").text()).toContain("FILTERS  1 of 1 on")
  expect(await title(screen.press("escape"))).toContain("LOG  49 of 300 · f seq>250")
  // A text that was emptied is no filter.
  expect(await title(screen.press("f", "enter", "ctrl-u", "enter"))).toContain("LOG  300 ·")
})

test("a question that comes while a line is typed waits until it is taken", async () => {
  const screen = await crowd()
  typed(screen, "f", "err")
  screen.feed(line({ kind: "prompt", "prompt-id": "p1", invokeid: "judge", type: "text", title: "Which?" }))
  screen.type("or")
  expect(await title(screen.press("enter"))).toContain("f error")
  expect(await screen.type("asnow").text()).toContain("snow")
  expect(screen.store.get().view.questions.drafts[0]?.text).toBe("snow")
})
