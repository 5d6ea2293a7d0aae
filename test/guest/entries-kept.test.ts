// Keeps what becomes of the entries that a foreign parser makes.
import { expect, test } from "bun:test"
import type { Json, JsonObject } from "../../packages/wire/src/json.ts"
import { FrameWriter } from "../../src/guest/frame-writer.ts"
import type { GuestOutcome } from "../../src/guest/launch.ts"
import { decodeEntry, type TranscriptEntry } from "../../src/guest/transcript-entry.ts"
import { usageReport } from "../../src/run/select/usage.ts"
import { jsonl } from "../agent/ui.ts"
import { drawnFrames } from "./cli-kept.ts"
import { runFrom } from "./reading.ts"

/** An entry of each kind, with every field that is read. */
const ENTRIES = await jsonl<JsonObject>("../../guest/entries")
const RUNS = await jsonl<[name: string, entries: TranscriptEntry[]]>("../../guest/entry-runs")
const WRONG: readonly Json[] = [0, "x", ["y"], { z: 1 }, true, null]

test("an entry, without a field, and with one of a wrong type", () => {
  const shown = ENTRIES.flatMap(entry => {
    const whole = JSON.stringify(decodeEntry(entry))
    const cases = Object.keys(entry).flatMap(key => {
      const { [key]: _, ...rest } = entry
      const all = [["no", rest] as const, ...WRONG.map(one => [JSON.stringify(one), { ...entry, [key]: one }] as const)]
      return all.map(([how, changed]) => [key, how, JSON.stringify(decodeEntry(changed))] as const)
    })
    const others = Map.groupBy(cases, ([key, , decoded]) => `${key} ${decoded}`)
    const lines = [...others.values()].flatMap(([first, ...same]) => {
      const [key = "", how = "", decoded = ""] = first ?? []
      return decoded === whole ? [] : [`  ${key}: ${[how, ...same.map(one => one[1])].join(" or ")}\n    ${decoded}`]
    })
    return [JSON.stringify(entry), `  ${whole}`, ...lines]
  })
  const none = [null, "text", 7, [], {}, { kind: "" }].map(
    one => `${JSON.stringify(one)}: ${JSON.stringify(decodeEntry(one))}`,
  )
  const times = ["2026-03-01T10:00:00.000Z", "soon", 5, null].map(ts =>
    JSON.stringify(decodeEntry({ kind: "user", text: "a", ts })),
  )
  expect([...shown, ...none, ...times].join("\n")).toMatchSnapshot()
})

/** The frames of these entries of a foreign parser, a second apart. */
function written(entries: readonly TranscriptEntry[], end: GuestOutcome | null): readonly string[] {
  const writer = new FrameWriter("guest")
  const lines = [...writer.begin(0), ...entries.flatMap((entry, index) => writer.entry(entry, index * 1000))]
  return [...lines, ...(end === null ? [] : writer.end(end, entries.length * 1000))]
}

const ENDS: readonly (GuestOutcome | null)[] = [
  null,
  { code: 0, signal: null },
  { code: 3, signal: null },
  { code: null, signal: "SIGTERM" },
]

test.each([...RUNS])("the frames of %s", (_, entries) => {
  const frames = written(entries, { code: 0, signal: null })
  const { total } = runFrom(frames).facts.ledger
  expect(frames.map(frame => JSON.parse(frame).seq)).toEqual(frames.map((_, index) => index + 1))
  expect(`${drawnFrames(frames)}\n${JSON.stringify(usageReport(total))}`).toMatchSnapshot()
})

const say = (text: string, delta = false): TranscriptEntry => ({ kind: "assistant", text, delta, ts: null })
const outcome = (more: object): TranscriptEntry => ({
  ...{ kind: "result", text: "", input: null, output: null, cached: null, costUsd: null, subtype: null },
  ...{ isError: false, errors: [], ts: null, ...more },
})

test("the end of a command", () => {
  const said = [[say("a", true)], [say("a"), outcome({ text: "b" })], [outcome({ isError: true, errors: ["no"] })], []]
  const shown = said.flatMap(entries =>
    ENDS.map(end => [JSON.stringify(end), drawnFrames(written(entries, end))].join("\n")),
  )
  expect(shown.join("\n\n")).toMatchSnapshot()
})

test("long words are a reply of their own, and long results in pieces are written before they end", () => {
  const piece = (content: string): TranscriptEntry => ({
    ...{ kind: "tool_result", id: "a", name: "ls", content, isError: false, delta: true, ts: null },
  })
  const [words, pieces] = [40_000, 600_000].map(units => ["x", "y", "z"].map(letter => letter.repeat(units)))
  const runs = [words?.map(text => say(text, true)) ?? [], pieces?.map(piece) ?? []]
  const told = runs.map(run => written(run, null).map(frame => JSON.parse(frame).event.split("/")[1]))
  expect(told.map(names => names.join(" "))).toEqual([
    "started start delta delta response delta",
    "started tool-result",
  ])
})
