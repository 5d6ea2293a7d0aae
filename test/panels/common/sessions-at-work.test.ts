// Tests how many sessions worked in each part of a time range.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { groupLane, laneScale, sessionLane, sessionsAtWork, youLane } from "../../../src/panels/common/lanes.ts"
import { fold } from "../../../src/run/fold.ts"
import { emptyRun, type Run } from "../../../src/run/model/run.ts"
import { unicode } from "../../../src/ui/glyphs.ts"
import { forAll } from "../../for-all.ts"
import { event, tell } from "../../run/lines.ts"

const poet = (n: number) => ({ invokeid: "poet", "session-id": `p${n}` })
const judge = { invokeid: "judge", "session-id": "j" }

/** Poet 1 works from 0 to 2 s and fails, poet 2 from 1 to 5 s, poet 3 from 7 s on; the judge from 4 to 5 s. */
const firstLines = [
  event(0, "llm/start", poet(1), 10_000),
  event(1, "llm/start", poet(2), 11_000),
  event(2, "llm/error", { ...poet(1), message: "no" }, 12_000),
  event(3, "llm/start", judge, 14_000),
  event(4, "llm/response", { ...judge, content: [] }, 15_000),
  event(5, "llm/response", { ...poet(2), content: [] }, 15_000),
  event(6, "llm/start", poet(3), 17_000),
]
const run: Run = tell(firstLines)

const START = 10_000
/** Sessions of two invocations that begin so many ticks after the start, and end so many later, or never. */
const sessions = fc.array(fc.tuple(fc.nat(1), fc.nat(20), fc.option(fc.nat(10))), { minLength: 1, maxLength: 12 })

test("counts those of an invocation, and of all, that worked at any time in each part, one without an end until now, or its last event", () =>
  forAll(
    [sessions, fc.boolean(), fc.integer({ min: -8, max: 40 }), fc.integer({ min: 1, max: 8 })],
    100,
    (all, isOver, from, part) => {
      const told = all.flatMap(([who, begin, length], n) => {
        const ids = { invokeid: `${who}`, "session-id": `${n}` }
        const end = length === null ? [] : [{ at: begin + length, name: "llm/error", data: { ...ids, message: "no" } }]
        return [{ at: begin, name: "llm/start", data: ids }, ...end]
      })
      const lines = told
        .sort((a, b) => a.at - b.at)
        .map(({ at, name, data }, seq) => event(seq, name, data, START + 100 * at))
      const done = isOver ? [event(lines.length, "runner/done", {}, START + 3200)] : []
      const run = fold(emptyRun, [...lines, ...done])
      const [now, columns] = [isOver ? 36 : 32, 6]
      const parts = Array.from({ length: columns }, (_, i) => [from + i * part, from + (i + 1) * part] as const)
      const range = { from: START + 100 * from, to: START + 100 * (from + columns * part) }
      for (const [index, invokeid] of [...run.invocations.map(one => one.invokeid).entries(), [null, null] as const]) {
        const own = all.filter(([who]) => invokeid === null || `${who}` === invokeid)
        const works = ([, begin, length]: (typeof all)[number], [after, before]: (typeof parts)[number]) =>
          begin < before && (length === null ? (isOver ? begin : 32) : begin + length) >= after
        expect(sessionsAtWork(run, index, range, columns, START + 100 * now)).toEqual(
          parts.map(one => own.filter(session => works(session, one)).length),
        )
      }
    },
  ))

test("a lane shows the stages of its sessions, of many how many worked, faint once they are over and dim once the agent is gone", () => {
  const asks = { invokeid: "judge", kind: "text", prompt: "?" }
  const calls = event(9, "llm/response", { ...poet(3), content: [{ type: "tool_use", name: "ls" }] }, 18_500)
  const asked = [event(7, "human-input/start", asks, 18_000), event(8, "human-input/answer", asks, 19_000), calls]
  const crew = (seq: number, invokeid: string, count: number) =>
    Array.from({ length: count }, (_, n) =>
      event(seq + n, "llm/start", { invokeid, "session-id": `${n}` }, 18_000 + 100 * n),
    )
  const done = event(60, "runner/done", { "final-config": [] }, 20_000)
  const again = event(61, "human-input/start", asks, 19_900)
  const [crowd, twelve] = [crew(20, "c", 13), crew(40, "d", 12)]
  const ends = Array.from({ length: 13 }, (_, n) => ({ invokeid: "c", "session-id": `${n}`, content: [] }))
  const idle = [...asked, ...crowd, ...ends.map((data, n) => event(70 + n, "llm/response", data, 19_800))]
  const [more, over] = [tell([...asked, ...crowd, ...twelve], run), tell([...asked, ...crowd, done], run)]
  const lanes = (of: Run, goneMs: number | null = null, columns = 24, now = 20_000) => {
    const context = { glyphs: unicode, motion: false, now, goneMs }
    const scale = laneScale(of, context, columns)
    if (scale === null) throw new Error("no scale")
    const [one, two] = [1, 3].map(index => sessionLane(of, index, scale, context))
    const [poets, crowd, twelve] = [0, 2, 3].map(group => groupLane(of, group, scale, context))
    const all = { one, two, poets, crowd, twelve, you: youLane(of, scale, context) }
    return Object.entries(all).map(([name, spans = []]) => {
      const parts = spans.map(
        ({ text, token, faint, lane }) =>
          `${lane === true ? text.replaceAll(" ", "_") : "no lane"} ${token}${faint === true ? " faint" : ""}`,
      )
      return `${name}: ${parts.join(" | ")}`
    })
  }
  expect([
    lanes(more),
    lanes(more, 500),
    lanes(over),
    ...[idle, idle.slice(0, -1)].map(lines => lanes(tell(lines, run)).slice(3, 4)),
    lanes(tell([...asked, again, done], run)).slice(-1),
  ]).toMatchSnapshot()
  // What is remembered for one scale or moment is not shown at another.
  for (const place of ["24 20600", "24 20900", "30 20900", "30 20900 500", "30 24000 500", "24 20000"]) {
    const [columns, now, goneMs = null] = place.split(" ").map(Number)
    const fresh = fold(emptyRun, [...firstLines, ...asked, ...crowd, ...twelve])
    expect(lanes(more, goneMs, columns, now)).toEqual(lanes(fresh, goneMs, columns, now))
  }
  const says = event(90, "llm/delta", { ...poet(3), type: "text-delta", text: "x" }, 19_600)
  const fresh = fold(emptyRun, [...firstLines, ...asked, ...crowd, ...twelve, says])
  expect(lanes(tell([says], more))).toEqual(lanes(fresh))
  const context = { glyphs: unicode, motion: false, now: 20_000 }
  expect([19, 20].map(columns => laneScale(more, context, columns)?.columns)).toEqual([undefined, 20])
  expect(laneScale(over, { ...context, now: 99_000 }, 20)?.to).toBe(20_000)
  const late = tell([event(60, "runner/done", { "final-config": [] }, 20_700)], run)
  expect(laneScale(late, context, 20)).toMatchObject({ to: 20_700, shown: { from: 10_000, to: 20_700 } })
})
