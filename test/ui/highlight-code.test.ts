// Tests that highlighted code keeps every character, and stays within its columns.
import { expect, test } from "bun:test"
import { codeLines, MOST_COLOURED } from "../../src/ui/highlight-code.ts"
import { lineWidth } from "../../src/ui/line.ts"

const CODE = 'const 名前 = "日本語" # 絵🎉\n\treturn 名前 + 12'

test("a character of two columns never runs over the right edge of code", () => {
  for (let columns = 2; columns <= 40; columns++) {
    const lines = codeLines(CODE, columns)
    expect(lines.filter(line => lineWidth(line.spans) > columns)).toEqual([])
    const text = lines.flatMap(({ spans }) => spans.map(one => one.text)).join("")
    expect(text).toBe(CODE.replace("\n", "").replace("\t", "    "))
  }
})

test("code of 262,144 units is coloured, and longer code is not", () => {
  const tokens = [0, 1].map(
    more =>
      codeLines(`${"x".repeat(MOST_COLOURED - 2 + more)} 1`, 80)
        .at(-1)
        ?.spans.at(-1)?.token,
  )
  expect(tokens).toEqual(["warn", "normal"])
})
