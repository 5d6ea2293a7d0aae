// Tests how alerts are shown, and where their keys lead.
import { expect, test } from "bun:test"
import { delta, event, line } from "../../run/lines.ts"
import { NOW, replay, show } from "../../screen/screen.tsx"
import { haiku, sent } from "../prompt/questions.ts"
import { testWalks } from "../scripted.ts"
import { type Step, walked } from "../steps.ts"

const ids = (id: string, invokeid = "judge") => ({ invokeid, "session-id": id, model: "m" })
const start = (seq: number, id: string, ts = NOW, invokeid = "judge") => event(seq, "llm/start", ids(id, invokeid), ts)
const fails = (seq: number, id: string, ts = NOW) => event(seq, "llm/error", { ...ids(id), message: "overloaded" }, ts)
const full = (seq: number, id: string, used: number, ts: number) =>
  event(seq, "llm/context-warning", { ...ids(id), "used-frac": used }, ts)

test("a person goes from alert to alert, puts some aside, and answers a question", async () => {
  const screen = await show({ columns: 80, rows: 24 })
  const footer = async () => (await screen.rows()).at(-1)
  expect(await footer()).not.toContain("needs you")
  screen.feed(start(0, "s.1"), start(1, "s.2"), start(2, "s.3", NOW, "writer"))
  screen.feed(fails(3, "s.2", NOW + 20_000), full(4, "s.1", 0.83, NOW + 30_000)).pass(90_000)
  expect(await footer()).toStartWith(" ! needs you")
  screen.feed(haiku)
  expect(await footer()).toStartWith(" Enter answer")
  expect(await walked(screen, "alt-h", "!", "j", "enter", "escape", "j", "d", "d", "g d", "!")).toMatchSnapshot()
  expect(sent(screen.press("1"))).toEqual([{ type: "answer", promptId: "win#1", value: { poem: 1 } }])
  expect(
    await walked(screen, ["it is over", () => screen.feed(event(5, "runner/done", {}))], "!", "v"),
  ).toMatchSnapshot()
})

test("an alert keeps its place and first time while it gets worse, with the cursor on it", async () => {
  const screen = await show({ columns: 80, rows: 24 })
  screen.feed(start(0, "s.1"), start(1, "s.2"), full(2, "s.1", 0.81, NOW + 1000), full(3, "s.2", 0.82, NOW + 2000))
  const worse = ["worse", () => screen.feed(full(4, "s.1", 0.95, NOW + 3000))] as const
  const again = ["again", () => screen.feed(full(5, "s.1", 0.9, NOW + 4000), full(6, "s.2", 0.82, NOW + 4000))] as const
  const poet = ids("x", "a-poet-with-a-long-name-indeed")
  const long: Step = ["a long name", () => screen.feed(event(7, "llm/error", { ...poet, message: "ink" }, NOW))]
  const sizes = [94, 93, 54, 53].map((columns): Step => [`${columns} wide`, () => screen.resize(columns, 24)])
  expect(await walked(screen.pass(5000), "!", worse, again, "j", "d", "L", long, "L", ...sizes)).toMatchSnapshot()
})

test("an empty list says of what it is empty; a recording has no hint, but lists failures", async () => {
  const over = event(8, "runner/done", {})
  const result = (seq: number, wrong: boolean) =>
    event(seq, "llm/tool-result", { invokeid: "judge", tool: "ls", "is-error": wrong }, NOW + seq)
  const told: string[] = []
  for (const [link, ...lines] of [
    [{}],
    [{}, over],
    [{}, result(0, true), result(1, false)],
    [{}, result(0, true), result(1, false), over],
    [{}, event(0, "runner/started", {}), event(7, "app/note", {})],
    [{}, event(0, "runner/started", {}), over],
    [{}, event(0, "runner/started", {}), event(6, "llm/error", ids("s")), event(7, "runner/done", {})],
    [{ link: replay }, start(0, "s.1"), fails(1, "s.1")],
    [{ link: replay }, start(0, "s.1"), haiku, event(2, "runner/aborted", { reason: "torn\nrope" })],
    [{}, event(0, "runner/error", {})],
  ] as const) {
    const screen = await show({ columns: 80, rows: 24, ...link }, ...lines)
    told.push(await walked(screen, "!", "v", "escape ! enter", "d"))
  }
  expect(told.join("\n\n")).toMatchSnapshot()
})

test("of the same told of four sessions or more there is one row, which opens, below a question that came later", async () => {
  const screen = await show({ columns: 120, rows: 30 })
  const fail = (n: number) => [start(2 * n, `p.${n}`), fails(2 * n + 1, `p.${n}`)]
  screen.feed(...[0, 1, 2].flatMap(fail))
  const fourth = ["a fourth", () => screen.feed(...fail(3))] as const
  expect(
    await walked(screen, "!", fourth, "g", "v", "escape", "enter", "j d", "escape", "! d", "d d"),
  ).toMatchSnapshot()
})

test("sixty silent sessions are one row, also with unlike words, and of those that ask or are retried it is said", async () => {
  const screen = await show({ columns: 120, rows: 30 })
  screen.feed(...Array.from({ length: 60 }, (_, n) => start(n, `p.${n}`, NOW, "poet")), start(60, "s.1"))
  screen.feed(fails(61, "s.1", NOW + 1000), start(62, "w", NOW, "waits"))
  screen.feed(event(63, "llm/retry", { ...ids("w", "waits"), attempt: 2, "max-retries": 5 }, NOW)).pass(50_000)
  const talks = ["one stalls", () => screen.feed(delta(64, "x", { ...ids("w", "waits"), ts: NOW + 1 }))] as const
  const asks = ["one asks", () => screen.feed(haiku, line({ kind: "prompt", "prompt-id": "n", type: "text" }))] as const
  const second = await show({ columns: 80, rows: 24 }, start(0, "s"), fails(1, "s"), start(2, "s"))
  expect(await walked(second.pass(90_000), "! v")).toMatchSnapshot()
  expect(await walked(screen, "!", talks, asks, "alt-h", "G", "enter", "j", "escape", "! G d")).toMatchSnapshot()
})

await testWalks("alerts")
