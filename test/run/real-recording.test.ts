// Tests the recording of a real run against figures counted by hand.
import { expect, test } from "bun:test"
import { decode } from "../../packages/wire/src/decode.ts"
import { report } from "../../src/run/select/report.ts"
import { haiku } from "../fixtures.ts"
import { tell } from "./lines.ts"

test("the haiku tournament folds to the figures counted by hand", async () => {
  const lines = (await Bun.file(haiku).text()).trimEnd().split("\n").map(decode)
  expect(report(tell(lines))).toMatchObject({
    frames: { event: 56, phase: 1, prompt: 1, answer: 1, debug: 0, control: 0, unread: 0, duplicate: 0, missing: 0 },
    run: {
      status: "finished",
      reason: null,
      config: ["run", "done"],
      breadcrumb: ["run", "done"],
      siblings: [],
      firstTs: 1780798849139,
      lastTs: 1780798855020,
      finalConfig: ["run", "done"],
      tokens: 48,
      epochs: 1,
    },
    invocations: [
      {
        invokeid: "planner",
        status: "done",
        tokens: 29,
        rate: 68.08,
        sessions: [
          {
            sessionId: "session/889d14f8-d7ad-4db2-97a2-014342482237",
            status: "done",
            model: "gemma3:1b",
            tokens: 29,
            deltas: 28,
            rate: 68.08,
            ttftMs: 214,
            turns: 1,
            text: "Line 1: the word START\nLine 2: 2\nLine 3: 1\nLine 4: first snow",
            thinking: "",
            reason: "end_turn",
          },
        ],
      },
      {
        invokeid: "poet1",
        status: "done",
        tokens: 17,
        rate: 61.4,
        sessions: [{ status: "done", tokens: 17, deltas: 2, rate: 61.4, ttftMs: 20, turns: 1, reason: "end_turn" }],
      },
      {
        invokeid: "poet2",
        status: "error",
        tokens: 2,
        sessions: [
          {
            sessionId: "session/889d14f8-poet2",
            status: "error",
            tokens: 2,
            deltas: 2,
            ttftMs: 25,
            text: " snow",
            thinking: "weighing imagery",
            reason: "connection reset by peer (ollama)",
          },
        ],
      },
    ],
    prompts: [
      { promptId: "pick-winner#1", invokeid: "pick-winner", type: "select", state: "answered", value: "poet1" },
    ],
    log: { entries: 22, errors: 2, warnings: 0 },
    debug: null,
    unread: [],
  })
})
