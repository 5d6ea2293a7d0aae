// Keeps what filters mean in a run that has nearly everything: how each is read, what it matches, and where it becomes true.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { decode } from "../../../packages/wire/src/decode.ts"
import { isFrame } from "../../../packages/wire/src/frame.ts"
import { asksEvent, asksFold, asksSpan } from "../../../src/query/filter/event-facts.ts"
import { wordsIn } from "../../../src/query/filter/filter.ts"
import { readTyped } from "../../../src/query/filter/parse.ts"
import { compile, type Predicate } from "../../../src/query/filter/predicate.ts"
import { print } from "../../../src/query/filter/print.ts"
import { foldInSteps, newHit } from "../../../src/query/fold-with-breakpoints.ts"
import { type JumpKind, jump } from "../../../src/query/jump.ts"
import { hasRow } from "../../../src/run/log.ts"
import { allPacked } from "../../../src/run/memory/pack-rows.ts"
import { withRecalledFrame } from "../../../src/run/memory/recalled-frames.ts"
import { emptyRun, type Row, type Run } from "../../../src/run/model/run.ts"
import { fixture, root } from "../../fixtures.ts"
import { rowsOf } from "../../run/lines.ts"

const lines = (await Bun.file(fixture("tea")).text()).split("\n").map(decode)
/** The run after each step; a filter of its lines is true from there on. */
const steps = [...foldInSteps(emptyRun, lines)]
const run = steps.at(-1)?.after ?? emptyRun
/** The same run once no frame of its rows is in memory. */
const packed: Run = { ...run, log: { ...run.log, rows: allPacked(run.log.rows, run) } }

const TEXTS = (await Bun.file(join(root, "fixtures/scripts/filters.txt")).text()).trimEnd().split("\n")

/** An event tells the same by its frame alone, and by its name alone, unless it says that they can't tell. */
function agree(predicate: Predicate, row: Row): void {
  const { what } = row
  if (what.kind !== "event") return
  const told = predicate.event(run, what)
  if (told !== null) expect([row.line, told]).toEqual([row.line, predicate.row(run, row) === true])
  const named = predicate.name(what.name)
  if (named !== null) expect([what.name, named]).toEqual([what.name, told === true])
}

/** The types of events that must be read back, whose frames have left memory; all else is as it was. */
function openIn({ row: matches }: Predicate): string {
  const before = rowsOf(run)
  const open = rowsOf(packed).flatMap((row, i) => {
    const told = matches(packed, row)
    if (told !== null)
      expect([row.line, told]).toEqual([row.line, before.slice(i, i + 1).some(one => matches(run, one))])
    return told === null && row.what.kind === "evicted" ? [row.what.type] : []
  })
  const types = [...new Set(open)].sort()
  return types.length > 9 ? `${open.length} rows` : types.join(" ")
}

function pictured(text: string): string {
  const read = readTyped(text)
  if ("error" in read) {
    const { at, length, message } = read.error
    return `«${text.slice(at, at + length)}» at ${at}: ${message}`
  }
  const { filter } = read
  const predicate = compile(filter, 0)
  const of = rowsOf(run).flatMap(row => (predicate.row(run, row) === true ? [row.line + 1] : []))
  for (const row of rowsOf(run)) agree(predicate, row)
  const frames = lines.flatMap((frame, i) => {
    const isRow = frame.kind === "event" && hasRow(frame)
    return isFrame(frame) && !isRow && predicate.frame(run, frame) ? [i + 1] : []
  })
  const undecided = rowsOf(run).flatMap(row => (predicate.row(run, row) === null ? [row.line + 1] : []))
  const lost = rowsOf(packed).filter(row => {
    return predicate.row(packed, withRecalledFrame(row, new Map([[row.line, null]]))) !== false
  })
  const sessions = [...run.sessions.keys()].filter(index => predicate.session(run, index))
  const hits = steps.flatMap(step => {
    const hit = step.isNote ? null : newHit({ key: 1, filter }, step, 0)
    const { count = 0, sessions = [] } = hit ?? {}
    return hit === null ? [] : [`${step.after.frames.lines}${count > 1 ? ` ×${count}` : ""} (${sessions})`]
  })
  const asks = {
    fold: asksFold,
    span: asksSpan,
    event: asksEvent,
    "no delta": () => predicate.name("llm/delta") === false,
  }
  const asked = Object.entries(asks).flatMap(([what, test]) => (test(filter) ? [what] : []))
  const told = [
    ["read as", print(filter)],
    ["asks for", [...asked, ...wordsIn(filter)].join(", ")],
    ["rows of the lines", of.join(" ")],
    ["frames without a row of the lines", frames.join(" ")],
    ["undecided", undecided.join(" ")],
    ["undecided without their frames", openIn(predicate)],
    ["rows if no frame can be read", lost.length === of.length ? "" : String(lost.length)],
    ["sessions at the end", sessions.join(" ")],
    ["the run at the end", String(predicate.run(run))],
    ["becomes true after line (of sessions)", hits.join(", ")],
  ]
  return told.flatMap(([name, words]) => (words === "" ? [] : [`${name}: ${words}`])).join("\n")
}

test.each(TEXTS)("%s", text => {
  expect(pictured(text)).toMatchSnapshot()
})

test("jumps from row to row, by kind and direction", () => {
  const rows = rowsOf(run)
  const told = (run: Run) =>
    (["error", "warning", "state", "prompt", "turn"] as const satisfies readonly JumpKind[]).flatMap(kind =>
      ([1, -1] as const).map(direction => {
        const path: number[] = []
        let at = jump(run, kind, direction, direction === 1 ? -1 : rows.length)
        while (at !== null) {
          path.push((rows[at]?.line ?? -1) + 1)
          at = jump(run, kind, direction, at)
        }
        return `${kind} ${direction === 1 ? "forward" : "back"}: lines ${path.join(" ")}`
      }),
    )
  expect(told(run).join("\n")).toMatchSnapshot()
  expect(told(packed)).toEqual(told(run))
})
