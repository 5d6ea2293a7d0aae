// Reads what was pasted.
import { sanitize } from "../protocol/sanitize.ts"

/** The pasted text, sanitized. Terminals send the end of a line as CR, as they send Enter. */
export function pasted(bytes: Uint8Array): string {
  return sanitize(new TextDecoder().decode(bytes).replace(/\r\n?/g, "\n"))
}
