// Tests log rows, the run's state, malformed lines and notes of recordings.
import { describe, expect, test } from "bun:test"
import { decode } from "../../packages/wire/src/decode.ts"
import { report } from "../../src/run/select/report.ts"
import { attach, event, ids, line, rowsOf, tell } from "./lines.ts"

describe("log rows", () => {
  test("know their frame, their session and their epoch", () => {
    const lines = [line({ kind: "phase", config: [] }), event(7, "llm/start", ids), event(7, "other", {}, 9)]
    expect(rowsOf(tell(lines))).toMatchObject([
      { line: 1, nth: 0, frame: 2, seq: 7, epoch: 0, session: 0 },
      { line: 2, nth: 0, frame: 3, seq: 7, epoch: 1, session: null },
    ])
  })

  test("number frames by the lines that are frames", () => {
    const lines = [decode(""), decode("garbage"), attach, event(1, "one"), event(1, "one"), event(2, "two")]
    expect(rowsOf(tell(lines)).map(row => row.frame)).toEqual([1, 3])
  })
})

describe("malformed lines", () => {
  test("are counted and shown with their line, their raw text and the reason", () => {
    const run = tell([event(0, "x"), decode('{"kind":"hologram"}'), decode(""), decode("{torn")])
    expect(report(run)).toMatchObject({
      frames: { unread: 2, event: 1 },
      unread: [
        { line: 2, raw: '{"kind":"hologram"}', length: 19, why: 'unknown kind "hologram"' },
        { line: 4, raw: "{torn", length: 5 },
      ],
    })
  })

  test("are kept up to 64 KB in all, the latest, and counted beyond", () => {
    const lines = Array.from({ length: 40 }, (_, i) => decode(`${i} ${"x".repeat(5000)}`))
    const run = tell(lines)
    expect(run.frames.malformed).toBe(40)
    expect(run.log.malformed).toHaveLength(16)
    expect(run.log.malformed.map(one => one.line)).toEqual(Array.from({ length: 16 }, (_, i) => i + 25))
    expect(run.log.malformed[0]).toMatchObject({ length: 5003 })
    expect(run.log.malformed[0]?.raw).toHaveLength(4096)
  })

  test("are kept up to 1,024", () => {
    const run = tell(Array.from({ length: 1500 }, () => decode("x")))
    expect(run.frames.malformed).toBe(1500)
    expect(run.log.malformed).toHaveLength(1024)
    expect(run.log.malformed.at(-1)?.line).toBe(1500)
  })
})

describe("notes", () => {
  const note = (what: string, keys: object) => line({ kind: "sidecar", at: 77, what, ...keys })

  test("of an opened link are an attachment; others do not change the run", () => {
    const run = tell([
      note("link", { state: "open" }),
      note("link", { state: "connecting" }),
      note("start", {}),
      note("?", {}),
    ])
    expect(run.attachment.count).toBe(1)
    expect(report(run)).toMatchObject({
      frames: { event: 0, unread: 0 },
      log: { entries: 0 },
      run: { status: "waiting" },
    })
  })
})

test("requested data keeps the latest conversation of each invokeid and the latest catalog", () => {
  const talk = (invokeid: string, text: string) =>
    line({ kind: "conversation", invokeid, turns: [{ turn: 0, messages: [{ role: "user", text }] }] })
  const catalog = line({ kind: "model-catalog", aliases: [{ alias: "smart", targets: [] }], preferences: ["smart"] })
  const run = tell([talk("a", "one"), talk("b", "two"), talk("a", "three"), catalog])
  expect(report(run)).toMatchObject({ frames: { conversation: 3, modelCatalog: 1 } })
  expect(run.facts.conversations.map(one => [one.invokeid, one.turns[0]?.messages[0]?.text])).toEqual([
    ["b", "two"],
    ["a", "three"],
  ])
  expect(run.models.catalog?.preferences).toEqual(["smart"])
})
