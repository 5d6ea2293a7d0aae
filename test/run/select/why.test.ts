// Tests what led to the turns and states of the failing run, as fixtures/failing-run/README.md tells it.
import { beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { decodeCapture } from "../../../packages/wire/src/capture.ts"
import { fold } from "../../../src/run/fold.ts"
import { rowIndex } from "../../../src/run/identity/find-by-id.ts"
import { noneRecalled } from "../../../src/run/memory/recalled-frames.ts"
import { at, emptyList, pushedAll, slice } from "../../../src/run/model/chunked-list.ts"
import { emptyRun, type Row, type Run } from "../../../src/run/model/run.ts"
import { type Captures, withCapture } from "../../../src/run/select/captures.ts"
import { sessionName } from "../../../src/run/select/figures.ts"
import { rowWords } from "../../../src/run/select/row-words.ts"
import { turnParts } from "../../../src/run/select/turn-parts.ts"
import { type Cause, causesOfRow, causesOfTurn, refsOfRow, refsOfTurn } from "../../../src/run/select/why.ts"
import { readCapture } from "../../../src/session-dir/capture-file.ts"
import { openedDirectory } from "../../captured.ts"
import { readFrames, root } from "../../fixtures.ts"
import { ReadCounter } from "../../read-counter.ts"
import { event, ids, tell } from "../lines.ts"

let run: Run
beforeAll(async () => {
  run = tell(await readFrames(join(root, "fixtures/failing-run/transcript.jsonl")))
})

const session = (name: string) => [...run.sessions.keys()].find(index => sessionName(run, index) === name) ?? -1
const turn = (name: string, number: number) =>
  causesOfTurn({ run, captures: new Map() }, { session: session(name), turn: number })

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

describe("what led to a turn", () => {
  test("compares what events reported of both turns where the capture of one is missing", () => {
    const capture = decodeCapture({ system: "Another system prompt.", messages: [], tools: [{ name: "read_file" }] })
    const captures = new Map([["nodes/coding/1/turns/0/request.edn", { capture }]])
    const { list } = causesOfTurn({ run, captures }, { session: session("coder 2"), turn: 2 })
    expect(told(list, "turn before: system prompt")).toEqual([])
    expect(told(list, "turn before: tools")).toEqual([])
    expect(told(list, "turn before: input")).toHaveLength(1)
  })

  test("tells no difference to a turn whose messages nobody told", () => {
    const look = { ...ids, content: [{ type: "tool-use", id: "t", name: "look" }] }
    const cli = tell([
      event(0, "llm/start", ids),
      event(1, "llm/response", look),
      event(2, "llm/tool-result", { ...ids, tool: "look", "content-preview": "3 note.txt" }),
      event(3, "llm/start", ids),
      event(4, "llm/response", { ...ids, content: [{ type: "text", text: "Three." }] }),
    ])
    const { list } = causesOfTurn({ run: cli, captures: new Map() }, { session: 0, turn: 2 })
    expect(told(list, "turn before: messages")).toEqual([])
  })

  test("names the request of a turn that was cut, and in a real recording that of a turn without one in it", async () => {
    expect(refsOfTurn(run, { session: session("coder 2"), turn: 3 })).toContain("nodes/coding/1/turns/2/request.edn")
    const real = tell(await readFrames(join(root, "fixtures/recordings/haiku-tournament.jsonl")))
    const poet = real.invocations.find(({ title }) => title === "poet1")?.sessions[0] ?? -1
    expect(refsOfTurn(real, { session: poet, turn: real.sessions[poet]?.turns ?? 1 })).toContain(
      "nodes/poet1/0/turns/0/request.edn",
    )
  })

  test("compares the requests of later turns by their captures, which no user's message names", async () => {
    const place = { session: session("coder 2"), turn: 2 }
    const opened = await openedDirectory(join(root, "fixtures/failing-run"))
    let captures: Captures = new Map()
    for (const ref of refsOfTurn(run, place)) captures = withCapture(captures, ref, await readCapture(opened, ref))
    const { isWhole, messages } = turnParts({ run, captures }, place)
    expect(isWhole).toBe(true)
    // The turn was asked what the first one was, and given the call and its result.
    expect(messages).toStartWith("user: Review: no test proves that a second refund is limited.")
    expect(messages).toContain("coverage/lcov.info")
    expect(messages).toContain("DA:00001,0000")
  })

  test("finds the first difference to the good visit: in the prompt, and in what the model did", () => {
    const good = told(turn("coder 2", 2).list, "coder 1: ")
    expect(good[0]).toStartWith("coder 1: messages, turn 1: ")
    expect(good[0]).toContain("Review: ")
    expect(good[1]).toStartWith("coder 1: reply, turn 1: ")
    // A session that went well has no better one.
    expect(told(turn("reviewer", 1).list, "coder")).toEqual([])
  })
})

describe("what led to a change of states", () => {
  const entering = (state: string): number => {
    for (let i = run.log.rows.length - 1; i >= 0; i--) {
      const what = at(run.log.rows, i)?.what
      if (what?.kind === "event" && what.body.type === "runner/event-processed" && what.body.entered.includes(state))
        return i
    }
    return -1
  }

  test("has the first difference to a good visit of the session that led to it", () => {
    const { list } = rowCauses(run, entering("deploying"))
    const good = told(list, "coder 1: ")
    expect(good[0]).toMatch(/^coder 1: messages, turn 1: .*Review: /)
    expect(good[1]).toStartWith("coder 1: reply, turn 1: ")
    const refs = refsOfRow(run, entering("deploying"))
    for (const visit of [0, 1]) expect(refs).toContain(`nodes/coding/${visit}/turns/0/request.edn`)
    // The deployer has no good visit.
    const failed = rowCauses(run, entering("failed"))
    expect(failed.list.filter(({ label }) => label.includes(", turn "))).toEqual([])
  })

  test("is compared where its frames have left memory, once they are read back", () => {
    const index = entering("deploying")
    const rows = slice(run.log.rows, 0, run.log.rows.length)
    const what: Row["what"] = {
      kind: "evicted",
      type: "runner/event-processed",
      name: null,
      changesState: true,
      hasSessionIds: true,
    }
    const bareRows = rows.map(row => ({ ...row, what }))
    const bare = { ...run, log: { ...run.log, rows: pushedAll(emptyList, bareRows) } }
    expect(rowCauses(bare, index).title).toBe("this row")
    const recalled = new Map(
      rows.flatMap(({ line, what: was }) => (was.kind === "event" ? [[line, was] as const] : [])),
    )
    const { list } = causesOfRow({ run: bare, captures: new Map(), recalled }, index)
    expect(told(list, "left before, and now")).toHaveLength(1)
  })

  test("is what happened before a row that changes no state: of the run's error the step and the failed tool", () => {
    let error = run.log.rows.length - 1
    while (at(run.log.rows, error)?.level !== "error") error--
    const { list } = rowCauses(run, error)
    expect(told(list, "what happened")).toEqual([expect.stringContaining("deployer refused")])
    expect(told(list, "transition")).toEqual(["transition: chart → failed from deploying  (error.invoke.deployer)"])
    expect(told(list, "failed tool")).toEqual([expect.stringMatching(/run_tests .*ENOENT/)])
    expect(told(list, "answer")).toEqual([expect.stringContaining("after 31.0s")])
  })

  test("names the latest failed tool, however many errors came after it", () => {
    const lines = [
      event(0, "llm/tool-result", { ...ids, tool: "make", "is-error": true }),
      ...Array.from({ length: 9 }, (_, i) => event(i + 1, "llm/error", { ...ids, message: `error ${i}` })),
      event(10, "runner/error", { message: "gave up" }),
    ]
    const { list } = rowCauses(tell(lines), 10)
    const labels = ["what happened", "failed tool", "and 5 more", ...Array(4).fill("error")]
    expect(list.map(({ label }) => label)).toEqual(labels)
  })

  test("names the first failure and what the model said next, however much came after them, and how much is left out", () => {
    const of = (nth: number) => ({ invokeid: "coder", "session-id": `coder.${nth}` })
    const said = (seq: number, nth: number, text: string) =>
      event(seq, "llm/response", { ...of(nth), content: [{ type: "text", text }] })
    const lines = [
      event(0, "llm/tool-result", { ...of(1), tool: "run_tests", "is-error": true, "content-preview": "ENOENT" }),
      said(1, 2, "I go on."),
      said(2, 1, "The tests passed, all good."),
      ...Array.from({ length: 8 }, (_, i) => said(i + 3, 2, `word ${i}`)),
      event(11, "llm/tool-result", { ...of(2), tool: "read_file", "is-error": true }),
      event(12, "runner/event-processed", { entered: ["deploying"], exited: ["coding"] }),
    ]
    const known = tell(lines)
    const { list } = rowCauses(known, 12)
    expect(list.map(({ label }) => label)).toEqual([
      ...["transition", "failed tool", "and 1 more", "reply", "and 4 more"],
      ...[...Array(4).fill("reply"), "failed tool"],
    ])
    const [, failed, , reply] = list
    expect([failed, reply].map(one => one?.type === "row" && one.row.order)).toEqual([0, 2])
  })
})

test("of nothing, of a run without turns and of hostile data there is something to tell or nothing, never a fault", () => {
  const bad = tell([
    event(0, "runner/event-processed", {
      entered: ["a\u001b[2J"],
      exited: ["b"],
      "event-data": { "\u202e": "\u0007" },
    }),
    event(1, "runner/event-processed", { entered: ["c"], exited: ["b"], "event-name": "\u001b]0;x\u0007" }),
  ])
  const text = JSON.stringify(rowCauses(bad, 1))
  expect(text).not.toMatch(/[\u001b\u202e\u0007]/)
  expect(rowCauses(bad, 99).list).toEqual([])
  expect(causesOfTurn({ run: bad, captures: new Map() }, { session: 0, turn: 1 }).list).toEqual([])
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
