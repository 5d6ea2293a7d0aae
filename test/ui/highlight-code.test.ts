// Tests that highlighted code keeps every character, and stays within its columns.
import { expect, test } from "bun:test"
import { codeLines } from "../../src/ui/highlight-code.ts"
import { lineWidth } from "../../src/ui/line.ts"

const CODE = 'const 名前 = "日本語" # 絵🎉\n\treturn 名前 + 12'

test("a character of two columns never runs over the right edge of code", () => {
  for (let columns = 2; columns <= 40; columns++) {
    const lines = codeLines(CODE, columns)
    expect(lines.filter(line => lineWidth(line.spans) > columns)).toEqual([])
    const text = lines.flatMap(({ spans }) => spans.map(one => one.text)).join("")
    expect(text).toBe(CODE.replace("\n", "").replace("\t", "    "))
  }
  const rows = codeLines("名a前b", 4).map(({ spans }) => spans.map(({ text }) => text).join(""))
  expect(rows).toEqual(["名a", "前b"])
})

test("code breaks behind a blank or before a word, and loses nothing", () => {
  const rows = (text: string, columns: number) =>
    codeLines(text, columns).map(({ spans }) => spans.map(one => one.text).join(""))
  const code = "function pierOf(sailing: Sailing): string {\n  // a ferry in dry dock has none\n}"
  expect(rows(code, 40)).toEqual([
    "function pierOf(sailing: Sailing): ",
    "string {",
    "  // a ferry in dry dock has none",
    "}",
  ])
  expect(rows("say one-two three", 9)).toEqual(["say ", "one-two ", "three"])
  expect(rows("  abcdefgh", 6)).toEqual(["  abcd", "efgh"])
  for (const columns of [3, 7, 12, 25]) expect(rows(code, columns).join("")).toBe(code.replaceAll("\n", ""))
})
