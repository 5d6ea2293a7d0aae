// Tests what comparing two runs reads.
import { expect, test } from "bun:test"
import { fold } from "../../../src/run/fold.ts"
import { allPacked } from "../../../src/run/memory/pack-rows.ts"
import { CHUNK, isPacked, type Packed } from "../../../src/run/model/chunked-list.ts"
import type { Row } from "../../../src/run/model/run.ts"
import { emptyRun } from "../../../src/run/model/run.ts"
import { type ComparedRun, divergences, runSummary } from "../../../src/run/select/compare.ts"
import { textsInMemory } from "../../../src/run/select/run-texts.ts"
import { event, tell } from "../lines.ts"

const ids = { invokeid: "poet", "session-id": "p" }

/** A session whose prompt is set once and then in turn 40, and that speaks in each of its turns. */
function told(turns: number, prompt: string) {
  const run = tell(
    Array.from({ length: turns }, (_, turn) => [
      event(3 * turn, "llm/start", ids),
      event(
        3 * turn + 1,
        "llm/request",
        turn % 40 === 0 ? { ...ids, "system-preview": turn === 0 ? "Hi" : prompt } : ids,
      ),
      event(3 * turn + 2, "llm/response", { ...ids, content: [{ type: "text", text: `said ${turn}` }] }),
    ]).flat(),
  )
  let read = 0
  const texts = textsInMemory(run)
  const entries: typeof texts.entries = (session, from, to) => {
    read += to - from
    return texts.entries(session, from, to)
  }
  return { compared: { run, entries, sessions: [0] }, read: () => read }
}

test("a comparison reads each text of both runs once, up to the first difference", () => {
  const [one, same, other] = [told(60, "Be brief"), told(60, "Be brief"), told(60, "Be long")]
  expect(divergences(one.compared, same.compared)).toEqual([])
  // 60 replies and 2 prompts.
  expect(one.read()).toBe(62)
  expect(divergences(one.compared, other.compared)).toMatchObject([
    { who: "poet", turn: 41, what: "system", a: "Be brief", b: "Be long" },
  ])
  expect(other.read()).toBe(43)
})

test("a summary counts retries and errors without making the rows of more than a chunk at once", () => {
  const retry = (seq: number) => event(seq, "llm/retry", { ...ids, attempt: 1, "max-retries": 3, category: "rate" })
  const other = { invokeid: "other", "session-id": "o" }
  const rows = Array.from({ length: 2000 }, (_, i) => (i % 2 === 0 ? retry(i + 2) : event(i + 2, "llm/error", ids)))
  const run = fold(emptyRun, [event(0, "llm/start", ids), event(1, "llm/start", other), ...rows])
  const list = allPacked(run.log.rows, run)
  let made = 0
  let looked = 0
  let most = 0
  const watched = (chunk: Packed<Row>): Packed<Row> => ({
    length: chunk.length,
    repack: items => chunk.repack(items),
    get: index => {
      const row = chunk.get(index)
      most = Math.max(most, ++made - looked)
      let isSeen = false
      const look = (of: Row, key: string | symbol): unknown => {
        if (!isSeen) looked++
        isSeen = true
        return Reflect.get(of, key)
      }
      return row && new Proxy(row, { get: look })
    },
  })
  const full = list.full.map(chunk => (isPacked(chunk) ? watched(chunk) : chunk))
  const packed = { ...run, log: { ...run.log, rows: { ...list, full } } }
  expect(runSummary({ run: packed, sessions: [0, 1] })).toMatchObject({ retries: 1000, errors: 1000 })
  expect(runSummary({ run: packed, sessions: [0] })).toMatchObject({ retries: 1000, errors: 1000 })
  expect(runSummary({ run: packed, sessions: [1] })).toMatchObject({ retries: 0, errors: 0 })
  expect(made).toBeGreaterThan(3 * 1900)
  expect(most).toBeLessThanOrEqual(CHUNK)
})

test("a session that only one run has is a divergence, whichever run that is", () => {
  const start = (name: string) => event(name === "poet" ? 1 : 2, "llm/start", { invokeid: name, "session-id": name })
  const compared = (...names: readonly string[]): ComparedRun => {
    const run = tell(names.map(start))
    return { ...textsInMemory(run), sessions: run.sessions.map((_, index) => index) }
  }
  const [one, two] = [compared("poet"), compared("poet", "critic")]
  const critic = { who: "critic", turn: null, what: "session", time: 1 } as const
  expect(divergences(one, two)).toEqual([{ ...critic, a: null, b: "1 turn" }])
  expect(divergences(two, one)).toEqual([{ ...critic, a: "1 turn", b: null }])
})
