// Tests what the heading of a turn says of its tokens.
import { expect, test } from "bun:test"
import { fold } from "../../src/run/fold.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { turnFacts } from "../../src/run/select/turn-facts.ts"
import { turnWords } from "../../src/transcript/turn-heading.ts"
import { event, ids } from "../run/lines.ts"

test.each([
  [{}, "1,200 in"],
  [{ "cache-read-tokens": 0 }, "1,200 in"],
  [{ "cache-read-tokens": 900 }, "1,200 in (900 cached)"],
])("a turn that used %j says its cached tokens only if there were any", (cached, words) => {
  const usage = { "input-tokens": 1200, "output-tokens": 7, ...cached }
  const run = fold(emptyRun, [
    event(1, "llm/start", { ...ids, model: "m" }, 0),
    event(2, "llm/response", { ...ids, usage }, 1500),
  ])
  const facts = turnFacts(run, 0, 1, 2000)
  expect(facts === null ? null : turnWords(facts)).toEqual(["m", "1.5s", words, "7 out"])
})
