// Tests what a moment's page leaves out so that it stays small, and what it says of that.
import { expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import type { Document } from "../../src/export/document.ts"
import { html } from "../../src/export/html.ts"
import { END_UNITS, HEAD_UNITS, momentDocument } from "../../src/export/moment-page.ts"
import { Redactor } from "../../src/export/redact.ts"
import type { ExportedPassage, Read } from "../../src/export/section.ts"
import type { MomentPlace } from "../../src/run/select/export-format.ts"
import { textsInMemory } from "../../src/run/select/run-texts.ts"
import { event, tell } from "../run/lines.ts"

const coder = { invokeid: "coder", "session-id": "c", model: "small" }
const told = (seq: number, name: string, data: object = {}) => event(seq, name, data, 1000 * seq)

function pageOf(
  lines: readonly Decoded[],
  moment: Partial<MomentPlace> = {},
  recording: string | null = "run.jsonl",
  read: Read = null,
) {
  const options = { title: "run", session: null, where: null, redactor: new Redactor(), read, recall: null }
  const place = { frame: 2, at: "#2", ts: 2000, session: 0, turn: 1, ...moment }
  const run = tell(lines)
  const found = recording === null ? null : { path: recording, isWhole: true }
  return momentDocument(textsInMemory(run), { ...options, moment: place, atMoment: run, recording: found })
}

async function blocksOf({ sessions }: Document): Promise<readonly ExportedPassage[]> {
  const turns = await Promise.all([...(sessions[0]?.turns() ?? [])].map(turn => turn.blocks()))
  return turns.flat()
}

const result = (seq: number, text: string) =>
  told(seq, "llm/tool-result", { ...coder, tool: "t", "content-preview": text })
const COMMAND = "opentui-sidecar replay run.jsonl --at '#2'"

test("a long block keeps its beginning and its end, and between them what shows the rest", async () => {
  const text = `${"a".repeat(HEAD_UNITS)}${"b".repeat(30_000)}${"c".repeat(END_UNITS)}`
  const lines = [told(1, "llm/start", coder), result(2, text)]
  const blocks = await blocksOf(pageOf(lines))
  expect(blocks.map(({ label, text }) => [label, text])).toEqual([
    ["Tool result: t", "a".repeat(HEAD_UNITS)],
    ["Left out: 30,000 of 35,000 characters, shown by", COMMAND],
    ["Tool result: t, its end", "c".repeat(END_UNITS)],
  ])
  const [, note] = await blocksOf(pageOf(lines, {}, null))
  expect([note?.label, note?.text]).toEqual(["Left out: 30,000 of 35,000 characters", "They are not on this page."])
})

test("a long block is cut after a whole line", async () => {
  const [head, note] = await blocksOf(pageOf([told(1, "llm/start", coder), result(2, "123456789\n".repeat(5000))]))
  expect(head?.text).toBe("123456789\n".repeat(HEAD_UNITS / 10))
  const [uneven] = await blocksOf(pageOf([told(1, "llm/start", coder), result(2, "12345678901\n".repeat(5000))]))
  expect(uneven?.text).toEndWith("12345678901\n")
  expect(note?.label).toBe("Left out: 45,000 of 50,000 characters, shown by")
  const heads = [
    `one\n${"x".repeat(50_000)}`,
    `${"x".repeat(HEAD_UNITS - 1)}🚢${"x".repeat(50_000)}🚢${"y".repeat(END_UNITS - 1)}`,
  ].map(async text => {
    const [head, , end] = await blocksOf(pageOf([told(1, "llm/start", coder), result(2, text)]))
    return [head?.text.length, end?.text.length, [head, end].every(one => one?.text.isWellFormed())]
  })
  // Not after a short first line, nor within a character.
  expect(await Promise.all(heads)).toEqual([
    [HEAD_UNITS, END_UNITS, true],
    [HEAD_UNITS, END_UNITS, true],
  ])
})

test("what is said of a long block stands at its beginning alone", async () => {
  const data = { ...coder, "system-preview": "x".repeat(9000), "io/ref": "nodes/c/0/turns/0/request.edn" }
  const read: Read = async () => ({ why: "gone\u001b" })
  const page = pageOf([told(1, "llm/start", coder), told(2, "llm/request", data)], {}, "run.jsonl", read)
  expect((await blocksOf(page)).map(({ note }) => note)).toEqual(["excerpt: gone␛", null, null])
})

test("a page about a turn has the one before it too, unless that said nothing, and none about no turn but the last two", () => {
  const lines = [1, 2, 3, 4].flatMap(turn => [
    told(10 * turn, "llm/start", coder),
    ...(turn === 3 ? [] : [result(10 * turn + 1, "x")]),
  ])
  const turnsAt = (turn: number | null) =>
    [...(pageOf(lines, { turn }).sessions[0]?.turns() ?? [])].map(one => one.turn)
  expect([1, 2, 3, 4, null].map(turnsAt)).toEqual([[1], [1, 2], [2], [4], [2, 4]])
})

test("of more than a hundred states those nearest to the moment are drawn", () => {
  const states = Array.from({ length: 103 }, (_, i) =>
    told(i + 2, "runner/event-processed", { entered: [`s${i}`], "config-after": [`s${i}`] }),
  )
  const { waterfall } = pageOf([told(1, "llm/start", coder), ...states], { frame: 104, ts: 104_000 })
  expect([waterfall?.isWhole, waterfall?.states.length, waterfall?.states[0]?.name]).toEqual([false, 100, "s3"])
})

test("a block that fits is whole, and so is a turn of blocks that fit", async () => {
  const text = "x".repeat(HEAD_UNITS + END_UNITS)
  expect((await blocksOf(pageOf([told(1, "llm/start", coder), result(2, text)]))).map(one => one.text)).toEqual([text])
  const most = Array.from({ length: 30 }, (_, i) => result(i + 2, text))
  expect(await blocksOf(pageOf([told(1, "llm/start", coder), ...most]))).toHaveLength(30)
  const beyond = await blocksOf(pageOf([told(1, "llm/start", coder), ...most, result(32, text)]))
  expect([beyond.length, beyond.at(-1)?.label]).toEqual([31, "Left out: 1 block with 5,000 characters, shown by"])
  // As quotes are longer in HTML, one does not fit; nor does any behind it.
  const last = [...most.slice(1), result(40, '"'.repeat(1000)), result(41, "y")]
  const rest = await blocksOf(pageOf([told(1, "llm/start", coder), ...last]))
  expect([rest.length, rest.at(-1)?.label]).toEqual([30, "Left out: 2 blocks with 1,001 characters, shown by"])
})

test("a secret across the cut is removed before the text is cut", async () => {
  const secret = "sk-0123456789abcdefgh"
  const text = `${"a ".repeat(HEAD_UNITS / 2 - 5)}${secret}${" b".repeat(30_000)}`
  const all = (await blocksOf(pageOf([told(1, "llm/start", coder), result(2, text)]))).map(one => one.text).join("")
  expect(all).not.toContain("sk-0123")
})

test("long names are clipped in the titles, and long values in the facts, of a page and of its session", () => {
  const long = { ...coder, invokeid: "i".repeat(300), model: "m".repeat(2000) }
  const { sessions, waterfall } = pageOf([told(1, "llm/start", long), told(2, "llm/response", long)])
  const [model] = sessions[0]?.facts.filter(({ name }) => name === "Model") ?? []
  expect([sessions[0]?.title, waterfall?.rows[0]?.name]).toEqual(Array(2).fill(`${"i".repeat(199)}…`))
  expect(model?.value).toBe(`${"m".repeat(999)}…`)
})

test("a page is smaller than 1 MB whatever the run is", async () => {
  const quotes = '"'.repeat(20_000)
  const name = `s${"'".repeat(500)}`
  const lines: Decoded[] = []
  const add = (event: string, data: object) => lines.push(told(lines.length, event, data))
  for (let i = 0; i < 60; i++) add("llm/start", { invokeid: `${name}${i}`, "session-id": name, model: name })
  for (let turn = 0; turn < 400; turn++) {
    add("llm/start", coder)
    add("runner/event-processed", { entered: [`${name}${turn}`], "config-after": [`${name}${turn}`] })
    add("llm/response", { ...coder, content: [{ type: "tool_use", name: `t${turn}`, input: {} }] })
    add("llm/tool-result", { ...coder, tool: `t${turn}`, "elapsed-ms": 7 })
  }
  for (let i = 0; i < 60; i++) lines.push(result(lines.length, quotes))
  add("llm/error", { ...coder, message: quotes })
  const [frame, session] = [lines.length, 60]
  const page = pageOf(lines, { frame, ts: 1000 * frame, session, turn: 400 })
  const text = (await Array.fromAsync(html(page))).join("")
  expect(Buffer.byteLength(text)).toBeLessThan(1_000_000)
  expect(text).toMatch(/Left out: \d+ blocks with [\d,]+ characters, shown by/)
  expect(text).toContain("The turns nearest to the moment in numbers")
})
