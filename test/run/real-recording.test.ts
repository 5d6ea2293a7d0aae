// Tests the recording of a real run against figures counted by hand; runs-kept.test.ts keeps all that it tells.
import { expect, test } from "bun:test"
import { decode } from "../../packages/wire/src/decode.ts"
import { report } from "../../src/run/select/report.ts"
import { haiku } from "../fixtures.ts"
import { tell } from "./lines.ts"

test("the haiku tournament folds to the figures counted by hand", async () => {
  const told = report(tell((await Bun.file(haiku).text()).trimEnd().split("\n").map(decode)))
  const frames = { event: 56, phase: 1, prompt: 1, answer: 1, debug: 0, control: 0 }
  expect(told).toMatchObject({
    frames: { ...frames, unread: 0, duplicate: 0, missing: 0 },
    run: { firstTs: 1780798849139, lastTs: 1780798855020, tokens: 48, epochs: 1 },
    invocations: [
      { rate: 68.08, sessions: [{ tokens: 29, deltas: 28, ttftMs: 214, turns: 1, reason: "end_turn" }] },
      { rate: 61.4, sessions: [{ tokens: 17, deltas: 2, ttftMs: 20, turns: 1, reason: "end_turn" }] },
      { sessions: [{ tokens: 2, deltas: 2, ttftMs: 25, reason: "connection reset by peer (ollama)" }] },
    ],
    log: { entries: 22, errors: 2, warnings: 0 },
  })
})
