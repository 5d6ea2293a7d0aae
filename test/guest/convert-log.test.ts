// Converts saved logs, plain or Paperclip's, to recordings.
import { dlopen, ptr } from "bun:ffi"
import { describe, expect, spyOn, test } from "bun:test"
import { closeSync, openSync, writeSync } from "node:fs"
import { appendFile, mkdir, readdir, readFile, readlink, rm, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { zstdCompressSync } from "node:zlib"
import { isLog } from "../../src/guest/choose-parser.ts"
import { LogConversion } from "../../src/guest/convert-log.ts"
import { GuestParser } from "../../src/guest/guest-parser.ts"
import { turn } from "../../src/guest/pieces.ts"
import { LogLines, UnpackedLog } from "../../src/guest/saved-log.ts"
import { elapsed } from "../../src/run/select/figures.ts"
import { turnFacts } from "../../src/run/select/turn-facts.ts"
import { runRange } from "../../src/run/select/waterfall.ts"
import { jsonl } from "../agent/ui.ts"
import { fileScratch } from "../scratch.ts"
import { opened } from "../screen/open-screens.ts"
import { until } from "../until.ts"
import { blocksOf, guestFixture, parserOf, runFrom } from "./reading.ts"

const CLAUDE = '{"type":"control_response"}\nnpm notice\n{"type":"system","subtype":"init","tools":[]}\n'
const OLD = new Date("2026-03-01T10:00:00.000Z")

/** A log with this text, last written long ago. */
async function logOf(text: string, path = join(fileScratch(), "agent.log")): Promise<string> {
  await writeFile(path, text)
  await utimes(path, OLD, OLD)
  return path
}

/** The conversion of a log, in a directory of its own, and the run that it holds by now. */
async function converted(
  log: string,
  parser: GuestParser,
  extent: { grows: boolean; end?: boolean } = { grows: true },
) {
  const conversion = await LogConversion.open(log, fileScratch(), parser, extent)
  opened(() => conversion.close())
  return { conversion, run: async () => runFrom((await readFile(conversion.path, "utf8")).split("\n")) }
}

/** The looks at logs that are due, in the place of timers. */
function looksAtLogs() {
  const due: (() => void)[] = []
  const { setTimeout: later } = globalThis
  const spy = spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms: number) => {
    if (ms === 500) due.push(run)
    return later(ms === 500 ? () => undefined : run, ms)
  }) as typeof setTimeout)
  return { due, [Symbol.dispose]: () => spy.mockRestore() }
}

/** Lines of saved logs; `%` is a row of Paperclip's log: its second if it tells one, its stream, its text. */
const LOGS = await jsonl<readonly string[]>("../log-lines")

describe("the lines of a log", () => {
  test("are those that it says, or are joined from Paperclip's chunks, each stream separately", () => {
    const row = (line: string): string => {
      const [, second = "", stream, chunk] = /^%(\w?) (\w+) (.*)$/s.exec(line) ?? []
      const ts = second === "" ? {} : { ts: `2026-03-01T10:00:0${second}.000Z` }
      return stream === undefined ? line : JSON.stringify({ ...ts, stream, chunk })
    }
    const told = LOGS.map(log => {
      const lines = new LogLines()
      const read = [...log.flatMap(line => lines.push(row(line))), "rest", ...lines.remainder(), lines.remainder()]
      return read.map(one => JSON.stringify(one).replace(/"ts":17723592(\d+)/, '"ts":$1')).join("\n")
    })
    expect(told.join("\n\n")).toMatchSnapshot()
  })

  test("of a compressed one are unpacked for their owner alone, anew when it has changed", async () => {
    const [place, spools] = [fileScratch(), fileScratch()]
    const log = new UnpackedLog(join(place, "a.jsonl.zst"), spools)
    const read = async () => {
      await using file = await log.open()
      return [await file.readFile("utf8"), (await file.stat()).mode & 0o777] as const
    }
    await expect(log.open()).rejects.toThrow(`no such file or directory, stat '${join(place, "a.jsonl")}'`)
    await writeFile(join(place, "a.jsonl.zst"), zstdCompressSync("one"))
    expect(await read()).toEqual(["one", 0o600])
    const [unpacked = ""] = await readdir(spools)
    await writeFile(join(spools, unpacked), "left alone")
    expect((await read())[0]).toBe("left alone")
    await writeFile(join(place, "a.jsonl.zst"), zstdCompressSync("another"))
    expect((await read())[0]).toBe("another")
    log.close()
    expect(await readdir(spools)).toEqual([])
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
    expect([await Bun.file(conversion.path).exists(), parser.name]).toEqual([false, null])
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
    using looks = looksAtLogs()
    const log = await logOf("one\n")
    await converted(log, await parserOf(undefined), { grows: false })
    expect(looks.due).toEqual([])
    const { conversion } = await converted(log, await parserOf(undefined))
    const removals = async (): Promise<number> => {
      looks.due.shift()?.()
      await until(() => looks.due.length > 0)
      return (await readFile(conversion.path, "utf8")).split("the log was removed").length - 1
    }
    await rm(log)
    const told = [await removals()]
    await logOf("one\n", log)
    told.push(await removals())
    await rm(log)
    expect([...told, await removals(), await removals(), await removals()]).toEqual([0, 0, 0, 1, 1])
  })

  test("that is closed while the log is read anew leaves no file open, and touches none of another with its number", async () => {
    using looks = looksAtLogs()
    for (let turns = 0; turns < 16; turns++) {
      const place = fileScratch()
      const log = await logOf("one\n", join(place, "a.jsonl"))
      await mkdir(join(place, "a/subagents"), { recursive: true })
      for (const agent of "bcd") await logOf("one\n", join(place, `a/subagents/agent-${agent}.jsonl`))
      const { conversion } = await converted(log, await parserOf(undefined))
      await logOf("another\n", log)
      looks.due.shift()?.()
      for (let at = 0; at < turns; at++) await turn()
      conversion.close()
      const other = join(fileScratch(), "other")
      const file = openSync(other, "ax")
      writeSync(file, "kept")
      for (let at = 0; at < 40; at++) await Promise.all([turn(), stat(other)])
      closeSync(file)
      expect([turns, await readFile(other, "utf8")]).toEqual([turns, "kept"])
      await until(async () => {
        const open = (await readdir("/proc/self/fd")).map(fd => readlink(`/proc/self/fd/${fd}`).catch(String))
        return (await Promise.all(open)).every(path => !path.startsWith(place))
      })
    }
  })

  test("tells that a person went back behind what it has, which another one shows", async () => {
    const said = (uuid: string, parentUuid: string | null) =>
      `${JSON.stringify({ type: "user", uuid, parentUuid, sessionId: "s", message: { content: uuid } })}\n`
    const log = await logOf(said("1", null) + said("2", "1"))
    const { conversion, run } = await converted(log, await parserOf(undefined))
    const heard: string[] = []
    void conversion.rewound.then(() => heard.push("rewound"))
    await appendFile(log, said("3", "2"))
    await until(async () => blocksOf(await run()).at(-1) === "user: 3")
    expect(heard).toEqual([])
    await appendFile(log, said("4", "1"))
    await until(() => heard.length > 0)
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

  test("whose recording finds no more room says why, and goes on behind a whole line", async () => {
    const { setrlimit } = dlopen("libc.so.6", { setrlimit: { args: ["int", "ptr"], returns: "int" } }).symbols
    /** RLIMIT_FSIZE is 1 on Linux. */
    const boundFiles = (bytes: bigint) => setrlimit(1, ptr(new BigUint64Array([bytes, 2n ** 64n - 1n])))
    const { conversion } = await converted(await logOf("one\n"), await parserOf(undefined))
    const before = await readFile(conversion.path, "utf8")
    boundFiles(BigInt(before.length + 2))
    conversion.tell([{ event: "app/note", ts: 1, data: {} }])
    boundFiles(2n ** 64n - 1n)
    expect([await conversion.failed, await readFile(conversion.path, "utf8")]).toEqual([
      "file size limit reached",
      before,
    ])
    conversion.tell([{ event: "app/note", ts: 1, data: {} }])
    expect(await readFile(conversion.path, "utf8")).toMatch(/\n\{[^\n]*"app\/note"[^\n]*\}\n$/)
  })

  test("that can't be read rejects and leaves no file behind", async () => {
    const [directory, parser] = [fileScratch(), await parserOf(undefined)]
    await expect(LogConversion.open(join(directory, "gone.log"), directory, parser)).rejects.toThrow("ENOENT")
    expect([...new Bun.Glob("*").scanSync(directory)]).toEqual([])
  })
})

test("only the end of a long log is read first, with a head that names the session; the whole one takes its place", async () => {
  const said = (type: string, uuid: number, text: string) =>
    JSON.stringify({
      type,
      ...{ uuid: `${uuid}`, parentUuid: uuid === 0 ? null : `${uuid - 1}`, sessionId: "s" },
      message: { id: `m${uuid}`, role: type, content: type === "user" ? text : [{ type: "text", text }] },
    })
  const shown = async (bytes: number, name = "a.jsonl") => {
    const long = Array.from({ length: 20 }, (_, at) => said("assistant", at + 1, "x".repeat(bytes / 20)))
    const text = [said("user", 0, "First."), ...long, said("assistant", 21, "Last."), ""].join("\n")
    const log = join(fileScratch(), name)
    await writeFile(log, name.endsWith("zst") ? zstdCompressSync(text) : text)
    await utimes(log, OLD, OLD)
    const { conversion, run } = await converted(log, await parserOf(undefined), { grows: true, end: true })
    const blocks = blocksOf(await run()).filter(block => block.length < 99)
    return { conversion, log, told: [conversion.isPart, (await run()).sessions[0]?.id, ...blocks] }
  }
  const whole = [false, '[0,"claude","s"]', "user: First.", "text: Last."]
  expect((await shown(2e6)).told).toEqual(whole)
  expect((await shown(5e6, "a.jsonl.zst")).told).toEqual(whole)
  const { conversion, log, told } = await shown(5e6)
  expect(told).toEqual([true, whole[1], "text: Last."])
  const { conversion: other } = await converted(log, await parserOf(undefined), { grows: false })
  other.replace(conversion)
  conversion.tell([])
  expect([await readFile(conversion.path, "utf8")]).toEqual([await readFile(other.path, "utf8")])
  other.close()
  expect([await Bun.file(conversion.path).exists(), await Bun.file(other.path).exists()]).toEqual([false, false])
})

const NAMES = await jsonl<readonly [why: string, name: string, text: string, isOne: boolean]>("../log-names")
test.each([...NAMES])("a file is a log by %s", async (_, name, text, isOne) => {
  expect(isLog(await logOf(text, join(fileScratch(), name)))).toBe(isOne)
  expect(isLog(guestFixture("run-log.ndjson"))).toBe(true)
  expect(isLog(join(fileScratch(), "gone.log"))).toBe(false)
})
