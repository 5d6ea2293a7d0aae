// Puts in words why a line to the agent was lost.
import { sanitizeLine } from "../protocol/sanitize.ts"

const SHOWN_LENGTH = 200

const wordsByCode: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "connection refused"],
  ["ECONNRESET", "connection reset"],
  ["ENOTFOUND", "no such host"],
  ["ETIMEDOUT", "connection timed out"],
  ["EHOSTUNREACH", "host unreachable"],
  ["ENETUNREACH", "network unreachable"],
  ["WS_ERR_UNSUPPORTED_MESSAGE_LENGTH", "a message was too big to take in"],
  ["WS_ERR_INVALID_UTF8", "a message was not UTF-8"],
])

/** Why a line ended that the agent, or its end, closed. `code` and `reason` are those of the close frame (RFC 6455). */
export function describeClose(code: number, reason: string): string {
  const said = reason === "" ? "" : `: ${sanitizeLine(reason.slice(0, SHOWN_LENGTH))}`
  return `closed by the agent (${code}${said})`
}

/** Why an attempt failed or a line broke, from the error that the WebSocket gives or throws. */
export function describeConnectionError(message: string, error: unknown): string {
  const words = wordsByCode.get(codeOf(error))
  if (words !== undefined) return words
  const status = /status code: (\d{3})/.exec(message)?.[1]
  if (status !== undefined) return `the agent refused the connection (HTTP ${status})`
  const tail = message.slice(
    message.indexOf(" failed: ") === -1 ? 0 : message.indexOf(" failed: ") + " failed: ".length,
  )
  return tail === "" ? "connection failed" : sanitizeLine(tail.slice(0, SHOWN_LENGTH))
}

function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return ""
  return String(error.code)
}
