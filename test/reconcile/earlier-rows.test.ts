// Tests that the rows of a long file, of which only the end is held, make the same run as all of them at once.
import { expect, test } from "bun:test"
import { decode } from "../../packages/wire/src/decode.ts"
import { type DecodedLine, isSameStream, RowCounter } from "../../src/reconcile/disk-rows.ts"
import { EarlierRows, EarlierRowsWriter, TranscriptTail } from "../../src/reconcile/earlier-rows.ts"
import { join } from "../../src/reconcile/join.ts"
import { liveEpochs } from "../../src/reconcile/received-rows.ts"
import { fold } from "../../src/run/fold.ts"
import { emptyRun, type Run } from "../../src/run/model/run.ts"
import { missingFrames } from "../../src/run/select/figures.ts"
import { resultOf } from "../../src/timeline/steps.ts"
import { rowsOf } from "../run/lines.ts"

const OPEN = JSON.stringify({ kind: "sidecar", at: 1, what: "link", state: "open" })
const STARTED = { "session-id": ":s", "chart-id": ":c", "resume?": false }

/** A run of `count` events, each different, as rows of the file or, with `kind`, as events of the hub. */
function rowsOfRun(name: string, count: number, more: object = {}, first = 0): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const data = index === 0 ? { ...STARTED, name } : { invokeid: name, "session-id": `${name}.${index}` }
    const event = index === 0 ? "runner/started" : "llm/start"
    return JSON.stringify({ ...more, seq: index + first, ts: 1000 + index - first, event, data })
  })
}

const told = (lines: readonly string[]): readonly DecodedLine[] => lines.map(text => ({ text, frame: decode(text) }))
const events = (run: Run) =>
  rowsOf(run).flatMap(({ what, epoch, seq }) => (what.kind === "event" ? [[epoch, seq, what.name, what.data]] : []))
/** What the log says came from disk: rows, and rows that the file lacks too. */
const fills = (run: Run) =>
  rowsOf(run)
    .flatMap(({ what }) => (what.kind === "disk" ? `${what.rows}/${what.absent}` : []))
    .join(" ")

/** Rows of a file that were only counted. */
function counted(rows: readonly string[]): EarlierRows {
  const earlier = new EarlierRows()
  for (const { frame } of told(rows)) if (frame.kind === "event") earlier.add(frame)
  return earlier
}

/** The run with the first `cut` rows of the file only counted at first. */
function foldedInTwo(live: readonly string[], file: readonly string[], cut: number): Run {
  const earlier = counted(file.slice(0, cut))
  const { lines, lead } = resultOf(join(told(live), told(file.slice(cut)), { whole: true, ahead: false, earlier }))
  if (lead === null) throw new Error(`no position, cut at ${cut}`)
  const writer = new EarlierRowsWriter(earlier, lead)
  const before = told(file).flatMap(row => (writer.isDone ? [] : writer.lines(row)))
  expect(writer.isDone).toBe(true)
  for (const { text, frame } of before) expect(frame).toEqual(decode(text))
  return fold(emptyRun, [...before.map(({ text }) => text), ...lines].map(decode))
}

test("wherever the file is cut, the run has every row of this run and of earlier ones, once and in order, and says how many", () => {
  const file = [...rowsOfRun("a", 4), ...rowsOfRun("b", 3), ...rowsOfRun("c", 20), ...rowsOfRun("d", 5)]
  const [own, next] = [rowsOfRun("c", 20, { kind: "event" }, 1), rowsOfRun("d", 5, { kind: "event" }, 1)]
  const live = [OPEN, ...own.slice(14), ...next.toSpliced(2, 1)]
  const whole = fold(emptyRun, resultOf(join(told(live), told(file), { whole: true, ahead: false })).lines.map(decode))
  expect(events(whole).map(([epoch, seq]) => `${epoch}/${seq}`)).toEqual([
    ...["0/0", "0/1", "0/2", "0/3", "1/0", "1/1", "1/2"],
    ...Array.from({ length: 20 }, (_, index) => `2/${index + 1}`),
    ...["3/1", "3/2", "3/3", "3/4", "3/5"],
  ])
  for (let cut = 1; cut <= 20; cut++) {
    const run = foldedInTwo(live, file, cut)
    expect(events(run)).toEqual(events(whole))
    expect(run.sessions.map(({ id }) => id)).toEqual(whole.sessions.map(({ id }) => id))
    expect([run.disk.epochs, missingFrames(run)]).toEqual([2, 0])
    expect(fills(run)).toBe("4/0 3/0 14/0 1/0")
  }
})

test("events that are all alike have the numbers that the hub gave them, wherever the file is cut", () => {
  const alike = (first: number, more: object = {}) =>
    Array.from({ length: 140 }, (_, index) => {
      const [event, data] = index === 0 ? ["runner/started", STARTED] : ["llm/start", { invokeid: "c" }]
      return JSON.stringify({ ...more, seq: index + first, ts: 1000 + index - first, event, data })
    })
  const live = [OPEN, ...alike(1, { kind: "event" }).slice(30)]
  for (let cut = 5; cut <= 25; cut++) {
    const run = foldedInTwo(live, [...rowsOfRun("a", 4), ...alike(0)], cut)
    expect(fills(run)).toBe("4/0 30/0")
    expect(events(run).length).toBe(144)
  }
})

test("rows that the file has lost too are counted as absent, in the same row of the log", () => {
  const file = rowsOfRun("c", 20).filter((_, index) => ![3, 4, 11].includes(index))
  const live = [OPEN, ...rowsOfRun("c", 20, { kind: "event" }, 1).slice(14)]
  expect(fills(foldedInTwo(live, file, 8))).toBe("11/3")
  const holed = live.filter((_, index) => index !== 4)
  expect(fills(foldedInTwo(holed, file, 8))).toBe("11/3 1/0")
})

test("of a long run the first events and the last are looked for in the file", () => {
  const live = [OPEN, ...rowsOfRun("c", 1600, { kind: "event" }, 1)]
  const file = rowsOfRun("c", 1600)
  const found = [file.slice(0, 9), file.slice(800, 809), file.slice(-9)].map(
    rows => !resultOf(join(told(live), told(rows), { whole: true, ahead: false })).lags,
  )
  expect(found).toEqual([true, false, true])
  // Each of the six walks gives the event loop a turn at its first of 1025 rows, and at every 128th after it.
  const steps = join(told(live.slice(1, 1026)), told(file.slice(0, 1025)), { whole: true, ahead: false })
  expect([...steps]).toHaveLength(6 * 9)
})

test("a join without a position for the events that arrived writes no earlier row", () => {
  const live = [OPEN, ...rowsOfRun("x", 5, { kind: "event" }, 1)]
  const scope = { whole: true, ahead: false, earlier: counted(rowsOfRun("c", 9)) }
  const { lead, lines } = resultOf(join(told(live), told(rowsOfRun("d", 5).slice(1)), scope))
  expect([lead, lines]).toEqual([null, live])
  // Nor does one of which an earlier epoch has none.
  const two = told([...live, ...rowsOfRun("d", 5, { kind: "event" }, 1)])
  expect(resultOf(join(two, told(rowsOfRun("d", 5)), { ...scope, earlier: new EarlierRows() })).lead).toBeNull()
})

test("a note ends the rows of each earlier run, also where those of this one follow in the join", () => {
  const file = [...rowsOfRun("a", 2), ...rowsOfRun("b", 2)]
  const lead = { shift: 3, least: 1, approximate: false, next: { rows: 0, absent: 0 } }
  const writer = new EarlierRowsWriter(counted(file), lead)
  const notes = told(file).flatMap(row =>
    writer.lines(row).map(({ text }) => /"(?:rows|epoch|seq)":\w+/.exec(text)?.[0]),
  )
  expect([new EarlierRows().isEmpty, counted(file.slice(0, 1)).isEmpty]).toEqual([true, false])
  const each = ['"rows":2', '"seq":0', '"seq":1', '"epoch":true']
  expect(notes).toEqual([...each, ...each])
})

test("the end of a file holds a bounded part of it, dropped once it is twice as long, and counts on where the earlier rows ended", () => {
  const rows = told(rowsOfRun("c", 100))
  const size = rows.reduce((sum, { text }) => sum + text.length, 0)
  const end = new TranscriptTail(size / 10, true)
  for (const row of rows) end.add([row])
  const held = end.rows.reduce((sum, { text }) => sum + text.length, 0)
  expect(held).toBeLessThanOrEqual(size / 5)
  expect(end.rows.at(-1)).toEqual(rows.at(-1) ?? fail())
  const counter = new RowCounter()
  const positions = rows.flatMap(({ frame }) => (frame.kind === "event" ? [counter.next(frame)] : []))
  const [first] = end.rows
  if (first?.frame.kind !== "event") throw new Error("expected an event")
  expect(end.earlier.counter.next(first.frame)).toEqual(positions[rows.length - end.rows.length] ?? fail())
  // Without a bound no length drops any.
  const left = [size / 2, size / 2 - 1, -1].map(most => {
    const once = new TranscriptTail(Math.abs(most), most > 0)
    once.add(rows)
    return once.rows.length
  })
  expect(left).toEqual([100, 50, 100])
})

test("a row without a number counts on, and a jump of the numbers beyond a million is none", () => {
  const counter = new RowCounter()
  const places = [null, null, 5, 1_000_006, 1_000_005, 1_000_005].map(seq => {
    const frame = decode(JSON.stringify({ event: "x", ...(seq !== null && { seq }), data: {} }))
    return frame.kind === "event" ? counter.next(frame) : fail()
  })
  const all = places.map(({ place, number, begins }) => `${place} ${number}${begins ? " begins" : ""}`)
  expect(all).toEqual(["0 0 begins", "1 1", "5 5", "6 1000006", "7 1000005 begins", "8 1000005 begins"])
})

test("a delta stands for others of its session, its agent and its kind alone", () => {
  const stream = (data: object) => {
    const frame = decode(
      JSON.stringify({ event: "llm/delta", seq: 1, data: { invokeid: "a", "session-id": "s", text: "x", ...data } }),
    )
    return frame.kind === "delta" ? frame : fail()
  }
  const others = [{ text: "y" }, { invokeid: "b" }, { "session-id": "t" }, { type: "thinking-delta" }]
  expect(others.map(other => isSameStream(stream({}), stream(other)))).toEqual([true, false, false, false])
})

test("a number far below the latest begins another epoch", () => {
  const at = (seq: number) => JSON.stringify({ kind: "event", seq, ts: seq, event: "llm/start", data: { n: seq } })
  const epochs = (first: number) => resultOf(liveEpochs(told([at(131_100), at(first)]))).length
  expect([epochs(29), epochs(28)]).toEqual([1, 2])
})

function fail(): never {
  throw new Error("expected a row")
}
