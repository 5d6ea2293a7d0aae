// Tests how a prompt is passed to the agent.
import { expect, test } from "bun:test"
import { ednString } from "../../../src/paperclip/server/prompt.ts"

test("ednString escapes a prompt", () => {
  expect(ednString('a "b" \\ c\n\td\0')).toBe('"a \\"b\\" \\\\ c\\n\\td\\u0000"')
})
