// Reads a log of each CLI in the box as the program does, and compares what shows with what was written by hand.
import { afterEach, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ensureBoxedParsers } from "../../build/boxed-parsers.ts"
import { documentOf } from "../../src/export/document.ts"
import { chooseParser, isLog, startParser } from "../../src/guest/choose-parser.ts"
import { LogConversion } from "../../src/guest/convert-log.ts"
import { SpanFold } from "../../src/otlp/span-fold.ts"
import type { TraceSpan } from "../../src/otlp/trace-span.ts"
import { decode } from "../../src/protocol/decode.ts"
import { fold } from "../../src/run/fold.ts"
import { decodePrices, noPrices } from "../../src/run/model/prices.ts"
import { emptyRun, initialRun, type Run } from "../../src/run/model/run.ts"
import { fullnessOf } from "../../src/run/select/figures.ts"
import { newRows } from "../../src/run/select/new-rows.ts"
import { report } from "../../src/run/select/report.ts"
import { textsInMemory } from "../../src/run/select/run-texts.ts"
import { root } from "../fixtures.ts"
import { endScreens, show } from "../screen/screen.tsx"
import { blocksOf, runFrom } from "./reading.ts"

/** Why the parsers are missing, where npm can't be reached: these tests are skipped then. */
const unavailable: string | null = await ensureBoxedParsers().then(
  () => null,
  error => String(error),
)
const CLIS = readdirSync(join(root, "fixtures/cli"))
  .filter(name => name.endsWith(".jsonl"))
  .map(name => name.replace(".jsonl", ""))

const scratch = mkdtempSync(join(tmpdir(), "box-"))
beforeAll(() => {
  if (unavailable !== null) process.stderr.write(`tests of the parsers in the box are skipped: ${unavailable}\n`)
})
afterEach(endScreens)
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }))

const log = (cli: string): string => join(root, "fixtures/cli", `${cli}.jsonl`)

/** The recording that a log is converted to. */
async function framesOf(path: string): Promise<readonly string[]> {
  const conversion = await LogConversion.open(path, scratch, startParser(chooseParser(undefined, scratch)), {
    grows: false,
  })
  const lines = (await Bun.file(conversion.path).text()).trimEnd().split("\n")
  conversion.close()
  return lines
}

describe.skipIf(unavailable !== null)("a log of each CLI, read without --parser", () => {
  test.each(CLIS)("%s: nothing lost, and the figures of its own result", async cli => {
    const expected = await Bun.file(log(cli).replace(".jsonl", ".expected.json")).json()
    expect(isLog(log(cli))).toBe(true)
    const frames = await framesOf(log(cli))
    const run = runFrom(frames)
    expect(run.parserWarnings).toEqual([])
    expect(blocksOf(run)).toEqual(expected.blocks)
    expect(run.sessions.map(({ sessionId }) => sessionId)).toEqual([expected.session])
    const { turns, stopReason } = run.sessions[0] ?? {}
    const { requests, modelMs } = run.ledger.total
    expect(run.status).toBe("finished")
    const responses = frames.map(frame => JSON.parse(frame)).filter(({ event }) => event === "llm/response")
    const sum = (pick: (data: Record<string, unknown>) => unknown) =>
      responses.map(({ data }) => Number(pick(data) ?? 0)).reduce((total, count) => total + count, 0)
    expect({
      model: run.turnBuffers[0]?.model ?? null,
      turns,
      requests,
      modelMs,
      stopReason,
      input: run.tokensIn,
      output: run.tokens,
      cached: sum(({ usage }) => (usage as Record<string, number> | undefined)?.["cached-tokens"]) || null,
      cost: Number(sum(data => data["cost-usd"]).toFixed(6)) || null,
    }).toEqual({
      model: expected.model,
      turns: expected.turns,
      requests: expected.requests,
      modelMs: expected.modelMs,
      stopReason: expected.stopReason,
      input: expected.input,
      output: expected.output,
      cached: expected.cached,
      cost: expected.cost,
    })
    const { input, output, cached, written } = run.ledger.total
    expect([input, output, cached || null, written || null]).toEqual([
      expected.input,
      expected.output,
      expected.cached,
      expected.written,
    ])
    const usage = { inputTokens: input, cachedTokens: cached, cacheWriteTokens: written, outputTokens: output }
    expect(report(run)).toMatchObject({ run: { tokens: expected.output, usage } })
    expect(exported(run)).toBe(toldInput(expected))
    expect(spansOf(run).filter(({ kind }) => kind === "client")).toHaveLength(expected.requests)
    const { "gen_ai.usage.input_tokens": read, "gen_ai.usage.cache_creation.input_tokens": made } = traced(run)
    expect([read, made || null]).toEqual([expected.input, expected.written])
    const screen = await show({ columns: 160, rows: 40 })
    screen.feed(...frames.map(decode))
    const rows = await screen.rows()
    expect(rows[0]).toContain(`parser ${cli}`)
    if (expected.output > 0) expect(rows[0]?.replaceAll(",", "")).toContain(figures(expected))
    expect(rows.some(row => row.includes(` ${expected.row} `))).toBe(true)
  })
})

interface Figures {
  readonly durationMs: number
  readonly input: number
  readonly output: number
  readonly cached: number
}

/** The figures in the header: elapsed time, tokens in and how many of them were cached, and tokens out. */
function figures({ durationMs, input, output, cached }: Figures): string {
  const seconds = String(Math.floor(durationMs / 1000)).padStart(2, "0")
  return `00:${seconds}  ${input} in (${Math.round((100 * cached) / input)}% cached)  ${output} tok`
}

/** The input tokens in an export's summary. */
function exported(run: Run): string | undefined {
  const document = documentOf(textsInMemory(run), {
    ...{ title: "t", session: null, picked: false, redactor: null, read: null, recall: null },
  })
  return document.facts.find(({ name }) => name === "Tokens in")?.value
}

function spansOf(run: Run): readonly TraceSpan[] {
  const fold = new SpanFold({ content: false, clean: text => text })
  return [...fold.add(run, newRows(emptyRun, run)), ...fold.close()]
}

/** The sums of all numbers that the spans of the run's model calls have. */
function traced(run: Run): Record<string, number> {
  const sums: Record<string, number> = { "gen_ai.usage.input_tokens": 0 }
  for (const { attributes } of spansOf(run)) {
    for (const [name, value] of Object.entries(attributes))
      if (typeof value === "number") sums[name] = (sums[name] ?? 0) + value
  }
  return sums
}

function toldInput({ input, cached }: Figures): string | undefined {
  return input === 0 ? undefined : `${input.toLocaleString("en-US")} (${cached.toLocaleString("en-US")} cached)`
}

describe.skipIf(unavailable !== null)("by the price file, where a CLI doesn't say what its run cost", () => {
  const perMillion = (input: number, written: number, cached: number, output: number) => ({
    input_cost_per_token: input / 1e6,
    cache_creation_input_token_cost: written / 1e6,
    cache_read_input_token_cost: cached / 1e6,
    output_cost_per_token: output / 1e6,
    // Only the sum of a run's requests is as long as this.
    input_cost_per_token_above_3k_tokens: 1e-3,
    max_input_tokens: 3000,
  })
  const prices = decodePrices(
    JSON.stringify({
      "claude-sonnet-4-5-20250929": perMillion(3, 3.75, 0.3, 15),
      "claude-haiku-4-5": perMillion(1, 1.25, 0.1, 5),
    }),
  )

  test.each([
    ["claude", /"total_cost_usd":0.06742,/, 20 * 3 + 15_302 * 3.75 + 30_056 * 0.3 + 214 * 15],
    ["pi", /"cost":\{"total":[\d.]+\}/g, 2500 * 1 + 1100 * 0.1 + 85 * 5],
  ])("%s: fresh, cached and written tokens each have their price", async (cli, cost, millionths) => {
    const path = join(scratch, `${cli}.jsonl`)
    const text = await Bun.file(log(cli)).text()
    await Bun.write(path, text.replace(cost, cli === "pi" ? '"cost":{"total":0}' : ""))
    const run = fold(initialRun({ ...emptyRun, prices: prices ?? noPrices }), (await framesOf(path)).map(decode))
    expect(run.ledger.total.nanos).toBe(Math.round(millionths * 1000))
    expect(run.findings.list.filter(({ kind }) => kind === "context" || kind === "growth")).toEqual([])
    expect(fullnessOf(run, 0)).toBeNull()
  })
})

describe("without --parser", () => {
  const choice = (...command: readonly string[]) => chooseParser(undefined, scratch, command)

  test("a command that streams is read by the parser of its name", () => {
    expect(choice("claude", "-p", "hi", "--output-format", "stream-json", "--verbose")).toEqual({
      type: "box",
      cli: "claude",
    })
    expect(choice("/opt/bin/claude", "--print", "--output-format=stream-json", "--verbose", "hi")).toMatchObject({
      cli: "claude",
    })
    expect(choice("codex", "exec", "--json", "hi")).toMatchObject({ cli: "codex" })
    expect(choice("gemini", "-p", "hi", "-o", "stream-json")).toMatchObject({ cli: "gemini" })
    expect(choice("opencode", "run", "--format", "json", "hi")).toMatchObject({ cli: "opencode" })
    expect(choice("cursor-agent", "-p", "--output-format", "stream-json", "hi")).toMatchObject({ cli: "cursor" })
    expect(choice("pi", "--mode", "json", "hi")).toMatchObject({ cli: "pi" })
    expect(choice("grok", "-p", "hi", "--output-format", "streaming-json")).toMatchObject({ cli: "grok" })
    expect(choice("kimi", "-p", "hi", "--output-format", "stream-json")).toMatchObject({ cli: "kimi" })
  })

  test.each([
    ["claude", "-p --output-format stream-json --verbose"],
    ["codex", "exec --json"],
    ["gemini", "--output-format stream-json -p"],
    ["opencode", "run --format json"],
    ["cursor-agent", "-p --output-format stream-json"],
    ["pi", "--mode json -p"],
    ["grok", "--output-format streaming-json -p"],
    ["kimi", "-p --output-format stream-json"],
  ])("%s started without them names the flags %s", async (command, flags) => {
    const parser = startParser(choice(command, "hi"))
    const [hint] = parser.takeWarnings()
    expect(hint).toBe(`start ${command.replace("-agent", "")} with ${flags} to see what it does`)
    expect(parser.name).toBeNull()
  })

  test("any other command is read by what its first lines tell", () => {
    expect(choice("sh", "-c", "claude")).toEqual({ type: "open", hint: null })
  })
})
