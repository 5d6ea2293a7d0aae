// Strips colours and other escape sequences from a guest's output without losing text.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { renderedText, stripEscapes } from "../../../src/guest/common/strip-escapes.ts"
import { GuestParser } from "../../../src/guest/guest-parser.ts"
import { WorkerHost } from "../../../src/guest/worker-host.ts"
import { forAll } from "../../for-all.ts"
import { blocksOf, printed, runOf } from "../reading.ts"

describe("stripEscapes", () => {
  test.each([
    ["colours", "\x1b[1;32mok\x1b[0m and \x1b[38;5;196mred\x1b[m", "ok and red"],
    ["colours with colons", "\x1b[38:2::1:2:3mx\x1b[0m", "x"],
    ["moves and erasing", "\x1b[2K\x1b[1Gdone\x1b[?25h", "done"],
    ["a link", "\x1b]8;;https://a.example/\x1b\\name\x1b]8;;\x07", "name"],
    ["a title", "\x1b]0;my title\x07text", "text"],
    ["what tput sends", "\x1b(B\x1b[mtext\x1b7\x1b8\x1b=", "text"],
    ["a string for the device", "\x1bP1$r0m\x1b\\text", "text"],
    ["nothing", "plain [31m text", "plain [31m text"],
    ["one that has no end, which stays to be seen", "a \x1b[31", "a \x1b[31"],
    ["a title that has no end, which stays whole", "\x1b]0;title", "\x1b]0;title"],
  ])("%s", (_, text, plain) => expect(stripEscapes(text)).toBe(plain))

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
  test.each([
    ["a bar", "  0 %\r 50 %\r100 %", "100 %"],
    ["the end of a longer one stays, as in a terminal", "downloading 9 of 10\rdone", "doneloading 9 of 10"],
    ["but where it is erased", "downloading 9 of 10\r\x1b[Kdone", "done"],
    ["all of it erased", "downloading\x1b[2K\rdone", "done"],
    ["erased twice, which moves nothing", "abc\b\x1b[2K\x1b[Kx", "  x"],
    ["colours count for nothing", "\x1b[33maaaa\x1b[0m\r\x1b[32mbb\x1b[0m", "bbaa"],
    ["a line end of Windows", "text\r", "text"],
    ["a correction of the last but one letter", "abc\b\bX", "aXc"],
    ["a spinner", "|\b/\b-\b\\\b done", " done"],
    ["wide letters, one cell of ours each", "日本\rx", "x本"],
    ["each line of several", "1 %\r2 %\r\nnext\r\n", "2 %\nnext\n"],
    ["nothing to go back in", "\b\r\x1b[Kx", "x"],
    ["what is no bar", "plain \x1b[31mtext", "plain text"],
  ])("%s", (_, text, shown) => expect(renderedText(text)).toBe(shown))

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
