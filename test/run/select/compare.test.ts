// Tests what comparing two runs reads.
import { expect, test } from "bun:test"
import { type Divergence, divergences, excerptsAt, pairedSteps } from "../../../src/run/select/compare.ts"
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

/** Sessions by their ids, each with its turns: the prompt, the user's words and the reply, as far as they are told. */
type Told = Readonly<Record<string, readonly string[]>>

/** A run of sessions, one after another; those of one number share an invokeid. */
function toldBy(sessions: Told) {
  let ms = 0
  const lines = Object.entries(sessions).flatMap(([id, turns]) => {
    const who = { invokeid: id.replace(/\d/, ""), "session-id": id }
    const ts = () => (id === "untimed" ? null : ++ms)
    return turns.flatMap(turn => {
      const [system, user, reply] = turn.split("/")
      const text = (words: string) => [{ type: "text", text: words }]
      const request = {
        ...who,
        ...(system && { "system-preview": system }),
        ...(user && { "user-blocks": text(user) }),
      }
      return [
        ...(id === "early" ? [] : [event(null, "llm/start", who, ts())]),
        event(null, "llm/request", request, ts()),
        event(null, "llm/response", { ...who, content: reply ? text(reply) : [] }, ts()),
      ]
    })
  })
  return textsInMemory(tell(lines))
}

test("of each two sessions the first difference is told, whichever run it is in, the earliest first", () => {
  const a: Told = {
    untimed: ["/Hi/yes"],
    early: ["Be/Hi/so"],
    same: ["Be brief/Hi/yes", "/Go/on"],
    shorter: ["/Hi/yes"],
    longer: ["/Hi/yes", "/Go/on", "/And/so"],
    pair1: ["/Hi/yes"],
    pair2: ["/Hi/yes"],
    asked: ["Be brief/Hi/yes", "/The first of all\n words 🙂 and so on/no"],
    silent: ["/Hi/"],
    prompted: ["Be brief/Hi/yes", "Be brief/Go/on", "Be long/Go/on"],
    only: ["/Hi/yes"],
  }
  const b: Told = {
    ...{
      ...a,
      untimed: ["/Hi/no"],
      early: ["Be/Hi/no"],
      shorter: ["/Hi/yes", "/Go/on"],
      longer: ["/Hi/yes", "/Go/on"],
    },
    ...{
      pair1: ["/Hi/maybe"],
      pair2: ["/Hi/no"],
      asked: ["Be brief/Hi/yes", "/The first of all\n words 🙃 and/yes"],
      silent: ["/Hi/word"],
    },
    ...{ prompted: ["Be brief/Hi/yes", "/Go/on", "/Go/on"], only: [], other: ["/Hi/yes", "/Go/on"] },
  }
  const words = (one: Divergence) =>
    Object.values(one)
      .map(value => value ?? "-")
      .join(" | ")
  const [there, back] = [divergences(toldBy(a), toldBy(b)), divergences(toldBy(b), toldBy(a))]
  expect([...there.map(words), "", ...back.map(words)].join("\n")).toMatchSnapshot()
})

test("two texts are shown from twelve units before they differ, the shorter one to its end", () => {
  const same = "0123456789abcdef"
  expect(excerptsAt(`${same}x`, `${same}yz`)).toEqual({ a: "…456789abcdefx", b: "…456789abcdefyz" })
  expect(excerptsAt(same, `${same}${"y".repeat(500)}`)).toEqual({
    a: "…456789abcdef",
    b: `…456789abcdef${"y".repeat(120)}`,
  })
  expect(excerptsAt("", "0123456789ab")).toEqual({ a: null, b: "0123456789ab" })
  expect(excerptsAt(`${same.slice(0, 12)}x`, same.slice(0, 12))).toEqual({ a: "0123456789abx", b: "0123456789ab" })
})

test("the paths of two runs differ from the first other state on", () => {
  const path = (states: string) => ({ path: [...states].map(state => ({ state, took: 0 })) }) as never
  expect(pairedSteps(path("abc"), path("axcd")).map(({ diverged }) => diverged)).toEqual([false, true, true, true])
})
