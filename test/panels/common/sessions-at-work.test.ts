// Tests how many sessions worked in each part of a time range.
import { expect, test } from "bun:test"
import { groupLane, laneScale, sessionLane, sessionsAtWork, youLane } from "../../../src/panels/common/lanes.ts"
import { fold } from "../../../src/run/fold.ts"
import { emptyRun, type Run } from "../../../src/run/model/run.ts"
import { unicode } from "../../../src/ui/glyphs.ts"
import { event, tell } from "../../run/lines.ts"

const poet = (n: number) => ({ invokeid: "poet", "session-id": `p${n}` })
const judge = { invokeid: "judge", "session-id": "j" }

/** Poet 1 works from 0 to 2 s and fails, poet 2 from 1 to 5 s, poet 3 from 7 s on; the judge from 4 to 5 s. */
const run: Run = tell([
  event(0, "llm/start", poet(1), 10_000),
  event(1, "llm/start", poet(2), 11_000),
  event(2, "llm/error", { ...poet(1), message: "no" }, 12_000),
  event(3, "llm/start", judge, 14_000),
  event(4, "llm/response", { ...judge, content: [] }, 15_000),
  event(5, "llm/response", { ...poet(2), content: [] }, 15_000),
  event(6, "llm/start", poet(3), 17_000),
])

test("counts those of an invocation that worked at any time in each part, and one that goes on until now", () => {
  // The parts begin at 0.5, 2.5, 4.5, 6.5 and 8.5 s.
  expect(sessionsAtWork(run, 0, { from: 10_500, to: 20_500 }, 5, 19_000)).toEqual([2, 1, 1, 1, 1])
  expect(sessionsAtWork(run, 1, { from: 10_500, to: 20_500 }, 5, 19_000)).toEqual([0, 1, 1, 0, 0])
  expect(sessionsAtWork(run, 0, { from: 15_500, to: 16_500 }, 2, 19_000)).toEqual([0, 0])
})

test("counts those of all invocations, and the next time those that came meanwhile too", () => {
  expect(sessionsAtWork(run, null, { from: 10_500, to: 20_500 }, 5, 19_000)).toEqual([2, 2, 2, 1, 1])
  const later = tell([event(7, "llm/response", { ...poet(3), content: [] }, 18_000)], run)
  expect(sessionsAtWork(later, null, { from: 10_500, to: 20_500 }, 5, 20_000)).toEqual([2, 2, 2, 1, 0])
})

test("of a run that is over, one without an end works until its last event", () => {
  const over = tell([event(7, "runner/done", { "final-config": [] }, 20_000)], run)
  expect(sessionsAtWork(over, 0, { from: 16_000, to: 20_000 }, 4, 20_000)).toEqual([0, 1, 0, 0])
})

test("looks at each session that is over only once, until another begins or ends", () => {
  const lines = Array.from({ length: 1000 }, (_, n) => [
    event(2 * n, "llm/start", poet(n), 1000 + n),
    event(2 * n + 1, "llm/error", { ...poet(n), message: "no" }, 1500 + n),
  ])
  const many = fold(emptyRun, [...lines.flat(), event(2000, "llm/start", judge, 3000)])
  let reads = 0
  const sessions = new Proxy(many.sessions, {
    get: (all, key) => {
      reads++
      return Reflect.get(all, key)
    },
  })
  const range = { from: 1000, to: 3000 }
  const first = sessionsAtWork({ ...many, sessions }, null, range, 100, 3000)
  reads = 0
  expect(sessionsAtWork({ ...many, sessions }, null, range, 100, 3000)).toEqual(first)
  expect(reads).toBeLessThan(10)
})

test("a lane shows the stages of its sessions, of many how many worked, faint once they are over and dim once the agent is gone", () => {
  const asks = { invokeid: "judge", kind: "text", prompt: "?" }
  const asked = [event(7, "human-input/start", asks, 18_000), event(8, "human-input/answer", asks, 19_000)]
  const crowd = Array.from({ length: 13 }, (_, n) =>
    event(20 + n, "llm/start", { invokeid: "c", "session-id": `${n}` }, 19_500),
  )
  const more = tell([...asked, ...crowd], run)
  const over = tell([event(40, "runner/done", { "final-config": [] }, 20_000)], more)
  const lanes = (of: Run, goneMs: number | null) => {
    const context = { glyphs: unicode, motion: false, now: 20_000, goneMs }
    const scale = laneScale(of, context, 24)
    if (scale === null) throw new Error("no scale")
    const all = { one: sessionLane(of, 1, scale, context), two: sessionLane(of, 3, scale, context) }
    const groups = { poets: groupLane(of, 0, scale, context), crowd: groupLane(of, 2, scale, context) }
    return Object.entries({ ...all, ...groups, you: youLane(of, scale, context) }).map(([name, spans]) => {
      const parts = spans.map(
        ({ text, token, faint }) => `${text.replaceAll(" ", "_")} ${token}${faint === true ? " faint" : ""}`,
      )
      return `${name}: ${parts.join(" | ")}`
    })
  }
  expect([lanes(more, null), lanes(more, 500), lanes(over, null)]).toMatchSnapshot()
  expect(laneScale(more, { glyphs: unicode, motion: false, now: 20_000 }, 19)).toBeNull()
})
