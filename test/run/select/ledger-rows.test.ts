// Tests the rows of the ledger: the dearest turns of a run, and every list sorted by any column.
import { describe, expect, test } from "bun:test"
import { fold } from "../../../src/run/fold.ts"
import { LEDGER_SORTS, type LedgerSort, type LedgerWay } from "../../../src/run/model/ledger.ts"
import { emptyRun, type Run } from "../../../src/run/model/run.ts"
import { ledgerLength, ledgerRows, ledgerTotal, sortOf } from "../../../src/run/select/ledger-rows.ts"
import { ReadCounter } from "../../read-counter.ts"
import { event } from "../lines.ts"

/** Sessions a and b take turns in turn; turn i of all costs `dollars[i]` cents and has i + 1 output tokens. */
function runOf(cents: readonly number[]): Run {
  const lines = cents.flatMap((cent, i) => {
    const who = { invokeid: i % 2 === 0 ? "a" : "b", "session-id": "s", model: `m${i % 3}` }
    const usage = { "input-tokens": 10 * i, "output-tokens": i + 1, "cost-usd": cent / 100 }
    return [event(2 * i, "llm/start", who), event(2 * i + 1, "llm/response", { ...who, usage, content: [] })]
  })
  return fold(emptyRun, lines)
}

function names(run: Run, by: LedgerWay, sort: LedgerSort | null, session = 0): readonly string[] {
  const list = { by, session, sort }
  const rows = ledgerRows(run, list, 0, ledgerLength(run, list))
  const figure = LEDGER_SORTS[sortOf(list) ?? "cost"]
  return rows.map(({ name, account }) => `${name} ${figure(account)}`)
}

describe("the ledger's rows", () => {
  const run = runOf([3, 9, 7, 0, 5])

  test("by any turn are the dearest of all sessions first, and lead to them", () => {
    expect(names(run, "any turn", null)).toEqual([
      ...["b · turn 1 90000000", "a · turn 2 70000000", "a · turn 3 50000000", "a · turn 1 30000000"],
    ])
    const [first] = ledgerRows(run, { by: "any turn", session: 0, sort: null }, 0, 1)
    expect(first?.of).toEqual({ session: 1, turn: 1 })
    const totals = [1, 9].map(session => ledgerTotal(run, { by: "turn", session, sort: null })?.requests)
    expect(totals).toEqual([2, undefined])
    const served = fold(emptyRun, [event(1, "llm/start", { "session-id": "s", "replay/source": "captured" })])
    expect(ledgerRows(served, { by: "turn", session: 0, sort: null }, 0, 1)[0]?.aside).toBe("from a capture")
    const leadOf = (by: LedgerWay) => ledgerRows(run, { by, session: 0, sort: null }, 1, 1).map(({ of }) => of)
    expect((["invocation", "session", "model"] as const).flatMap(leadOf)).toEqual([
      null,
      { session: 1, turn: null },
      null,
    ])
  })

  test("are sorted by any column, the largest first", () => {
    expect(names(run, "turn", "output")).toEqual(["turn 3 5", "turn 2 3", "turn 1 1"])
    expect(names(run, "turn", "output", 1)).toEqual(["turn 2 4", "turn 1 2"])
    expect(ledgerLength(run, { by: "turn", session: 1, sort: "cost" })).toBe(1)
    expect(names(run, "session", "input")).toEqual(["a 60", "b 40"])
    expect(names(run, "session", "requests")).toEqual(["a 3", "b 2"])
    expect(names(run, "model", "cost")).toEqual(["m1 140000000", "m2 70000000", "m0 30000000"])
    expect(names(run, "model", null).map(name => name.slice(0, 2))).toEqual(["m0", "m1", "m2"])
  })

  test("find the dearest of 10,000 turns among hundreds of packed ones, and after a frame without reading all again", () => {
    const cents = Array.from({ length: 10_000 }, (_, i) => (i * 7919) % 10_007)
    const long = runOf(cents)
    const dearest = cents.toSorted((a, b) => b - a).slice(0, 100)
    const figures = ledgerRows(long, { by: "any turn", session: 0, sort: "cost" }, 0, 100)
    expect(figures.map(({ account }) => account.nanos / 1e7)).toEqual(dearest)
    const counter = new ReadCounter()
    const readsOf = (state: Run) => {
      const before = counter.reads
      ledgerRows(counter.wrap(state), { by: "any turn", session: 0, sort: "output" }, 0, 3)
      return counter.reads - before
    }
    expect(readsOf(long)).toBeGreaterThan(10_000)
    expect(readsOf({ ...long, sessions: long.sessions.map(session => ({ ...session })) })).toBeLessThan(2000)
  })
})
