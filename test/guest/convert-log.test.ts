// Converts saved logs, plain or Paperclip's, to recordings.
import { describe, expect, test } from "bun:test"
import { appendFile, readFile, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { chooseParser, isLog, startParser } from "../../src/guest/choose-parser.ts"
import { LogConversion } from "../../src/guest/convert-log.ts"
import { GuestParser } from "../../src/guest/guest-parser.ts"
import { LogLines } from "../../src/guest/saved-log.ts"
import { elapsed } from "../../src/run/select/figures.ts"
import { turnFacts } from "../../src/run/select/turn-facts.ts"
import { runRange } from "../../src/run/select/waterfall.ts"
import { scratch } from "../scratch.ts"
import { until } from "../until.ts"
import { blocksOf, guestFixture, parserOf, runFrom } from "./reading.ts"

const OLD = new Date("2026-03-01T10:00:00.000Z")

async function inDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  using directory = scratch()
  return await work(directory.path)
}

/** A log with this text, last written long ago. */
async function logOf(directory: string, text: string): Promise<string> {
  const path = join(directory, "agent.log")
  await writeFile(path, text)
  await utimes(path, OLD, OLD)
  return path
}

async function runIn(path: string) {
  return runFrom((await readFile(path, "utf8")).split("\n"))
}

describe("the lines of a log", () => {
  test("of a plain log have no time", () => {
    const lines = new LogLines()
    expect(lines.push("a")).toEqual([{ stream: "stdout", text: "a", ts: null }])
    expect(lines.push('{"n":1}')).toEqual([{ stream: "stdout", text: '{"n":1}', ts: null }])
    expect(lines.remainder()).toEqual([])
  })
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
  test("of many lines lets keys and timers through", () =>
    inDirectory(async directory => {
      const log = await logOf(directory, "a line of a log\n".repeat(30_000))
      let turns = 0
      let turn = setImmediate(function next() {
        turns++
        turn = setImmediate(next)
      })
      const conversion = await LogConversion.open(log, directory, new GuestParser("none", null), { grows: false })
      clearImmediate(turn)
      conversion.close()
      // A piece has 64 K, of which each line takes 128 beside its text.
      expect(turns).toBeGreaterThan((30_000 * 128) / 65_536)
    }))
  test("has the run with its times, and results paired with calls", () =>
    inDirectory(async directory => {
      const parser = await parserOf(guestFixture("hermes-parser.cjs"))
      const conversion = await LogConversion.open(guestFixture("run-log.ndjson"), directory, parser)
      const run = await runIn(conversion.path)
      expect(run).toMatchObject({ firstTs: OLD.getTime(), lastTs: OLD.getTime() + 5000 })
      expect(blocksOf(run)).toEqual([
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
    }))
  test("of plain text has no times: nobody told when it was printed", () =>
    inDirectory(async directory => {
      const log = await logOf(directory, "one\ntwo without an end")
      const conversion = await LogConversion.open(log, directory, await parserOf(undefined))
      const run = await runIn(conversion.path)
      expect(blocksOf(run)).toEqual(["text: one\ntwo without an end"])
      expect(run).toMatchObject({ firstTs: null, lastTs: null })
      conversion.close()
    }))
  test("of which one line alone tells a time has a start, and no duration of the run, its turns or a waterfall", () =>
    inDirectory(async directory => {
      const claude = (type: string, content: object, more = {}) =>
        JSON.stringify({ type, session_id: "s", uuid: "u", message: { id: "m", content: [content] }, ...more })
      const log = await logOf(
        directory,
        [
          claude("assistant", { type: "tool_use", id: "t", name: "Bash", input: { command: "ls" } }),
          claude("user", { type: "tool_result", tool_use_id: "t", content: "a" }, { timestamp: OLD.toISOString() }),
          JSON.stringify({ type: "result", subtype: "success", session_id: "s", uuid: "u", result: "Done." }),
        ].join("\n"),
      )
      const conversion = await LogConversion.open(log, directory, startParser(chooseParser(undefined, directory)))
      const run = await runIn(conversion.path)
      expect(run).toMatchObject({ status: "finished", firstTs: OLD.getTime() })
      expect(elapsed(run)).toBeNull()
      expect(turnFacts(run, 0, 1, OLD.getTime())?.ms).toBeNull()
      expect(runRange(run, null)).toBeNull()
      conversion.close()
    }))
  test("grows with the log, each line read once, and starts over with a replaced log", () =>
    inDirectory(async directory => {
      const log = await logOf(directory, "one\n")
      const conversion = await LogConversion.open(log, directory, await parserOf(undefined))
      await appendFile(log, "two\n")
      const says = async (last: string) => blocksOf(await runIn(conversion.path)).at(-1) === last
      await until(() => says("text: two"))
      expect(blocksOf(await runIn(conversion.path))).toEqual(["text: one", "text: two"])
      await logOf(directory, "3\n")
      await until(() => says("text: 3"))
      expect(blocksOf(await runIn(conversion.path))).toEqual(["text: 3"])
      conversion.close()
    }))
  test("has the length of its run, even if rows in it are broken", () =>
    inDirectory(async directory => {
      const row = (second: number, chunk: string) =>
        JSON.stringify({ ts: new Date(Date.UTC(2026, 1, 1, 10, 0, second)).toISOString(), stream: "stdout", chunk })
      const log = join(directory, "run.ndjson")
      await writeFile(
        log,
        [row(0, "one\n"), '{"ts":"2026-02-01T10:00:03.000Z","str', row(6, "two\n"), '{"ts":"20'].join("\n"),
      )
      const conversion = await LogConversion.open(log, directory, await parserOf(undefined), { grows: false })
      const { firstTs, lastTs } = await runIn(conversion.path)
      expect((lastTs ?? 0) - (firstTs ?? 0)).toBe(6000)
      conversion.close()
    }))
  test("that ends with a result is over, until more is written to it", () =>
    inDirectory(async directory => {
      const result = JSON.stringify({ type: "result", result: "Done.", usage: { output_tokens: 3 } })
      const log = await logOf(directory, `${result}\nbye\n`)
      const conversion = await LogConversion.open(log, directory, await parserOf("@superbiche/qwen-paperclip-adapter"))
      expect((await runIn(conversion.path)).status).toBe("finished")
      await appendFile(log, `${JSON.stringify({ type: "system", subtype: "init", model: "opus" })}\n`)
      await until(async () => (await runIn(conversion.path)).status === "running")
      await appendFile(log, `${JSON.stringify({ type: "result", is_error: true, result: "no credit" })}\n`)
      await utimes(log, OLD, OLD)
      await until(async () => (await runIn(conversion.path)).status === "error")
      expect(await runIn(conversion.path)).toMatchObject({
        reason: "no credit",
        facts: { tokens: 3 },
        epochs: { length: 1 },
      })
      conversion.close()
    }))
  test("that can't be read rejects and leaves no file behind", () =>
    inDirectory(async directory => {
      const parser = await parserOf(undefined)
      await expect(LogConversion.open(join(directory, "gone.log"), directory, parser)).rejects.toThrow("ENOENT")
      expect([...new Bun.Glob("*").scanSync(directory)]).toEqual([])
    }))
})

test("a file is a log also if a line of a CLI that we read comes after others", () =>
  inDirectory(async directory => {
    const log = join(directory, "claude.jsonl")
    await writeFile(log, '{"type":"control_response"}\nnpm notice\n{"type":"system","subtype":"init","tools":[]}\n')
    expect(isLog(log)).toBe(true)
  }))

test("a file is a log by its name, unless it begins with a frame of the wire", () =>
  inDirectory(async directory => {
    const frame = '{"kind":"event","event":"runner/started","seq":1,"ts":1,"data":{}}\n'
    await writeFile(join(directory, "a.log"), "hello\n")
    await writeFile(join(directory, "b.ndjson"), frame)
    await writeFile(join(directory, "c.jsonl"), "hello\n")
    expect(isLog(join(directory, "a.log"))).toBe(true)
    expect(isLog(guestFixture("run-log.ndjson"))).toBe(true)
    expect(isLog(join(directory, "b.ndjson"))).toBe(false)
    expect(isLog(join(directory, "c.jsonl"))).toBe(false)
    expect(isLog(join(directory, "gone.log"))).toBe(false)
  }))
