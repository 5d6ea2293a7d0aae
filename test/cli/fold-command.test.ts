// Tests the `fold` command: its output, its errors and its exit codes.
import { expect, spyOn, test } from "bun:test"
import { statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { readFrameBatches } from "../../src/cli/fold-command.ts"
import { Collector } from "../../src/transport/collector.ts"
import { fileScratch } from "../scratch.ts"
import { sidecarHere as sidecar } from "./called.ts"

const directory = fileScratch()

const folded = (path: string) => sidecar(["fold", path], { cwd: directory })

function written(name: string, text: string): string {
  const path = join(directory, name)
  writeFileSync(path, text)
  return path
}

const delta = (seq: number, text: string) => {
  const data = { type: "text-delta", text, invokeid: "a", "session-id": "s" }
  return JSON.stringify({ event: "llm/delta", seq, ts: seq, data })
}

test("fold prints no control characters that could steer the terminal", async () => {
  const hostile = "\u001b]0;x\u0007\u009b31m\u202e\u2028"
  const row = { event: hostile, data: { invokeid: hostile, "session-id": hostile } }
  const start = { ...row, event: "llm/start", seq: 2 }
  const lines = `${JSON.stringify(row)}\n${JSON.stringify(start)}\n${hostile}\n`
  const { out } = await folded(written("hostile.jsonl", lines))
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/)
  expect(JSON.parse(out)).toMatchObject({ invocations: [{ invokeid: hostile }] })
})

test("all that the commands read of a recording counts for the next collection of garbage", async () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `${delta(i, "of a line ")}\n`)
  const path = written("counted.jsonl", lines.join(""))
  const counted = spyOn(Collector.prototype, "add")
  try {
    let frames = 0
    for await (const batch of readFrameBatches(path)) frames += batch.length
    const units = counted.mock.calls.reduce((sum, [units]) => sum + units, 0)
    // Without the line ends.
    expect([frames, units]).toEqual([20_000, statSync(path).size - 20_000])
  } finally {
    counted.mockRestore()
  }
})
