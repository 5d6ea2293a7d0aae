// Tests that a file is followed without keeping files open.
import { expect, test } from "bun:test"
import { open, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { FileTail } from "../../src/session-dir/file-tail.ts"
import { scratch } from "../scratch.ts"
import { until } from "../until.ts"

test("a file tail holds one file open, however often it looks, and none after stop", async () => {
  using directory = scratch()
  const path = join(directory.path, "log")
  await writeFile(path, "one\n")
  let [opened, closed] = [0, 0]
  const openCounted = async () => {
    const file = await open(path)
    opened++
    const close = file.close.bind(file)
    file.close = async () => {
      closed++
      await close()
    }
    return file
  }
  const lines: string[] = []
  const sink = {
    lines: (batch: { lines: readonly unknown[] }) => lines.push(...batch.lines.map(String)),
    restart: () => undefined,
    failed: () => undefined,
  }
  const tail = new FileTail("log", openCounted, sink, { pollMs: 1 })
  await until(() => opened >= 30)
  expect(opened - closed).toBeLessThanOrEqual(2)
  tail.stop()
  await until(() => opened === closed)
  expect(lines).toEqual(["one"])
})
