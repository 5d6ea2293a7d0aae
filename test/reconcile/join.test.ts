// Tests how rows on disk are joined with received frames.
import { describe, expect, test } from "bun:test"
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
import { ids, logOf, rowsOf, tell } from "../run/lines.ts"

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
const joined = (
  live: readonly string[],
  disk: readonly string[],
  ahead = false,
): Omit<Joined, "reaches" | "lags" | "lead"> & ReturnType<typeof filledIn> => {
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

describe("a late attach", () => {
  const lines = onLine(STORY)
  const late = [OPEN, ...lines.slice(5)]
  test("gets the earlier frames once, by the hub's numbers", () => {
    const result = joined(late, onDisk(STORY))
    expect(result).toMatchObject({ rows: 5, absent: 0, approximate: false, kept: 0 })
    const run = tell(result.lines.map(decode))
    expect(logOf(run)[0]).toBe("disk 5, 0 absent")
    expect(events(run)).toEqual(events(folded({ lines })))
    expect(texts(run)).toEqual(texts(folded({ lines })))
    expect(missingFrames(run)).toBe(0)
  })
  test("reports frames that the disk has lost too", () => {
    const disk = onDisk(STORY).filter((_, index) => index !== 2 && index !== 3)
    const run = tell(joined(late, disk).lines.map(decode))
    expect(logOf(run).slice(0, 2)).toEqual(["disk 3, 2 absent", "runner/started"])
    expect(missingFrames(run)).toBe(2)
  })
  test("puts the attachment's own frames after older ones", () => {
    const phase = JSON.stringify({ kind: "phase", ts: 2000, config: ["now"] })
    const prompt = JSON.stringify({ kind: "prompt", "prompt-id": "p#1", invokeid: "p", type: "text", opts: {} })
    const answered: Happened = ["human-input/answer", { kind: "text", invokeid: "p", answer: "to an earlier question" }]
    const story = [...STORY.slice(0, 2), answered, ...STORY.slice(2)]
    const run = folded(joined([OPEN, phase, prompt, ...onLine(story).slice(6)], onDisk(story)))
    expect(run.prompts.map(({ state }) => state)).toEqual(["open"])
  })
  test("puts frames lost after an attachment after the ones it repeated", () => {
    const prompt = JSON.stringify({ kind: "prompt", "prompt-id": "p#1", invokeid: "p", type: "text", opts: {} })
    const answered: Happened = ["human-input/answer", { kind: "text", invokeid: "p", answer: "this very question" }]
    const story = [...STORY.slice(0, 4), answered, ...STORY.slice(4)]
    const [lines, asked] = [onLine(story), onLine(story).slice(0, 4)]
    // The second attachment brings the question and the ring again; the answer to it is lost.
    const live = [OPEN, prompt, ...asked, OPEN, prompt, ...asked, ...lines.slice(5)]
    const run = folded(joined(live, onDisk(story)))
    expect(run.prompts.map(({ state }) => state)).toEqual(["answered"])
  })
  test("recognizes rows of an earlier run in the same file", () => {
    const first = onDisk([STORY[0] ?? ["runner/started", {}], ["runner/aborted", { reason: "killed" }]])
    const run = folded(joined(late, [...first, ...onDisk(STORY)]))
    expect(run.epochs.length).toBe(2)
    expect(run.status).toBe("finished")
    expect(logOf(run).slice(0, 5)).toEqual([
      "disk 2, 0 absent",
      "runner/started",
      "runner/aborted",
      "disk 5, 0 absent",
      "runner/started",
    ])
  })
  test("keeps the ids of sessions, whatever runs precede theirs in the file", () => {
    const first = onDisk([STORY[0] ?? ["runner/started", {}], ["runner/aborted", { reason: "killed" }]])
    const before = folded({ lines: late })
    for (const rows of [onDisk(STORY), [...first, ...onDisk(STORY)], [...first, ...first, ...onDisk(STORY)]]) {
      const names = folded(joined(late, rows)).sessions.map(({ id }) => id)
      expect(names).toEqual(expect.arrayContaining(before.sessions.map(({ id }) => id)))
    }
    expect(folded(joined(late, [...first, ...first, ...onDisk(STORY)])).disk.epochs).toBe(2)
  })
})

describe("a join while the connection is down", () => {
  const lines = onLine(STORY)
  test("adds what the file has beyond the last event, and repeats have no effect", () => {
    const result = joined([OPEN, ...lines.slice(0, 6)], onDisk(STORY), true)
    expect(result).toMatchObject({ rows: 4, absent: 0, kept: 7 })
    const run = folded(result)
    expect(texts(run)).toEqual(texts(folded({ lines })))
    expect(texts(fold(run, [OPEN, ...lines].map(decode)))).toEqual(texts(run))
    const back = joined([...result.lines, OPEN, ...lines.slice(3)], onDisk(STORY))
    expect(back.rows).toBe(0)
    expect(events(folded(back))).toEqual(events(folded({ lines })))
  })
  test("is the file alone if nothing was received", () => {
    const before = onDisk(STORY.slice(0, 3))
    const run = folded(joined([], [...before, ...onDisk(STORY)], true))
    expect(run.epochs.length).toBe(2)
    expect(events(run).slice(-4)).toEqual(events(folded({ lines })))
    const late = folded(joined([...joined([], onDisk(STORY), true).lines, OPEN, ...lines.slice(5)], onDisk(STORY)))
    expect(events(late)).toEqual(events(folded({ lines })))
  })
  test("adds nothing if there is nothing", () => {
    expect(joined([], [], true)).toEqual({ lines: [], kept: 0, rows: 0, absent: 0, approximate: false })
  })
})

test("a join of a run whose beginning is joined already adds only what follows", () => {
  const lines = onLine(STORY)
  const live = [...lines.slice(4, 6), ...lines.slice(8)]
  const part = { whole: false, ahead: false }
  const { lines: all, reaches } = join(decoded(live), decoded(onDisk(STORY).slice(4)), part)
  expect(reaches).toBe(true)
  expect(join(decoded(live), decoded(onDisk(STORY).slice(5)), part).reaches).toBe(false)
  expect(join(decoded(live), [], part).reaches).toBe(false)
  expect(logOf(folded({ lines: [OPEN, ...lines.slice(0, 4), ...all] }))).toEqual([
    "runner/started",
    "llm/start",
    "disk 2, 0 absent",
    "llm/worker-exit",
    "runner/done",
  ])
})

describe("a gap joined with the disk", () => {
  const lines = onLine(STORY)
  test("is none if a coalesced delta explains it, whose text comes once", () => {
    const seven = JSON.stringify({
      kind: "event",
      seq: 8,
      ts: 1008,
      event: "llm/delta",
      data: { ...say("one two three four five six")[1], coalesced: 6 },
    })
    const live = [OPEN, ...lines.slice(0, 2), seven, ...lines.slice(8)]
    const result = joined(live, onDisk(STORY))
    expect(result).toEqual({ lines: live, kept: live.length, rows: 0, absent: 0, approximate: false })
    const dropped = joined([OPEN, ...lines.slice(0, 1), seven, ...lines.slice(8)], onDisk(STORY))
    expect(dropped).toMatchObject({ rows: 1, absent: 0, approximate: false })
    expect(texts(folded(dropped))).toEqual(texts(folded({ lines })))
  })
  test("keeps its rows, also beside a coalesced delta whose parts are not those on disk", () => {
    const three = { ...say("one 2 three ")[1], coalesced: 3 }
    const merged = JSON.stringify({ kind: "event", seq: 5, ts: 1005, event: "llm/delta", data: three })
    const result = joined([OPEN, ...lines.slice(0, 2), merged, ...lines.slice(8)], onDisk(STORY))
    expect(result).toMatchObject({ rows: 3, absent: 0, approximate: true })
    expect(texts(folded(result)).map(([, said]) => said)).toEqual([["text: one 2 three four five six"]])
  })
  test("is left to the connection if it is at the end", () => {
    const live = [OPEN, ...lines.slice(0, 6)]
    expect(joined(live, onDisk(STORY))).toMatchObject({ rows: 0, lines: live })
  })
  test("is closed at the right place, though a late repeat closed it at the wrong one", () => {
    const live = [OPEN, ...lines.slice(0, 4), ...lines.slice(5), OPEN, ...lines]
    const run = folded(joined(live, []))
    expect(missingFrames(run)).toBe(0)
    const again = joined(live, onDisk(STORY))
    expect(again.rows).toBe(0)
    expect(texts(folded(again))).toEqual(texts(folded({ lines })))
    expect(folded(again).frames.duplicate).toBe(lines.length - 1)
  })
  test("is filled too in an epoch that ended while disconnected", () => {
    const second = lines.map(text => JSON.stringify({ ...JSON.parse(text), ts: 9000 }))
    const live = [OPEN, ...lines.slice(0, 5), OPEN, ...second]
    const run = folded(joined(live, [...onDisk(STORY), ...onDisk(STORY)]))
    expect(run.epochs.length).toBe(2)
    expect(events(run)).toEqual([...events(folded({ lines })), ...events(folded({ lines }))])
    expect(logOf(run)).toContain("disk 5, 0 absent")
  })
})

test("an epoch of which nothing arrived is one of its own, also between two that did", () => {
  const [second, third] = ["b", "c"].map(id => STORY.map(([name, data]): Happened => [name, { ...data, error: id }]))
  const disk = [STORY, second ?? []].flatMap(onDisk)
  const live = [OPEN, ...onLine(STORY).slice(0, 6)]
  expect(folded(joined(live, disk, true)).epochs).toHaveLength(2)
  const last = onLine(third ?? []).slice(8)
  const run = folded(joined([...live, OPEN, ...last], [...disk, ...onDisk(third ?? [])]))
  expect(run.epochs).toHaveLength(3)
  const names = STORY.map(([name]) => name).filter(name => name !== "llm/delta")
  expect(events(run).map(([, name]) => name)).toEqual([names, names, names].flat())
})

test("an epoch that begins after a beginning that is joined already has its first rows itself", () => {
  const again = STORY.map(
    ([name, data], i): Happened => (name === "llm/delta" ? say(`${i} `) : [name, { ...data, again: true }]),
  )
  const live = [OPEN, ...onLine(STORY).slice(0, 6), OPEN, ...onLine(again).slice(3, 8)]
  const disk = [...onDisk(STORY), ...onDisk(again)]
  const { lines } = join(decoded(live), decoded(disk), { whole: false, ahead: false })
  expect(folded({ lines }).epochs).toHaveLength(2)
  const told = [...onLine(STORY), ...onLine(again).slice(0, 8)]
  expect(events(folded({ lines }))).toEqual(events(folded({ lines: told })))
})

test("a join with another run's transcript adds nothing", () => {
  const other = STORY.map(([name, data]): Happened => [name, { ...data, other: true }])
  const live = [OPEN, ...onLine(STORY).slice(4)]
  const result = joined(live, onDisk(other.map(([name, data]): Happened => [`x/${name}`, data])))
  expect(result).toEqual({ lines: live, kept: live.length, rows: 0, absent: 0, approximate: false })
})

test("a join of two different orders has each event once", () => {
  const disk = onDisk(STORY)
  const [fifth = "", sixth = ""] = [disk[4], disk[5]]
  const swapped = [...disk.slice(0, 4), sixth, fifth, ...disk.slice(6)].map((text, index) =>
    JSON.stringify({ ...JSON.parse(text), seq: index }),
  )
  const lines = onLine(STORY)
  const live = [OPEN, ...lines.slice(0, 4), ...lines.slice(5)]
  const run = folded(joined(live, swapped))
  expect(texts(run)).toEqual(texts(folded({ lines })))
})

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
  forAll([stories, faults, fc.nat(20), fc.nat(12)], 400, (story, kinds, attachAt, ring) => {
    const live = disturbed(story, kinds, attachAt, ring)
    const result = joined(live, onDisk(story))
    const run = folded(result)
    const whole = folded({ lines: onLine(story) })
    expect(events(run)).toEqual(events(whole))
    expect(texts(run)).toEqual(texts(whole))
    expect(run.sessions.map(({ turns }) => turns)).toEqual(whole.sessions.map(({ turns }) => turns))
    expect(missingFrames(run)).toBe(0)
    expect(result.absent).toBe(0)
    expect(joined(result.lines, onDisk(story)).lines).toEqual(result.lines)
  }))

test("a join waits for a file without the latest run", () => {
  const again = onLine([["runner/started", { again: true }]])
  const lags = (live: readonly string[]) =>
    join(decoded(live), decoded(onDisk(STORY)), { whole: true, ahead: false }).lags
  expect(lags([OPEN, ...onLine(STORY)])).toBe(false)
  expect(lags([OPEN, ...onLine(STORY), OPEN, ...again])).toBe(true)
  expect(lags([OPEN])).toBe(false)
})

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
