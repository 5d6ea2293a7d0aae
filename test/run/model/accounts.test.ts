// Tests what is counted, found and recorded of a run: its accounts, its findings and its branches.
import { expect, test } from "bun:test"
import { join } from "node:path"
import type { Branch } from "../../../packages/wire/src/frame.ts"
import { type BranchStart, withBegun, withBranch } from "../../../src/run/model/branches.ts"
import { countSessions } from "../../../src/run/model/count-sessions.ts"
import { derived } from "../../../src/run/model/derived.ts"
import * as findings from "../../../src/run/model/finding.ts"
import * as ledger from "../../../src/run/model/ledger.ts"
import { LedgerBuilder } from "../../../src/run/model/ledger-builder.ts"
import { isAmongOpen } from "../../../src/run/model/tally.ts"
import { root } from "../../fixtures.ts"
import { deepFreeze } from "../../freeze.ts"
import { event, tell } from "../lines.ts"

const { ACCOUNT_KEYS, amountOf, isEmptyAccount, isSameAccount, noAccount, sumOfAccounts } = ledger
/** A step of the story of findings, where it doesn't say otherwise. */
const STEP = { fill: 0, first: false, kind: "context" as const, why: "", turn: 1, epoch: 0, grown: "" }
/** An account with another amount at each figure. */
const marked = amountOf(Object.fromEntries(ACCOUNT_KEYS.map((key, i) => [key, i + 1])))

test("an account is added, taken back, compared and sorted by each of its figures", () => {
  const twice = amountOf(Object.fromEntries(ACCOUNT_KEYS.map((key, i) => [key, 2 * i + 2])))
  expect(sumOfAccounts(marked, marked)).toEqual(twice)
  expect(sumOfAccounts(marked, marked, -1)).toEqual(noAccount)
  for (const key of ACCOUNT_KEYS) {
    expect([key, isSameAccount(marked, { ...marked, [key]: 0 })]).toEqual([key, false])
    expect([key, isEmptyAccount(amountOf({ [key]: 1 }))]).toEqual([key, false])
  }
  const sorted = Object.entries(ledger.LEDGER_SORTS).map(([id, of]) => `${id} ${Math.round(100 * of(marked)) / 100}`)
  expect(sorted.join(", ")).toBe(
    "cost 8, input 3, cached 4, written 5, output 6, reasoning 7, requests 1, retries 2, first 1.09, models 13, tools 14, people 15, calls 16, failed 17",
  )
  expect(ledger.LEDGER_SORTS.first({ ...noAccount, firstTokenMs: 7 })).toBe(7)
})

test("a ledger has the names that came first, one account for all others, and leaves the ledger before as it was", () => {
  const base = deepFreeze(ledger.noLedger)
  expect(new LedgerBuilder(base).done()).toBe(base)
  const first = new LedgerBuilder(base)
  for (let i = 0; i < 258; i++) first.addBill({ state: `s${i}`, model: "m", account: marked }, 1)
  first.addToUnowned(marked, 1)
  const full = first.done()
  const again = new LedgerBuilder(full)
  for (const name of ["s0", "s999", "s0"]) again.addToNamed("states", name, marked, 1)
  again.addToNamed("states", "s1", marked, -1)
  again.addToNamed("tools", "t", marked, 1)
  const told = [full, again.done()].map(({ states, models, tools, unowned, total }) => {
    const named = ["s0", "s1", "s255", "s256", "(others)"].map(name => states.get(name)?.requests)
    return [
      ...named,
      states.size,
      models.get("m")?.failedCalls,
      tools.get("t")?.output,
      unowned.input,
      total.failedCalls,
    ]
  })
  expect(told.map(one => one.join(" "))).toEqual(["1 1 1  2 257 4386  3 4386", "3 0 1  3 257 4386 6 3 4386"])
  expect(again.done().models).toBe(full.models)
})

const FOUND = (await Bun.file(join(root, "fixtures/scripts/findings.jsonl")).text()).trimEnd().split("\n")

test("a finding that goes on changes its worst alone, one of the latest 64, and only so many are kept", () => {
  const { withFinding, withFirstOfKind } = findings
  let all = findings.noFindings
  const told = FOUND.map(step => {
    const { fill, first, kind, why, turn, epoch, grown, ...more }: typeof STEP = { ...STEP, ...JSON.parse(step) }
    const place = { frame: turn ?? 0, epoch, seq: null, line: 0, ts: null }
    const found = (about: string) => findings.findingOf(kind, why, place, { turn, about, ...more })
    const filled = Array.from({ length: fill }, (_, i) => found(`${i}`))
    const added = fill > 0 ? filled : [found("window")]
    const next = added.reduce((list, one) => (first ? withFirstOfKind(list, one) : withFinding(list, one, grown)), all)
    const fresh = next.list.filter(one => !all.list.includes(one)).slice(-1)
    const words = fresh.map(one => `${findings.findingWords(one)} @${one.place.frame}, ${one.size} ${one.worst?.size}`)
    const is = next === all ? "same" : `${next.list.length} and ${next.more}: ${words}`
    all = next
    return `${step} → ${is}`
  })
  expect(told.join("\n")).toMatchSnapshot()
  expect(findings.findingOf("cost", "over $1", { frame: 1, epoch: 0, seq: 1, line: 0, ts: 1 }, {})).toMatchSnapshot()
})

test("a branch is recorded once, with the point that a later report names, and begins where its session does", () => {
  const branch = (sessionId: string | null, turn?: number) =>
    ({ sessionId, parent: "p", point: turn === undefined ? null : { turn } }) as Branch
  const at = (frame: number) => ({ frame, ts: frame + 1 })
  const one = withBranch([], branch("a"), at(1))
  for (const none of [null, branch(null), branch("a")]) expect(withBranch(one, none, at(2))).toBe(one)
  const two = withBranch(withBranch(one, branch("b", 1), at(3)), branch("a", 2), at(4))
  expect(withBranch(two, branch("b", 3), at(5))).toBe(two)
  expect(withBegun(two, "c", at(6))).toBe(two)
  const told = [one, two, withBegun(two, "b", at(7))].map(all =>
    all.map(({ sessionId, branch, frame, ts }) => `${sessionId} ${branch.point?.turn} ${frame} ${ts}`).join(", "),
  )
  expect(told).toEqual(["a undefined 1 2", "a 2 1 2, b 1 3 4", "a 2 1 2, b 1 7 8"])
  const all = Array.from({ length: 257 }, (_, i) => branch(`${i}`))
  expect(all.reduce<readonly BranchStart[]>((list, one) => withBranch(list, one, at(1)), [])).toHaveLength(256)
})

test("sessions are counted by what they do, each time one of them does something else, and anew in each epoch", () => {
  const who = (id: string) => ({ invokeid: id.slice(0, 1), "session-id": id })
  const start = (seq: number, id: string) => event(seq, "llm/start", who(id))
  const exit = (seq: number, id: string) => event(seq, "llm/worker-exit", { ...who(id), reason: "done" })
  const runs = [tell([])]
  for (const lines of [
    [start(1, "a1"), start(2, "a2"), start(3, "b1")],
    [event(4, "llm/error", { ...who("a1"), message: "no" }), exit(5, "a2")],
    [start(6, "a1"), exit(7, "b1"), start(8, "b1")],
    [event(9, "llm/response", { ...who("b1"), content: [{ type: "tool_use", id: "1", name: "ls", input: {} }] })],
    [exit(10, "b1")],
    [event(1, "runner/started")],
    [start(2, "a1"), start(3, "c1")],
  ])
    runs.push(tell(lines, runs.at(-1)))
  const told = runs.map(({ tally, tallies }) =>
    [tally, ...tallies]
      .map(({ counts, open, failed }) => `${Object.values(counts).join("")} ${open}/${failed}`)
      .join(" | "),
  )
  expect(told.join("\n")).toMatchSnapshot()
  const [, first = tell([])] = runs
  expect([0, 1, 3].map(index => isAmongOpen(first.tally, index))).toEqual([true, true, false])
  const same = { ...first }
  countSessions(first, same, [0, 1, 2, 9])
  expect([same.tally, same.tallies]).toEqual([first.tally, first.tallies])
  expect(same.tallies).toBe(first.tallies)
})

test("a derived value is made again only when one of its inputs is another, or there are more or fewer", () => {
  const keep = derived<number>()
  let made = 0
  const [a, b] = [{}, {}]
  const all = [[a, 1], [a, 1], [a, 2], [a], [a, 2], [b, 2], [a, 2], [b, 2]] as const
  expect(all.map(inputs => keep(inputs, () => ++made))).toEqual([1, 1, 2, 3, 4, 5, 4, 5])
})
