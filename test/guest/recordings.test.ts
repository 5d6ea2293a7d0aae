// Reads recordings of the real agent CLIs, and compares what shows with what the model said (`bun run test:agents`).
import { describe, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { decode } from "../../packages/wire/src/decode.ts"
import { isLog } from "../../src/guest/choose-parser.ts"
import { runFindings } from "../../src/run/select/run-findings.ts"
import { framesOfLog, runOfLog } from "../../tools/agents/log-run.ts"
import { differences } from "../../tools/agents/truth.ts"
import { root } from "../fixtures.ts"
import { show } from "../screen/screen.tsx"
import { blocksOf, parserOf, printed, runOf } from "./reading.ts"

const FOLDER = join(root, "fixtures/agents")
const PRINTED = readdirSync(FOLDER).filter(name => name.endsWith(".jsonl"))

/** The beginning of an event as CLIs print it. */
const RAW = /\{"(type|role|uuid)":/

describe("what a CLI printed", () => {
  test.each(PRINTED)("%s shows what the model said, every letter and figure", async name => {
    const truth = await Bun.file(join(FOLDER, name.replace(".jsonl", ".truth.json"))).json()
    expect(isLog(join(FOLDER, name))).toBe(true)
    const run = await runOfLog(join(FOLDER, name))
    expect(differences(run, truth)).toEqual([])
    expect(run.guest.warnings).toEqual([])
    expect(runFindings(run, { reach: [] }).length > 0).toBe(truth.ends === "error")
  })

  test.each(PRINTED)("%s shows no line of JSON on the screen", async name => {
    const frames = (await framesOfLog(join(FOLDER, name))).map(decode)
    const screen = await show({ columns: 120, rows: 40 })
    expect((await screen.feed(...frames).rows()).filter(row => RAW.test(row))).toEqual([])
    const run = await runOfLog(join(FOLDER, name))
    expect(blocksOf(run).filter(block => RAW.test(block))).toEqual([])
  })

  test.each(PRINTED)("%s is the same as it comes as from its file", async name => {
    const truth = await Bun.file(join(FOLDER, name.replace(".jsonl", ".truth.json"))).json()
    const lines = (await Bun.file(join(FOLDER, name)).text()).trimEnd().split("\n")
    const run = await runOf(await parserOf(truth.cli), printed(...lines))
    expect(differences(run, { ...truth, ends: run.status })).toEqual([])
  })
})

// By the model's account of the same runs: requests and tokens of all threads, and what was cut.
test.each([
  ["claude-2.1.197", "finished", { requests: 9, input: 20_022, cached: 14_200, written: 5010, output: 186, calls: 6 }],
  ["codex-0.169.0", "error", { input: 13_220, cached: 9600, output: 73, reasoning: 5, calls: 2, failedCalls: 1 }],
  ["gemini-0.61.0", "finished", { requests: 2, input: 6310, cached: 3000, output: 42, reasoning: 3 }],
  ["kimi-2.1.0", "finished", { requests: 1, input: 3100, written: 3000, output: 12 }],
  // Its cut reply of 5,000 in and 1 out is counted in the file.
  ["pi-0.73.1", "finished", { requests: 7, input: 23_720, cached: 17_700, output: 269, calls: 4, failedCalls: 1 }],
] as const)("a session file of %s shows all requests once, with their times", async (name, status, total) => {
  const run = await runOfLog(join(FOLDER, "sessions", `${name}.jsonl`))
  expect(run.status).toBe(status)
  expect(run.facts.ledger.total).toMatchObject(total)
  expect((run.lastTs ?? 0) - (run.firstTs ?? 0)).toBeGreaterThan(100)
})
