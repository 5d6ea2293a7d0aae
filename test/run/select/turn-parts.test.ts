// Tests the texts that a turn is compared by.
import { expect, test } from "bun:test"
import { textsInMemory } from "../../../src/run/select/run-texts.ts"
import { reportedParts, turnParts } from "../../../src/run/select/turn-parts.ts"
import { delta, event, ids, tell } from "../lines.ts"

test("a reply that came in pieces and broke off has no line break that nobody wrote", () => {
  const words = ["a".repeat(4000), "b".repeat(4000), "c".repeat(4000)]
  const run = tell([
    event(1, "llm/start", ids),
    ...words.map((text, i) => delta(i + 2, text)),
    event(5, "llm/start", ids),
  ])
  const place = { session: 0, turn: 1 }
  expect(turnParts({ run, captures: new Map() }, place).reply).toBe(words.join(""))
  expect(reportedParts(textsInMemory(run), place).reply).toBe(words.join(""))
})
