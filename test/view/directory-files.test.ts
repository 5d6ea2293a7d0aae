// Tests what is kept of the agent's log.
import { expect, test } from "bun:test"
import { LOG_UNITS, longerLog } from "../../src/view/directory-files.ts"

test("the agent's log grows at its end, and its oldest whole lines make room", () => {
  expect(longerLog(null, ["a", "b"])).toBe("a\nb")
  expect(longerLog("", ["a"])).toBe("a")
  expect(longerLog("a\nb", ["c"])).toBe("a\nb\nc")
  const full = "x".repeat(LOG_UNITS - 2)
  expect(longerLog("a", [full])).toHaveLength(LOG_UNITS)
  expect(longerLog("ab\ncd", [full])).toBe(full)
  expect(longerLog("abcd\nef", [full.slice(2)])).toBe(`ef\n${full.slice(2)}`)
})
