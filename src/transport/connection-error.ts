import { errorCode } from "../../packages/wire/src/files/error-code.ts"
import { quotedLine } from "../../packages/wire/src/sanitize.ts"

const UNTRUSTED = "the certificate isn't trusted; NODE_EXTRA_CA_CERTS=FILE trusts it"

const TEXT_BY_CODE: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "connection refused"],
  ["ECONNRESET", "connection reset"],
  ["ENOTFOUND", "no such host"],
  ["ETIMEDOUT", "connection timed out"],
  ["EHOSTUNREACH", "host unreachable"],
  ["ENETUNREACH", "network unreachable"],
  ["EPROTO", "TLS failed; does the agent use ws://?"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", UNTRUSTED],
  ["SELF_SIGNED_CERT_IN_CHAIN", UNTRUSTED],
  ["UNABLE_TO_GET_ISSUER_CERT", UNTRUSTED],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", UNTRUSTED],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", UNTRUSTED],
  ["WS_ERR_UNSUPPORTED_MESSAGE_LENGTH", "a message was too large"],
  ["WS_ERR_INVALID_UTF8", "a message was not UTF-8"],
])

/** Describes a close by the agent or by its exit. `code` and `reason` are those of the close frame (RFC 6455). */
export function describeClose(code: number, reason: string): string {
  const quoted = reason === "" ? "" : `: ${quotedLine(reason)}`
  return `closed by the agent (${code}${quoted})`
}

/** Describes an error that a WebSocket or an HTTP request reported or threw. */
export function describeConnectionError(message: string, error: unknown): string {
  const text = TEXT_BY_CODE.get(errorCode(error))
  if (text !== undefined) return text
  const status = /status code: (\d{3})/.exec(message)?.[1]
  if (status === "401") return "the agent asks for its token (HTTP 401): set OPENTUI_WS_TOKEN to it"
  if (status !== undefined) return `the agent refused the connection (HTTP ${status})`
  const detail = message.replace(/^.*? failed: /s, "")
  return detail === "" ? "connection failed" : quotedLine(detail)
}
