// Tests what comparing two runs reads.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { type Divergence, divergences, excerptsAt, pairedSteps } from "../../../src/run/select/compare.ts"
import { textsInMemory } from "../../../src/run/select/run-texts.ts"
import { root } from "../../fixtures.ts"
import { event, tell } from "../lines.ts"

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

/** A session whose prompt is set once and then in turn 40, and that speaks in each of its turns. */
function told(turns: number, prompt: string) {
  const said = Array.from({ length: turns }, (_, turn) => `${["Hi", prompt][turn / 40] ?? ""}//said ${turn}`)
  const texts = toldBy({ poet: said })
  let read = 0
  const entries: typeof texts.entries = (session, from, to) => {
    read += to - from
    return texts.entries(session, from, to)
  }
  return { compared: { ...texts, entries }, read: () => read }
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

test("of each two sessions the first difference is told, whichever run it is in, the earliest first", async () => {
  const { a, b } = await Bun.file(join(root, "fixtures/runs/compared.json")).json()
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
