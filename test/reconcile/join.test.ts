// Tests how rows on disk are joined with received frames.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { decode } from "../../packages/wire/src/decode.ts"
import { type Joined, join as joinSteps } from "../../src/reconcile/join.ts"
import { fold } from "../../src/run/fold.ts"
import { streamedPieces } from "../../src/run/fold-delta.ts"
import { slice } from "../../src/run/model/chunked-list.ts"
import { emptyRun, type Run } from "../../src/run/model/run.ts"
import { missingFrames } from "../../src/run/select/figures.ts"
import { resultOf } from "../../src/timeline/steps.ts"
import { forAll } from "../for-all.ts"
import { ids, rowsOf } from "../run/lines.ts"

const OPEN = JSON.stringify({ kind: "sidecar", at: 1, what: "link", state: "open" })

/** The events of the run: name and data. */
type Happened = readonly [event: string, data: object]

const say = (text: string, more: object = {}): Happened => ["llm/delta", { type: "text-delta", ...ids, text, ...more }]
const STORY: readonly Happened[] = [
  ["runner/started", { "session-id": ":s", "chart-id": ":c", "resume?": false }],
  ["llm/start", { ...ids, model: "m" }],
  ...["one ", "two ", "three ", "four ", "five ", "six"].map(text => say(text)),
  ["llm/worker-exit", { ...ids, reason: "done" }],
  ["runner/done", { status: "done" }],
]

/** The events as the hub sends them, numbered from 1. */
const onLine = (story: readonly Happened[]): readonly string[] =>
  story.map(([event, data], index) => JSON.stringify({ kind: "event", seq: index + 1, ts: 1000 + index, event, data }))

/** The events as in the file: without a kind, numbered from 0, with slightly earlier times. */
const onDisk = (story: readonly Happened[]): readonly string[] =>
  story.map(([event, data], index) => JSON.stringify({ event, seq: index, ts: 998 + index, data }))

/** Joins without a pause. */
const join = (...all: Parameters<typeof joinSteps>): Joined => resultOf(joinSteps(...all))

const decoded = (lines: readonly string[]) => lines.map(text => ({ text, frame: decode(text) }))
const joined = (live: readonly string[], disk: readonly string[], ahead = false) => {
  const { reaches, lags, lead, ...rest } = join(decoded(live), decoded(disk), { whole: true, ahead })
  expect([typeof reaches, typeof lags, lead]).toEqual(["boolean", "boolean", null])
  return { ...rest, ...filledIn(rest) }
}
/** What the notes before the rows from disk add up to. */
const filledIn = ({ lines }: Pick<Joined, "lines">) => {
  const notes = lines.map(line => JSON.parse(line)).filter(({ what }) => what === "disk")
  const sum = (key: "rows" | "absent") => notes.reduce((all, note) => all + (note[key] ?? 0), 0)
  return { rows: sum("rows"), absent: sum("absent"), approximate: notes.some(note => note.approximate === true) }
}
const folded = ({ lines }: { readonly lines: readonly string[] }): Run => fold(emptyRun, lines.map(decode))

/** The whole text of each session: its transcript and its streaming text. */
const texts = (run: Run) =>
  run.sessions.map((session, index) => {
    const entries = slice(session.entries, 0, session.entries.length)
    const stream = run.turnBuffers[index]
    const pieces = stream === undefined ? [] : streamedPieces(stream)
    return [
      session.title,
      entries.map(entry => `${entry.type}: ${entry.text.join("")}`),
      pieces.map(({ text }) => text).join(""),
    ]
  })
const events = (run: Run) =>
  rowsOf(run).flatMap(({ what, seq }) => (what.kind === "event" ? [[seq, what.name, what.data]] : []))

const owners = fc.constantFrom(
  { invokeid: "a", "session-id": "s" },
  { invokeid: "a", "session-id": "t" },
  { invokeid: "b", "session-id": "u" },
)
const happened: fc.Arbitrary<Happened> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(owners, fc.constantFrom("the ", "a ", "x", "end.", "\n"))
      .map(([who, text]): Happened => ["llm/delta", { type: "text-delta", text, ...who }]),
  },
  owners.map((who): Happened => ["llm/start", { ...who, model: "m" }]),
  fc.tuple(owners, fc.nat(9)).map(([who, n]): Happened => ["llm/tool-result", { ...who, tool: `t${n}` }]),
  owners.map((who): Happened => ["llm/worker-exit", { ...who, reason: "done" }]),
  fc.nat(3).map((n): Happened => ["runner/event-processed", { "event-name": `e${n}`, "config-after": [`c${n}`] }]),
)
const stories = fc
  .array(happened, { minLength: 1, maxLength: 60, size: "max" })
  .map(middle => [STORY[0], ...middle, ["runner/done", { status: "done" }]].filter(one => one !== undefined))
  .map(story => story as readonly Happened[])

/** What happens to each event: passed on, lost, repeated, merged with the next ones, or cut off. */
const faults = fc.array(fc.constantFrom("pass", "pass", "pass", "drop", "drop", "twice", "merge", "cut"), {
  minLength: 62,
  maxLength: 62,
})

/** The lines that arrive: a cut loses everything until the next attachment, which repeats the ring. */
function disturbed(story: readonly Happened[], kinds: readonly string[], attachAt: number, ring: number): string[] {
  const lines = onLine(story)
  const arrived: string[] = []
  let away = attachAt
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ""
    const isLast = index === lines.length - 1
    if (away > 0 && !isLast) {
      away--
      continue
    }
    if (away >= 0) {
      arrived.push(OPEN, ...lines.slice(Math.max(0, index - ring), index))
      away = -1
    }
    const kind = isLast ? "pass" : kinds[index]
    if (kind === "drop") continue
    if (kind === "cut") {
      away = index % 7
      continue
    }
    const merged = kind === "merge" ? mergeable(story, index) : 0
    if (merged > 1 && index + merged < lines.length) {
      const [event, data] = story[index] ?? ["", {}]
      const text = story
        .slice(index, index + merged)
        .map(([, one]) => ("text" in one ? one.text : ""))
        .join("")
      index += merged - 1
      const row = { kind: "event", seq: index + 1, ts: 1000 + index, event, data: { ...data, text, coalesced: merged } }
      arrived.push(JSON.stringify(row))
      continue
    }
    arrived.push(line)
    if (kind === "twice") arrived.push(line)
  }
  return arrived
}

/** How many deltas of one stream stand in a row from here on, 7 at most. */
function mergeable(story: readonly Happened[], from: number): number {
  const stream = ([event, data]: Happened) =>
    event === "llm/delta" && "session-id" in data ? String(data["session-id"]) : null
  const first = story[from]
  if (first === undefined || stream(first) === null) return 0
  let count = 1
  while (count < 7) {
    const next = story[from + count]
    if (next === undefined || stream(next) !== stream(first)) break
    count++
  }
  return count
}

test("a join after drops, repeats, merges and cuts equals the undisturbed run (property)", () =>
  forAll([stories, faults, fc.nat(20), fc.nat(12), fc.boolean()], 400, (story, kinds, attachAt, ring, ahead) => {
    const live = disturbed(story, kinds, attachAt, ring)
    const result = joined(live, onDisk(story), ahead)
    const run = folded(result)
    const whole = folded({ lines: onLine(story) })
    expect(events(run)).toEqual(events(whole))
    expect(texts(run)).toEqual(texts(whole))
    expect(run.sessions.map(({ turns }) => turns)).toEqual(whole.sessions.map(({ turns }) => turns))
    expect(missingFrames(run)).toBe(0)
    expect(result.absent).toBe(0)
    expect(joined(result.lines, onDisk(story), ahead).lines).toEqual(result.lines)
    expect(texts(fold(run, [OPEN, ...onLine(story)].map(decode)))).toEqual(texts(run))
  }))

test("a join with any file has every received line once, and never throws (property)", () =>
  forAll([stories, stories, faults, fc.nat(20)], 200, (story, other, kinds, attachAt) => {
    const live = disturbed(story, kinds, attachAt, 4)
    const { lines } = joined(live, onDisk(other))
    const rest = [...lines]
    for (const line of live) {
      const index = rest.indexOf(line)
      expect(index).toBeGreaterThanOrEqual(0)
      rest.splice(index, 1)
    }
    expect(folded({ lines }).frames.lines).toBe(lines.length)
  }))
