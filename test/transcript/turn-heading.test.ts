// Keeps what the heading of a turn says, from wide panes to narrow ones, with the colours of what went wrong.
import { expect, test } from "bun:test"
import { noTurnFacts, type TurnFacts } from "../../src/run/select/turn-facts.ts"
import { turnLine, turnWords } from "../../src/transcript/turn-heading.ts"

const usage = { ...noTurnFacts.usage, input: 1200, output: 7 }
const spoken = { ...noTurnFacts, model: "oak-1", ms: 1500, usage }
const FACTS: { readonly [what: string]: TurnFacts | null } = {
  "no such turn": null,
  "nothing known": noTurnFacts,
  "a reply": spoken,
  "from a capture, with cached tokens": { ...spoken, captured: true, usage: { ...usage, cached: 900 } },
  "without output, and none cached": { ...spoken, usage: { ...usage, output: 0, cached: 0 } },
  refused: { ...spoken, stopReason: "refusal", failedTools: 1 },
  truncated: { ...spoken, stopReason: "max_tokens" },
  "tools failed": { ...spoken, usage: { ...usage, cached: 900 }, failedTools: 2 },
}

test("the heading of a turn has as many facts as fit; the cached tokens go first, then the model, and no failure", () => {
  const told = Object.entries(FACTS).flatMap(([what, facts]) => [
    `${what}: ${facts === null ? "" : turnWords(facts).join(" | ")}`,
    ...[70, 49, 48, 40, 24].map(columns => {
      const { spans } = turnLine(columns % 7, facts, columns)
      return spans.map(({ token, text }) => (token === "dim" ? text : `${token}(${text})`)).join("")
    }),
  ])
  expect(told.join("\n")).toMatchSnapshot()
})
