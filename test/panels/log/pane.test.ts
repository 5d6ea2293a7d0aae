// Tests the log pane: one row for each event, and a reader's place that does not move.
import { describe, expect, test } from "bun:test"
import { features } from "../../../src/panels/plan.ts"
import { fold } from "../../../src/run/fold.ts"
import { emptyRun } from "../../../src/run/model/run.ts"
import { createStore } from "../../../src/view/store.ts"
import { fixture, readFrames } from "../../fixtures.ts"
import { delta, event, line } from "../../run/lines.ts"
import { live, replay, type Shown, SIZES, show, spansWith } from "../../screen/screen.tsx"

const ids = { invokeid: "judge", "session-id": "s1" } as const

function note(n: number) {
  return event(n, "test/note", { n }, 1000 + n * 10)
}

function notes(from: number, to: number) {
  return Array.from({ length: to - from }, (_, i) => note(from + i))
}

/** The rows inside the log's border, top to bottom. */
async function logRows(screen: Shown): Promise<readonly string[]> {
  const rows = await screen.rows()
  const top = rows.findIndex(row => row.includes("LOG "))
  const rest = rows.slice(top + 1)
  return rest
    .slice(
      0,
      rest.findIndex(row => row.startsWith("└")),
    )
    .map(row => row.slice(2, -2).trimEnd())
}

async function logTitle(screen: Shown): Promise<string> {
  return (await screen.row("LOG ")).replaceAll(/[┌─┐]/g, "").trim()
}

describe("a row of the log", () => {
  test("of a run that lasts for days keeps its time apart from its source", async () => {
    const screen = await show({}, event(0, "runner/started", {}, 0), event(1, "llm/start", ids, 99 * 3_600_000))
    expect((await logRows(screen))[1]).toMatch(/^ \+99:00:00\.000 judge/)
  })

  test("has the same colour for its invocation as the live pane", async () => {
    const screen = await show()
    screen.feed(event(0, "llm/start", ids), event(1, "llm/start", { invokeid: "poet", "session-id": "s2" }))
    const frame = await screen.frame()
    const colours = (name: string) =>
      new Set(
        spansWith(frame, name)
          .filter(one => one.text.trim() === name)
          .map(one => one.fg.toString()),
      )
    expect(colours("judge").size).toBe(1)
    expect(colours("poet").size).toBe(1)
    expect(colours("judge")).not.toEqual(colours("poet"))
  })

  test("of a gap says how many events are missing, and disappears when they come late", async () => {
    const screen = await show({ columns: 200 }, note(0), note(3))
    expect((await logRows(screen))[1]).toMatch(/sidecar +! gap +2 rows missing \(seq 1 to 2\)/)
    screen.feed(note(2), note(1))
    expect((await logRows(screen)).filter(row => row !== "").map(row => /n": ?(\d)/.exec(row)?.[1])).toEqual([
      "0",
      "1",
      "2",
      "3",
    ])
  })

  test("is not made for deltas, ticks and checkpoints", async () => {
    const screen = await show({}, event(0, "runner/tick"), event(1, "checkpoint/written"), delta(2, "x"))
    expect((await logRows(screen))[0]).toBe(" No events yet")
  })

  test("reports an op that was not sent", async () => {
    const screen = await show()
    expect((await logRows(screen.press("s")))[0]).toContain("not sent")
    expect((await logRows(screen))[0]).toContain("no debugger is attached")
    expect(screen.effects.filter(one => one.type === "agent/send")).toEqual([])
  })
})

describe("the end of the log", () => {
  test.each(SIZES)(
    "is followed until a person scrolls, and then the first row stays, at %dx%d",
    async (columns, rows) => {
      const screen = await show({ columns, rows }, ...notes(0, 100))
      expect(await logTitle(screen.press("tab", "tab"))).toContain("LOG  100 · following")
      expect((await logRows(screen)).at(-1)).toContain("99")
      const before = await logRows(screen.press("k", "k", "k", "k"))
      for (let i = 100; i < 600; i += 10) screen.feed(...notes(i, i + 10))
      expect(await logRows(screen)).toEqual(before)
      expect(await logTitle(screen)).toContain("LOG  600 · 500 new ↓ End")
      expect(await logTitle(screen.press("end"))).toContain("LOG  600 · following")
      expect((await logRows(screen)).at(-1)).toContain(columns === 40 ? "59" : "599")
    },
  )

  test("is counted in a narrow title, which drops warnings, then errors", async () => {
    const screen = await show({ columns: 40, rows: 10 })
    screen.feed(...notes(0, 50), event(50, "llm/error", { ...ids, message: "x" }))
    screen.feed(event(51, "llm/retry", { ...ids, attempt: 1 })).press("tab", "tab", "k")
    expect(await logTitle(screen.feed(...notes(52, 152)))).toBe("LOG  152 · 1 error · 100 new ↓ End")
    expect(await logTitle(screen.resize(30, 10))).toBe("LOG  152 · 100 new ↓ End")
  })

  test("does not move a reader's first row, also when a late row comes before it", async () => {
    const screen = await show({}, ...notes(0, 50), ...notes(51, 100))
    const before = await logRows(screen.press("tab", "tab", "k", "k"))
    expect(await logRows(screen.feed(note(50)))).toEqual(before)
  })

  test("is not followed just by reaching the last row with j", async () => {
    const screen = await show({}, ...notes(0, 100))
    expect(await logTitle(screen.press("tab", "tab", "k", "j"))).toContain("paused · End follows")
  })
})

test("an entry of the log opens from the row under the cursor with Enter, and closes with Esc", async () => {
  const screen = await show({ columns: 200 }, ...notes(0, 100))
  const text = await screen.press("tab", "tab", "g", "5", "j", "enter").text()
  expect(text).toContain("DATA")
  expect(text).toContain("seq 5")
  expect(text).toContain('"n": 5')
  expect(await screen.press("escape").text()).not.toContain("DATA")
})

describe("the end of a run", () => {
  test("is announced in a banner, and events that it overtook still come", async () => {
    const lines = await readFrames(fixture("parallel-60"))
    const events = lines.filter(one => one.kind !== "control")
    const screen = await show({ link: live })
    screen.feed(...events.slice(0, -20), line({ kind: "control", op: "run-finished", "final-config": "[:done]" }))
    expect(await screen.row("Run finished")).toBe(" ✓ Run finished — press Ctrl-C to quit")
    const before = screen.store.get().run.frames.event
    screen.feed(...events.slice(-20))
    expect(screen.store.get().run.frames.event).toBeGreaterThan(before)
    expect((await logRows(screen)).at(-1)).toMatch(/chart +done/)
    expect(await screen.row("Run finished")).toContain("press Ctrl-C to quit")
  })

  test("leaves everything readable, also when the connection closes", async () => {
    const screen = await show({ columns: 200 })
    screen.feed(...notes(0, 100), event(100, "runner/done", { "final-config": ["done"], status: "done" }))
    screen.link({ state: "closed" })
    expect(await screen.press("tab", "tab", "g", "enter").text()).toContain("seq 0")
  })

  test("has no banner on a recording", async () => {
    const screen = await show({ link: replay })
    screen.feed(event(0, "runner/done", { "final-config": ["done"], status: "done" }))
    expect(await screen.text()).not.toContain("press Ctrl-C")
  })
})

describe("a jump in the log", () => {
  const ask = { kind: "text", invokeid: "desk", prompt: "Which?" }
  const wrong = (n: number) => event(n, "llm/error", { ...ids, message: `wrong ${n}` }, 1000 + n)

  test("goes to the next and the previous row of its kind from any row", async () => {
    const screen = await show({ columns: 200 })
    screen.feed(...notes(0, 50), wrong(50), ...notes(51, 100), wrong(100), ...notes(101, 150))
    expect((await logRows(screen.press("E"))).find(row => row.startsWith("▌"))).toContain("wrong 100")
    expect((await logRows(screen.press("E"))).find(row => row.startsWith("▌"))).toContain("wrong 50")
    screen.feed(...notes(150, 300))
    expect((await logRows(screen)).find(row => row.startsWith("▌"))).toContain("wrong 50")
    expect(await screen.press("e", "enter").text()).toContain("seq 100")
  })

  test("opens its entry if one is open", async () => {
    const screen = await show({ columns: 200 })
    screen.feed(...notes(0, 50), wrong(50), ...notes(51, 100), wrong(100), event(101, "human-input/start", ask))
    screen.press("tab", "tab", "g", "enter")
    expect(await screen.press("e").text()).toContain("seq 50")
    expect(await screen.press("e").text()).toContain("seq 100")
    expect((await screen.press("e").rows()).at(-1)).toContain("No later error")
    expect(await screen.press("]", "u").text()).toContain("seq 101")
    screen.press("E", "M")
    expect(await screen.type("here").text()).toContain("here")
    expect(await screen.press("enter", "escape").row("[here]")).toContain("wrong 100")
    expect((await logRows(screen)).find(row => row.startsWith("▌"))).toContain("wrong 100")
    screen.press("g", "enter")
    expect(await screen.choose("next bookmark").text()).toContain("seq 100")
  })

  test("moves the moment of a recording too, and the open entry with it", async () => {
    const screen = await show({ columns: 200, link: replay })
    screen.feed(...notes(0, 50), wrong(50), ...notes(51, 100), wrong(100))
    expect(screen.press("tab", "tab", "enter", "E").effects.findLast(one => one.type === "time/seek")).toEqual({
      type: "time/seek",
      moment: { type: "frame", frame: 51 },
    })
    expect(await screen.text()).toContain("seq 50")
    expect(await screen.press("e").text()).toContain("seq 100")
  })

  describe("to a tool that failed in the second turn of the first of two siblings", () => {
    const [one, two] = ["c1", "c2"].map(id => ({ invokeid: "coder", "session-id": id }))
    const says = (seq: number, who: object | undefined, text: string) =>
      event(seq, "llm/response", { ...who, content: [{ type: "text", text }] }, 1000 + seq)
    const rows = [
      event(0, "llm/start", { ...one }, 1000),
      says(1, one, "of one, turn one"),
      event(2, "llm/start", { ...one }, 1002),
      says(3, one, "of one, turn two"),
      event(4, "llm/tool-result", { ...one, tool: "run", "content-preview": "ENOENT", "is-error": true }, 1004),
      event(5, "llm/start", { ...one }, 1005),
      says(6, one, "of one, turn three"),
      event(7, "llm/start", { ...two }, 1007),
      says(8, two, "of two"),
    ]

    for (const link of [live, replay]) {
      test(`selects that session, and its transcript opens at that turn, in a ${link.state} run`, async () => {
        const screen = await show({ link, rows: 24 }, ...rows)
        expect(await screen.press("E").row("▌")).toContain("✓ 1 ")
        expect(await screen.text()).toContain("of one, turn three")
        screen.press("enter", "enter")
        expect(await screen.text()).toMatch(/─ coder 1 ─[\s\S]*└─ turn 2 of 3/)
      })
    }

    test("opens its entry, which Enter leaves for its moment, and End is now", async () => {
      const screen = await show({ rows: 24 }, ...rows)
      expect(await screen.press("E", "enter").text()).toContain("DATA")
      expect((await screen.rows()).at(-1)).toContain("Enter go to this moment")
      screen.press("enter")
      expect(screen.effects.at(-1)).toMatchObject({ type: "time/seek", moment: { type: "frame" } })
      expect(screen.store.get().view.focus).toBe("log")
      expect(await screen.row("▌+")).toContain("ENOENT")
    })
  })

  test("says so if there is no such row", async () => {
    const screen = await show()
    screen.feed(...notes(0, 50), wrong(50)).press("e")
    for (const [key, words] of [
      ["e", "No later error"],
      ["[w", "No earlier warning"],
      ["[s", "No earlier change of state"],
      ["]u", "No later question"],
      ["[t", "No earlier turn"],
    ] as const) {
      expect((await screen.press(...key).rows()).at(-1)).toContain(words)
    }
  })
})

test("a reply stands in its row without the marks of Markdown, an answer in the words of its option", async () => {
  const screen = await show()
  const options = [{ label: "The ferry without a pier", value: "no-pier" }]
  screen.feed(
    event(0, "llm/response", { ...ids, content: [{ type: "text", text: "## Plan\n\n1. **Timeline** - one" }] }, 1000),
    line({
      kind: "prompt",
      "prompt-id": "t#1",
      invokeid: "title",
      type: "select",
      opts: { prompt: "Which?", options },
    }),
    event(1, "human-input/answer", { invokeid: "title", answer: "no-pier" }, 1001),
  )
  expect(await screen.row(" said ")).toContain("Plan 1. Timeline - one")
  expect(await screen.row(" answer ")).toContain("The ferry without a pier")
})

test("the log's times count from the start, the clock, the row before or the bookmark above", async () => {
  const store = createStore({ ...features, link: live, zone: 2 * 3_600_000 })
  const screen = await show({ store })
  const noon = Date.UTC(2026, 0, 1, 12)
  screen.feed(
    event(0, "runner/started", {}, noon),
    event(1, "test/note", {}, noon + 1500),
    event(2, "test/note", {}, noon + 1750),
  )
  const times = async () => (await logRows(screen)).slice(0, 3).map(row => row.match(/[+1]\S+/)?.[0])
  expect(await times()).toEqual(["+00:00.000", "+00:01.500", "+00:01.750"])
  screen.choose("show times")
  expect(await times()).toEqual(["14:00:00.000", "14:00:01.500", "14:00:01.750"])
  screen.choose("show times")
  expect(await times()).toEqual(["+00:00.000", "+00:01.500", "+00:00.250"])
  screen.press("shift-tab", "k", "M", "enter").choose("show times")
  expect(await times()).toEqual(["+00:00.000", "+00:00.000", "+00:00.250"])
  // A filter uses the same clock.
  screen.press("f").type("ts=14:00:01")
  screen.press("enter").choose("show times")
  expect((await times()).slice(0, 2)).toEqual(["+00:01.500", "+00:01.750"])
})

test.each([60, 40])("at %d columns a row keeps its time, in whole seconds", async columns => {
  const screen = await show({ columns, rows: 20 })
  screen.feed(event(0, "runner/started", {}, 0), event(1, "llm/start", ids, 83_499), event(2, "test/note", {}, 84_000))
  expect((await logRows(screen.press("tab", "tab"))).slice(0, 2)).toEqual([
    expect.stringMatching(/^ 00:00 chart +started/),
    expect.stringMatching(/^ 01:23 judge +start/),
  ])
  screen.choose("show times").choose("show times")
  expect((await logRows(screen))[2]).toMatch(/^ \+00:00\.501 /)
})

test("a searched row shows the word that was found, also where only its whole text has it", async () => {
  const screen = await show({ columns: 120 })
  const text = `It begins.\n${"word ".repeat(400)}the\nHerring sails\n\nand more`
  screen.feed(event(0, "llm/response", { ...ids, content: [{ type: "text", text }] }, 1000))
  expect(await screen.press("shift-tab", "/").row(" said ")).toContain("It begins. word word")
  screen.type("herring")
  await screen.settle()
  expect(await screen.press("enter").row(" said ")).toMatch(/ said +…rd word the Herring sails and more/)
  const hit = (await screen.frame()).lines.flatMap(({ spans }) => spans).find(one => one.text === "Herring")
  expect(hit).toBeDefined()
})

test("a cancelled question is named in its row", async () => {
  const opts = { prompt: "Shall it sail?" }
  const screen = await show({}, line({ kind: "prompt", "prompt-id": "t#1", invokeid: "quay", type: "confirm", opts }))
  screen.feed(event(1, "human-input/cancelled", { invokeid: "quay" }, 1000))
  expect(await screen.row(" cancelled ")).toContain("Shall it sail?")
})

test("a time with a fraction of a millisecond is shown to the millisecond, whichever times t shows", async () => {
  const noon = Date.UTC(2026, 0, 1, 12)
  const screen = await show({ store: createStore({ ...features, link: live, zone: 0 }) })
  screen.feed(
    event(0, "runner/started", {}, noon + 0.25),
    event(1, "test/note", {}, noon + 1.75),
    event(2, "test/note", {}, noon + 61_003.5),
  )
  const times = async () => (await logRows(screen)).slice(0, 3).map(row => row.trim().split(" ")[0] ?? "")
  expect(await times()).toEqual(["+00:00.000", "+00:00.001", "+01:01.003"])
  screen.choose("show times")
  expect(await times()).toEqual(["12:00:00.000", "12:00:00.001", "12:01:01.003"])
  screen.choose("show times")
  expect(await times()).toEqual(["+00:00.000", "+00:00.001", "+01:01.001"])
})

describe("in a recording, at an earlier moment,", () => {
  const drawn = (screen: Shown) => logRows(screen)

  test("the log shows later rows dimmed, marks the row of the moment, and says how many are later", async () => {
    const screen = await show({ link: replay }, ...notes(0, 20))
    const whole = screen.store.get().run
    screen.store.dispatch({ type: "show", run: fold(emptyRun, notes(0, 5)) })
    expect(await logTitle(screen)).toBe("LOG  20 · 15 later")
    const rows = await drawn(screen)
    expect(rows.find(row => row.startsWith("▌"))).toContain('{"n":4}')
    expect(rows.join()).toContain('{"n":5}')
    const token = async (n: number) => spansWith(await screen.frame(), `{"n":${n}}`).map(({ fg }) => fg.toInts().join())
    expect(await token(5)).not.toEqual(await token(3))
    screen.store.dispatch({ type: "show", run: null })
    expect(screen.store.shown().run).toBe(whole)
    expect(await logTitle(screen)).toContain("at the end")
  })
})

test("the title of a recording's log does not say that it follows an end that stays", async () => {
  const screen = await show({ link: replay })
  screen.feed(...Array.from({ length: 60 }, (_, n) => event(n, "test/note", { n })))
  expect(await logTitle(screen)).toBe("LOG  60 · at the end")
  expect(await logTitle(screen.press("tab", "tab", "k"))).toBe("LOG  60 · End goes to the end")
})

test("a line of an agent CLI that its reader doesn't know is a dim row", async () => {
  const screen = await show({ columns: 120, rows: 24 })
  screen.feed(
    event(1, "adapter/unknown", { text: "new_kind (not read)" }, 1000),
    event(2, "adapter/stdout", { text: "a warning" }, 1001),
  )
  const color = async (text: string) =>
    spansWith(await screen.frame(), text)[0]
      ?.fg.toInts()
      .join()
  expect(await color("new_kind")).not.toBe(await color("a warning"))
})
