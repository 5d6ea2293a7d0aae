// Decodes the kinds of Paperclip's transcript entries from untrusted JSON.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { decodeEntry } from "../../src/guest/transcript-entry.ts"
import { forAll } from "../for-all.ts"

test("no JSON makes decoding throw (property)", async () => {
  const kinds = ["result", "diff", "tool_result", "init", "?"]
  const value = fc.oneof(
    fc.jsonValue(),
    fc
      .tuple(fc.constantFrom(...kinds), fc.dictionary(fc.constantFrom("text", "files", "ts", "errors"), fc.jsonValue()))
      .map(([kind, rest]) => ({ ...rest, kind })),
  )
  await forAll([value], 100, one => {
    const decoded = decodeEntry(JSON.parse(JSON.stringify(one)))
    // An entry, or a description of what is wrong with it.
    if (typeof decoded === "string") expect(decoded).not.toBe("")
    else expect(decoded.kind).toBeString()
  })
})
