// Tests which question an event settles: fixed stories, and random ones against a model of the real agent
// (docs/contract.md section 2).
import { expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { unheardPrompts } from "../../src/run/select/figures.ts"
import { delta, event, tell } from "./lines.ts"
import { trySchedules } from "./question-schedules.ts"
import { story } from "./questions.ts"

const asks = (seq: number, kind: string, invokeid: string) => event(seq, "human-input/start", { kind, invokeid })
const states = (...lines: readonly Decoded[]) => tell(lines).prompts.map(({ state }) => state)

test("a question in a greeting whose start has left the ring is closed by what comes later, and by a full ring", () => {
  const talk = Array.from({ length: 256 }, (_, i) => delta(301 + i, "x"))
  const answered = story("greeted, from 557, answered ask x")
  expect(states(...story("attach, ask 1 -"), ...talk, ...answered)).toEqual(["answered"])
  // Older than the connection, so its end may be of a question before this one.
  const ring = [...story("join, ask 1 -"), ...talk.slice(0, -1), ...story("from 556, interrupted -")]
  expect([states(...ring), states(...ring, delta(557, "y"))]).toEqual([["open"], ["closed"]])
})

test("every question that a viewer was told is open on it until it ends, and no other (property)", () =>
  trySchedules(31, 1000))

test("of ever more questions that wait the latest are known", () => {
  const run = tell(Array.from({ length: 70 }, (_, i) => asks(i, "text", `ask ${i}`)))
  const known = [run.personWaits, unheardPrompts(run)].map(all => [all.length, all.at(-1)?.invokeid])
  expect(known).toEqual([64, 64].map(count => [count, "ask 69"]))
})
