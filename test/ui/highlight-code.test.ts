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
})
