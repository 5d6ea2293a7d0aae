// Tests what led to the turns and states of the failing run, as fixtures/failing-run/README.md tells it.
import { beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { decodeCapture } from "../../../packages/wire/src/capture.ts"
import { fold } from "../../../src/run/fold.ts"
import { rowIndex } from "../../../src/run/identity/find-by-id.ts"
import { noneRecalled } from "../../../src/run/memory/recalled-frames.ts"
import { at, emptyList, pushedAll, slice } from "../../../src/run/model/chunked-list.ts"
import { emptyRun, type Row, type Run } from "../../../src/run/model/run.ts"
import { sessionName } from "../../../src/run/select/figures.ts"
import { rowWords } from "../../../src/run/select/row-words.ts"
import { type Cause, causesOfRow, causesOfTurn } from "../../../src/run/select/why.ts"
import { readFrames, root } from "../../fixtures.ts"
import { ReadCounter } from "../../read-counter.ts"
import { event, tell } from "../lines.ts"

let run: Run
beforeAll(async () => {
  run = tell(await readFrames(join(root, "fixtures/failing-run/transcript.jsonl")))
})

const session = (name: string) => [...run.sessions.keys()].find(index => sessionName(run, index) === name) ?? -1

/** What led to the row at this index. */
const rowCauses = (run: Run, index: number) => causesOfRow({ run, captures: new Map(), recalled: noneRecalled }, index)

/** A cause in words: a row as the log has it, or what was so before and now. */
function words(cause: Cause): string {
  if (cause.type === "compared") return `${cause.label}: ${cause.before ?? "–"} => ${cause.here ?? "–"}`
  const row = at(run.log.rows, rowIndex(run, cause.row))
  if (row === undefined) return `${cause.label}: gone`
  const { source, what, text } = rowWords(run, row)
  return `${cause.label}: ${source} ${what} ${text}`
}
const told = (causes: readonly Cause[], label: string) => causes.map(words).filter(text => text.startsWith(label))

test("what led to a turn compares what events reported of both turns where the capture of one is missing", () => {
  const capture = decodeCapture({ system: "Another system prompt.", messages: [], tools: [{ name: "read_file" }] })
  const captures = new Map([["nodes/coding/1/turns/0/request.edn", { capture }]])
  const { list } = causesOfTurn({ run, captures }, { session: session("coder 2"), turn: 2 })
  expect(told(list, "turn before: system prompt")).toEqual([])
  expect(told(list, "turn before: tools")).toEqual([])
  expect(told(list, "turn before: input")).toHaveLength(1)
  const bare = { capture: decodeCapture({ system: "Another system prompt.", messages: [], tools: [] }) }
  const both = new Map([...captures, ["nodes/coding/1/turns/1/request.edn", bare]])
  const whole = causesOfTurn({ run, captures: both }, { session: session("coder 2"), turn: 2 }).list
  expect(told(whole, "turn before: tools")).toHaveLength(1)
})

test("what led to a change of states is compared where its frames have left memory, once they are read back", () => {
  const rows = slice(run.log.rows, 0, run.log.rows.length)
  const index = rows.findLastIndex(row => rowWords(run, row).what === "→ deploying")
  const gone = { name: null, changesState: true, hasSessionIds: true }
  const what: Row["what"] = { kind: "evicted", type: "runner/event-processed", ...gone }
  const bareRows = rows.map(row => ({ ...row, what }))
  const bare = { ...run, log: { ...run.log, rows: pushedAll(emptyList, bareRows) } }
  expect(rowCauses(bare, index).title).toBe("this row")
  const recalled = new Map(rows.flatMap(({ line, what: was }) => (was.kind === "event" ? [[line, was] as const] : [])))
  const { list } = causesOfRow({ run: bare, captures: new Map(), recalled }, index)
  expect(told(list, "left before, and now")).toHaveLength(1)
})

test("of a row and of a session that are not there is nothing to tell", () => {
  expect(rowCauses(run, 9999)).toEqual({ title: "", list: [] })
  expect(causesOfTurn({ run, captures: new Map() }, { session: 99, turn: 1 })).toEqual({ title: "", list: [] })
})

test("what led to a turn costs no more after ten thousand turns like those of a good visit, without a system prompt", () => {
  const readsAfter = (turns: number): number => {
    const visit = (nth: number) => {
      const who = { invokeid: "coder", "session-id": `coder.${nth}` }
      return Array.from({ length: turns }, (_, i) => [
        event(null, "llm/start", who, i),
        event(null, "llm/response", { ...who, content: [{ type: "text", text: "a word" }] }, i),
      ])
        .flat()
        .concat(event(null, "llm/worker-exit", { ...who, reason: "done" }, turns))
    }
    const known = fold(emptyRun, [...visit(0), ...visit(1)])
    const counter = new ReadCounter()
    causesOfTurn({ run: counter.wrap(known), captures: new Map() }, { session: 1, turn: turns })
    return counter.reads
  }
  // A binary search takes some more steps.
  expect(readsAfter(10_000)).toBeLessThan(1.5 * readsAfter(1000))
})
