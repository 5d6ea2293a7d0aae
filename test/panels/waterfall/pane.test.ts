// Tests the view of time and its keys.
import { describe, expect, test } from "bun:test"
import { fixture, readFrames } from "../../fixtures.ts"
import { delta, event } from "../../run/lines.ts"
import { NOW, replay, type Shown, show } from "../../screen/screen.tsx"

const poet = { invokeid: "poet", "session-id": "p" }
const judge = { invokeid: "judge", "session-id": "j" }
const BEGIN = NOW - 100_000

function feed(screen: Shown): void {
  const call = { type: "tool-use", id: "t", name: "look", input: {} }
  screen.feed(
    event(0, "runner/start-config", { config: ["writing"] }, BEGIN),
    event(1, "llm/start", poet, BEGIN),
    delta(2, "x", { ...poet, ts: BEGIN + 20_000 }),
    event(3, "llm/response", { ...poet, content: [{ type: "text", text: "the first" }, call] }, BEGIN + 40_000),
    event(4, "llm/tool-result", { ...poet, tool: "look" }, BEGIN + 60_000),
    event(5, "llm/start", poet, BEGIN + 60_000),
    event(6, "llm/response", { ...poet, content: [{ type: "text", text: "the second" }] }, BEGIN + 70_000),
    event(7, "llm/worker-exit", { ...poet, reason: "done" }, BEGIN + 70_000),
    event(8, "runner/event-processed", { entered: ["judging"], "config-after": ["judging"] }, BEGIN + 70_000),
    event(9, "llm/start", judge, BEGIN + 70_000),
    event(10, "llm/error", { ...judge, message: "no" }, BEGIN + 90_000),
    event(11, "human-input/start", { ...judge, kind: "text", prompt: "Go on?" }, BEGIN + 92_000),
    event(12, "human-input/answer", { ...judge, kind: "text", answer: "no" }, BEGIN + 98_000),
    event(13, "runner/done", { "final-config": ["judging"] }, BEGIN + 100_000),
  )
}

/** The cells of a row after its name, without the border and padding. */
function cells(row: string, name: number): string {
  return row.slice(2 + name).replace(/ │$/, "")
}

describe("the view of time", () => {
  test("marks a session with a refused reply or a failed tool, and says so of the turn", async () => {
    const screen = await show({ columns: 100, rows: 30 })
    screen.feed(
      event(0, "llm/start", poet, BEGIN),
      event(1, "llm/tool-result", { ...poet, tool: "look", "is-error": true }, BEGIN + 10_000),
      event(2, "llm/start", judge, BEGIN + 10_000),
      event(3, "llm/response", { ...judge, "stop-reason": "refusal", content: [] }, BEGIN + 20_000),
      event(4, "llm/start", { invokeid: "critic", "session-id": "c" }, BEGIN + 20_000),
    )
    screen.press("T", "g")
    const marks = (await screen.rows()).flatMap(row => /^│ [▸ ] (!?|) ?(poet|judge|critic) /.exec(row)?.[0] ?? [])
    expect(marks.map(row => row.replace(/[│▸ ]/g, "")).slice(0, 3)).toEqual(["!poet", "!judge", "critic"])
    expect(await screen.row("turn 1 of 1")).toContain("1 tool failed")
    expect(await screen.press("j").row("turn 1 of 1")).toContain("refused")
  })

  test("has a tick of time whole beside the mark of the moment that it belongs to", async () => {
    const screen = await show({ columns: 120, rows: 40 })
    feed(screen)
    const { run } = screen.store.get()
    // A second more moves the ticks from the first column of their part.
    screen.feed(event(14, "app/note", {}, NOW + 1000))
    for (const moment of [30_000, 60_000]) {
      screen.store.dispatch({ type: "show", run: { ...run, lastTs: BEGIN + moment } })
      expect(await screen.press("T").row("↓")).toContain(`↓${moment / 1000}`)
      screen.press("escape")
    }
    // The mark covers the unit of the last tick at some of these moments, and stands at the end of the axis.
    for (let moment = 80_000; moment <= 101_000; moment += 500) {
      screen.store.dispatch({ type: "show", run: { ...run, lastTs: BEGIN + moment } })
      expect(await screen.press("T").row("↓")).toMatch(/60[ ↓].*90 s[ ↓│]/)
      screen.press("escape")
    }
  })

  test("has at 120 columns the states, a bar for each session, and the moment shown, up to the end of the run", async () => {
    const screen = await show({ columns: 120, rows: 40 })
    feed(screen)
    expect(await screen.pass(60_000).press("T", "m").row("TIME")).toContain("SESSIONS  2 · 1m40s")
    // 23 columns of names leave 93: a piece is a little more than a second.
    const poets = cells(await screen.row("  poet  "), 23)
    expect(poets.slice(0, 19)).toBe("░".repeat(19))
    expect(poets.slice(19, 37)).toBe("▇".repeat(18))
    expect(poets.slice(37, 56)).toBe("=".repeat(19))
    expect(poets.slice(56, 66)).toBe("░".repeat(10))
    expect(poets.slice(66)).toBe(`${" ".repeat(26)}│`)
    const judges = cells(await screen.row("judge   "), 23)
    expect(judges.indexOf("░")).toBe(65)
    expect(judges.indexOf("✗")).toBe(83)
    expect(judges.slice(83)).toBe("✗ ???????│")
    const states = cells(await screen.row("states"), 23)
    expect([states.indexOf("▾writing"), states.indexOf("▾judging")]).toEqual([0, 65])
    expect(
      cells(await screen.row("80"), 23)
        .trimEnd()
        .replace(/ +/g, " "),
    ).toBe("0 20 40 60 80 s ↓")
    const you = cells(await screen.row("  you  "), 23)
    expect([you.indexOf("?"), you.lastIndexOf("?")]).toEqual([judges.indexOf("?"), judges.lastIndexOf("?")])
  })

  test("names of the states that were entered within one column the last", async () => {
    const screen = await show({ columns: 120, rows: 40 })
    feed(screen)
    const enter = (seq: number, state: string, ms: number) =>
      event(seq, "runner/event-processed", { entered: [state], "config-after": [state] }, BEGIN + ms)
    screen.feed(enter(14, "first", 30_000), enter(15, "second", 30_010), enter(16, "third", 30_020))
    const states = await screen.press("T").row("states")
    expect(states).toContain("▾third")
    expect(states).not.toMatch(/first|second/)
  })

  test.each([
    [80, 24, 15],
    [40, 10, 10],
  ] as const)("is aligned at %dx%d", async (columns, rows, name) => {
    const screen = await show({ columns, rows })
    feed(screen)
    screen.press("T")
    const room = columns - 4 - name
    const states = cells(await screen.row("states"), name)
    const judges = cells(await screen.row("judge   "), name)
    const place = Math.floor(0.7 * room)
    expect(states.indexOf("▾", 1)).toBe(place)
    expect(judges.indexOf("░")).toBe(place)
  })

  test("cuts the name of an invocation, and never the number of a sibling", async () => {
    const screen = await show({ columns: 80, rows: 24 })
    for (const n of [10, 11]) {
      const ids = { invokeid: "writers-of-poems", "session-id": `session/writers.${n}.7f3a9c21-5b0e` }
      screen.feed(event(n, "llm/start", ids), event(n + 50, "llm/response", { ...ids, content: [] }))
    }
    expect(await screen.press("T").row("writers-… 1")).not.toContain("7f3a9c21")
    expect(await screen.row("writers-… 2")).not.toContain("7f3a9c21")
  })

  test("has marks of its own in ASCII", async () => {
    const screen = await show({ columns: 80, rows: 24, ascii: true })
    feed(screen)
    expect(await screen.press("T", "m").row("poet   ")).toMatch(/\.{12}#{12,13}={12,13}\.{6}/)
    expect(await screen.row("waiting ")).toContain(". first token   # generation   = tool   ? human   x failed")
  })

  test("describes the turn under the cursor, and opens it", async () => {
    const screen = await show({ columns: 120, rows: 40 })
    feed(screen)
    screen.press("T", "m", "g")
    expect(await screen.press("j").row("turn 1 of 1")).toMatch(
      /judge turn 1 of 1 {2}failed {2}.* first token 20s · human 6\.0s +│/,
    )
    screen.press("k")
    expect(await screen.row("turn 2 of 2")).toContain("poet turn 2 of 2  +01:00.000  first token 10s")
    screen.press("[", "t")
    expect(await screen.row("turn 1 of 2")).toMatch(/\+00:00\.000 {2}first token 20s · generation 20s · tool 20s/)
    screen.press("enter")
    expect(await screen.text()).toMatch(/─ poet ─[\s\S]*└─ turn 1 of 2/)
    expect(await screen.text()).toContain("the first")
  })

  test("goes with z nearer to the chosen turn, with the next turn along, and back to the whole", async () => {
    const screen = await show({ columns: 120, rows: 40 })
    feed(screen)
    // The second turn lasts from 1:00 to 1:10, the first until then, and the run until 1:40.
    expect(await screen.press("T", "g", "z").row("TIME")).toContain("1m40s · 00:50 to 01:20 ─")
    expect(await screen.press("[", "t").row("TIME")).toMatch(/1m40s ─/)
    expect(await screen.press("]", "t").row("TIME")).toContain("00:50 to 01:20 ─")
    expect(await screen.press("h").row("TIME")).toMatch(/1m40s ─/)
    expect(await screen.press("l").row("TIME")).toContain("00:50 to 01:20 ─")
    expect(await screen.press("z").row("TIME")).toMatch(/1m40s ─/)
    expect(await screen.press("T").text()).toContain("LOG")
  })

  test("tells the ends of a part of less than ten seconds to the millisecond", async () => {
    const screen = await show({ link: replay }, ...(await readFrames(fixture("demo"))))
    expect(await screen.press("T", "k", "z", "m").row("TIME")).toContain("· +00:22.973 to +00:30.272 ─")
  })

  describe("with more sessions than rows", () => {
    /** 60 sessions of so many poets in turn, each of 10 s, one after the other. */
    async function sixty(columns: number, rows: number, poets = 3): Promise<Shown> {
      const screen = await show({ columns, rows, link: replay })
      for (let n = 0; n < 60; n++) {
        const ids = { invokeid: `poet-${n % poets}`, "session-id": `p${n}` }
        screen.feed(
          event(2 * n, "llm/start", ids, BEGIN + n * 10_000),
          event(2 * n + 1, "llm/error", { ...ids, message: "no" }, BEGIN + n * 10_000 + 10_000),
        )
      }
      screen.press("T", "m")
      return screen
    }
    const foot = async (screen: Shown) => (await screen.rows()).find(row => row.includes(" of 60 ─"))

    test("says at its lower edge where it is", async () => {
      const screen = await sixty(120, 40)
      expect(await screen.press("g").row("TIME")).toContain("SESSIONS  60 · 10m00s ─")
      expect(await foot(screen)).toContain("└─ 1 of 60 ─")
      expect(await foot(screen.press("pagedown", "j", "j", "j"))).toContain("└─ 31 of 60 ─")
    })

    test("has above them how many sessions of each invocation worked at each time", async () => {
      const screen = await sixty(120, 40)
      const poets = cells(await screen.row("   poet-0   "), 23)
      // A column is 6.5 s: within 30 s, the poet works 10 s, and nobody works where it is blank.
      expect(poets).toMatch(/^█{2,3}( {2,4}█{2,3}){19} *$/)
      await screen.click("   poet-2   ")
      expect(await foot(screen)).toContain("─ 3 of 60 ─")
    })

    test("has none of them where they would take more than a fourth of the rows", async () => {
      const screen = await sixty(80, 24, 6)
      expect(await screen.text()).not.toMatch(/ {3}poet-\d {2}/)
      expect(await foot(screen)).toContain("60 of 60")
    })
  })
})
