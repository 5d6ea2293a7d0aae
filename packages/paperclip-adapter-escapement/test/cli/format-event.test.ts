// Tests how the agent's lines are printed on a terminal.
import { describe, expect, spyOn, test } from "bun:test"
import type { JsonObject } from "../../../wire/src/json.ts"
import { formatStdoutEvent } from "../../src/cli/index.ts"
import { chunksOf } from "../../src/server/print-lines.ts"

describe("formatStdoutEvent", () => {
  function printed(line: string | readonly (string | readonly string[])[], debug = false): string {
    const out: string[] = []
    const spy = spyOn(process.stdout, "write").mockImplementation(chunk => out.push(String(chunk)) > 0)
    try {
      for (const one of [line].flat(2)) formatStdoutEvent(one, debug)
    } finally {
      spy.mockRestore()
    }
    return out.join("")
  }
  const row = (event: string, data: JsonObject) => chunksOf({ event, data }).join("").trimEnd().split("\n")

  test("prints no control characters", () => {
    expect(printed(row("llm/delta", { text: "a\u001b[2Jb\n" }))).toContain("a␛[2Jb")
    expect(printed("\u001b]0;x\u0007", true)).toContain("␛]0;x␇")
  })
})
