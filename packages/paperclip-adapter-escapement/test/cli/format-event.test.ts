// Tests how the agent's lines are printed on a terminal.
import { describe, expect, spyOn, test } from "bun:test"
import pc from "picocolors"
import type { JsonObject } from "../../../wire/src/json.ts"
import { formatStdoutEvent, printEscapementStreamEvent } from "../../src/cli/index.ts"
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

  test("prints system in blue, the assistant in green, tools in yellow, errors in red", () => {
    expect(printed(row("llm/start", { invokeid: "p" }))).toBe(`${pc.blue("p: a turn")}\n`)
    expect(printed([row("llm/delta", { text: "Hi\n" }), row("llm/error", { message: "no" })])).toBe(
      `${pc.green("Hi\n")}${pc.red("no")}\n`,
    )
    const content = [{ name: "read", input: { path: "a" } }]
    expect(printed(row("llm/response", { content }))).toBe(`${pc.yellow('read {"path":"a"}')}\n${pc.blue("a reply")}\n`)
    expect(printed(row("llm/tool-result", { tool: "t", "content-preview": "ok" }))).toBe(`${pc.yellow("ok")}\n`)
    expect(printed(row("llm/tool-result", { tool: "t", "is-error": true, "content-preview": "no" }))).toBe(
      `${pc.red("no")}\n`,
    )
    expect(printed(row("llm/error", { message: "bad" }))).toBe(`${pc.red("bad")}\n`)
    expect(printed(row("runner/done", { status: "done" }))).toBe(`${pc.blue("done")}\n`)
  })
  test("prints streamed text as one text, and what follows on a line of its own", () => {
    const delta = (text: string, type = "text-delta") => row("llm/delta", { text, type })
    expect(
      printed([delta("Hm", "thinking-delta"), delta("Hel"), delta("lo "), delta("world"), row("llm/start", {})]),
    ).toBe(`${pc.gray("Hm")}\n${pc.green("Hel")}${pc.green("lo ")}${pc.green("world")}\n${pc.blue("a turn")}\n`)
  })
  test("says why a run failed even if it left no final states", () => {
    expect(printed(row("runner/done", { status: "failed" }))).toBe(`${pc.red("failed: the run ended in no state")}\n`)
  })
  test("prints a line that is not a row only with debug, in grey", () => {
    expect(printed("plain")).toBe("")
    expect(printed("plain", true)).toBe(`${pc.gray("plain")}\n`)
    expect(printed("run ⋮ run ✗ bad", true)).toBe(`${pc.gray("run ✗ bad")}\n`)
    expect(printEscapementStreamEvent).toBe(formatStdoutEvent)
  })
  test("prints no control characters", () => {
    expect(printed(row("llm/delta", { text: "a\u001b[2Jb\n" }))).toContain("a␛[2Jb")
    expect(printed("\u001b]0;x\u0007", true)).toContain("␛]0;x␇")
  })
})
