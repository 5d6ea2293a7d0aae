// Tests how the ledger is told: what is known as money, what is not as a dash, and all of it in `fold`.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { readPrices } from "../../../src/cli/option-value.ts"
import { fold } from "../../../src/run/fold.ts"
import { noAccount } from "../../../src/run/model/ledger.ts"
import { initialRun } from "../../../src/run/model/run.ts"
import { report } from "../../../src/run/select/report.ts"
import { moneyWords } from "../../../src/run/select/usage.ts"
import { readFrames, root } from "../../fixtures.ts"

const account = (keys: object) => ({ ...noAccount, priced: 1, ...keys })

test("money is shown to the cent, amounts below a dollar further, and a plus says that some of it is unknown", () => {
  expect(moneyWords(account({ nanos: 305_320_000 }))).toBe("$0.3053")
  expect(moneyWords(account({ nanos: 305_320_000, unpriced: 1 }))).toBe("$0.3053+")
  expect(moneyWords(account({ nanos: 3_100_000 }))).toBe("$0.0031")
  expect(moneyWords(account({ nanos: 1_234_560_000_000 }))).toBe("$1,234.56")
  expect(moneyWords(account({ nanos: 0 }))).toBe("$0.00")
  // Beside sums of a dollar and more.
  expect(moneyWords(account({ nanos: 3_100_000 }), 2)).toBe("<$0.01")
  expect(moneyWords(account({ nanos: 3_100_000, unpriced: 1 }), 2)).toBe("<$0.01+")
  expect(moneyWords(account({ nanos: 5_000_000 }), 2)).toBe("$0.01")
  expect(moneyWords(account({ nanos: 20_000 }))).toBe("<$0.0001")
})

test("money of which nothing is known is none, and so is that of nothing", () => {
  expect(moneyWords(account({ priced: 0, unpriced: 3 }))).toBeNull()
  expect(moneyWords(noAccount)).toBeNull()
})

test("fold tells the usage of the failing run, its invocations, sessions and turns", async () => {
  const directory = join(root, "fixtures/failing-run")
  const prices = readPrices(join(directory, "prices.json"))
  const frames = await readFrames(join(directory, "transcript.jsonl"))
  const total = { requests: 11, retries: 1, inputTokens: 65_000, cachedTokens: 33_800, outputTokens: 2536 }
  const times = { firstTokenMs: 14_000 / 11, modelMs: 42_500, toolMs: 4740, humanMs: 31_000 }
  const usage = {
    ...{ ...total, ...times, reasoningTokens: 360, costUsd: 0.30532, unpricedReplies: 1 },
    states: [
      { state: "planning", costUsd: 0.0825 },
      { state: "coding" },
      { state: "reviewing" },
      { state: "deploying" },
    ],
    models: [
      { model: "opal/opal-large" },
      { model: "sable-2", costUsd: 0.09372 },
      { model: null },
      { model: "birch-1" },
    ],
    tools: [
      { tool: "read_file", toolCalls: 2, failedToolCalls: 0, toolMs: 500 },
      { tool: "run_tests", toolCalls: 2, failedToolCalls: 1, toolMs: 4240 },
    ],
  }
  const coder = { usage: { costUsd: 0.02391 }, turnUsage: [{ turn: 1 }, { turn: 2 }, { turn: 3, costUsd: 0.00561 }] }
  const other = { turnUsage: [{}, {}, { turn: 3, costUsd: null, unpricedReplies: 1 }, { turn: 4, costUsd: 0.0144 }] }
  expect(report(fold(initialRun({ prices }), frames))).toMatchObject({
    run: { usage },
    invocations: [{ usage: { costUsd: 0.0825 } }, { sessions: [coder, other] }, {}, {}],
  })
})
