// Tests that the ledger of a run says what it used, cost and waited for, whatever a run is asked by.
import { expect, test } from "bun:test"
import { join } from "node:path"
import fc from "fast-check"
import { decode } from "../../../packages/wire/src/decode.ts"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import { readPrices } from "../../../src/cli/option-value.ts"
import { join as joinLines } from "../../../src/reconcile/join.ts"
import { fold } from "../../../src/run/fold.ts"
import { type Account, noAccount, sumOfAccounts } from "../../../src/run/model/ledger.ts"
import { emptyRun, initialRun, type Run } from "../../../src/run/model/run.ts"
import {
  type Activity,
  activityOf,
  isAmongOpen,
  isOpenActivity,
  noTally,
  type Tally,
} from "../../../src/run/model/tally.ts"
import {
  accountOfInvocation,
  accountOfSession,
  accountOfTurn,
  ledgerOf,
  partsOfTurn,
  withClosedAccounts,
} from "../../../src/run/open-replies.ts"
import { sessionName } from "../../../src/run/select/figures.ts"
import { ledgerRows, ledgerTotal, spentTurns } from "../../../src/run/select/ledger-rows.ts"
import { report } from "../../../src/run/select/report.ts"
import { resultOf } from "../../../src/timeline/steps.ts"
import { haiku, readFrames, root } from "../../fixtures.ts"
import { forAll } from "../../for-all.ts"
import { event, ids, line, tell } from "../lines.ts"
import { row } from "../rows.ts"

const failing = join(root, "fixtures/failing-run")
const prices = readPrices(join(failing, "prices.json"))
const truth = await Bun.file(join(failing, "truth.json")).json()
const frames = await readFrames(join(failing, "transcript.jsonl"))
const run = fold(initialRun({ prices }), frames)

/** The figures of an account that the truth tells, which is in dollars. */
function told(account: Account | undefined, expected: object): object {
  const known = { ...account, dollars: (account?.nanos ?? Number.NaN) / 1e9 }
  return Object.fromEntries(Object.entries(known).filter(([key]) => key in expected))
}

function sessionNamed(name: string): number {
  return run.sessions.findIndex((_, index) => sessionName(run, index) === name)
}

test("the haiku tournament folds to the figures counted by hand", async () => {
  const counted = await Bun.file(join(root, "fixtures/runs/haiku-tournament.json")).json()
  expect(report(tell(await readFrames(haiku)))).toMatchObject(counted)
})

test("the failing run cost what was worked out by hand, to the last fraction of a cent", () => {
  expect(told(run.facts.ledger.total, truth.total)).toEqual(truth.total)
  expect(run.facts.tokens).toBe(truth.total.output)
})

/** Its states, models and tools each cost and waited as worked out by hand. */
function expectParts(run: Run): void {
  for (const kind of ["states", "models", "tools"] as const)
    for (const [name, expected] of Object.entries<object>(truth[kind]))
      expect({ name, ...told(run.facts.ledger[kind].get(name), expected) }).toEqual({ name, ...expected })
}

test("its states, models, tools, sessions and invocations each cost and waited as worked out by hand", () => {
  expectParts(run)
  for (const [name, expected] of Object.entries<object>(truth.sessions))
    expect({ name, ...told(run.sessions[sessionNamed(name)]?.account, expected) }).toEqual({ name, ...expected })
  for (const [name, expected] of Object.entries<object>(truth.invocations)) {
    const group = run.invocations.findIndex(({ title }) => title === name)
    const invocation = run.invocations[group]
    const account = invocation && accountOfInvocation(run, invocation)
    expect({ name, ...told(account, expected) }).toEqual({ name, ...expected })
  }
})

test("a turn with two replies counts both, a cut one the tokens that came and no cost, and each its own wait", () => {
  for (const [name, turns] of Object.entries<object[]>(truth.turns)) {
    const index = sessionNamed(name)
    const found = turns.map((expected, i) => told(accountOfTurn(run, index, i + 1), expected))
    expect(found).toEqual(turns)
  }
})

test("rows that are read from disk are charged once, beside those that arrived", async () => {
  const lines = (await Bun.file(join(failing, "transcript.jsonl")).text()).split("\n").filter(text => text !== "")
  const open = JSON.stringify({ kind: "sidecar", at: 1, what: "link", state: "open" })
  const decoded = (texts: readonly string[]) => texts.map(text => ({ text, frame: decode(text) }))
  // The lines at which the screen attached.
  for (const from of [30, 65, 140]) {
    const live = [open, ...lines.slice(from)]
    const alone = fold(initialRun({ prices }), live.map(decode))
    expect(alone.facts.ledger.total.input).toBeLessThan(truth.total.input)
    const joined = resultOf(joinLines(decoded(live), decoded(lines), { whole: true, ahead: false }))
    const filled = fold(initialRun({ prices }), joined.lines.map(decode))
    expect(told(filled.facts.ledger.total, truth.total)).toEqual(truth.total)
    expectParts(filled)
    expectSums(filled)
  }
})

test("what the agent reports is money without prices too, the other replies are counted, and nothing is a cost", () => {
  const { facts } = fold(emptyRun, frames)
  expect(facts.ledger.total).toMatchObject({ nanos: 3_100_000, unpriced: 10, input: 65_000 })
  const free = reply(1, { model: "sable-2", usage: { "input-tokens": 9000, "cost-usd": 0 } })
  expect(fold(initialRun({ prices }), [free]).facts.ledger.total).toMatchObject({ nanos: 0, priced: 1 })
  const silent = fold(emptyRun, [reply(1)])
  expect([silent, withClosedAccounts(silent)].map(one => ledgerOf(one).total.unpriced)).toEqual([0, 1])
})

const reply = (seq: number, data: object = {}) => event(seq, "llm/response", { ...ids, ...data })

/** The sum of some accounts. */
function sum(accounts: Iterable<Account>): Account {
  return [...accounts].reduce((all, one) => sumOfAccounts(all, one), noAccount)
}

function tallyOf(sessions: readonly { readonly index: number; readonly activity: Activity }[]): Tally {
  const counts = { ...noTally.counts }
  for (const { activity } of sessions) counts[activity]++
  const those = (test: (activity: Activity) => boolean) =>
    sessions.filter(({ activity }) => test(activity)).map(({ index }) => index)
  return { counts, open: those(isOpenActivity), failed: those(activity => activity === "error") }
}

/** Every way of adding a run up must give its total. */
function expectSums(run: Run): void {
  const { sessions, turnBuffers, invocations } = run
  const { total, states, models, tools, unowned } = ledgerOf(run)
  expect(sum(states.values())).toEqual(total)
  expect(sum(models.values())).toEqual(total)
  expect(ledgerTotal(run, { by: "model", session: 0, sort: null })).toEqual(total)
  const spent = sum([...spentTurns(run)].map(({ account }) => account))
  // The waits of nobody's questions are no usage.
  expect({ ...spent, humanMs: 0 }).toEqual({ ...total, humanMs: 0 })
  expect(sum([...invocations.map(one => accountOfInvocation(run, one)), unowned])).toEqual(total)
  expect(sum([...sessions.map((_, i) => accountOfSession(run, i)), unowned])).toEqual(total)
  for (const [i, { turns, account }] of sessions.entries()) {
    const first = Math.min(1, turns)
    const all = Array.from({ length: turns - first + 1 }, (_, turn) => accountOfTurn(run, i, turn + first))
    expect(sum(all)).toEqual(accountOfSession(run, i))
    expect(accountOfTurn(run, i, turns + 1)).toEqual(noAccount)
    const rows = ledgerRows(run, { by: "turn", session: i, sort: null }, 0, 9999)
    expect(sum(rows.map(({ account }) => account))).toEqual(accountOfSession(run, i))
    const parts = all.flatMap((_, turn) => [...partsOfTurn(run, i, turn + first).values()])
    expect(sum(parts)).toEqual(sum(all))
    // What is charged by now adds up too.
    const charged = turnBuffers[i]?.turn.account ?? noAccount
    expect(sum([...all.slice(0, -1), charged])).toEqual(account)
  }
  const known = sessions.map(({ epoch, invocation }, index) => {
    const [session, buffer] = [sessions[index], turnBuffers[index]]
    const activity = session === undefined || buffer === undefined ? "done" : activityOf(session, buffer)
    return { index, invocation, activity, isCounted: !isOpenActivity(activity) || epoch === run.epochs.length - 1 }
  })
  expect(run.tally).toEqual(tallyOf(known.filter(({ isCounted }) => isCounted)))
  expect(run.tallies).toEqual(invocations.map((_, i) => tallyOf(known.filter(one => one.invocation === i))))
  for (const { index } of known) expect(isAmongOpen(run.tally, index)).toBe(run.tally.open.includes(index))
  const { calls, failedCalls, toolMs } = sum(tools.values())
  expect({ calls, failedCalls, toolMs }).toEqual({
    calls: total.calls,
    failedCalls: total.failedCalls,
    toolMs: total.toolMs,
  })
}

test("of ever more models the first 256 have accounts of their own, and the others one", () => {
  const lines = Array.from({ length: 300 }, (_, i) => [
    event(2 * i, "llm/start", { ...ids, model: `m${i}` }),
    reply(2 * i + 1),
  ])
  const { models } = ledgerOf(tell(lines.flat(), initialRun({})))
  expect([models.size, [...models.keys()].at(-2), models.get("(others)")?.requests]).toEqual([257, "m255", 44])
  expect(models.get("m255")?.requests).toBe(1)
})

test("the parts of the failing run add up to it at every frame", () => {
  let so: Run = initialRun({ prices })
  for (const frame of frames) {
    so = fold(so, [frame])
    expectSums(so)
  }
})

test("the parts of any run add up to it (property)", async () => {
  const llm = ["start", "request", "response", "tool-result", "retry", "error", "worker-exit"].map(
    name => `llm/${name}`,
  )
  const name = fc.constantFrom(...llm, "runner/done")
  const usage = fc.record({ "input-tokens": fc.nat(9000), "cached-tokens": fc.nat(9000), "output-tokens": fc.nat(900) })
  const told = fc
    .record({
      name,
      usage: fc.option(usage),
      requests: fc.nat(2),
      model: fc.constantFrom("sable-2", "opal/opal-large", "unknown"),
      tool: fc.constant("t"),
    })
    .map(({ name, ...data }): Decoded => event(null, name, { ...ids, ...data, "elapsed-ms": 7 }))
  await forAll([fc.array(fc.oneof(told, row.map(line)), { maxLength: 60, size: "max" })], 200, lines => {
    const half = fold(initialRun({ prices }), lines.slice(0, lines.length / 2))
    const before = ledgerOf(half)
    const any = fold(half, lines.slice(lines.length / 2))
    expectSums(any)
    expect(ledgerOf(any).total.output).toBe(any.facts.tokens)
    // A copy of an earlier moment is worked out from the later one.
    expect(ledgerOf({ ...half })).toEqual(before)
  })
})
