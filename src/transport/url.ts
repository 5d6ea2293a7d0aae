// Judges the address of an agent before anything is shown or sent.
import { sanitizeLine } from "../protocol/sanitize.ts"

const SHOWN_LENGTH = 200

/**
 * One line that says why this address will not do, or null where it will. It must be ws or wss, without a name, a
 * password or a `#`; and, unless `allowRemote`, on this machine: 127.0.0.0/8, ::1 or localhost, since the agent
 * neither asks who we are nor says who it is (docs/contract.md section 7).
 */
export function checkUrl(url: string, options: { readonly allowRemote: boolean }): string | null {
  const shown = sanitizeLine(url.slice(0, SHOWN_LENGTH))
  if (!URL.canParse(url)) return `not a URL: ${shown}`
  const { protocol, username, password, hostname, hash } = new URL(url)
  if (protocol !== "ws:" && protocol !== "wss:") return `not a WebSocket address (ws:// or wss://): ${shown}`
  if (username !== "" || password !== "") return "a name or a password does not belong in the agent's URL"
  if (hash !== "" || url.endsWith("#")) return `a WebSocket address has no # part: ${shown}`
  if (!options.allowRemote && !isLoopback(hostname))
    return `not on this machine: ${shown} (remote agents must be allowed)`
  return null
}

/** One line that says what is not safe about an address that will do; null where nothing is. */
export function urlWarning(url: string): string | null {
  const { protocol, hostname } = new URL(url)
  if (protocol === "wss:" || isLoopback(hostname)) return null
  return `${sanitizeLine(hostname)} is reached by ws://: whoever stands between can read and change what is said; wss:// is safe`
}

/** True where a header can carry this token. */
export function isToken(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token)
}

/** `hostname` as the URL parser gives it: lower case, IPv4 in four decimal numbers, IPv6 in brackets. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
