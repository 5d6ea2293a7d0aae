// Reads captures: EDN becomes data, and files are read only inside the session directory.
import { describe, expect, test } from "bun:test"
import { truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import fc from "fast-check"
import { CaptureReader, readCapture } from "../../src/session-dir/capture-file.ts"
import { readEdn } from "../../src/session-dir/edn.ts"
import { capturedRun, openedDirectory, WHOLE_RESULT, WHOLE_SYSTEM } from "../captured.ts"
import { forAll } from "../for-all.ts"
import { fileScratch } from "../scratch.ts"
import { until } from "../until.ts"

/** EDN of one line each. */
const TEXTS =
  String.raw`42 43 | , nil | true | :a/b | word | 1.5 | -0 | +7 | 007 | 1. | 1e3 | 1E-2M | 1.50M | -7N | +7N | 1e999 | ##Inf
12345678901234567890N | \newline | \space | \tab | \return | \a | \u00eB | \u12 | \" | \( | "only \u263a"
"a\n\t\r\b\f\\\"" | #{1 2} | (1 two) | [[] {} ()] | {:a {:b #{}} "k" [:v], [1] 2 nil 3} | {[1 {2 3}] 4}
#inst "2020-01-01T00:00:00Z" | #inst "soon" | #inst 1 | #some/tag {:a 1} | #a #b 1 | #:n{:a 1} | #_ skip 1
[#_ skip #_[1 2] 3] | {:a #_ 1 2} | {:__proto__ {:polluted 1} :constructor 2} |  | {:a | "abc | ) | [1} | {:a] | {:a 1]
(1] | {:a} | {:a "\x"} | "\u12" | #tag | #tag ] | [1 #_] | ; a note`.split(/ \| |\n/)

describe("EDN", () => {
  test("is decoded to JSON values: keywords, sets, times, tags, keys that are no text, numbers that JSON hasn't", async () => {
    const rows = TEXTS.map(async text => `${text}  =>  ${JSON.stringify(await readEdn(text))}`)
    expect(await Promise.all(rows)).toMatchSnapshot()
    const deep = "[".repeat(100_000)
    expect(await readEdn(deep + "]".repeat(100_000))).toEqual({ error: "nested too deep" })
    const nested = (depth: number) => readEdn("[".repeat(depth) + "]".repeat(depth))
    expect([(await nested(256)).error, (await nested(257)).error]).toEqual([undefined, "nested too deep"])
    expect([await readEdn("; a note\n42"), Object.keys({})]).toEqual([{ value: 42 }, []])
    expect((await readEdn('#inst "soon"')).value).toBeNull()
  })

  test("with one long number or symbol is refused at once, and with deep keys takes no time", async () => {
    const why = "expected at most 4096 characters in a number or symbol"
    for (const sign of ["9", "a", ":", "\\"]) {
      expect(await readEdn(`{:messages [{:content ${sign.repeat(1_000_000)}N}]}`)).toEqual({ error: why })
    }
    expect(await readEdn(`1e${"9".repeat(1_000_000)}`)).toEqual({ error: why })
    const { value } = await readEdn(`[${"9".repeat(4096)} ${"{".repeat(200)}:a 1${"} 1".repeat(199)}}]`)
    expect(value).toHaveLength(2)
    const long = await readEdn(`{[${"a ".repeat(1000)}] 1}`)
    expect(Object.keys(long.value ?? {}).map(({ length }) => length)).toEqual([1024])
  })

  test("of several MB lets others work meanwhile", async () => {
    let turns = 0
    let isOver = false
    const count = (): void => {
      turns++
      if (!isOver) setImmediate(count)
    }
    count()
    const { value } = await readEdn(`[${'{:text "a\\nb", :n 1} '.repeat(200_000)}]`)
    isOver = true
    expect(value).toHaveLength(200_000)
    expect(turns).toBeGreaterThan(2)
  })

  test("never throws, and round-trips any text (property)", () =>
    forAll([fc.string({ maxLength: 60 })], 100, async text => {
      await readEdn(text)
      const written = `{:text "${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"}`
      expect(await readEdn(written)).toEqual({ value: { text } })
    }))
})

describe("a capture", () => {
  test.each(["", "artifacts"] as const)("is found where nodes are below `%s`", async root => {
    await using run = await capturedRun(root)
    const directory = await openedDirectory(run.path)
    const request = await readCapture(directory, "nodes/judging/0/turns/0/request.edn")
    expect(request).toMatchObject({ capture: { type: "request", system: WHOLE_SYSTEM } })
    const result = await readCapture(directory, "nodes/judging/0/turns/0/tool-results/u1.edn")
    expect(result).toEqual({ capture: { type: "result", text: WHOLE_RESULT, isError: false } })
  })

  test("outside the session directory, or larger than 8 MB, is refused", async () => {
    const directory = await openedDirectory(fileScratch())
    await writeFile(join(directory.path, "huge.edn"), "")
    await truncate(join(directory.path, "huge.edn"), 8 * 1024 * 1024 + 1)
    expect(await readCapture(directory, "huge.edn")).toEqual({ why: "huge.edn: larger than 8 MB" })
    await writeFile(join(directory.path, "bad.edn"), "{:a")
    expect(await readCapture(directory, "bad.edn")).toEqual({ why: "bad.edn: not EDN, or incomplete" })
    await writeFile(join(directory.path, "secret.edn"), "{}")
    const why = "../secret.edn: outside the session directory"
    expect(await readCapture(directory, "../secret.edn")).toEqual({ why })
    expect(await readCapture(directory, "nodes/none.edn")).toEqual({ why: "nodes/none.edn: no such file" })
  })

  test("requested twice at once is read once, later again, and every requested one is reported", async () => {
    await using run = await capturedRun()
    const read: string[] = []
    const reader = new CaptureReader(await openedDirectory(run.path), (ref, captured) => {
      read.push(`${ref} ${"why" in captured ? captured.why : "read"}`)
    })
    const ref = "nodes/judging/0/turns/0/response.edn"
    reader.read([ref, "nodes/none.edn"])
    reader.read([ref])
    await until(() => read.length === 2)
    await new Promise(setImmediate)
    reader.read([ref])
    await until(() => read.length > 2)
    expect(read).toEqual([`${ref} read`, "nodes/none.edn nodes/none.edn: no such file", `${ref} read`])
  })
})
