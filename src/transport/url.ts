// Validates the address and the token of an agent before anything is shown or sent.
import { quotedLine, sanitizeLine } from "../../packages/wire/src/sanitize.ts"

/** What is wrong with an agent's URL, in one line; null if it is fine (docs/contract.md section 7). */
export function checkUrl(url: string, options: { readonly allowRemote: boolean }): string | null {
  const shown = quotedLine(url) || "nothing"
  if (!URL.canParse(url)) return `expected a ws:// or wss:// URL, got ${shown}`
  const { protocol, username, password, hostname, hash } = new URL(url)
  if (protocol !== "ws:" && protocol !== "wss:") return `expected a ws:// or wss:// URL, got ${shown}`
  if (username !== "" || password !== "") return "the agent's URL can't contain a user name or password"
  if (hash !== "" || url.endsWith("#")) return `a WebSocket URL can't have a # part: ${shown}`
  if (!options.allowRemote && !isLoopback(hostname)) return `not on this machine: ${shown}. --allow-remote allows it`
  return null
}

/** Throws an Error with one line if the URL fails `checkUrl` or the token can't be sent in a header. */
export function requireUsable(
  url: string,
  token: string | undefined,
  options: { readonly allowRemote: boolean },
): void {
  const error = checkUrl(url, options)
  if (error !== null) throw new Error(error)
  if (token !== undefined && !isToken(token))
    throw new Error("the agent's token must be printable ASCII without spaces")
}

/** One line that warns about an unsafe but valid URL, or an unchecked certificate; null if there is no need to. */
export function urlWarning(url: string, isChecked: boolean): string | null {
  const { protocol, hostname } = new URL(url)
  const host = sanitizeLine(hostname)
  if (protocol === "wss:" && !isChecked)
    return `The certificate of ${host} isn't checked, because NODE_TLS_REJECT_UNAUTHORIZED is 0`
  if (protocol === "wss:" || isLoopback(hostname)) return null
  return `The connection to ${host} isn't encrypted, so others can read and change it. Use wss://`
}

/** True for a token that may stand in a header. */
export function isToken(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token)
}

/** True for the `Host` header of a request to this machine: a loopback address or `localhost`, with a port or none. */
export function isLoopbackHost(host: string): boolean {
  const url = `http://${host}`
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(url) && isLoopback(new URL(url).hostname)
}

/** `hostname` as the URL parser returns it: lower case, IPv4 as four decimal numbers, IPv6 in brackets. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
