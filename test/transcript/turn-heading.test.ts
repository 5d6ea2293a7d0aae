// Keeps what the heading of a turn says, from wide panes to narrow ones, with the colours of what went wrong.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { noTurnFacts, type TurnFacts } from "../../src/run/select/turn-facts.ts"
import { turnLine, turnWords } from "../../src/transcript/turn-heading.ts"
import { root } from "../fixtures.ts"

const TURNS = (await Bun.file(join(root, "fixtures/scripts/turns.jsonl")).text()).trimEnd().split("\n")

test("the heading of a turn has as many facts as fit; the cached tokens go first, then the model, and no failure", () => {
  const told = TURNS.flatMap(text => {
    const { what, isNone, ...more } = JSON.parse(text)
    const usage = { ...noTurnFacts.usage, ...more.usage }
    const facts: TurnFacts | null = isNone ? null : { ...noTurnFacts, ...more, usage }
    return [
      `${what}: ${facts === null ? "" : turnWords(facts).join(" | ")}`,
      ...[70, 49, 48, 40, 24].map(columns => {
        const { spans } = turnLine(columns % 7, facts, columns)
        return spans.map(({ token, text }) => (token === "dim" ? text : `${token}(${text})`)).join("")
      }),
    ]
  })
  expect(told.join("\n")).toMatchSnapshot()
})
