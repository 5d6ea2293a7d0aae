// Tests that a recording whose deltas stand in another order than their numbers tells what one in order tells.
import { expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { fold } from "../../src/run/fold.ts"
import { initialRun, type Run } from "../../src/run/model/run.ts"
import { turnTextOf } from "../../src/run/select/figures.ts"
import { report } from "../../src/run/select/report.ts"
import { turnParts } from "../../src/run/select/turn-parts.ts"
import { sidecar } from "../cli/ran.ts"
import { forAll } from "../for-all.ts"
import { scratch } from "../scratch.ts"
import { delta, event, eventText, ids, tell } from "./lines.ts"

const start = event(0, "llm/start", ids)

function said(run: Run) {
  const [session, stream] = [run.sessions[0], run.turnBuffers[0]]
  return session === undefined || stream === undefined ? null : turnTextOf(session, stream)
}

test("thinking that was overtaken stays before the text", () => {
  const late = delta(1, "hm", { type: "thinking-delta" })
  const run = tell([start, delta(2, "A"), late, delta(4, "C"), delta(3, "B")])
  expect(said(run)).toMatchObject({ text: "ABC", thinking: "hm" })
  expect(turnParts({ run, captures: new Map() }, { session: 0, turn: 1 }).reply).toBe("hmABC")
})

const text = fc.constantFrom("a", "b<", "tool>", "🙂", "```\n", "x".repeat(5000))
/** The lines, some of which are up to eight places later than their numbers say. */
const shuffled = fc.array(fc.record({ text, thinks: fc.boolean() }), { minLength: 2, maxLength: 120 }).chain(deltas => {
  const delays = fc.array(fc.constantFrom(0, 0, 0, 1, 8), { minLength: deltas.length, maxLength: deltas.length })
  return delays.map(each => {
    const lines = deltas.map(({ text, thinks }, i) =>
      delta(1 + i, text, { type: thinks ? "thinking-delta" : "text-delta" }),
    )
    const order = each.map((delay, i) => ({ place: i + delay, i })).sort((a, b) => a.place - b.place || a.i - b.i)
    return { lines, order: order.flatMap(({ i }) => lines[i] ?? []) }
  })
})

test.each(["api_tool_call", "xml"] as const)(
  "however deltas overtake each other, the run is the one in order (%s)",
  strategy =>
    forAll([shuffled], 60, ({ lines, order }) => {
      const from = initialRun({ strategy })
      const [run, late] = [fold(from, [start, ...lines]), fold(from, [start, ...order])]
      expect(report(late)).toEqual(report(run))
      const parsed = ({ turnBuffers }: Run) => turnBuffers.map(({ segments }) => [segments?.parts, segments?.part])
      expect(parsed(late)).toEqual(parsed(run))
    }),
)

test("fold, search and an export read them in order", async () => {
  using directory = scratch()
  const path = join(directory.path, "r.jsonl")
  const say = (seq: number, text: string) => eventText(seq, "llm/delta", { type: "text-delta", text, ...ids })
  const rows = [eventText(0, "llm/start", ids), say(2, "oak leaf"), say(1, "the gr"), say(4, " fell"), say(3, "s")]
  writeFileSync(path, rows.map(one => `${one}\n`).join(""))
  const told = await Promise.all([
    sidecar(["fold", path], { cwd: directory.path }),
    sidecar(["search", "groak leafs", path], { cwd: directory.path }),
    sidecar(["export", path, "--as", "md"], { cwd: directory.path }),
  ])
  for (const { out } of told) expect(out).toContain("groak leafs")
})
