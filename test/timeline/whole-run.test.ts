// Tests that a run is folded with all its texts though memory holds few of them.
import { expect, spyOn, test } from "bun:test"
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { decode } from "../../packages/wire/src/decode.ts"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { fold } from "../../src/run/fold.ts"
import { slice } from "../../src/run/model/chunked-list.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { Past } from "../../src/timeline/past.ts"
import { RecordingLog } from "../../src/timeline/recording-log.ts"
import { resultOf } from "../../src/timeline/steps.ts"
import { foldWhole, WholeRun } from "../../src/timeline/whole-run.ts"
import { forAll } from "../for-all.ts"
import { delta, event, eventText } from "../run/lines.ts"
import { fileScratch } from "../scratch.ts"
import { boundFiles } from "./bound-files.ts"

const scratch = fileScratch()

const poet = (nth: number) => ({ invokeid: "poet", "session-id": `poet.${nth}` })

/** A turn: what was asked, what streamed, and the reply, if there is one; one more than a megabyte long. */
function turn(seq: number, session: number, text: string, replies: boolean): readonly Decoded[] {
  const user = [{ type: "text", text: `ask ${text}` }]
  const content = [{ type: "text", text }]
  return [
    event(seq, "llm/start", poet(session)),
    event(seq + 1, "llm/request", { ...poet(session), "user-blocks": user, "io/ref": `io/${seq}.json` }),
    delta(seq + 2, text, poet(session)),
    event(seq + 3, "llm/tool-result", { ...poet(session), tool: "x".repeat(200), preview: text, "tool-call-id": "c1" }),
    ...(replies ? [event(seq + 4, "llm/response", { ...poet(session), content })] : []),
  ]
}

test("entries are as if memory had held them, however the lines are batched", async () => {
  const text = fc.oneof(
    { weight: 15, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
    { weight: 1, arbitrary: fc.constant("🚢".repeat(600_000)) },
  )
  const turns = fc.array(fc.tuple(fc.nat(2), text, fc.boolean()), { maxLength: 12 })
  await forAll([turns, fc.integer({ min: 1, max: 9 })], 10, (turns, batch) => {
    const lines = turns.flatMap(([session, text, replies], nth) => turn(5 * nth, session, text, replies))
    using whole = new WholeRun({}, scratch, 100)
    for (let from = 0; from < lines.length; from += batch) whole.add(lines.slice(from, from + batch))
    const expected = fold(emptyRun, lines)
    for (const [index, { entries }] of expected.sessions.entries()) {
      const joined = (from: number, to: number) =>
        whole.entries(index, from, to).map(({ text, ...head }) => ({ ...head, text: text.join("") }))
      const all = slice(entries, 0, entries.length).map(({ text, ...head }) => ({ ...head, text: text.join("") }))
      expect(joined(0, entries.length)).toEqual(all)
      expect(joined(1, entries.length - 1)).toEqual(all.slice(1, -1))
    }
  })
})

test("the whole run of a past moment holds nothing that came later", () => {
  const data = { ...poet(0), content: [{ type: "text", text: "a reply" }] }
  const texts = Array.from({ length: 300 }, (_, seq) => eventText(seq, "llm/response", data))
  const path = join(scratch, "moment.jsonl")
  writeFileSync(path, texts.map(text => `${text}\n`).join(""))
  const lines = texts.map(decode)
  using log = new RecordingLog(path)
  rmSync(path)
  log.indexUpTo(lines.length)
  const past = new Past(log, emptyRun)
  past.setPresent(fold(emptyRun, lines))
  for (const moment of [1, 63, 64, 65, 130, 299, 300]) {
    using whole = new WholeRun({}, scratch)
    resultOf(foldWhole(whole, past, moment))
    expect(whole.run.frames.lines).toBe(moment)
    expect(whole.run.sessions[0]?.entries.length).toBe(moment)
  }
})

test("memory holds the texts up to the limit and each session's latest turn, and the directory stays empty", () => {
  using collect = spyOn(Bun, "gc")
  const open = () => readdirSync("/proc/self/fd").length
  const before = open()
  const whole = new WholeRun({}, scratch, 50_000)
  const long = "y".repeat(10_000)
  for (let nth = 0; nth < 300; nth++) whole.add(turn(5 * nth, nth % 3, `${nth} ${long}`, true))
  const held = whole.run.sessions.reduce((sum, { heldUnits }) => sum + heldUnits, 0)
  expect(held).toBeLessThan(50_000 + 3 * 4 * 10_500)
  expect(whole.entries(2, 0, 1)[0]?.text.join("")).toBe(`ask 2 ${long}`)
  // What is written and read is collected now and then.
  const counts = () => [0, 1, 2, 3].map(session => whole.entries(session, 0, 999).length)
  for (let time = 0; time < 2; time++) expect(counts()).toEqual([300, 300, 300, 0])
  expect(collect).toHaveBeenCalledTimes(1)
  expect(readdirSync(scratch)).toEqual([])
  whole[Symbol.dispose]()
  expect(open()).toBe(before)
})

test("texts that a full disk can't hold are no run", () => {
  const directory = join(scratch, "new")
  using whole = new WholeRun({}, directory, 100)
  expect(statSync(directory).mode & 0o777).toBe(0o700)
  boundFiles(10n)
  expect(() => whole.add(turn(0, 0, "x".repeat(200), true))).toThrow("texts: ")
  boundFiles(2n ** 64n - 1n)
})
