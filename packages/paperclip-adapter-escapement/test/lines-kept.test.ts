// Keeps how lines of a run's log are read and printed on a terminal, and when streamed text is logged.
import { afterEach, beforeEach, describe, expect, mock, spyOn, test } from "bun:test"
import pc from "picocolors"
import type { JsonObject } from "../../wire/src/json.ts"
import { formatStdoutEvent } from "../src/cli/index.ts"
import { readLogLine } from "../src/log-line.ts"
import { DeltaBuffer } from "../src/server/delta-buffer.ts"
import { chunksOf, ownLine, shortenText } from "../src/server/print-lines.ts"
import { parseStdoutLine } from "../src/ui-parser.ts"
import { HOSTILE } from "./hostile-lines.ts"
import { fixture, ROWS } from "./run-rows.ts"

const COLOURS = ["red", "green", "yellow", "blue", "gray"] as const

beforeEach(() => {
  for (const colour of COLOURS) spyOn(pc, colour).mockImplementation(text => `<${colour}>${text}</${colour}>`)
})
afterEach(() => void mock.restore())

/** What a terminal shows of lines. */
function terminal(lines: readonly string[], debug: boolean): string {
  const out: string[] = []
  const spy = spyOn(process.stdout, "write").mockImplementation(chunk => out.push(String(chunk)) > 0)
  for (const line of lines) formatStdoutEvent(line, debug)
  spy.mockRestore()
  return out.join("")
}

test("each line is read, and printed with and without debug", () => {
  const shown = [...fixture("log-lines.txt"), ...HOSTILE].map(line => {
    const entries = parseStdoutLine(line, "T").map(entry => `  ${JSON.stringify(entry)}`)
    const [plain, debugged] = [false, true].map(debug => JSON.stringify(terminal([line, "run · next"], debug)))
    const own =
      ownLine(line) === line ? [] : [ownLine(line) === `run ⋮ ${line}` ? "  marked" : `  own: ${ownLine(line)}`]
    return [line, ...entries, ...own, `  ${plain}`, ...(debugged === plain ? [] : [`  debug: ${debugged}`])].join("\n")
  })
  expect(shown.join("\n")).toMatchSnapshot()
})

test.each(["my-agent.log", "hermes.log"])("another agent's log: %s", async file => {
  const text = await Bun.file(new URL(`../../../fixtures/paperclip/${file}`, import.meta.url)).text()
  expect(text.split("\n").flatMap(line => parseStdoutLine(line, "T"))).toMatchSnapshot()
})

test("a line is not trimmed by the reader of ours", () => {
  const lines = [" run · x", "run · x ", "run ·  x", "run\t· x", "run · x\ny"]
  expect(lines.map(line => [line, readLogLine(line, "T")])).toMatchSnapshot()
})

test("a text goes on where it stopped, but not as another kind", () => {
  const lines = ["planner ┊ Hm, \\", "planner │ Yes, \\", "planner │ so\\", "run · next"]
  expect(terminal(lines, false)).toMatchSnapshot()
})

test("each row on a terminal", () => {
  const shown = ROWS.map(([event, data]) => {
    const lines = chunksOf({ event, data }).join("").trimEnd().split("\n")
    return `${event}\n${terminal([...lines, "run · next"], false)}`
  })
  expect(shown.join("")).toMatchSnapshot()
})

test("long texts", () => {
  const long = (text: string, count: number) => `${text.repeat(count)}end`
  const wide = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`key ${i}`, i]))
  let deep: JsonObject = { end: true }
  for (let i = 0; i < 30; i++) deep = { d: deep }
  const rows: readonly (readonly [string, JsonObject])[] = [
    ["llm/delta", { text: long("word ", 900) }],
    ["llm/delta", { text: long("\\", 2005) }],
    ["llm/delta", { text: `${"x".repeat(1999)}😀 and so on\n` }],
    ["llm/delta", { text: `${"x".repeat(2000)}\n${long("a line\n", 1500)}` }],
    ["llm/error", { message: long("é", 5000) }],
    ["llm/user-message", { text: long("x\n", 5000) }],
    ["llm/error", { invokeid: long("a", 62), message: "m" }],
    ["llm/tool-result", { tool: "read", "content-preview": long("x", 9000) }],
    [
      "llm/response",
      { content: [{ name: "t", input: { long: long("x", 9000), wide, deep, list: [...Array(50).keys()] } }] },
    ],
    ["llm/response", { content: [{ name: "t", input: { [long("k", 9000)]: 1 } }] }],
    ["llm/response", { content: [{ name: "t", input: ["é".repeat(40), ...Array(45).fill("é".repeat(3000))] }] }],
    ["runner/done", { status: "failed", "final-config": [long("s", 3000)], "adapter/summary": long("y", 6000) }],
    ["runner/started", { "session-id": long("s", 300), model: long("m", 9000) }],
  ]
  const brief = (text: string) =>
    text.replace(/(.{1,20}?)\1{9,}/gsu, (all, one: string) => `${one}×${all.length / one.length}`)
  const shown = rows.flatMap(([event, data]) => [
    event,
    ...chunksOf({ event, data }).map(
      chunk => `${Buffer.byteLength(chunk)}: ${brief(chunk).replaceAll("\n", "\n    ").trim()}`,
    ),
  ])
  const texts = [7999, 8000].flatMap(count => ["x", "é", "😀"].map(one => shortenText(one.repeat(count))))
  expect([...shown, ...texts.map(brief)].join("\n")).toMatchSnapshot()
})

/** Pieces of text by their time in ms. A leading `t` is another session, `~` a thought, `!` a row of the session. */
const STREAMS = fixture("streamed.txt")

describe("streamed text is logged", () => {
  test.each(STREAMS)("%s", stream => {
    const buffer = new DeltaBuffer()
    const pieces = stream.split("|").map(piece => [Number.parseInt(piece, 10), piece.replace(/^\d+ /, "")] as const)
    const shown: string[] = []
    const log = (now: number, why: string, rows: readonly JsonObject[]) => {
      for (const row of rows) shown.push(`${now} ${why} ${row.event} ${JSON.stringify(row.data)}`)
    }
    for (let now = 1000; now <= 6000; now += 50) {
      for (const [at, piece] of pieces) if (1000 + at === now) log(now, "came", buffer.push(rowOf(piece), now))
      // As often as the transcript is looked at.
      if (now % 100 === 0) log(now, "due", buffer.due(now))
    }
    log(7000, "rest", buffer.rest(7000))
    expect(shown.join("\n")).toMatchSnapshot()
  })
  test("too long for a row", () => {
    const buffer = new DeltaBuffer()
    const texts = [
      ...[4094, 5000].map(count => "x".repeat(count)),
      `xx${"é".repeat(5000)}`,
      `x${"😀".repeat(2500)}`,
      `${"a line\n".repeat(900)}b`,
      '"'.repeat(5001),
    ]
    const rows = texts.flatMap(text => [...buffer.push(rowOf(text), 0), ...buffer.push(rowOf("!"), 0)])
    const sizes = rows.map(({ event, data }) => [event, JSON.stringify(data).length, JSON.stringify(data).slice(-60)])
    expect(sizes).toMatchSnapshot()
  })
})

function rowOf(piece: string): JsonObject {
  if (piece === "*") return { event: "runner/done", data: {} }
  const [, other, thought, text = ""] = /^(t(?=o|!))?(~)?(.*)$/s.exec(piece) ?? []
  const who = { invokeid: "planner", "session-id": other === undefined ? "s" : "t" }
  if (text === "!") return { event: "llm/response", data: who }
  const type = thought === undefined ? "text-delta" : "thinking-delta"
  return { event: "llm/delta", data: { ...who, type, text: text.replaceAll("⏎", "\n") } }
}
