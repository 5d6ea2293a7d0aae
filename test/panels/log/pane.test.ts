// Tests the log pane: one row for each event, and a reader's place that does not move.
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import { features } from "../../../src/panels/plan.ts"
import { fold } from "../../../src/run/fold.ts"
import { emptyRun } from "../../../src/run/model/run.ts"
import { createStore } from "../../../src/view/store.ts"
import { fixture, readFrames } from "../../fixtures.ts"
import { delta, event, line } from "../../run/lines.ts"
import { live, replay, type Shown, SIZES, show, spansWith } from "../../screen/screen.tsx"
import { testWalks } from "../scripted.ts"
import { type Step, walked } from "../steps.ts"

const ids = { invokeid: "judge", "session-id": "s1" } as const
const note = (n: number) => event(n, "test/note", { n }, 1000 + n * 10)
const notes = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => note(from + i))
const wrong = (n: number) => event(n, "llm/error", { ...ids, message: `wrong ${n}` }, 1000 + n)
const small = { columns: 100, rows: 20 }

/** The rows inside the log's border, top to bottom. */
async function logRows(screen: Shown): Promise<readonly string[]> {
  const rows = await screen.rows()
  const rest = rows.slice(rows.findIndex(row => row.includes("LOG ")) + 1)
  const end = rest.findIndex(row => row.startsWith("└"))
  return rest.slice(0, end).map(row => row.slice(2, -2).trimEnd())
}

const logTitle = async (screen: Shown) => (await screen.row("LOG ")).replaceAll(/[┌─┐]/g, "").trim()
const feeding = (screen: Shown, name: string, ...lines: readonly Decoded[]): Step => [name, () => screen.feed(...lines)]

test("a row has its time apart from its source after days too, and a gap is gone when its rows come late", async () => {
  const days = await show(small, event(0, "runner/started", {}, 0), event(1, "llm/start", ids, 99 * 3_600_000))
  const gap = await show(small, note(0), note(3))
  const quiet = await show(small, event(0, "runner/tick"), event(1, "checkpoint/written"), delta(2, "x"))
  const cancelled = event(1, "human-input/cancelled", { invokeid: "quay" }, 1000)
  const opts = { prompt: "Shall it sail?" }
  const asked = line({ kind: "prompt", "prompt-id": "t#1", invokeid: "quay", type: "confirm", opts })
  const content = [{ type: "text", text: "## Plan\n\n1. **Timeline** - one" }]
  const said = await show(small, event(0, "llm/response", { ...ids, content }))
  expect([
    await walked(days, ""),
    await walked(gap, "", feeding(gap, "late", note(2), note(1))),
    await walked(quiet, "", "s"),
    await walked(said, "", feeding(said, "asks", asked), feeding(said, "cancelled", cancelled)),
  ]).toMatchSnapshot()
})

test("a row has the same colour for its invocation as the live pane, and one of an unknown kind is dim", async () => {
  const screen = await show({ columns: 120, rows: 40 })
  screen.feed(event(0, "llm/start", ids), event(1, "llm/start", { invokeid: "poet", "session-id": "s2" }))
  const unknown = event(2, "adapter/unknown", { text: "new_kind (not read)" })
  screen.feed(unknown, event(3, "adapter/stdout", { text: "a warning" }))
  const frame = await screen.frame()
  const colours = (name: string) =>
    spansWith(frame, name).flatMap(one => (one.text.trim() === name ? [one.fg.toString()] : []))
  expect(new Set(colours("judge")).size).toBe(1)
  expect(new Set(colours("poet")).size).toBe(1)
  expect(colours("judge")[0]).not.toEqual(colours("poet")[0])
  const color = (text: string) => spansWith(frame, text)[0]?.fg.toString()
  expect(color("new_kind")).not.toBe(color("a warning"))
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

  test("is counted in a narrow title, which drops warnings, then errors; one row tells them at its end", async () => {
    const screen = await show({ columns: 60, rows: 12 }, ...notes(0, 50), wrong(50))
    screen.feed(event(51, "llm/retry", { ...ids, attempt: 1 }))
    const sizes = [40, 30, 120].map((columns): Step => [`${columns} columns`, () => screen.resize(columns, 10)])
    const steps = ["tab tab k", feeding(screen, "more", ...notes(52, 152)), ...sizes, "j", "end", "tab"]
    const tiny: Step = ["few rows", () => screen.resize(80, 14)]
    expect(await walked(screen, ...steps, tiny)).toMatchSnapshot()
  })

  test("does not move a reader's first row, also when a late row comes before it, nor is it followed by j", async () => {
    const screen = await show({}, ...notes(0, 50), ...notes(51, 100))
    const before = await logRows(screen.press("tab", "tab", "k", "k"))
    expect(await logRows(screen.feed(note(50)))).toEqual(before)
    expect(await logTitle(screen.press("j", "j", "j"))).toContain("paused · End follows")
  })
})

test("the end of a run is announced in a banner, leaves all readable though the connection closes, and late events come", async () => {
  const events = (await readFrames(fixture("parallel-60"))).filter(one => one.kind !== "control")
  const screen = await show({ ...small, link: live }, ...events.slice(0, -20))
  const over = line({ kind: "control", op: "run-finished", "final-config": "[:done]" })
  const closed: Step = ["it closes", () => screen.link({ state: "closed" })]
  const steps = [feeding(screen, "over", over), feeding(screen, "late", ...events.slice(-20)), closed]
  expect(await walked(screen, ...steps, "tab tab m g enter")).toMatchSnapshot()
  const recorded = await show({ link: replay }, event(100, "runner/done", { "final-config": ["done"], status: "done" }))
  expect(await recorded.text()).not.toContain("press Ctrl-C")
})

describe("a jump in the log", () => {
  test.each([live, replay])(
    "goes to the next of its kind, which is read, the open entry with it ($state)",
    async link => {
      const ask = { kind: "text", invokeid: "desk", prompt: "Which?" }
      const screen = await show({ columns: 140, rows: 24, link })
      const change = event(52, "runner/event-processed", { entered: ["b"], exited: ["a"], "config-after": ["b"] }, 1052)
      const retry = event(51, "llm/retry", { ...ids, attempt: 1 }, 1051)
      screen.feed(...notes(0, 50), wrong(50), retry, change, ...notes(53, 100))
      screen.feed(wrong(100), event(101, "human-input/start", ask, 1101), ...notes(102, 120))
      const steps = "e, E, E, E, [ w, ] w, ] u, [ s, [ t, ] t, end, ] e, shift-tab g enter, e, e, e, ] u, enter, end E"
      expect(await walked(screen, ...steps.split(", "), "f 'warning' enter", "e", "[ w")).toMatchSnapshot()
    },
  )

  test.each([live, replay])(
    "to a failed tool selects its session, read at that turn, and opens its entry ($state)",
    async link => {
      const [one, two] = ["c1", "c2"].map(id => ({ invokeid: "coder", "session-id": id }))
      const says = (seq: number, who: object | undefined, text: string) =>
        event(seq, "llm/response", { ...who, content: [{ type: "text", text }] }, 1000 + seq)
      const failed = { ...one, tool: "run", "content-preview": "ENOENT", "is-error": true }
      const starts = (seq: number, who?: object) => event(seq, "llm/start", { ...who }, 1000 + seq)
      const screen = await show({ link, rows: 24 }, starts(0, one), says(1, one, "of one, turn one"))
      screen.feed(starts(2, one), says(3, one, "of one, turn two"), event(4, "llm/tool-result", failed, 1004))
      screen.feed(starts(5, one), says(6, one, "of one, turn three"), starts(7, two), says(8, two, "of two"))
      expect(await walked(screen, "E", "enter", "enter", "E D", "escape tab tab", "E enter enter")).toMatchSnapshot()
    },
  )
})

test("the log's times count from the start, the clock, the row before or the bookmark above, in whole ms and seconds", async () => {
  const noon = Date.UTC(2026, 0, 1, 12)
  const told: string[] = []
  for (const columns of [100, 60, 40]) {
    const store = createStore({ ...features, link: live, zone: 2 * 3_600_000 })
    const screen = await show({ store, columns, rows: 18 }, event(0, "runner/started", {}, noon + 0.25))
    const later = [1501.75, 61_753.5].map((ms, i) => event(i + 1, "test/note", {}, noon + ms))
    screen.feed(...later, event(3, "odd", {}, null), event(4, "test/note", {}, noon + 62_000))
    const times = ": 'show times' enter"
    // A filter uses the same clock.
    const marks = ["k M enter", "k k M enter"]
    const steps = ["shift-tab", times, times, times, ...marks, times, "f 'ts=14:00:01' enter", times, times]
    told.push(await walked(screen, ...steps))
  }
  expect(told).toMatchSnapshot()
})

test("a searched row shows the word that was found, also where only its whole text has it", async () => {
  const text = `It begins.\n${"word ".repeat(400)}the\nHerring sails\n\nand more`
  const said = (text: string, seq: number) =>
    event(seq, "llm/response", { ...ids, content: [{ type: "text", text }] }, 1000)
  const screen = await show({ columns: 120 }, ...[text, "A herring at once"].map(said))
  const scanPart = () => {
    const filters = { ...screen.store.get().view.log.filters, scanned: { from: 1, to: Infinity } }
    screen.store.dispatch({ type: "view", change: { log: { filters } } })
  }
  const many = feeding(screen, "more", ...notes(10, 1100))
  const part: Step = ["only a part is searched", scanPart]
  expect(await walked(screen, "shift-tab", "/ 'herring' enter", "N", "k", part)).toMatchSnapshot()
  expect(spansWith(await screen.frame(), "erring").map(one => one.text)).toContain("Herring")
  const two = ["begins herring", "text~begins text~herring", "text~sails text~herring"]
  const both = two.map(words => `/ ctrl-u '${words}' enter`)
  const other = ["/ 'sails' enter", ...both, "/ ctrl-u enter", "enter M 'y'", "escape escape"]
  expect(await walked(screen, ...other, "f 'zzz' enter", part, many)).toMatchSnapshot()
})

test("at an earlier moment later rows are dim, its row is marked, and the title says how many are later", async () => {
  const screen = await show({ link: replay, ...small }, ...notes(0, 60))
  const past: Step = ["row 5", () => screen.store.dispatch({ type: "show", run: fold(emptyRun, notes(0, 5)) })]
  expect(await walked(screen, "tab tab k", "end", past, "j j")).toMatchSnapshot()
  const token = async (n: number) => spansWith(await screen.frame(), `{"n":${n}}`).map(({ fg }) => fg.toInts().join())
  expect(await token(5)).not.toEqual(await token(3))
  expect((await logRows(screen.press("G"))).at(-1)).toContain("59")
  screen.store.dispatch({ type: "show", run: null })
  expect(await logTitle(screen)).toContain("at the end")
})

test("a row has more room for its time, source and kind from a width of the log on", async () => {
  const said = event(2, "llm/response", { invokeid: "a-name-that-is-long", "session-id": "s", content: [] }, 65_000)
  const screen = await show({ columns: 120, rows: 16 }, note(1), said)
  screen.press("tab", "tab", "m")
  const rows: string[] = []
  for (const columns of [104, 103, 64, 63, 48, 47]) rows.push(...(await logRows(screen.resize(columns, 8))).slice(0, 2))
  expect(rows).toMatchSnapshot()
})

await testWalks("log")
