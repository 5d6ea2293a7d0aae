// Tests what comparing two runs reads.
import { expect, test } from "bun:test"
import { divergences, pairedSteps } from "../../../src/run/select/compare.ts"
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
  return { compared: { run, entries }, read: () => read }
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

test("a session that only one run has is a divergence, whichever run that is", () => {
  const start = (name: string) => event(name === "poet" ? 1 : 2, "llm/start", { invokeid: name, "session-id": name })
  const compared = (...names: readonly string[]) => textsInMemory(tell(names.map(start)))
  const [one, two] = [compared("poet"), compared("poet", "critic")]
  const critic = { who: "critic", turn: null, what: "session", time: 1 } as const
  expect(divergences(one, two)).toEqual([{ ...critic, a: null, b: "1 turn" }])
  expect(divergences(two, one)).toEqual([{ ...critic, a: "1 turn", b: null }])
})

test("the paths of two runs differ from the first other state on", () => {
  const path = (states: string) => ({ path: [...states].map(state => ({ state, took: 0 })) }) as never
  expect(pairedSteps(path("abc"), path("axcd")).map(({ diverged }) => diverged)).toEqual([false, true, true, true])
})
