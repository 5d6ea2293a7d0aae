// Tests that a session's text is the same however it came, and that growing costs only what is new.
import { expect, test } from "bun:test"
import fc from "fast-check"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { fold } from "../../src/run/fold.ts"
import { entryIdAt } from "../../src/run/identity/find-by-id.ts"
import { emptySession } from "../../src/run/model/empty-session.ts"
import { emptyRun, type Run } from "../../src/run/model/run.ts"
import { SessionOutline } from "../../src/transcript/session-outline.ts"
import { unicode } from "../../src/ui/glyphs.ts"
import type { TextSize } from "../../src/ui/layout.ts"
import type { Line } from "../../src/ui/line.ts"
import { lineText } from "../../src/ui/mark-hits.ts"
import { FOLDINGS, type OutlineReading, unread } from "../../src/view/block-reading.ts"
import { forAll } from "../for-all.ts"
import { delta, event, ids, line } from "../run/lines.ts"

const context = { glyphs: unicode, now: 0, motion: false }
const captures = new Map()

/** All lines; the search of a text without words has all of them made. */
function all(transcript: SessionOutline): readonly Line[] {
  do transcript.hitFrom("\u0001", 0, 1)
  while (transcript.isSearching)
  return Array.from({ length: transcript.length }, (_, i) => transcript.line(i))
}

function update(transcript: SessionOutline, run: Run, index: number, size: TextSize, reading = unread): void {
  const session = run.sessions[index]?.id ?? null
  transcript.update({ run, captures }, { ...reading, session }, size, context)
}

function anew(run: Run, index: number, columns: number, reading: OutlineReading = unread): readonly Line[] {
  const transcript = new SessionOutline()
  update(transcript, run, index, { columns, rows: 10 }, reading)
  return all(transcript)
}

const session = fc.constantFrom({ invokeid: "a", "session-id": "s" }, { invokeid: "a", "session-id": "t" })
const spoken = ["word ", "\n", "日本語", "a-very-long-word-without-a-break ", "🎉", "\ud83c", "\udf89", ""]
const words = fc.constantFrom(...spoken)
const told = (name: string, data: fc.Arbitrary<object> = fc.constant({})) =>
  fc.tuple(session, data, fc.nat(50)).map(([ids, more, ts]) => event(null, name, { ...ids, ...more }, 1000 + ts))
const types = fc.constantFrom("text-delta", "thinking-delta")
const content = (said: string) => [
  { type: "thinking", thinking: said },
  { type: "text", text: said },
  { type: "tool-use", name: "wc", input: { a: said } },
  { type: "tool-use", id: `t${said.length}`, name: "wc", input: {} },
]
const result = { tool: "wc", "content-preview": "1\n2" }
const asked = { "system-preview": "Be brief.", "user-blocks": [{ type: "text", text: "Go." }] }
const frame = fc.oneof(
  { weight: 8, arbitrary: told("llm/delta", fc.record({ type: types, text: words })) },
  told("llm/start"),
  told(
    "llm/response",
    fc.oneof(
      words.map(said => ({ content: content(said) })),
      fc.constant({}),
    ),
  ),
  told(
    "llm/tool-result",
    fc.nat(8).map(id => ({ ...result, "tool-use-id": `t${id}` })),
  ),
  told("llm/request", fc.constant(asked)),
  told("llm/tool-result", fc.constant({ tool: "数える-a-tool-with-a-long-name", "content-preview": "17" })),
  told("llm/error", fc.constant({ message: "reset" })),
  told("llm/worker-exit", fc.constant({ reason: "done" })),
  told("llm/user-message", fc.constant({ text: "more" })),
  fc.constant(line({ kind: "sidecar", at: 1, what: "link", state: "open" })),
)

test("a transcript updated after any batch equals one built anew, for any session and width, and no line is wider", async () => {
  const cards = fc.subarray(["0", "1", "2", "3", "4", "5", "0.1"])
  const folds = fc.record({ to: fc.constantFrom(...FOLDINGS), opened: cards, closed: cards })
  const looks = fc.record({ session: fc.nat(1), columns: fc.constantFrom(6, 20, 60), folds })
  await forAll([fc.array(fc.tuple(fc.array(frame, { maxLength: 6 }), looks), { maxLength: 12 })], 300, batches => {
    const transcript = new SessionOutline()
    let run = emptyRun
    for (const [lines, { session: index, columns, folds }] of batches) {
      run = fold(run, lines)
      if (run.sessions[index] === undefined) continue
      const reading = { ...unread, folds }
      update(transcript, run, index, { columns, rows: 10 }, reading)
      const shown = all(transcript)
      expect(shown).toEqual([...anew(run, index, columns, reading)])
      // The caret may stand in the padding behind a full line, and a heading is wider than a few columns.
      const widest = shown.map(one => Bun.stringWidth(lineText(one).replace("▌", "")))
      if (columns >= 20) expect(Math.max(0, ...widest)).toBeLessThanOrEqual(columns)
      // Each line has a place of its own, which leads back to it.
      const places = shown.map((_, at) => transcript.lineOf(transcript.anchorAt(at) ?? { block: "", row: 0 }))
      expect(places).toEqual(places.map((_, at) => at))
    }
  })
})

test("a transcript of a restarted recording is read from its start", () => {
  const transcript = new SessionOutline()
  const lines = (said: string): readonly Decoded[] => [event(0, "llm/start", ids), delta(1, said)]
  const reply = event(2, "llm/response", { ...ids, content: [{ type: "text", text: "the first reply" }] })
  const begun = [...lines("the first time round"), reply, event(3, "llm/start", ids)]
  update(transcript, fold(emptyRun, begun), 0, { columns: 60, rows: 1 })
  expect(transcript.turnAt(transcript.length)).toBe(1)
  update(transcript, fold(emptyRun, lines("another time, and longer")), 0, { columns: 60, rows: 1 })
  const found = [transcript.hitFrom("longer", 0, 1), transcript.foundAt("first", 0).count]
  expect(found).toEqual([transcript.anchorAt(2), 0])
  expect(all(transcript).map(lineText).slice(1)).toEqual(["▎ assistant", "▎ another time, and longer▌"])
  expect(transcript.lineOf({ block: "2.0", row: 2 })).toBe(2)
  expect([-1, 3].map(at => transcript.anchorAt(at))).toEqual([null, null])
})

test("who stood on a block that is no longer shown stands on the next of its turn, else on the one before", () => {
  const failed = (seq: number) => [
    event(seq, "llm/start", ids),
    event(seq + 1, "llm/error", { ...ids, message: "reset by peer" }),
    event(seq + 2, "llm/model-down", { ...ids, message: "reset" }),
  ]
  const said = (seq: number) => event(seq, "llm/response", { ...ids, content: [{ type: "text", text: "after" }] })
  const start = event(null, "llm/start", ids)
  const lone = [...failed(9).slice(1, 2), start, ...failed(9).slice(2), start, said(13)]
  const run = fold(emptyRun, [...failed(0), said(3), ...failed(4), start, said(8), ...lone])
  const transcript = new SessionOutline()
  update(transcript, run, 0, { columns: 60, rows: 10 })
  const { entries } = run.sessions[0] ?? emptySession
  const line = (index: number) => transcript.lineOf({ block: entryIdAt(entries, index), row: 0 })
  expect([entries.length, line(1), line(4), line(7)]).toEqual([9, line(2), line(3), line(8)])
})

test("of a stream that is cut the number of characters that are missing by now is told", () => {
  const run = fold(emptyRun, [event(0, "llm/start", ids), delta(1, "word")])
  const transcript = new SessionOutline()
  const ends = [0, 5, 70].map(missing => {
    const turnBuffers = run.turnBuffers.map(one => ({ ...one, missing }))
    update(transcript, { ...run, turnBuffers }, 0, { columns: 60, rows: 9 })
    return all(transcript).map(lineText).at(-1)
  })
  const cut = (count: number) => `▎ cut: ${count} more characters are in an export as JSONL▌`
  expect(ends).toEqual(["▎ word▌", cut(5), cut(70)])
})

test("a bar is dim beside what no model said, red where something failed, and else has its invocation's hue", () => {
  const called = ["t1", "t2"].map(id => ({ type: "tool-use", id, name: id, input: { a: 1 } }))
  const answered = (id: string) => ({
    ...ids,
    tool: id,
    "tool-use-id": id,
    "content-preview": "x",
    "is-error": id === "t2",
  })
  const run = fold(emptyRun, [
    event(null, "llm/start", { invokeid: "other", "session-id": "other" }),
    event(0, "llm/request", { ...ids, ...asked }),
    event(1, "llm/response", { ...ids, content: [{ type: "text", text: "said" }, ...called] }),
    event(2, "llm/tool-result", answered("t1")),
    event(3, "llm/tool-result", answered("t2")),
    event(4, "adapter/line", { ...ids, name: "stderr", text: "noted" }),
    event(5, "llm/error", { ...ids, message: "reset" }),
    delta(6, "begun"),
  ])
  const heads = anew(run, 1, 60).filter(({ spans: [bar, words] }) => bar?.text.startsWith("▎") && words?.bold)
  expect(heads.map(({ spans: [bar, words] }) => `${words?.text} ${bar?.token}`).join(", ")).toBe(
    "system dim, user dim, assistant hue1, t2 error, line dim, error error, assistant hue1",
  )
})
