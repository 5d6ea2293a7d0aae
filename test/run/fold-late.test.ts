// Tests that an event which comes late, when its session is in a later turn, corrects what its own turn has used.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { fold } from "../../src/run/fold.ts"
import { fromDelta, toDelta } from "../../src/run/memory/delta-snapshot.ts"
import { emptyRun, type Run } from "../../src/run/model/run.ts"
import { accountOfTurn } from "../../src/run/open-replies.ts"
import { turnFacts } from "../../src/run/select/turn-facts.ts"
import { usageReport } from "../../src/run/select/usage.ts"
import { forAll } from "../for-all.ts"
import { delta, event, ids } from "./lines.ts"

/** What a person is told of a run's tokens and money, in the header, the ledger, the transcript and by `fold`. */
function figures(run: Run) {
  const { sessions } = run
  const { tokens, ledger } = run.facts
  const turns = Array.from({ length: sessions[0]?.turns ?? 0 }, (_, i) => i + 1)
  return {
    tokens,
    ledger,
    sessions: sessions.map(({ account, totalUsage, failedTools, truncatedReplies }) => {
      return { account, totalUsage, failedTools, truncatedReplies }
    }),
    accounts: turns.map(turn => accountOfTurn(run, 0, turn)),
    facts: turns.map(turn => ({ ...turnFacts(run, 0, turn, 0), ms: null })),
    spent: run.turnBuffers.map(({ turn, tokens }) => turn.spentBefore + tokens),
  }
}

const usage = { "input-tokens": 100, "cached-tokens": 40, "output-tokens": 7, "cost-usd": 0.25 }
const reply = (seq: number, more: object = {}) => event(seq, "llm/response", { ...ids, usage, ...more })
const start = (seq: number, more: object = {}) => event(seq, "llm/start", { ...ids, model: "m", ...more })

describe("a late event of an earlier turn", () => {
  test("corrects a turn that has long been packed", () => {
    const lines = [start(1), delta(2, "a"), reply(3)]
    for (let seq = 4; seq < 400; seq += 2) lines.push(start(seq), reply(seq + 1))
    const late = [...lines.slice(0, 2), ...lines.slice(3), ...lines.slice(2, 3)]
    expect(figures(fold(emptyRun, late))).toEqual(figures(fold(emptyRun, lines)))
    const free = reply(2, { usage: { "output-tokens": 0 } })
    expect(fold(emptyRun, [start(1), start(3), free]).sessions[0]?.totalUsage.output).toBe(0)
  })

  test("leaves a moment before it as it was then", () => {
    const before = fold(emptyRun, [start(1), delta(2, "a"), start(4), reply(5), start(6)])
    const after = fold(before, [reply(3), delta(7, "b"), reply(8)])
    for (const later of [after, fold(before, [event(3, "llm/retry", ids)])])
      expect(figures(fromDelta(toDelta(before), later))).toEqual(figures(before))
    expect(figures(fromDelta(toDelta(after), fold(after, [start(9)])))).toEqual(figures(after))
  })

  test("says the same as one that came in time, whatever it is (property)", async () => {
    const turn = fc.record({
      deltas: fc.nat(3),
      replies: fc.array(fc.record({ "input-tokens": fc.nat(900), "output-tokens": fc.nat(90) }), { maxLength: 1 }),
      stop: fc.constantFrom("end_turn", "max_tokens"),
      whole: fc.boolean(),
      retries: fc.nat(1),
      source: fc.constantFrom("live", "captured"),
    })
    const run = fc.array(turn, { minLength: 2, maxLength: 40 })
    await forAll([run, fc.nat()], 200, (turns, chosen) => {
      const lines: Decoded[] = []
      const movable: number[] = []
      const add = (name: string, data: object, canMove = true) => {
        if (canMove) movable.push(lines.length)
        lines.push(event(lines.length + 1, name, { ...ids, ...data }))
      }
      turns.forEach(({ deltas, replies, retries, stop, whole, source }, i) => {
        add("llm/start", { model: "m", "replay/source": source }, false)
        const isPast = i < turns.length - 1
        if (retries > 0) add("llm/retry", { attempt: 1 }, isPast)
        // The first delta stays, so that the reply begins when it began; a response ends what deltas may tell.
        for (let n = 0; n <= deltas; n++)
          add("llm/delta", { text: "a", whole }, isPast && n > 0 && replies.length === 0)
        if (retries > 0) add("llm/tool-result", { tool: stop, "is-error": deltas > 1, "elapsed-ms": 5 }, isPast)
        for (const one of replies) add("llm/response", { usage: one, "stop-reason": stop }, isPast)
      })
      const from = movable[chosen % Math.max(1, movable.length)]
      if (from === undefined) return
      const late = [...lines.slice(0, from), ...lines.slice(from + 1), ...lines.slice(from, from + 1)]
      expect(figures(fold(emptyRun, late))).toEqual(figures(fold(emptyRun, lines)))
      expect(usageReport(fold(emptyRun, late).facts.ledger.total)).toEqual(
        usageReport(fold(emptyRun, lines).facts.ledger.total),
      )
    })
  })
})
