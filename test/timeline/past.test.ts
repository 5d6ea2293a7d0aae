// Checks that any past state, however it was reached, equals the fold from the start.
import { expect, spyOn, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { onlyBreakpoint } from "../../src/query/conditions.ts"
import { foldWithBreakpoints } from "../../src/query/fold-with-breakpoints.ts"
import { fold } from "../../src/run/fold.ts"
import { Snapshots } from "../../src/run/memory/snapshots.ts"
import { emptyList, slice } from "../../src/run/model/chunked-list.ts"
import { emptyRun, frameNumber, type Run } from "../../src/run/model/run.ts"
import type { Entry } from "../../src/run/model/session.ts"
import { findCondition } from "../../src/timeline/find-condition.ts"
import { emptyFrameLog } from "../../src/timeline/frame-log.ts"
import { isReached, Past } from "../../src/timeline/past.ts"
import { RecordingLog } from "../../src/timeline/recording-log.ts"
import { resultOf } from "../../src/timeline/steps.ts"
import { decodeLine } from "../../src/transport/message.ts"
import { root } from "../fixtures.ts"
import { forAll } from "../for-all.ts"
import { momentOf, read } from "../query/filter/parsed.ts"
import { eventText, ids, runsOf } from "../run/lines.ts"
import { row } from "../run/rows.ts"
import { fileScratch } from "../scratch.ts"

/** A past of these lines in a real file, with a snapshot every `every` lines. */
function pastOf(lines: readonly string[], every: number, limit?: number) {
  const home = fileScratch()
  const path = join(home, "run.jsonl")
  writeFileSync(path, lines.map(line => `${line}\n`).join(""))
  const tape = new RecordingLog(path)
  const kept = new Snapshots(emptyRun, { every, ...(limit === undefined ? {} : { limit }) })
  const past = new Past(tape, emptyRun, kept)
  let present: Run = emptyRun
  for (let at = 0; at < lines.length; at += 3) {
    present = fold(present, lines.slice(at, at + 3).map(decodeLine))
    tape.indexUpTo(present.frames.lines)
    past.setPresent(present)
  }
  return { past, path, present, kept, [Symbol.dispose]: () => tape.close() }
}

const garbage = fc.constantFrom("", "nonsense", "{", '"\\"x"', "[]", '{"kind":"nobody"}')
const recording = fc.array(
  fc.oneof({ weight: 8, arbitrary: row.map(one => JSON.stringify(one)) }, { weight: 1, arbitrary: garbage }),
  { maxLength: 60, size: "max" },
)

test("a state reached by seeking, by stepping back and by folding from the start is the same (property)", () =>
  forAll(
    [recording, fc.integer({ min: 1, max: 9 }), fc.array(fc.nat(70), { maxLength: 8 })],
    60,
    (lines, every, to) => {
      const frames = runsOf(lines)
      using made = pastOf(lines, every)
      const last = frames.length - 1
      for (const frame of to) expect(resultOf(made.past.runAtFrame(frame))).toEqual(frames[frame] ?? made.present)
      for (let frame = last; frame >= 0; frame--)
        expect(resultOf(made.past.runAtFrame(frame))).toEqual(frames[frame] ?? emptyRun)
    },
  ))

const notes = Array.from({ length: 3000 }, (_, n) => eventText(n, "note", {}, n))

test("a far seek takes steps of at most 256 lines", () => {
  using made = pastOf(notes, 10_000)
  for (const [text, again] of Object.entries({ "#2900": 1, "2900": 11, "+2.9s": 0 })) {
    using fresh = pastOf(notes, 10_000)
    const steps = [...fresh.past.find(momentOf(text), made.present)].map(({ frames }) => frames.lines)
    expect(steps.length).toBeGreaterThan(10)
    for (const [i, to] of steps.entries()) expect(to - (steps[i - 1] ?? 0)).toBeLessThanOrEqual(256)
    // From there it is not far, except to a number, which may come late.
    expect([...fresh.past.find(momentOf(text), made.present)]).toHaveLength(again)
  }
})

test("an event is found where it comes, though hundreds of lines late, and not in another start of the run", () => {
  const all = [...notes.slice(0, 100), ...notes.slice(101, 500), ...notes.slice(501, 771), ...notes.slice(100, 101)]
  using late = pastOf(all, 10_000)
  using twice = pastOf([said(5, "app/note"), said(0, "runner/started"), said(1, "app/note")], 9)
  const at = ({ past, present }: typeof late, text: string) =>
    resultOf(past.find(momentOf(text), present))?.frames.lines
  const found = [...["100", "500"].map(one => at(late, one)), ...["e1/1", "1", "e1/5"].map(one => at(twice, one))]
  expect(found).toEqual([770, undefined, undefined, 3, 1])
})

test("lines far apart are read apart, and what was read is collected", () => {
  using collect = spyOn(Bun, "gc")
  const asked: string[] = []
  const lines = (from: number, to: number) => (asked.push(`${from}-${to}`) > 0 ? ["x".repeat(from)] : [])
  const past = new Past({ ...emptyFrameLog, lines }, emptyRun)
  past.readEvents([900, 0, 256, 513])
  expect(asked.join(" ")).toBe("0-257 513-514 900-901")
  const collected = [2 ** 23, 2 ** 23 - 1, 1].map(from => past.lines(from, from) && collect.mock.calls.length)
  expect(collected).toEqual([0, 0, 1])
})

test("a seek that was given up is continued by the next one", () => {
  using made = pastOf(notes, 10_000)
  const givenUp = made.past.runAtFrame(2900)
  for (let step = 0; step < 10; step++) givenUp.next()
  const [first] = [...made.past.runAtFrame(2899)].map(({ frames }) => frames.lines)
  expect(first).toBeGreaterThan(10 * 256)
})

test("the number of snapshots is bounded, and states between them are found all the same", () => {
  const lines = Array.from({ length: 4000 }, (_, n) => eventText(n, "llm/delta", { ...ids, text: "x" }))
  using made = pastOf(lines, 10, 600_000)
  expect(made.kept.weight).toBeLessThanOrEqual(600_000)
  expect(made.kept.length).toBeGreaterThan(5)
  for (const frame of [3999, 1, 2500, 2499, 17]) expect(frameNumber(resultOf(made.past.runAtFrame(frame)))).toBe(frame)
  expect(resultOf(made.past.runAtFrame(1234)).turnBuffers[0]?.deltas).toBe(1234)
})

test("after a rewrite each state is that of the new lines, also where a walk was under way", () => {
  // As long as the others, so that they stand in the same places.
  const rewritten = notes.map((_, n) => eventText(n, n < 1000 ? "note" : "next", {}, n))
  using made = pastOf(notes, 300)
  const { past } = made
  // Lines are folded up to the next snapshot, which takes the place of the state that equals it.
  const near = resultOf(past.runAtFrame(100))
  const there = fold(near, past.linesToSnapshot(near))
  expect([there.frames.lines, past.snapshotOf(there) === past.snapshotBefore(301)]).toEqual([300, true])
  expect(past.snapshotOf(near)).toBe(near)
  expect(past.snapshotOf({ ...made.present })).toBe(made.present)
  resultOf(past.runAtFrame(2999))
  past.linesToPlay(resultOf(past.runAtFrame(2000)))
  const underWay = past.runAtFrame(2900)
  underWay.next()
  past.truncate(0)
  writeFileSync(made.path, rewritten.map(line => `${line}\n`).join(""))
  past.setPresent(fold(emptyRun, rewritten.map(decodeLine)))
  for (let step = 0; step < 3; step++) underWay.next()
  const states = runsOf(rewritten)
  for (const frame of [2990, 2901, 2500, 2499, 2000, 1001, 2]) {
    expect(resultOf(past.runAtFrame(frame))).toEqual(states[frame] ?? emptyRun)
  }
  expect(past.linesToPlay(resultOf(past.runAtFrame(2000)))[0]).toMatchObject({ name: "next" })
})

test("entries whose texts left memory are restored from their lines, and are lost where those can't be read", () => {
  const told = (event: string, data: object) => [event, data] as const
  const content = [
    { type: "thinking", thinking: "hm" },
    { type: "text", text: "one" },
    { type: "text", text: "two" },
  ]
  const lines = [
    told("llm/start", {}),
    told("llm/request", { "system-preview": "Be brief.", "user-blocks": [{ type: "text", text: "ask" }] }),
    told("llm/response", { content }),
    told("llm/start", {}),
    told("llm/delta", { type: "text-delta", text: "str" }),
    told("llm/delta", { type: "text-delta", text: "eamed" }),
    told("llm/error", { message: "no" }),
  ].map(([event, data], seq) => eventText(seq, event, { ...ids, ...data }))
  using made = pastOf(lines, 2)
  const entries = slice(made.present.sessions[0]?.entries ?? emptyList, 0, 99)
  const texts = (all: readonly Entry[]) => all.map(({ type, text, evicted }) => [type, text.join(""), evicted])
  expect(texts(entries).map(([, text]) => text)).toEqual(["Be brief.", "ask", "hm", "one", "two", "streamed", "no"])
  const gone = entries.map(one => ({ ...one, text: [], evicted: "unread" as const }))
  expect(texts(resultOf(made.past.recallEntries(0, gone)))).toEqual(texts(entries))
  // Of a line that was read just now, no other is read again.
  expect([[...made.past.runAtLine(7)], [...made.past.runAtLine(7)]].map(({ length }) => length)).toEqual([1, 0])
  const elsewhere = gone.slice(3, 4).map(one => ({ ...one, line: 6, part: 9 }))
  const lost = resultOf(made.past.recallEntries(0, elsewhere))
  expect(texts(lost)).toEqual([["text", "(this line can no longer be read)", "lost"]])
  const found = [...made.past.readEvents([5, 0, 2, 99])].map(([line, frame]) => `${line} ${frame?.name ?? "none"}`)
  expect(found).toEqual(["5 none", "0 llm/start", "2 llm/response", "99 none"])
})

const said = (seq: number, event: string, data: object = {}, ts = seq * 1000) =>
  eventText(seq, event, { ...ids, ...data }, ts)
const two = [
  said(0, "runner/started", {}, 10_000),
  said(1, "llm/start", {}, 11_000),
  "nonsense",
  said(2, "llm/error", { message: "no" }, 12_000),
  said(4, "llm/start", {}, 14_000),
  said(3, "llm/retry", {}, 13_000),
  // The agent is restarted, so its numbers begin again.
  said(0, "runner/started", {}, 20_000),
  said(1, "llm/error", { message: "gone" }, 21_000),
]

/** Moments, each with the frame that it is after. */
const MOMENTS = `
  #0 0 | #3 3 | #7 7 | 00:00 7 | #8 null | 1 2 | 3 5 | e1/1 2 | e2/1 7 | e2/0 6 | +2.5s 3 | +0s 1 | +11s 7
  +00:02.500 3 | +00:02.000 3 | +3.9s 3 | 00:00:14.000 5 | +00:11 7 | +12s null | +1:00:11.000 null | 00:00:22 null | 00:00:14 5 | 2 3 | e2/4 null | e3/1 null | 9 null | 50% 4 | 100% 7
`

const wordsOf = (rows: string) =>
  rows
    .trim()
    .split(/[|\n]/)
    .map(one => one.trim().split(" "))

test.each(wordsOf(MOMENTS))("%s is after frame %p", (text = "", frame) => {
  using made = pastOf(two, 2)
  const moment = momentOf(text)
  const found = resultOf(made.past.find(moment, made.present))
  // What the run can't have is not looked for.
  if (found === null) expect([...made.past.find(moment, made.present)]).toEqual([])
  // Of a run that still grows, only a number shows that it is there.
  const isNumber = moment.type === "frame" || moment.type === "seq"
  expect(isReached(moment, made.present)).toBe(isNumber && found !== null)
  expect(String(found && frameNumber(found))).toBe(frame ?? "")
})

/** Conditions, each with the frame and the direction that it is sought from, and where it became true. */
const SOUGHT = `
  error 0 1 3 | event=llm/error 3 1 7 | event=llm/error 7 -1 3 | event=llm/error 3 -1 null | event=llm/start 7 -1 4
  event=llm/start 4 1 null | seq>=2 0 1 3 | seq>=2 7 -1 3 | seq<2 7 -1 6 | seq<2 6 -1 1 | ts>=+0s 2 -1 1 | ts>=+11s 2 -1 null | ts>=+11s 6 1 7
`

test.each(wordsOf(SOUGHT))("%s from #%p in direction %p became true at #%p", (text = "", from, step, frame) => {
  using made = pastOf(two, 2)
  const found = soughtIn(made.past, Number(from), text, step === "1" ? 1 : -1)
  expect(String(found && frameNumber(found))).toBe(frame ?? "")
})

/** The state at which a condition became true, sought from a frame on. */
function soughtIn(past: Past, from: number, text: string, step: 1 | -1): Run | null {
  return resultOf(findCondition(past, resultOf(past.runAtFrame(from)), read(text), step, 0))
}

test("what only the folded run tells is sought back to before the line shown, however far from a snapshot", () => {
  using made = pastOf(notes, 10_000)
  const condition = "ts=+0.1s or ts=+0.27s or ts=+0.3s or ts=+0.512s or ts=+0.6s"
  expect([601, 514, 513].map(from => soughtIn(made.past, from, condition, -1)?.frames.lines)).toEqual([513, 513, 301])
})

type Shown = readonly [
  condition: string,
  rows: readonly (readonly [event: string, data: object])[],
  line: number | null,
]
const shown = (await Bun.file(join(root, "fixtures/scripts/shown.jsonl")).text()).trim().split("\n")

test.each(shown.map((line): Shown => JSON.parse(line)))("%s is found where rows first show it", (text, rows, frame) => {
  const lines = rows.map(([event, data], seq) => said(seq, event, data).replace("\\u0000", "\\u006f"))
  using made = pastOf(lines, 100)
  expect(soughtIn(made.past, 0, text, 1)?.frames.lines ?? null).toBe(frame)
})

/** Turns of two sessions that say a word in pieces, of which some come late, twice, merged or faulty. */
const talk = fc
  .array(
    fc.tuple(
      fc.constantFrom("delta", "delta", "delta", "start", "response", "tool-result", "error"),
      fc.constantFrom("do", "n", "e", "DONE", "don", "", "do**ne"),
      fc.constantFrom("s1", "s2", null),
      fc.constantFrom(1, 1, 1, 1, 1, 1, 2, 0, -1),
      fc.nat(5),
    ),
    { maxLength: 60, size: "max" },
  )
  .map(all => {
    let seq = 0
    return all.map(([event, text, id, more, kind]) => {
      seq = Math.max(0, seq + more)
      const type = kind === 0 ? "thinking" : "text"
      const content = kind === 1 ? null : [{ type, text, thinking: text }]
      const owner = { invokeid: "a", "session-id": id }
      const stop = kind === 2 ? { "stop-reason": "max_tokens" } : kind === 3 ? { usage: "none" } : {}
      const told = event === "delta" ? { type: `${type}-delta`, text } : { tool: text, content, ...stop }
      const merged = event === "delta" && kind === 2 ? { coalesced: 2 } : {}
      return eventText(seq, `llm/${event}`, { ...owner, ...told, ...merged }, 1000)
    })
  })

/** The lines, from 1, at which a condition becomes true. */
function hitsIn(lines: readonly string[], text: string): readonly number[] {
  let run: Run = emptyRun
  return lines.flatMap(line => {
    const next = foldWithBreakpoints(run, [decodeLine(line)], onlyBreakpoint(read(text)))
    run = next.run
    return next.conditions.pending.length > 0 ? [run.frames.lines] : []
  })
}

const names = fc.constantFrom("llm/*", "*error", "llm/tool-result", "llm/delta", "runner/started", "brand/new")
const more = fc.constantFrom("", " and error", " and seq>4", " and not text~done", " and session=1", " and cost>0")
const ofRows = fc.oneof(
  fc.tuple(names, more).map(([name, and]) => `event=${name}${and}`),
  fc.constantFrom("visit=0", "error", "tool=t", "reason~e", "reason=max_tokens or tool=t", "text~x", "text~miss"),
  fc.constantFrom("error and tool=t"),
)
const ofTalk = fc.constantFrom(
  ...["text~done", "text~/one/ session=s1", "text~Nd or tool=don", "error text~done", "text~o"],
  ...["text~said", "text~limit", "text~expected", "text~neo or error"],
)

test.each([
  ["rows of any kind", recording, ofRows],
  ["texts in pieces", talk, ofTalk],
])(
  "a condition on %s is found without folding each line where folding finds it (property)",
  async (_, run, condition) => {
    let found = 0
    await forAll(
      [run, fc.nat(40), condition, fc.constantFrom<1 | -1>(1, -1)],
      { numRuns: 400, seed: 36 },
      (lines, from, text, step) => {
        using made = pastOf(lines, 4)
        const here = soughtIn(made.past, from, text, step)
        const first = resultOf(made.past.runAtFrame(from)).frames.lines
        const hits = hitsIn(lines, text)
        const there = step > 0 ? hits.find(at => at > first) : hits.findLast(at => at < first)
        expect(here?.frames.lines).toBe(there)
        if (here !== null) found++
      },
    )
    expect(found).toBeGreaterThan(50)
  },
  60_000,
)
