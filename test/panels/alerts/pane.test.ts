// Tests how alerts are shown, and that one key goes from one to the next.
import { describe, expect, test } from "bun:test"
import { event, idAt } from "../../run/lines.ts"
import { LARGE_SIZES, NOW, replay, show } from "../../screen/screen.tsx"
import { haiku, sent } from "../prompt/questions.ts"

const start = (seq: number, id: string, ts = NOW, invokeid = "judge") =>
  event(seq, "llm/start", { invokeid, "session-id": id, model: "m" }, ts)
const fails = (seq: number, id: string, ts = NOW) =>
  event(seq, "llm/error", { invokeid: "judge", "session-id": id, message: "overloaded" }, ts)

describe.each(LARGE_SIZES)("the list of alerts at %dx%d", (columns, rows) => {
  test("is the first hint of the footer, unless a question has the keys", async () => {
    const screen = await show({ columns, rows })
    const footer = async () => (await screen.rows()).at(-1) ?? ""
    screen.feed(start(0, "s.1"))
    expect(await footer()).not.toContain("needs you")
    screen.feed(fails(1, "s.1"))
    expect(await footer()).toStartWith(" ! needs you")
    screen.feed(haiku)
    expect(await footer()).toStartWith(" Enter answer")
    screen.press("alt-h")
    expect(await footer()).toMatch(/^ ! needs you {2,3}a answer/)
    screen.feed(event(2, "runner/done", {}))
    expect(await footer()).toStartWith(" ! went wrong")
  })

  test("says what, who and since when, what failed first, then the oldest", async () => {
    const screen = await show({ columns, rows })
    screen.feed(
      start(0, "s.1"),
      start(1, "s.2"),
      start(2, "s.3", NOW, "writer"),
      fails(3, "s.2", NOW + 20_000),
      event(4, "llm/context-warning", { invokeid: "judge", "session-id": "s.1", "used-frac": 0.83 }, NOW + 30_000),
    )
    screen.pass(90_000)
    const all = await screen.press("!").rows()
    const top = all.findIndex(row => row.includes("NEEDS YOU  4"))
    expect(top).toBe(1)
    const lines = all.slice(top + 1, top + 5).map(row => (row.split("│")[1] ?? row).replaceAll(/\s+/g, " ").trim())
    expect(lines).toEqual([
      "▸ ✗ 1m10s judge 2 failed: overloaded",
      "◌ 1m30s judge 1 no first token yet",
      "◌ 1m30s writer no first token yet",
      "! 1m00s judge 1 context 83% full",
    ])
    expect((await screen.rows()).at(-1)).toStartWith(" Enter go there   v why   d put aside   Esc back   ↑↓ move")
  })

  test("goes to a session with Enter, and round to the question with ! ! !", async () => {
    const screen = await show({ columns, rows })
    screen.feed(start(0, "s.1"), start(1, "s.2"), fails(2, "s.1", NOW + 1), start(3, "s.3", NOW + 2), haiku)
    screen.press("alt-h", "!", "j", "enter")
    const { run, view } = screen.store.get()
    expect(view).toMatchObject({ reader: { text: { session: idAt(run, 0) }, reads: "row" }, focus: "text" })
    expect(await screen.text()).toContain("─ judge 1 ")
    expect(await screen.text()).toContain("overloaded")
    expect(await screen.press("!", "!").text()).toContain("Which haiku wins?")
    expect(await screen.text()).not.toContain("a answers")
    expect(sent(screen.press("1"))).toEqual([{ type: "answer", promptId: "win#1", value: { poem: 1 } }])
  })

  test("keeps an alert in its place while it gets worse, with the cursor on it and its first time", async () => {
    const screen = await show({ columns, rows })
    const full = (seq: number, id: string, used: number, ts: number) =>
      event(seq, "llm/context-warning", { invokeid: "judge", "session-id": id, "used-frac": used }, ts)
    screen.feed(start(0, "s.1"), start(1, "s.2"), full(2, "s.1", 0.81, NOW + 1000), full(3, "s.2", 0.82, NOW + 2000))
    screen.pass(5000).press("!")
    const list = async () => {
      const all = (await screen.rows()).map(row => (row.split("│")[1] ?? row).replaceAll(/\s+/g, " ").trim())
      const top = all.findIndex(row => row.includes("NEEDS YOU"))
      return all.slice(top + 1, top + 3)
    }
    expect(await list()).toEqual(["▸ ! 4.0s judge 1 context 81% full", "! 3.0s judge 2 context 82% full"])
    screen.feed(full(4, "s.1", 0.95, NOW + 3000))
    expect(await list()).toEqual(["▸ ! 4.0s judge 1 context 81% full, up to 95%", "! 3.0s judge 2 context 82% full"])
    screen.feed(full(5, "s.1", 0.9, NOW + 4000), full(6, "s.2", 0.82, NOW + 4000))
    expect(await list()).toEqual(["▸ ! 4.0s judge 1 context 81% full, up to 95%", "! 3.0s judge 2 context 82% full"])
  })

  test("puts aside a failure that the run has moved past by d, but no question", async () => {
    const screen = await show({ columns, rows })
    screen.feed(start(0, "s.1"), start(1, "s.2"), fails(2, "s.1"), fails(3, "s.2"), haiku)
    expect(await screen.press("alt-h", "!").row("NEEDS YOU")).toContain("NEEDS YOU  3")
    // The question stands first.
    expect(await screen.press("g", "j", "d").row("NEEDS YOU")).toContain("NEEDS YOU  2")
    screen.press("d", "d")
    expect(await screen.text()).toContain("A question is answered or cancelled, not put aside")
    expect(await screen.row("NEEDS YOU")).toContain("NEEDS YOU  1")
  })

  test("says so if it is empty; a recording has no hint, but lists failures", async () => {
    const calm = await show({ columns, rows })
    expect((await calm.press("!").rows()).at(-1)).toStartWith(" Esc back   ? keys ")
    expect((await calm.press("!").rows()).at(-1)).toContain("Nothing needs you")
    expect((await calm.press("j", "v").rows()).at(-1)).toContain("Nothing needs you")
    expect(await calm.feed(event(0, "runner/done", {})).text()).toContain("Nothing went wrong")
    const mended = await show({ columns, rows })
    for (const [seq, wrong] of [true, false].entries())
      mended.feed(event(seq, "llm/tool-result", { invokeid: "judge", tool: "ls", "is-error": wrong }, NOW + seq))
    expect(
      await mended
        .feed(event(2, "runner/done", {}))
        .press("!")
        .text(),
    ).toContain("No session failed; E shows 1 e")
    const late = await show({ columns, rows })
    late.feed(event(0, "runner/started", {}), event(7, "app/note", {}))
    expect(await late.press("!").text()).toMatch(/Nothing needs you in what arrived:\s[\s│]*6 frames/)
    const past = await show({ columns, rows, link: replay })
    expect((await past.feed(start(0, "s.1"), fails(1, "s.1")).rows()).at(-1)).not.toContain("needs you")
    expect(await past.press("!").text()).toContain("failed: overloaded")
  })
})

test("of the same told of four sessions or more there is one row, which opens", async () => {
  const screen = await show({ columns: 120, rows: 40 })
  const fail = (n: number) => [start(2 * n, `p.${n}`), fails(2 * n + 1, `p.${n}`)]
  const list = async () => (await screen.rows()).filter(row => row.includes("failed: overloaded"))
  screen.feed(...[0, 1, 2].flatMap(fail)).press("!")
  expect(await list()).toHaveLength(3)
  screen.feed(...fail(3))
  expect(await screen.row("failed: overloaded")).toContain("4 sessions")
  expect(await list()).toHaveLength(1)
  screen.press("enter")
  expect(await list()).toHaveLength(4)
})

test("sixty silent sessions are one row, which opens, below the question that came after them", async () => {
  const screen = await show({ columns: 120, rows: 40 })
  screen.feed(...Array.from({ length: 60 }, (_, n) => start(n, `p.${n}`, NOW, "poet")))
  screen.feed(start(60, "s.1"), fails(61, "s.1", NOW + 1000)).pass(50_000)
  screen.feed(haiku).press("alt-h", "!")
  const list = async () => {
    const rows = (await screen.rows()).map(row => (row.split("│")[1] ?? row).replaceAll(/\s+/g, " ").trim())
    return rows.slice(rows.findIndex(row => row.includes("NEEDS YOU")) + 1)
  }
  expect(await screen.row("NEEDS YOU")).toContain("NEEDS YOU  62")
  expect((await list()).slice(0, 4)).toEqual([
    "▸ ? 50s judge asks: Which haiku wins?",
    "✗ 50s judge failed: overloaded",
    "◌ 51s 60 sessions no first token yet",
    "",
  ])
  expect(await screen.press("j", "j").row("NEEDS YOU")).toContain("─ poet 0 ")
  screen.press("enter")
  expect((await list()).slice(0, 4)).toEqual([
    "? 50s judge asks: Which haiku wins?",
    "✗ 50s judge failed: overloaded",
    "▸ ◌ 51s poet 0 no first token yet",
    "◌ 51s poet 1 no first token yet",
  ])
  screen.press("escape").pass(1500)
  expect(await screen.press("!", "g", "j", "j", "d").row("NEEDS YOU")).toContain("NEEDS YOU  2")
})
