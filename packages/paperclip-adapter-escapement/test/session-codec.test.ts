// Tests how the host stores a session.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { forAll } from "../../../test/for-all.ts"
import { sessionCodec } from "../src/server/index.ts"

describe("the session codec", () => {
  test("is idempotent for any input", () =>
    forAll([fc.record({ sessionId: fc.string(), cwd: fc.jsonValue(), more: fc.jsonValue() })], 100, raw => {
      const once = sessionCodec.deserialize(raw)
      expect(sessionCodec.deserialize(sessionCodec.serialize(once))).toEqual(once)
    }))
})
