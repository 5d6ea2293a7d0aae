// Converts saved logs, plain or Paperclip's, to recordings.
import { describe, expect, spyOn, test } from "bun:test"
import { appendFile, readFile, rm, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { isLog } from "../../src/guest/choose-parser.ts"
import { LogConversion } from "../../src/guest/convert-log.ts"
import { GuestParser } from "../../src/guest/guest-parser.ts"
import { LogLines } from "../../src/guest/saved-log.ts"
import { elapsed } from "../../src/run/select/figures.ts"
import { turnFacts } from "../../src/run/select/turn-facts.ts"
import { runRange } from "../../src/run/select/waterfall.ts"
import { fileScratch } from "../scratch.ts"
import { opened } from "../screen/open-screens.ts"
import { until } from "../until.ts"
import { blocksOf, guestFixture, parserOf, runFrom } from "./reading.ts"

const CLAUDE = '{"type":"control_response"}\nnpm notice\n{"type":"system","subtype":"init","tools":[]}\n'
const FRAME = '{"kind":"event","event":"runner/started","seq":1,"ts":1,"data":{}}\n'
const OLD = new Date("2026-03-01T10:00:00.000Z")

/** A log with this text, last written long ago. */
async function logOf(text: string, path = join(fileScratch(), "agent.log")): Promise<string> {
  await writeFile(path, text)
  await utimes(path, OLD, OLD)
  return path
}

/** The conversion of a log, in a directory of its own, and the run that it holds by now. */
async function converted(log: string, parser: GuestParser, extent = { grows: true }) {
  const conversion = await LogConversion.open(log, fileScratch(), parser, extent)
  opened(() => conversion.close())
  return { conversion, run: async () => runFrom((await readFile(conversion.path, "utf8")).split("\n")) }
}

describe("the lines of a log", () => {
  test("of Paperclip's log are joined from its chunks, each stream separately", async () => {
    const lines = new LogLines()
    const text = await readFile(guestFixture("run-log.ndjson"), "utf8")
    const at = (second: number, ms = 0) => Date.UTC(2026, 2, 1, 10, 0, second, ms)
    expect(
      text
        .trimEnd()
        .split("\n")
        .flatMap(line => lines.push(line)),
    ).toEqual([
      { stream: "system", text: "[paperclip] run started", ts: at(0) },
      { stream: "stdout", text: "[hermes] Session resumed: abc123", ts: at(1) },
      { stream: "stderr", text: "a warning of the shell", ts: at(2) },
      { stream: "stdout", text: "  ┊ $ ls /home/user/project", ts: at(2, 500) },
      { stream: "stdout", text: "  ┊ [done] $ ls /home/user/project — /src 0.3s", ts: at(4) },
    ])
    expect(lines.remainder()).toEqual([{ stream: "stdout", text: "The project is a CLI tool.", ts: at(5) }])
    expect(lines.remainder()).toEqual([])
  })
  test("of Paperclip's log that are damaged are shown as they are, at the time of the line before", () => {
    const lines = new LogLines()
    lines.push('{"ts":"2026-03-01T10:00:00.000Z","stream":"stdout","chunk":"a\\n","seq":0}')
    const ts = Date.UTC(2026, 2, 1, 10)
    expect(lines.push('{"ts":"2026-03')).toEqual([{ stream: "stdout", text: '{"ts":"2026-03', ts }])
  })
})

describe("a converted log", () => {
  test("of many lines lets keys and timers through", async () => {
    const log = await logOf("a line of a log\n".repeat(30_000))
    let turns = 0
    let turn = setImmediate(function next() {
      turns++
      turn = setImmediate(next)
    })
    await converted(log, new GuestParser("none", null), { grows: false })
    clearImmediate(turn)
    // A piece has 64 K, of which each line takes 128 beside its text.
    expect(turns).toBeGreaterThan((30_000 * 128) / 65_536)
  })

  test("has the run with its times, and results paired with calls", async () => {
    const parser = await parserOf(guestFixture("hermes-parser.cjs"))
    const { conversion, run } = await converted(guestFixture("run-log.ndjson"), parser)
    expect(await run()).toMatchObject({ firstTs: OLD.getTime(), lastTs: OLD.getTime() + 5000 })
    expect(blocksOf(await run())).toEqual([
      "note system: [paperclip] run started",
      "note system: [hermes] Session resumed: abc123",
      "note stderr: a warning of the shell",
      'tool-call shell: {"detail":"ls /home/user/project"}',
      "tool-result shell 1500 ms: $ ls /home/user/project — /src 0.3s",
      "text: The project is a CLI tool.",
    ])
    expect((await stat(conversion.path)).mode & 0o777).toBe(0o600)
    conversion.close()
    expect(await Bun.file(conversion.path).exists()).toBe(false)
  })

  test("of plain text has no times: nobody told when it was printed", async () => {
    const { run } = await converted(await logOf("one\ntwo without an end"), await parserOf(undefined))
    expect(blocksOf(await run())).toEqual(["text: one\ntwo without an end"])
    expect(await run()).toMatchObject({ firstTs: null, lastTs: null })
  })

  test("of which one line alone tells a time has a start, and no duration of the run, its turns or a waterfall", async () => {
    const claude = (type: string, content: object, more = {}) =>
      JSON.stringify({ type, session_id: "s", uuid: "u", message: { id: "m", content: [content] }, ...more })
    const lines = [
      claude("assistant", { type: "tool_use", id: "t", name: "Bash", input: { command: "ls" } }),
      claude("user", { type: "tool_result", tool_use_id: "t", content: "a" }, { timestamp: OLD.toISOString() }),
      JSON.stringify({ type: "result", subtype: "success", session_id: "s", uuid: "u", result: "Done." }),
    ]
    const run = await (await converted(await logOf(lines.join("\n")), await parserOf(undefined))).run()
    expect(run).toMatchObject({ status: "finished", firstTs: OLD.getTime() })
    expect(elapsed(run)).toBeNull()
    expect(turnFacts(run, 0, 1, OLD.getTime())?.ms).toBeNull()
    expect(runRange(run, null)).toBeNull()
  })

  test("grows with the log, each line read once, and starts over with a replaced log", async () => {
    const log = await logOf("one\ntw")
    // As if it were being written: its last line is incomplete.
    await utimes(log, 9e9, 9e9)
    const { conversion, run } = await converted(log, await parserOf(undefined))
    expect(await readFile(conversion.path, "utf8")).not.toContain("tw")
    await appendFile(log, "o\n")
    const says = async (last: string) => blocksOf(await run()).at(-1) === last
    await until(() => says("text: one\ntwo"))
    await logOf('{"ts":"2026-03-01T10:00:00.000Z","stream":"stdout","chunk":"3\\n"}\n', log)
    await until(() => says("text: 3"))
    expect(blocksOf(await run())).toEqual(["text: 3"])
    expect(await readFile(conversion.path, "utf8")).toMatch(/"log\/line":1[,}]/)
  })

  test("is said to be removed once it is missing at two looks, one after the other", async () => {
    const { setTimeout: later } = globalThis
    let look: (() => void) | null = null
    using _ = spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms: number) => {
      if (ms === 500) look = run
      return later(ms === 500 ? () => undefined : run, ms)
    }) as typeof setTimeout)
    const log = await logOf("one\n")
    const { conversion } = await converted(log, await parserOf(undefined))
    const removals = async (): Promise<number> => {
      const due = look
      look = null
      due?.()
      await until(() => look !== null)
      return (await readFile(conversion.path, "utf8")).split("the log was removed").length - 1
    }
    await rm(log)
    const told = [await removals()]
    await logOf("one\n", log)
    told.push(await removals())
    await rm(log)
    expect([...told, await removals(), await removals(), await removals()]).toEqual([0, 0, 0, 1, 1])
  })

  test("has the length of its run, even if rows in it are broken", async () => {
    const row = (second: number, chunk: string) =>
      JSON.stringify({ ts: new Date(Date.UTC(2026, 1, 1, 10, 0, second)).toISOString(), stream: "stdout", chunk })
    const rows = [row(0, "one\n"), '{"ts":"2026-02-01T10:00:03.000Z","str', row(6, "two\n"), '{"ts":"20']
    const { run } = await converted(await logOf(rows.join("\n")), await parserOf(undefined), { grows: false })
    const { firstTs, lastTs } = await run()
    expect((lastTs ?? 0) - (firstTs ?? 0)).toBe(6000)
  })

  test("that ends with a result is over, until more is written to it", async () => {
    const result = JSON.stringify({ type: "result", result: "Done.", usage: { output_tokens: 3 } })
    const log = await logOf(`${result}\nbye\n`)
    const { run } = await converted(log, await parserOf("@superbiche/qwen-paperclip-adapter"))
    expect((await run()).status).toBe("finished")
    await appendFile(log, `${JSON.stringify({ type: "system", subtype: "init", model: "opus" })}\n`)
    await until(async () => (await run()).status === "running")
    await appendFile(log, `${JSON.stringify({ type: "result", is_error: true, result: "no credit" })}\n`)
    await utimes(log, OLD, OLD)
    await until(async () => (await run()).status === "error")
    expect(await run()).toMatchObject({ reason: "no credit", facts: { tokens: 3 }, epochs: { length: 1 } })
  })

  test.each([
    [OLD, "aborted"],
    [9e9, "running"],
  ] as const)("of a CLI without a result that was last written at %p is %s", async (at, status) => {
    const log = await logOf(CLAUDE)
    await utimes(log, at, at)
    expect((await (await converted(log, await parserOf(undefined))).run()).status).toBe(status)
  })

  test("that can't be read rejects and leaves no file behind", async () => {
    const [directory, parser] = [fileScratch(), await parserOf(undefined)]
    await expect(LogConversion.open(join(directory, "gone.log"), directory, parser)).rejects.toThrow("ENOENT")
    expect([...new Bun.Glob("*").scanSync(directory)]).toEqual([])
  })
})

test.each([
  ["its name", "a.log", "hello\n", true],
  ["a line of a CLI that we read, though it comes after others", "a.jsonl", CLAUDE, true],
  ["a frame of the wire, which is none whatever its name", "a.ndjson", FRAME, false],
  ["another name", "c.jsonl", "hello\n", false],
])("a file is a log by %s", async (_, name, text, isOne) => {
  expect(isLog(await logOf(text, join(fileScratch(), name)))).toBe(isOne)
  expect(isLog(guestFixture("run-log.ndjson"))).toBe(true)
  expect(isLog(join(fileScratch(), "gone.log"))).toBe(false)
})
