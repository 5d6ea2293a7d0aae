// Tests the page about a moment: which turn, log rows and sessions it has, and that it keeps secrets and runs nothing.
import { expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { html } from "../../src/export/html.ts"
import { type MomentOptions, momentDocument } from "../../src/export/moment-page.ts"
import { Redactor } from "../../src/export/redact.ts"
import { textsInMemory } from "../../src/run/select/run-texts.ts"
import { event, tell } from "../run/lines.ts"

const coder = { invokeid: "coder", "session-id": "c" }
const told = (seq: number, name: string, data: object = {}) => event(seq, name, data, 1000 * seq)
const turn = (seq: number, text: string): readonly Decoded[] => [
  told(seq, "llm/start", coder),
  told(seq + 1, "llm/request", { ...coder, "user-blocks": [{ type: "text", text: `asked ${text}` }] }),
  told(seq + 2, "llm/response", { ...coder, content: [{ type: "text", text: `said ${text}` }] }),
]
const LINES = [
  told(0, "runner/started", { "chart-id": "c" }),
  told(1, "runner/event-processed", { entered: ["coding"], "config-after": ["coding"] }),
  ...turn(2, "one"),
  ...turn(5, "two sk-0123456789abcdefgh"),
  ...turn(8, "three"),
  told(11, "runner/event-processed", { entered: ["review"], "config-after": ["review"] }),
]
const MOMENT = { frame: 8, at: "#8", ts: 7000, session: 0, turn: 2 }

const RECORDING = { path: "runs/my run.jsonl", isWhole: true }

/** Every line is a frame. */
function documentAt(lines: readonly Decoded[], options: Partial<MomentOptions> = {}) {
  const usual = { title: "run", session: null, picked: false, redactor: new Redactor(), read: null, recall: null }
  const { frame } = options.moment ?? MOMENT
  const atMoment = tell(lines.slice(0, frame))
  const rest = { moment: MOMENT, atMoment, recording: RECORDING, ...options }
  return momentDocument(textsInMemory(tell(lines)), { ...usual, ...rest })
}

const values = (lines: readonly Decoded[], options: Partial<MomentOptions> = {}) =>
  Object.fromEntries(documentAt(lines, options).facts.map(({ name, value }) => [name, value]))

test("a moment's page says when and where it is, and which command opens it", () => {
  expect(documentAt(LINES).title).toBe("run at +00:07.000")
  expect(values(LINES)).toMatchObject({
    Moment: "+00:07.000, frame 8 of 12",
    States: "coding",
    Session: "coder, turn 2 of 3",
    "Open it": "opentui-sidecar replay 'runs/my run.jsonl' --at '#8'",
    Sessions: "1",
  })
  expect(values(LINES, { moment: { ...MOMENT, frame: 12, ts: 11_000 } })).toMatchObject({ States: "review" })
  expect(values(LINES, { recording: null })["Open it"]).toBeUndefined()
  expect(values(LINES, { recording: { path: "run.jsonl", isWhole: false } })["Open it, in its directory"]).toBe(
    "opentui-sidecar replay run.jsonl --at '#8'",
  )
})

test("a moment's page has the status, cost and ledger of the moment, and those of the whole run as such", () => {
  const reply = (seq: number, dollars: number) =>
    told(seq, "llm/response", { ...coder, content: [], usage: { "input-tokens": 10, "cost-usd": dollars } })
  const lines = [
    ...LINES.slice(0, 3),
    reply(3, 0.25),
    told(4, "llm/start", coder),
    reply(5, 0.5),
    told(6, "llm/worker-exit", { ...coder, reason: "broke", "is-error": true }),
    told(7, "runner/error", { message: "it broke" }),
  ]
  const moment = { frame: 4, at: "#4", ts: 3000, session: 0, turn: 1 }
  expect(values(lines, { moment })).toMatchObject({
    Status: "running",
    Took: "3.0s",
    Turns: "1",
    Cost: "$0.2500",
    "The whole run": "error: it broke, 7.0s, $0.7500",
  })
  expect(values(lines, { moment }).Errors).toBeUndefined()
  const document = documentAt(lines, { moment })
  const sums = document.ledger.flatMap(({ rows }) => rows.filter(row => row.isSum).map(row => row.cells[0]?.trim()))
  expect(new Set(sums)).toEqual(new Set(["$0.2500"]))
  expect(Object.fromEntries(document.sessions[0]?.facts.map(({ name, value }) => [name, value]) ?? [])).toMatchObject({
    Status: "done",
    Cost: "$0.2500",
  })
  const end = values(lines, { moment: { ...moment, frame: 8, ts: 7000 } })
  expect(end).toMatchObject({ Status: "error: it broke", Cost: "$0.7500" })
  expect(end["The whole run"]).toBeUndefined()
})

test("a moment's page has the turn and the one before it, the log around it, and a mark in the waterfall", async () => {
  const many = Array.from({ length: 80 }, (_, i) => told(12 + i, "brand/new", { i }))
  const { sessions, log, waterfall } = documentAt([...LINES, ...many])
  expect([...(sessions[0]?.turns() ?? [])].map(one => one.turn)).toEqual([1, 2])
  const rows = [...log.pieces()].flat()
  expect(rows.filter(row => row.isHere).map(row => row.text)).toEqual([expect.stringContaining("said two")])
  expect([rows.length, rows.at(0)?.text, rows.at(-1)?.time]).toEqual([8 + 25, "started  c", "+00:32.000"])
  expect(waterfall?.mark).toBe(7000)
})

test("a moment's page calls a session by the same name everywhere, with its number where it has siblings", () => {
  const other = { invokeid: "coder", "session-id": "d" }
  const { facts, sessions, waterfall, ledger } = documentAt([
    ...LINES,
    told(12, "llm/start", other),
    told(13, "llm/response", { ...other, content: [], usage: { "output-tokens": 1 } }),
  ])
  expect(facts.find(({ name }) => name === "Session")?.value).toBe("coder 1, turn 2 of 3")
  expect(sessions[0]?.title).toBe("coder 1")
  expect(waterfall?.rows.map(({ name }) => name)).toContain("coder 1")
  const names = [
    ...(waterfall?.rows ?? []).map(({ name }) => name),
    ...ledger.flatMap(({ rows }) => rows.map(row => row.cells[0]?.trim())),
  ]
  expect(names).not.toContain("coder")
})

test("of many sessions, a moment's page shows its own and those nearest to it", () => {
  const others = Array.from({ length: 100 }, (_, i) => [
    told(20 + 2 * i, "llm/start", { invokeid: `w${i}`, "session-id": "s" }),
    told(21 + 2 * i, "llm/worker-exit", { invokeid: `w${i}`, "session-id": "s", reason: "done" }),
  ]).flat()
  const names = documentAt([...LINES, ...others], { moment: { ...MOMENT, frame: 121, ts: 120_000 } }).waterfall?.rows
  expect(names?.length).toBe(40)
  expect(names?.map(row => row.name)).toContain("coder")
  expect(names?.map(row => row.name)).toContain("w50")
  expect(names?.map(row => row.name)).not.toContain("w99")
})

test("a moment's page holds no secret, no script, and nothing to fetch", async () => {
  const page = (await Array.fromAsync(html(documentAt(LINES)))).join("")
  expect(page).not.toContain("sk-0123456789abcdefgh")
  expect(page).toContain("said two")
  expect(page).toContain("default-src 'none'")
  expect(page).not.toMatch(/<script|<link|<img|<iframe|src=|url\(|@import/)
  expect(page).toContain('<tr class="here">')
  expect(page).toContain('<line class="mark"')
  expect(page).toContain("<details open>")
  expect(page).toContain("<p>The line from top to bottom is the moment: +00:07.000 of +00:11.000.</p>")
  expect(page).toContain('<use href="#waterfall"/>')
})

test("a moment without a time or a session is a page too", () => {
  const bare = documentAt(LINES.slice(0, 1), { moment: { frame: 0, at: "#0", ts: null, session: null, turn: null } })
  expect([bare.title, bare.sessions, bare.log.rows]).toEqual(["run at frame 0", [], 1])
})
