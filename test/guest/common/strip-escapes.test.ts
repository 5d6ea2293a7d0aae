// Strips colours and other escape sequences from a guest's output without losing text.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { renderedText, stripEscapes } from "../../../src/guest/common/strip-escapes.ts"
import { GuestParser } from "../../../src/guest/guest-parser.ts"
import { WorkerHost } from "../../../src/guest/worker-host.ts"
import { jsonl } from "../../agent/ui.ts"
import { forAll } from "../../for-all.ts"
import { blocksOf, printed, runOf } from "../reading.ts"

/** Texts without their sequences, and lines as a terminal shows them at last, by what is in them. */
const CASES = await jsonl<readonly [kind: string, what: string, text: string, shown: string]>("../escapes")
const casesOf = (kind: string) => CASES.flatMap(([of, ...one]) => (of === kind ? [one] : []))

describe("stripEscapes", () => {
  test.each(casesOf("stripped"))("%s", (_, text, plain) => expect(stripEscapes(text)).toBe(plain))

  test("keeps every letter outside a sequence", async () => {
    const piece = fc.oneof(
      fc.stringMatching(/^[a-z ]{1,8}$/).map(text => ({ text, shown: text })),
      fc.stringMatching(/^[0-9;]{0,6}$/).map(numbers => ({ text: `\x1b[${numbers}m`, shown: "" })),
      fc.webUrl().map(url => ({ text: `\x1b]8;;${url}\x1b\\`, shown: "" })),
    )
    const pieces = fc.array(piece, { maxLength: 12 })
    await forAll([pieces], 100, parts => {
      const shown = parts.map(part => part.shown).join("")
      expect(stripEscapes(parts.map(part => part.text).join(""))).toBe(shown)
    })
  })
})

describe("a line that overwrites itself is shown in its last state", () => {
  test.each(casesOf("shown"))("%s", (_, text, shown) => expect(renderedText(text)).toBe(shown))

  test("in linear time", () => {
    const long = "x".repeat(200_000)
    const began = process.cpuUsage().user
    expect(renderedText(`${long}${"\ry\x1b[K".repeat(100_000)}`)).toBe("y")
    expect(renderedText(`${long}${"\b".repeat(100_000)}${"\r".repeat(100_000)}z`)).toBe(`z${long.slice(1)}`)
    // Quadratic time would take 10¹⁰ steps.
    expect(process.cpuUsage().user - began).toBeLessThan(20_000_000)
  })
})

test("coloured output reaches the guest's own parser as printed, and is shown without colours", async () => {
  const program =
    "exports.parseStdoutLine = (line, ts) => [{ kind: 'system', ts, text: line.length + ' units: ' + line }]"
  const parser = new GuestParser("raw", () => WorkerHost.open(program))
  await parser.loaded
  expect(blocksOf(await runOf(parser, printed("\x1b[31mred\x1b[0m")))).toEqual(["note system: 12 units: red"])
})
