// Reads a log of each CLI in the box as the program does, and compares what shows with what was written by hand.
import { afterEach, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ensureBoxedParsers } from "../../build/boxed-parsers.ts"
import { chooseParser, isLog, startParser } from "../../src/guest/choose-parser.ts"
import { LogConversion } from "../../src/guest/convert-log.ts"
import { decode } from "../../src/protocol/decode.ts"
import { report } from "../../src/run/select/report.ts"
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
    const { turns } = run.sessions[0] ?? {}
    const responses = frames.map(frame => JSON.parse(frame)).filter(({ event }) => event === "llm/response")
    const sum = (pick: (data: Record<string, unknown>) => unknown) =>
      responses.map(({ data }) => Number(pick(data) ?? 0)).reduce((total, count) => total + count, 0)
    expect({
      model: run.turnBuffers[0]?.model ?? null,
      turns,
      input: run.tokensIn,
      output: run.tokens,
      cached: sum(({ usage }) => (usage as Record<string, number> | undefined)?.["cached-tokens"]) || null,
      cost: Number(sum(data => data["cost-usd"]).toFixed(6)) || null,
    }).toEqual({
      model: expected.model,
      turns: expected.turns,
      input: expected.input,
      output: expected.output,
      cached: expected.cached,
      cost: expected.cost,
    })
    expect(report(run)).toMatchObject({ run: { tokens: expected.output } })
    const screen = await show({ columns: 160, rows: 40 })
    screen.feed(...frames.map(decode))
    const rows = await screen.rows()
    expect(rows[0]).toContain(`parser ${cli}`)
    if (expected.output > 0) expect(rows[0]?.replaceAll(",", "")).toMatch(figures(expected))
    expect(rows.some(row => row.includes(` ${expected.row} `))).toBe(true)
  })
})

/** The figures in the header: elapsed time, tokens in (with the cached ones that a CLI counts apart) and out. */
function figures({ durationMs, input, output }: Record<string, number>): RegExp {
  const seconds = String(Math.floor((durationMs ?? 0) / 1000)).padStart(2, "0")
  return new RegExp(`00:${seconds}  ${input} in( \\(\\d+% cached\\))?  ${output} tok`)
}

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
    expect(hint).toBe(`${command.replace("-agent", "")} shows what it does only with ${flags}`)
    expect(parser.name).toBeNull()
  })

  test("any other command is read by what its first lines tell", () => {
    expect(choice("sh", "-c", "claude")).toEqual({ type: "open", hint: null })
  })
})
