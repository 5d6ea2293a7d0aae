// Tests the bytes sent for the clipboard: to a terminal, through tmux, and through screen in pieces.
import { expect, test } from "bun:test"
import { CLIPBOARD_BYTES, clipboardSequence } from "../../src/screen/clipboard.ts"

test("a terminal gets OSC 52 with the text's UTF-8 in base64, and tmux also wrapped for the terminal behind it", () => {
  expect(clipboardSequence("hé", null)).toBe("\u001b]52;c;aMOp\u0007")
  expect(clipboardSequence("hi", "tmux")).toBe("\u001b]52;c;aGk=\u0007\u001bPtmux;\u001b\u001b]52;c;aGk=\u0007\u001b\\")
})

test("screen gets the text wrapped, in pieces that it does not cut", () => {
  expect(clipboardSequence("hi", "screen")).toBe("\u001bP\u001b]52;c;aGk=\u0007\u001b\\")
  const long = clipboardSequence("x".repeat(500), "screen") ?? ""
  const pieces = [...long.matchAll(/\u001bP(.*?)\u001b\\/gs)].map(([, piece]) => piece ?? "")
  expect(pieces.map(piece => piece.length)).toEqual([240, 240, 196])
  expect(pieces.join("")).toBe(`\u001b]52;c;${Buffer.from("x".repeat(500)).toString("base64")}\u0007`)
})

test("a text that is too long for the terminal is not sent", () => {
  expect(clipboardSequence("x".repeat(CLIPBOARD_BYTES), null)).toHaveLength(100_000)
  expect(clipboardSequence("x".repeat(CLIPBOARD_BYTES + 1), null)).toBeNull()
  expect(clipboardSequence("é".repeat(CLIPBOARD_BYTES / 2 + 1), "tmux")).toBeNull()
})
