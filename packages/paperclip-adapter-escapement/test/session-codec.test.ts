// Tests how the host stores a session.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { forAll } from "../../../test/for-all.ts"
import { sessionCodec } from "../src/server/index.ts"

describe("the session codec", () => {
  const session = { sessionId: "paperclip-run_1.2", cwd: "/a", workDir: "/a/.escapement", chart: "plan.edn" }
  test("round-trips a session", () => {
    const stored = sessionCodec.serialize(session)
    expect(stored).toEqual(session)
    expect(sessionCodec.deserialize(JSON.parse(JSON.stringify(stored)))).toEqual(session)
    expect(sessionCodec.getDisplayId?.(stored)).toBe("paperclip-run_1.2")
    expect(sessionCodec.deserialize({ sessionId: "x" })).toEqual({ sessionId: "x" })
  })
  test("drops anything that is not a session", () => {
    const junk = [
      null,
      undefined,
      7,
      "id",
      [],
      {},
      { sessionId: 7 },
      { sessionId: "../x" },
      { sessionId: "-x" },
      { sessionId: ".." },
    ]
    expect(junk.map(raw => sessionCodec.deserialize(raw))).toEqual(junk.map(() => null))
    expect(sessionCodec.serialize(null)).toBeNull()
    expect(sessionCodec.getDisplayId?.(null)).toBeNull()
  })
  test("is idempotent for any input", () =>
    forAll([fc.record({ sessionId: fc.string(), cwd: fc.jsonValue(), more: fc.jsonValue() })], 100, raw => {
      const once = sessionCodec.deserialize(raw)
      expect(sessionCodec.deserialize(sessionCodec.serialize(once))).toEqual(once)
    }))
})
