// Tests reading a file line by line.
import { describe, expect, spyOn, test } from "bun:test"
import { appendFile, type FileHandle, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileScratch } from "../../../../test/scratch.ts"
import { isCompleteLine, LineReader, readLines } from "../../src/files/file-reader.ts"
import type { SourceLine } from "../../src/files/line-splitter.ts"
import { openRecording } from "../../src/files/recording-path.ts"

const dir = fileScratch()

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(dir, name)
  await writeFile(path, content)
  return path
}

async function readAll(path: string): Promise<{ lines: SourceLine[]; rest: SourceLine | null }> {
  const lines: SourceLine[] = []
  let rest: SourceLine | null = null
  for await (const batch of readLines(path)) {
    expect(rest).toBeNull()
    lines.push(...batch.lines)
    rest = batch.remainder
  }
  return { lines, rest }
}

describe("a file of lines", () => {
  test("comes in batches, with the remainder in the last one", async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n} é`)
    const path = await write("many", `${lines.join("\n")}\ntorn`)
    expect(await readAll(path)).toEqual({ lines, rest: "torn" })
  })

  test("that is empty, or ends with a line end, has an empty remainder", async () => {
    expect(await readAll(await write("empty", ""))).toEqual({ lines: [], rest: "" })
    expect(await readAll(await write("whole", "a\n"))).toEqual({ lines: ["a"], rest: "" })
  })

  test("may end inside a character, which is then not in the remainder", async () => {
    const path = await write("half", new TextEncoder().encode("a\nbé").slice(0, -1))
    expect(await readAll(path)).toEqual({ lines: ["a"], rest: "b" })
  })

  test("is not read on once the signal is aborted", async () => {
    const path = await write("aborted", "x\n".repeat(200_000))
    using closed = spyOn(LineReader.prototype, "close")
    const abort = new AbortController()
    const batches = async (file: string) => {
      let count = 0
      for await (const _ of readLines(file, { signal: abort.signal })) {
        count += 1
        abort.abort()
      }
      return count
    }
    expect(await batches(path)).toBe(1)
    expect(await batches(await write("aborted-before", ""))).toBe(0)
    expect(closed).toHaveBeenCalledTimes(2)
  })

  test("that grows while it is read has no more than one share of itself", async () => {
    const path = await write("shared", "x\n".repeat(200_000))
    for await (const { share } of readLines(path)) {
      expect(share).toBeLessThanOrEqual(1)
      if (share < 1) await appendFile(path, "x\n".repeat(200_000))
    }
  })

  test("that does not exist rejects with a file system error", async () => {
    await expect(readAll(join(dir, "absent"))).rejects.toMatchObject({ code: "ENOENT" })
  })
})

test("a line that doesn't end within 1 GB, as in a sparse file, ends the reading, and its length is told", async () => {
  const file = await openRecording(await write("sparse", ""))
  // Its bytes are not read from a disk, which takes seconds.
  const read = async (buffer: Buffer, _: number, bytesRead: number, position: number) => {
    if (position === 0) buffer.fill(0)
    buffer.write(position === 0 ? "whole\n" : "\0".repeat(6))
    return { bytesRead, buffer }
  }
  const reader = new LineReader(Object.assign(file, { read }) as FileHandle)
  const lines: SourceLine[] = []
  for (let more = await reader.next(); more !== null; more = await reader.next()) lines.push(...more)
  expect(lines).toEqual(["whole"])
  expect(reader.offset).toBeLessThan(1.1e9)
  expect(reader.remainder()).toMatchObject({ length: reader.offset - "whole\n".length })
  await reader.close()
})

test("a reader at the end continues with appended lines", async () => {
  const path = await write("growing", "a\nb")
  const reader = await LineReader.open(path)
  expect(await reader.next()).toEqual(["a"])
  expect(await reader.next()).toBeNull()
  expect(reader.remainder()).toBe("b")
  await appendFile(path, "c\nd\n")
  expect(await reader.next()).toEqual(["bc", "d"])
  expect(reader.offset).toBe(7)
  await reader.close()
})

test("only a whole JSON object is a complete line", () => {
  const whole = ['{"a":1}', " {} "]
  const torn = ["", '{"a":1', "12", '"a"', "[]", "null", "{}}"]
  expect(whole.map(isCompleteLine)).toEqual([true, true])
  expect(torn.map(isCompleteLine)).toEqual(torn.map(() => false))
  expect(isCompleteLine({ head: "{}", length: 99_999_999 })).toBe(false)
})
