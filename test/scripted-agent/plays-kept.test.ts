// Keeps what a client hears of a scripted agent with each fault, and tests the injector by itself.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { isObject, type JsonObject } from "../../packages/wire/src/json.ts"
import { Greeting } from "../../src/agent/greeting.ts"
import { Eql } from "../../src/eql/eql.ts"
import { type Fault, type FaultAction, FaultInjector, parseFault } from "../../src/scripted-agent/faults.ts"
import { attach, delta, deltas, event, phase, prompt, Ui } from "../agent/ui.ts"
import { forAll } from "../for-all.ts"

/** What a client heard, a frame on each line, without the times. */
function heard(ui: Ui): string {
  return ui.heard.map(line => line.replace(/"ts":\d+/g, '"ts":0').slice(0, 300)).join("\n")
}

const told = ["a", "b", "c", "d"]
const ofTwo = told.map((text, at) => delta(text, at === 1 ? "s2" : "s1"))
const FAULTS: readonly (readonly [faults: string, recording: readonly string[]])[] = [
  ["none", [phase("run"), ...deltas(3), event("runner/done")]],
  ["cut@3", deltas(6)],
  ["repeat@4", deltas(6)],
  ["drop@2", [delta("a"), event("llm/tool-result"), delta("b"), delta("c")]],
  ["coalesce@3", deltas(12)],
  ["coalesce@1", ofTwo],
  ["coalesce@2 repeat@5", [...deltas(4), event("llm/start"), ...deltas(8)]],
  ["reorder@2", [...deltas(5), phase("run"), delta("last")]],
  ["reorder@1", deltas(30)],
  ["reorder@1 quit", [prompt("q#1")]],
  ["garbage@1", deltas(2)],
  ["garbage@2 drop@1 drop@2", deltas(4)],
]

describe("a recording with the fault", () => {
  test.each(FAULTS)("%s", async (names, recording) => {
    const faults = names.split(" ").flatMap(name => parseFault(name) ?? [])
    const { ui } = await attach([...recording], { faults, refuseMs: 5 })
    if (names.endsWith("quit")) await ui.untilFrame(({ kind }) => kind === "prompt")
    if (names.endsWith("quit")) ui.send({ kind: "control", op: "ui-quit" })
    if (/cut|quit/.test(names)) await ui.untilClosed()
    else await ui.untilFinished()
    const events = recording.filter(line => line.includes('"event"')).length
    // What was held follows the end.
    if (names === "reorder@1") await ui.until(one => one.events().length === events)
    expect(heard(ui)).toMatchSnapshot()
  })
  test("that is none", () => {
    const names = "coalesce@12,,cut@ 1,cut,cut@,cut@0,cut@-1,cut@1.5,cut@1e9,rain@3,@3,constructor@1".split(",")
    expect(names.map(name => `${name}: ${JSON.stringify(parseFault(name))}`).join("\n")).toMatchSnapshot()
  })
})

const play = (recording: string[], kind: Fault["kind"], at: number) =>
  attach(recording, { faults: [{ kind, at }], refuseMs: 5 })

test("api@3 drops the connection after the third event for good; the API takes answers", async () => {
  const { agent, ui } = await play([...deltas(3), prompt("ask#1"), ...deltas(2)], "api", 3)
  await ui.untilClosed()
  expect(ui.seqs()).toEqual([1, 2, 3])
  const { url } = agent
  await expect(Ui.attach(url)).rejects.toThrow()
  const client = new Eql({ url })
  await client.answer("ask#1", { value: "x" })
  await agent.finished
  client.close()
})

test("silent@2 is the last event that attached clients receive; new clients receive everything", async () => {
  const { agent, ui } = await play([prompt("ask#1"), ...deltas(2), prompt("ask#2")], "silent", 2)
  const other = await Ui.attach(agent.url)
  const answer = (by: Ui, id: string) => by.send({ kind: "answer", "prompt-id": id, value: "x" })
  answer(ui, "ask#1")
  await Promise.all([ui, other].map(one => one.until(() => one.events().length === 2)))
  const again = await Ui.attach(agent.url)
  answer(again, "ask#2")
  await again.untilFinished()
  expect([again, ui, other].map(one => one.seqs().join())).toEqual(["1,2,3,4", "1,2", "1,2"])
})

const speech = fc.array(fc.record({ session: fc.constantFrom("s1", "s2"), text: fc.string(), aside: fc.boolean() }), {
  maxLength: 60,
})
const disturbances = fc.array(
  fc.record({ kind: fc.constantFrom("coalesce" as const, "reorder" as const), at: fc.integer({ min: 1, max: 40 }) }),
)

/** The text of each session. */
function said(frames: readonly JsonObject[]): Record<string, string> {
  const texts: Record<string, string> = { s1: "", s2: "" }
  for (const { data } of frames) {
    if (isObject(data)) texts[String(data["session-id"])] += String(data.text)
  }
  return texts
}

test("merged or reordered, each session's text is complete and in order, and seq never goes back (property)", () =>
  forAll([speech, disturbances], 100, (spoken, faults) => {
    const memory = new Greeting()
    const stream = new FaultInjector(faults)
    const frames: JsonObject[] = []
    const acts: FaultAction[] = []
    for (const { session, text, aside } of spoken) {
      if (aside) acts.push(...stream.apply(memory.stamp({ kind: "phase", config: [] }, 0)))
      const data = { type: "text-delta", text, "session-id": session, invokeid: "a" }
      frames.push({ kind: "event", event: "llm/delta", data })
      acts.push(...stream.apply(memory.stamp({ kind: "event", event: "llm/delta", data }, 0)))
    }
    acts.push(...stream.flush())
    const arrived = acts.flatMap(act => (act.type === "send" && typeof act.line === "string" ? [act.line] : []))
    const events = arrived
      .map((line): unknown => JSON.parse(line))
      .filter(isObject)
      .filter(frame => frame.kind === "event")
    expect(said(events)).toEqual(said(frames))
    const seqs = events.map(frame => Number(frame.seq))
    expect(seqs).toEqual(seqs.toSorted((one, other) => one - other))
    const stoodFor = events.map(({ data }) =>
      isObject(data) && typeof data.coalesced === "number" ? data.coalesced : 1,
    )
    expect(stoodFor.reduce((sum, count) => sum + count, 0)).toBe(spoken.length)
  }))
