// Tests how connection errors are described.
import { expect, test } from "bun:test"
import { describeClose, describeConnectionError } from "../../src/transport/connection-error.ts"

test("a close is described with its code, and its reason if it has one", () => {
  expect(describeClose(1006, "")).toBe("closed by the agent (1006)")
  expect(describeClose(4001, "over")).toBe("closed by the agent (4001: over)")
})

test("a close reason can't control the terminal", () => {
  expect(describeClose(4001, "\u001b[2Ja\nb")).toBe("closed by the agent (4001: ␛[2Ja␊b)")
})

test("an error is described by its code, its HTTP status or its sanitized message", () => {
  expect(describeConnectionError("x failed: Failed to connect", { code: "ECONNREFUSED" })).toBe("connection refused")
  expect(describeConnectionError("WebSocket connection to 'ws://h/' failed: Expected 101 status code: 403", null)).toBe(
    "the agent refused the connection (HTTP 403)",
  )
  expect(describeConnectionError("WebSocket connection to 'ws://h/' failed: odd\u001b", {})).toBe("odd␛")
  expect(describeConnectionError("", undefined)).toBe("connection failed")
})

test("an untrusted certificate, and an agent without TLS, are described with what to do", () => {
  const failed = "WebSocket connection to 'wss://h/' failed: TLS handshake failed: "
  for (const code of ["DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"]) {
    expect(describeConnectionError(`${failed}self signed certificate`, { code })).toBe(
      "the certificate isn't trusted; NODE_EXTRA_CA_CERTS=FILE trusts it",
    )
  }
  expect(
    describeConnectionError(`${failed}error:100000f7:SSL routines:x:WRONG_VERSION_NUMBER`, { code: "EPROTO" }),
  ).toBe("TLS failed; does the agent use ws://?")
  const expired = `${failed}certificate has expired`
  expect(describeConnectionError(expired, { code: "CERT_HAS_EXPIRED" })).toBe(
    "TLS handshake failed: certificate has expired",
  )
})
